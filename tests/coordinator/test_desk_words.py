"""Every text of the desk is there in Chinese, in its own catalogue or in the rater's."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import rubrica
from rubrica.accounts import changes, entering, passwords
from rubrica.app import LENT
from rubrica.coordinator import rules
from rubrica.coordinator.alerts import SAYS
from rubrica.coordinator.pages import PAGES
from rubrica.coordinator.telling import CALLED
from rubrica.coordinator.words import HERE, Words
from rubrica.errors import Rule
from rubrica.exchange.contract import formats
from rubrica.web import problems, rates

CATALOGUE = HERE / "locale" / "zh" / "LC_MESSAGES"
CODE = Path(rubrica.__file__).parent
WORDS = Words(LENT.words)

QUOTED = r'"((?:[^"\\\n]|\\.)+)"'
IN_TEMPLATES = [rf"(?:\b_|\bsay|\blabel|\bhint)\({QUOTED}", rf'\boption\("[^"]*", {QUOTED}']
IN_SCRIPTS = [
    rf"\b(?:say|phrase|button)\(\s*{QUOTED}",
    rf"\bsay\([\w.() ]+ \? {QUOTED}",
    rf"\bsay\([^\n]*? : {QUOTED}\)",
]
CONFIRMED = rf"_confirm\(desk, rater, {QUOTED}"
DEEDS = rf'\.log(?:_deed)?\((?:f"[^"]*"|[^"])*?, {QUOTED}, \{{{{'
SAME = {"Rubrica", "API"}


def _found(patterns: list[str], text: str) -> Iterator[str]:
    for pattern in patterns:
        for match in re.finditer(pattern, text, re.S):
            yield from match.groups()


def said() -> Iterator[tuple[str, str]]:
    for path in sorted((HERE / "templates").glob("*.html")):
        yield from ((path.name, text) for text in _found(IN_TEMPLATES, path.read_text("utf-8")))
    for path in sorted((HERE / "static").glob("*.js")):
        yield from ((path.name, text) for text in _found(IN_SCRIPTS, path.read_text("utf-8")))
    for said in SAYS.values():
        yield from (("alerts.py", said.says), ("alerts.py", said.do))
    yield from ((layout.name, layout.says) for layout in native_layouts())
    yield from (("pages.py", page.title) for page in PAGES)
    yield from (("telling.py", text) for text in CALLED.values())


def native_layouts() -> list[Any]:
    """Those that some study is exported in."""
    return [layout for layout in formats().values() if layout.questions]


def deeds() -> Iterator[tuple[str, str]]:
    """What the logs say was done."""
    rooms = [CODE / room for room in ("accounts", "coordinator", "fieldwork", "review")]
    for path in sorted(chain.from_iterable(room.glob("*.py") for room in rooms)):
        yield from ((path.name, text) for text in _found([DEEDS, CONFIRMED], path.read_text("utf-8")))


def problems_of_the_desk() -> Iterator[tuple[str, str]]:
    for module in (changes, entering, passwords, rules, problems, rates):
        for rule in vars(module).values():
            if isinstance(rule, Rule):
                yield from ((rule.code, text) for text in (rule.says, rule.mend))


KEYS = (
    *("rater", "raters", "ratings", "item", "items", "question", "places", "to", "reason", "message"),
    *("version", "language", "guidelines", "consent", "layout", "format", "names"),
    *("person", "study", "role", "purpose", "scope", "token"),
)
"""What the logs say of what was done."""


def untranslated(texts: Iterator[tuple[str, str]]) -> dict[str, str]:
    return {
        text: where
        for where, text in texts
        if text not in SAME and WORDS.texts(text)["zh"] == WORDS.texts(text)["en"]
    }


def test_every_text_has_its_translation() -> None:
    assert untranslated(said()) == {}


def test_what_the_log_says_has_its_translation() -> None:
    assert untranslated(deeds()) == {}


def test_what_the_log_says_of_it_has_its_translation() -> None:
    assert untranslated(("the log", key) for key in KEYS) == {}


def test_every_problem_has_its_translation() -> None:
    assert untranslated(problems_of_the_desk()) == {}


def test_no_translation_is_left_over() -> None:
    paths = [p for p in CODE.rglob("*") if p.suffix in (".html", ".js", ".py")]
    everything = "\n".join(path.read_text("utf-8") for path in paths)
    joined = re.sub(r'"\s*\n\s*f?"', "", everything)
    with (CATALOGUE / "rubrica.po").open("rb") as file:
        known = [str(message.id) for message in read_po(file, "zh") if message.id]
    assert [text for text in known if text not in joined] == []


def test_placeholders_are_kept() -> None:
    with (CATALOGUE / "rubrica.po").open("rb") as file:
        for message in read_po(file, "zh"):
            wanted = set(re.findall(r"\{\w+(?:!r)?\}", str(message.id)))
            assert set(re.findall(r"\{\w+(?:!r)?\}", str(message.string))) == wanted, message.id


def test_the_built_catalogue_is_up_to_date() -> None:
    with (CATALOGUE / "rubrica.po").open("rb") as file:
        built = io.BytesIO()
        write_mo(built, read_po(file, "zh"))
    assert (CATALOGUE / "rubrica.mo").read_bytes() == built.getvalue(), "run `pybabel compile`"


@pytest.mark.parametrize(
    "path", sorted((HERE / "static").glob("*.js")), ids=lambda path: str(path.name)
)
def test_modules_are_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 200
