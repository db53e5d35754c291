"""The desk's own texts, with those it shares with the rater's pages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from rubrica.errors import Problem
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
        """A message with its values, some of which may themselves be in each language."""
        texts = self.texts(message).items()
        return spans({lang: text.format(**_in(lang, values)) for lang, text in texts})

    def of_problem(self, problem: Problem) -> dict[str, str]:
        """What is wrong, and how to mend it."""
        says, mend = self.texts(problem.rule.says), self.texts(problem.rule.mend)
        return {
            "en": _sentences(problem.filled(says["en"]), problem.filled(mend["en"]), ". "),
            "zh": _sentences(problem.filled(says["zh"]), problem.filled(mend["zh"]), "。"),
        }

    def strings(self, source: str) -> dict[str, dict[str, str]]:
        """The messages a script names that have a translation."""
        found = {literal: self.texts(literal) for literal in set(_LITERAL.findall(source))}
        return {m: {"zh": t["zh"]} for m, t in sorted(found.items()) if t["zh"] != m}

    def helpers(self) -> Mapping[str, Any]:
        return {
            "number": number,
            "percent": percent,
            "signed": signed,
            "duration": self.duration,
            "when": when,
            "moment": moment,
            "day": day,
            "problem_texts": lambda problem: spans(self.of_problem(problem)),
            "who_is": self.who_is,
            "option": self.option,
            "label": self.label,
            "hint": self.hint,
        }

    def who_is(self, who: str, people: Mapping[int, str] | None = None) -> Markup:
        """Whoever the log names by a number."""
        kind, _, given = who.partition(" ")
        number = int(given) if given.isdecimal() else None
        if kind == "rater" and number is not None:
            return self.say("Rater {n}", n=number)
        if kind == "person" and number is not None:
            known = (people or {}).get(number)
            return escape(known) if known else self.say("Account {n}", n=number)
        if who == "command line":
            return self.say("this machine")
        return self.say(who) if self.texts(who)["zh"] != who else escape(who)

    # Some places of a page hold plain text only: they show one language, and carry the others along
    # for the script that switches.

    @pass_context
    def option(self, context: Context, value: str, message: str, chosen: Any = None) -> Markup:
        texts = self.texts(message)
        picked = Markup(" selected") if chosen is not None and value == str(chosen) else ""
        return Markup('<option value="{}"{} data-texts="{}">{}</option>').format(
            value, picked, json.dumps(texts), texts[context["look"].language]
        )

    @pass_context
    def label(self, context: Context, message: str) -> Markup:
        return self._attribute(context, "aria-label", message)

    @pass_context
    def hint(self, context: Context, message: str) -> Markup:
        return self._attribute(context, "placeholder", message)

    def _attribute(self, context: Context, name: str, message: str) -> Markup:
        texts = self.texts(message)
        return Markup(' {}="{}" data-{}="{}"').format(
            name, texts[context["look"].language], name, json.dumps(texts)
        )

    def duration(self, seconds: float | None) -> Markup:
        """Seconds as people say them."""
        if seconds is None:
            return Markup("–")
        if seconds < 90:
            return self.say("{n} s", n=round(seconds))
        if seconds < 5_400:
            return self.say("{n} min", n=round(seconds / 60))
        return self.say("{n} h", n=f"{seconds / 3600:.1f}")


def _in(language: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v[language] if isinstance(v, Mapping) else v for k, v in values.items()}


def _sentences(says: str, mend: str, between: str) -> str:
    return f"{says[:1].upper()}{says[1:]}{between}{mend}"


def number(value: float | None, digits: int = 0) -> str:
    """With a real minus sign; nothing is a dash."""
    return "–" if value is None else f"{value:,.{digits}f}".replace("-", "−")


def signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}".replace("-", "−")


def percent(part: float | None, whole: float | None) -> str:
    return "–" if not whole or part is None else f"{100 * part / whole:.0f}%"


def day(text: str) -> Markup:
    return Markup('<time datetime="{}" data-day>{}</time>').format(text[:10], text[:10])


def moment(seconds: float) -> Markup:
    """A moment given in seconds since 1970."""
    return when(datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds"))


def when(text: str | None) -> Markup:
    """A moment, which the page turns into the reader's own time."""
    if not text:
        return Markup("–")
    moment = datetime.fromisoformat(text)
    shown = moment.strftime("%Y-%m-%d %H:%M")
    return Markup('<time datetime="{}">{}</time>').format(text, shown)
