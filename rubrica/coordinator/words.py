"""The desk's own texts, with those it shares with the rater's pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rubrica.texts import LANGUAGES
from rubrica.web.texts import Catalogue, spans

HERE = Path(__file__).parent
OWN = Catalogue(HERE / "locale")
_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)+)"')


class Words:
    """Finds a message in the desk's catalogue, then in the one it is given."""

    def __init__(self, shared: Catalogue) -> None:
        self._shared = shared

    def texts(self, message: str) -> dict[str, str]:
        own, shared = OWN.texts(message), self._shared.texts(message)
        return {lang: own[lang] if own[lang] != message else shared[lang] for lang in LANGUAGES}

    def say(self, message: str, **values: Any) -> Markup:
        return spans({lang: text.format(**values) for lang, text in self.texts(message).items()})

    def strings(self, source: str) -> dict[str, dict[str, str]]:
        """The messages a script names that have a translation."""
        found = {literal: self.texts(literal) for literal in set(_LITERAL.findall(source))}
        return {m: {"zh": t["zh"]} for m, t in sorted(found.items()) if t["zh"] != m}

    def helpers(self) -> Mapping[str, Any]:
        return {
            "texts_of": self.texts,
            "number": number,
            "percent": percent,
            "duration": self.duration,
            "when": when,
            "day": lambda text: str(text)[:10],
        }

    def duration(self, seconds: float | None) -> Markup:
        """Seconds as people say them."""
        if seconds is None:
            return Markup("–")
        if seconds < 90:
            return self.say("{n} s", n=round(seconds))
        if seconds < 5_400:
            return self.say("{n} min", n=round(seconds / 60))
        return self.say("{n} h", n=f"{seconds / 3600:.1f}")


def number(value: float | None, digits: int = 0) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def percent(part: float | None, whole: float | None) -> str:
    return "–" if not whole or part is None else f"{100 * part / whole:.0f}%"


def when(text: str | None) -> Markup:
    """A moment, which the page turns into the reader's own time."""
    if not text:
        return Markup("–")
    moment = datetime.fromisoformat(text)
    shown = moment.strftime("%Y-%m-%d %H:%M")
    return Markup('<time datetime="{}">{}</time>').format(text, shown)
