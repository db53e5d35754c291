"""What things are called in a report: questions, levels, systems, groups."""

from __future__ import annotations

from typing import Any

from rubrica.analysis.table import Question
from rubrica.kinds.named import Named
from rubrica.reports.language import Say
from rubrica.review.coding import ENTRIES, SCORE
from rubrica.review.gather import Gathered
from rubrica.study.called import plain, question_called, score_called
from rubrica.texts import Text, in_language

EVERYTHING = "*"


class Names:
    def __init__(self, gathered: Gathered, say: Say) -> None:
        self.gathered, self.say = gathered, say
        self.study = gathered.study
        parts = (gathered.whole, *gathered.parts)
        self.questions: dict[str, Question] = {q.name: q for p in parts for q in p.questions}

    def text(self, text: Text | None) -> str:
        return "" if text is None else in_language(text, self.say.language)

    @property
    def title(self) -> str:
        return self.text(self.study.title)

    def question(self, name: str) -> str:
        """What the study calls it, with the part of its answers that is meant."""
        if name.startswith(SCORE):
            return self._score(name.removeprefix(SCORE))
        if name.endswith(ENTRIES):
            return self._entries(name.removesuffix(ENTRIES))
        of, _, part = name.partition(".")
        called = question_called(self.study, of, self.say.language)
        return f"{called}{self.say.colon}{part}" if part else called

    def _score(self, name: str) -> str:
        name, _, passes = name.partition(".")
        label = score_called(self.study, name, self.say.language)
        return self.say(f"{label}: pass", f"{label}：通过") if passes else label

    def _entries(self, name: str) -> str:
        kind = self.study.questions[name].kind if name in self.study.questions else ""
        called = question_called(self.study, name, self.say.language)
        if kind == "failures":
            return self.say(f"{called}, turn by turn", f"{called}（逐轮）")
        return self.say(f"{called}, one by one", f"{called}（逐项）")

    def ask(self, name: str) -> str:
        declared = self.study.questions.get(name)
        return "" if declared is None else self.text(declared.ask)

    def level(self, question: str, level: str) -> str:
        """A level's number with its label: `3 Fair`; an option's own label."""
        if question.startswith(SCORE) or question.endswith(ENTRIES):
            return self._common(question, level)
        of, _, part = question.partition(".")
        if part:
            return self._common(question, level)
        named = self._named(of, level)
        label = "" if named is None else self.text(named.label)
        if not label or label == level:
            return level
        return f"{level} {label}" if _is_number(level) else label

    def _common(self, question: str, level: str) -> str:
        words = {
            "pass": self.say("pass", "通过"),
            "fail": self.say("fail", "未通过"),
            "yes": self.say("yes", "是"),
            "no": self.say("no", "否"),
            "marked": self.say("failure marked", "标出失误"),
            "none": self.say("no failure", "没有失误"),
        }
        if level in words:
            return words[level]
        declared = self.study.questions.get(question.removesuffix(ENTRIES))
        inner = getattr(declared, "answer", None)
        named = _find(getattr(inner, "levels", None) or getattr(inner, "options", None), level)
        label = "" if named is None else self.text(named.label)
        return f"{level} {label}".strip()

    def _named(self, question: str, level: str) -> Named | None:
        declared = self.study.questions.get(question)
        return _find(getattr(declared, "levels", None) or getattr(declared, "options", None), level)

    def system(self, name: str | None) -> str:
        if name is None or name == EVERYTHING:
            return self.say("all items", "全部条目")
        return name

    def said(self, note: str) -> str:
        """What the author says of a verdict, in the report's language; notes travel in English."""
        notes = [v.note for v in self.study.items.verdict.values() if v.note is not None]
        return next((self.text(n) for n in notes if in_language(n, "en") == note), note)

    def group(self, group: str) -> str:
        """`system=alder` as `system: alder`, with the field's last name only."""
        field, _, value = group.partition("=")
        return f"{self.field(field)}{self.say.colon}{value}"

    def field(self, field: str) -> str:
        known = {
            "system": self.say("system", "系统"),
            "batch": self.say("batch", "批次"),
            "wave": self.say("wave", "批次（后续）"),
        }
        return known.get(field) or plain(field.rpartition(".")[2])

    def rater(self, name: str) -> str:
        return self.say("all raters", "全部评分员") if name == EVERYTHING else name


def _find(levels: Any, level: str) -> Named | None:
    if not isinstance(levels, dict):
        return None
    return next((named for key, named in levels.items() if str(key) == level), None)


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdigit()
