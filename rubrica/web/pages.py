"""Templates and the reader's choice of language and theme."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined
from markupsafe import Markup

from rubrica.texts import Text, per_language
from rubrica.web.markdown import markdown
from rubrica.web.texts import NAMES, study_text

LOOK_COOKIE = "rubrica_look"
THEMES = ("system", "light", "dark")


@dataclass(frozen=True, slots=True)
class Look:
    """What the reader chose; a plain cookie, so that the very first byte is already right."""

    language: str
    theme: str = "system"

    @classmethod
    def of(cls, cookie: str | None, accepts: str | None, languages: Sequence[str]) -> Look:
        language, _, theme = (cookie or "").partition(".")
        if language not in languages:
            language = _preferred(accepts or "", languages)
        return cls(language, theme if theme in THEMES else "system")


def _preferred(accepts: str, languages: Sequence[str]) -> str:
    """The first language of an Accept-Language header that is offered (its order is by preference)."""
    for wanted in accepts.split(","):
        tag = wanted.split(";")[0].strip()
        for language in (tag, tag.partition("-")[0]):
            if language in languages:
                return language
    return languages[0]


def as_script_data(value: Any) -> Markup:
    """JSON that can stand in a script element: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704


def environment(loader: BaseLoader, **names: Any) -> Environment:
    """Templates escape everything, and a misspelt name is an error rather than a gap."""
    made = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["markdown"] = markdown
    made.filters["script_data"] = as_script_data
    made.globals.update({"language_names": NAMES, **names})
    return made


def texts_in(languages: Sequence[str]) -> dict[str, Any]:
    """How templates show the study's own texts: as a line, as lines of Markdown, as blocks."""

    def texts(text: Text) -> Markup:
        return study_text(text, languages)

    def blocks(text: Text) -> Markup:
        return study_text(text, languages, "div", markdown)

    def lines(text: Text) -> Markup:
        return study_text(text, languages, "span", _inline)

    return {"texts": texts, "blocks": blocks, "lines": lines}


def _inline(text: str) -> Markup:
    """Markdown of one paragraph without the paragraph."""
    html = markdown(text).strip()
    whole = html.startswith("<p>") and html.endswith("</p>") and html.count("<p>") == 1
    return Markup(html[3:-4]) if whole else Markup(html)  # noqa: S704 -- cleaned by markdown()


def page_titles(title: Text, languages: Sequence[str]) -> dict[str, str]:
    """The page's title in every language, for the window's own."""
    return per_language(title, tuple(languages))
