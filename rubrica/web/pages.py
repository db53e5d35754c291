"""Templates and the reader's choice of language and theme."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined
from markupsafe import Markup

from rubrica.web.markdown import markdown
from rubrica.web.texts import NAMES

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
    )
    made.filters["markdown"] = markdown
    made.filters["script_data"] = as_script_data
    made.globals.update({"language_names": NAMES, **names})
    return made


def rendered(made: Environment, template: str, values: Mapping[str, Any]) -> str:
    return made.get_template(template).render(values)
