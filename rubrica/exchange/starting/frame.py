"""The part of a bundled study that does not depend on its items: questions, guidelines, practice."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from shutil import copyfile, copytree, ignore_patterns

from rubrica.errors import Problem, nearest
from rubrica.exchange.starting.blocks import replaced
from rubrica.exchange.starting.rules import UNKNOWN_KIND
from rubrica.items.mapping import Mapper
from rubrica.items.media import media_file, media_root
from rubrica.study.load import FILE, LoadedStudy, load_study

BUNDLED = ("m3bench", "vtt", "incar")


def bundled_copy(name: str, folder: Path) -> None:
    """A bundled study with its demo items."""
    with as_file(files("rubrica.studies") / known(name)) as original:
        copytree(original, folder, ignore=ignore_patterns("make", "__pycache__"), dirs_exist_ok=True)


def known(name: str) -> str:
    if name not in BUNDLED:
        near, expected = nearest(name, BUNDLED), ", ".join(BUNDLED)
        raise Problem(UNKNOWN_KIND, expected=expected, got=name, nearest=near)
    return name


def bundled_text(name: str) -> str:
    """The study file of a bundled study."""
    return (files("rubrica.studies") / known(name) / FILE).read_text(encoding="utf-8")


def frame(name: str, folder: Path) -> str:
    """Guidelines and practice, with the pictures practice needs, in a folder; the study file's text."""
    with as_file(files("rubrica.studies") / known(name)) as original:
        loaded = load_study(original)
        names = [*(g.file for g in loaded.guidelines.values()), *_practice(loaded)]
        for file in names:
            copyfile(original / file, folder / file)
        for file in practice_media(loaded):
            to = folder / loaded.study.items.media / file
            to.parent.mkdir(parents=True, exist_ok=True)
            copyfile(original / loaded.study.items.media / file, to)
    return replaced(bundled_text(name), ("minutes",), HOW_LONG)


HOW_LONG = "# minutes: 30 # about how long all of it takes, once somebody has tried it"
"""Other items take another time, and a guess would be told to raters as if it were known."""


def _practice(loaded: LoadedStudy) -> list[str]:
    return list(loaded.study.practice.from_) if loaded.study.practice else []


def practice_media(loaded: LoadedStudy) -> Iterator[str]:
    """Where the media of the worked examples lie, from the media folder."""
    mapper, root = Mapper(loaded.study), media_root(loaded)
    seen: set[str] = set()
    for example in loaded.practice:
        for data in (*example.earlier, example.item):
            for name in mapper.media(mapper.shown(data)):
                file = media_file(root, name)
                if file is not None and name not in seen:
                    seen.add(name)
                    yield file.relative_to(root).as_posix()
