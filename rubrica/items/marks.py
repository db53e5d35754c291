"""Neutral marks on texts: what a reader cannot see for sure, never what it is worth."""

from __future__ import annotations

import re
from typing import Literal

from rubrica.study.views import Marks

Mark = Literal["empty", "cut_off", "equals"]

_ENDS = frozenset(".!?…。！？．؟।:：;；")
_CLOSES = "*_`~\"'”’»)]}>）】」』》|"
_SENTENCE = re.compile(r"[.!?…]['\"”’)*_]*\s|[。！？]")
_LISTED = re.compile(r"\s*([-*+•#>|]|\d{1,3}[.)]\s)")
_OPEN_WORDS = re.compile(
    r"(a|an|the|and|or|but|of|in|on|at|to|for|from|with|by|as|between|like|into|than|that|which|is|are"
    r"|was|were|be|because|if|when|while|my|your|his|her|its|our|their)",
    re.IGNORECASE,
)
_FENCE = "```"


def mark_of(marks: Marks, text: str | None) -> Mark | None:
    """The mark this text gets, of those the study declares."""
    stripped = (text or "").strip()
    if stripped in marks.equals:
        return "equals"
    if not stripped:
        return "empty" if marks.empty else None
    return "cut_off" if marks.cut_off and looks_cut_off(stripped) else None


def looks_cut_off(text: str) -> bool:
    """Whether a text seems to stop in mid-sentence.

    It never ends so where its last mark closes a sentence. Otherwise an open code block or a last word
    that must be followed by another says so, and so does prose that had ended its sentences before.
    """
    if text.count(_FENCE) % 2:
        return True
    end = text.rstrip().rstrip(_CLOSES)
    if not end or end[-1] in _ENDS or text.endswith(_FENCE):
        return False
    if end[-1] in ",，、-–—(" or _OPEN_WORDS.fullmatch(_last_word(end)):
        return True
    return _is_prose(end)


def _last_word(text: str) -> str:
    return text[-40:].split()[-1]


def _is_prose(text: str) -> bool:
    """Sentences before this one ended, and the last line is no heading, list or table."""
    last = text[-2000:].rpartition("\n")[2]
    return text[-1].isalpha() and not _LISTED.match(last) and bool(_SENTENCE.search(text[-4000:]))
