"""A study's questions as markup and as data for the page, in every language at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from rubrica.kinds.contract import Question
from rubrica.kinds.registry import kind
from rubrica.ratings.accept import reasons
from rubrica.study.model import Study
from rubrica.texts import Text, per_language
from rubrica.web.pages import texts_in
from rubrica.web.parts import page_text, part_of


def question_specs(study: Study, languages: Sequence[str]) -> list[dict[str, Any]]:
    """What the page needs to know of each question; what depends on the item comes with the item."""
    return [
        {
            "id": name,
            "kind": question.kind,
            "required": question.required,
            "reasons": _reasons(study, question, languages),
            "data": kind(question.kind).page_data(question, tuple(languages)),
        }
        for name, question in study.questions.items()
    ]


def _reasons(study: Study, question: Question, languages: Sequence[str]) -> Any:
    allowed = question.cannot_judge
    if not isinstance(allowed, list):
        return allowed
    return listed_reasons(allowed, study.languages[0], languages)


def listed_reasons(texts: list[Text], first: str, languages: Sequence[str]) -> list[list[Any]]:
    """Each reason as it is recorded, in the study's first language, and as it is shown."""
    shown = [per_language(text, tuple(languages)) for text in texts]
    return [list(pair) for pair in zip(reasons(texts, first), shown, strict=True)]


def question_templates(made: Environment, study: Study, languages: Sequence[str]) -> Markup:
    """One template element per question, to be cloned for every item."""
    made_parts = [_question(made, name, q, tuple(languages)) for name, q in study.questions.items()]
    return Markup("\n").join(made_parts)


def _question(made: Environment, name: str, question: Question, languages: tuple[str, ...]) -> Markup:
    data = kind(question.kind).page_data(question, languages)
    html = made.get_template("question.html").render(
        id=name,
        question=question,
        part=part_of(made, question.kind, name, data, languages),
        rubric=_rubric(made, question, data, languages),
        implied=getattr(question, "implied", None) is not None,
        **texts_in(languages),
    )
    return Markup(html)  # noqa: S704 -- rendered with autoescape


def _rubric(
    made: Environment, question: Question, data: Mapping[str, Any], languages: tuple[str, ...]
) -> Markup | None:
    """Everything that may help with the question, or None where there is nothing to open."""
    inner = data.get("answer", data)
    meanings = [
        (_level(option), page_text(option["means"]))
        for option in inner.get("options", ())
        if option.get("means")
    ]
    types = [
        (page_text(t["label"]), page_text(t["means"])) for t in data.get("types", ()) if t.get("means")
    ]
    if question.rubric is None and not meanings and not types:
        return None
    html = made.get_template("rubric.html").render(
        question=question, meanings=meanings, types=types, **texts_in(languages)
    )
    return Markup(html)  # noqa: S704 -- rendered with autoescape


def _level(option: Mapping[str, Any]) -> Markup:
    label = page_text(option["label"])
    value = option["value"]
    named = str(value) not in option["label"].values() and isinstance(value, int)
    return Markup("{} · {}").format(value, label) if named else label
