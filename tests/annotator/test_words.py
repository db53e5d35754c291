"""Every text of the pages is there in Chinese, and the built catalogue is the written one."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from rubrica.annotator.problems import MESSAGES, OTHERWISE
from rubrica.annotator.scripts import STATIC, sources
from rubrica.annotator.words import HERE, known_messages
from rubrica.kinds.registry import kinds

CATALOGUE = HERE / "locale" / "zh" / "LC_MESSAGES"
IN_TEMPLATES = re.compile(r'(?:\b_|\bsay)\("((?:[^"\\]|\\.)*)"')
IN_SCRIPTS = re.compile(r'\b(?:say|phrase|phrase_text)\(\s*(?:[\w.]+ \? )?"((?:[^"\\]|\\.)*)"')


def said() -> Iterator[tuple[str, str]]:
    for path in sorted((HERE / "templates").glob("*.html")):
        yield from ((path.name, found) for found in IN_TEMPLATES.findall(path.read_text("utf-8")))
    for name, kind in kinds().items():
        yield from ((f"{name}/part.html", found) for found in IN_TEMPLATES.findall(kind.template()))
    for name, source in sources(sorted(kinds())).items():
        yield from ((name, found) for found in IN_SCRIPTS.findall(source))
    yield from (("problems", text) for text in [*MESSAGES.values(), OTHERWISE])


def test_every_text_has_its_translation() -> None:
    known = known_messages()
    missing = {text: where for where, text in said() if text not in known}
    assert missing == {}


def test_no_translation_is_left_over() -> None:
    everything = "\n".join(
        [
            *(
                path.read_text("utf-8")
                for path in HERE.rglob("*")
                if path.suffix in (".html", ".js", ".py")
            ),
            *(kind.template() + kind.module() for kind in kinds().values()),
        ]
    )
    joined = re.sub(r'"\s*\n\s*"', "", everything)
    left = [text for text in known_messages() if f'"{text}"' not in joined]
    assert left == []


def test_placeholders_are_kept() -> None:
    with (CATALOGUE / "rubrica.po").open("rb") as file:
        for message in read_po(file, "zh"):
            wanted = set(re.findall(r"\{\w+\}", str(message.id)))
            assert set(re.findall(r"\{\w+\}", str(message.string))) == wanted, message.id


def test_the_built_catalogue_is_up_to_date() -> None:
    with (CATALOGUE / "rubrica.po").open("rb") as file:
        built = io.BytesIO()
        write_mo(built, read_po(file, "zh"))
    assert (CATALOGUE / "rubrica.mo").read_bytes() == built.getvalue(), "run `pybabel compile`"


@pytest.mark.parametrize("path", sorted(STATIC.rglob("*.js")), ids=lambda path: str(path.name))
def test_modules_are_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 400
