"""The page parts of question kinds, for every page on which somebody answers: markup and modules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from rubrica.kinds.registry import kind, kinds
from rubrica.study.model import Study
from rubrica.web.texts import spans

PARTS = "parts.js"


def part_of(
    made: Environment, kind_name: str, id_: str, data: Mapping[str, Any], languages: tuple[str, ...]
) -> Markup:
    """A kind's own markup; a kind that asks another kind gets that one's through `part`."""

    def inner(kind_name: str, id_: str, data: Mapping[str, Any]) -> Markup:
        return part_of(made, kind_name, id_, data, languages)

    html = _template(made, kind_name).render(
        id=id_, data=data, part=inner, texts=page_text, languages=languages
    )
    return Markup(html)  # noqa: S704 -- rendered with autoescape


@cache
def _template(made: Environment, kind_name: str) -> Any:
    return made.from_string(kind(kind_name).template())


def page_text(texts: Mapping[str, str] | str) -> Markup:
    """A text that is in every language already, as `page_data` gives it."""
    return spans({"en": texts} if isinstance(texts, str) else texts)


def part_modules(used: Sequence[str]) -> dict[str, str]:
    """The modules of these kinds by their names; `parts.js` lists them, whoever brought them."""
    imports = [f'import * as kind_{name} from "./kinds/{name}.js";' for name in used]
    listed = ", ".join(f'"{name}": kind_{name}' for name in used)
    parts = "\n".join([*imports, f"export const parts = {{ {listed} }};"])
    return {**{f"kinds/{name}.js": kinds()[name].module() for name in used}, PARTS: parts}


def kinds_used(studies: Iterable[Study]) -> list[str]:
    """A question may ask another kind of each entry, so all kinds named anywhere count."""
    asked = [question for study in studies for question in study.questions.values()]
    inner = {question.answer.kind for question in asked if hasattr(question, "answer")}
    return sorted(({question.kind for question in asked} | inner) & set(kinds()))
