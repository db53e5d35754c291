"""Opening a study with its database: what every command that is given a study does first.

The database is migrated and the study's version and items are loaded, so that whatever comes next
speaks of the study as it is on the disk now.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Annotated

import typer

from rubrica.assignment.lists import read_lists
from rubrica.cli.talk import beside, progress
from rubrica.errors import Problem, Problems, Rule, Where
from rubrica.exchange.contract import Here
from rubrica.fieldwork.desk import Desk, desk_for
from rubrica.items.few import Few
from rubrica.items.holes import MediaCheck, MediaReport
from rubrica.items.load import items_of
from rubrica.items.model import Loaded, NewItem
from rubrica.storage.open import Store, open_store, shown_address
from rubrica.storage.unmaking import unmake
from rubrica.study.load import LoadedStudy, load_study, study_file

Database = Annotated[
    str | None,
    typer.Option("--db", help="The database: a file or a URL. [default: STUDY/rubrica.db]"),
]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Load the good items even where others have problems.")
]

ONE_DATABASE = Rule(
    code="C012",
    title="Studies that are opened together share a database",
    says="these studies have databases of their own: {got}",
    why="One program writes to one database.",
    mend="Name one for all of them with `--db`.",
)
SAME_NAME = Rule(
    code="C013",
    title="Studies in one database have names of their own",
    says="{one} and {other} are both called {got!r}",
    why="The name of its folder is what a study is known by in a database.",
    mend="Rename one of the folders.",
)


DATABASE = "rubrica.db"
PATIENCE = 1.5
"""Seconds without a word."""
NOT_THERE = Rule(
    code="C016",
    title="A database that is named to be read is there",
    says="there is no database {got}",
    why="A new one would be made, and what comes out of it would look like a study nobody has rated.",
    mend="Correct the name behind `--db`.",
)


@dataclass(frozen=True)
class Opened:
    """A study, its database, and what loading did. `lists` are item keys by annotator id."""

    loaded: LoadedStudy
    store: Store
    counts: Loaded
    lists: Mapping[str, Sequence[str]]
    media: MediaReport

    @property
    def name(self) -> str:
        return self.loaded.name

    def desk(self) -> Desk:
        return desk_for(self.store, self.name, self.loaded.version)

    def refuse_holes(self) -> None:
        """Raise what is missing of the images, sounds and films that raters would be shown."""
        if self.media.holes:
            raise Problems(self.media.problems())


@contextmanager
def opened(
    study: Path, db: str | None = None, *, skip_bad: bool = False, to_read: bool = False
) -> Iterator[Opened]:
    """The study with its database, migrated and loaded; closed at the end."""
    file = database_file(db) if to_read and db is not None else None
    if file is not None and not file.exists():
        raise Problem(NOT_THERE, got=db)
    with opened_together([study], db, skip_bad=skip_bad) as found:
        yield found[0]


@contextmanager
def opened_together(
    studies: Sequence[Path], db: str | None = None, *, skip_bad: bool = False
) -> Iterator[list[Opened]]:
    """Several studies in one database."""
    loaded = [load_study(study) for study in studies]
    for warning in (warning for one in loaded for warning in one.warnings):
        beside().print(str(warning), markup=False)
    _tell_apart(loaded)
    databases = {database(one, db) for one in loaded}
    if len(databases) > 1:
        raise Problem(ONE_DATABASE, got=", ".join(sorted(databases)))
    where = databases.pop()
    with taken_back(where), waiting_for(where) as it_is_ours, open_store(where) as store:
        yield [_bring(one, store, skip_bad, it_is_ours) for one in loaded]


@contextmanager
def taken_back(where: str) -> Iterator[None]:
    """A database that is made for a command which then fails would only be in the way."""
    file = database_file(where)
    made = file is not None and not file.exists()
    try:
        yield
    except (Problem, Problems):
        if made and file is not None:
            unmake(file)
        raise


@contextmanager
def waiting_for(where: str) -> Iterator[Callable[[], None]]:
    """Says so where a database takes long to let us in; call what it gives once it has."""
    file = database_file(where)
    if file is not None and not file.exists():
        yield lambda: None
        return
    text = f"Waiting for {shown_address(where)}: another program seems to be writing to it."
    late = Timer(PATIENCE, lambda: beside().print(text, markup=False))
    late.daemon = True
    late.start()
    try:
        yield late.cancel
    finally:
        late.cancel()


def _tell_apart(loaded: Sequence[LoadedStudy]) -> None:
    folders: dict[str, Path] = {}
    for one in loaded:
        if one.name in folders:
            details = {"one": folders[one.name], "other": one.folder}
            raise Problem(SAME_NAME, got=one.name, details=details)
        folders[one.name] = one.folder


def _bring(loaded: LoadedStudy, store: Store, skip_bad: bool, it_is_ours: Callable[[], None]) -> Opened:
    store.studies.add_version(loaded.name, loaded.version)
    media = MediaCheck(loaded)
    counts = load_items(loaded, store, media, it_is_ours, skip_bad=skip_bad)
    lists, problems = load_lists(loaded, store)
    if problems and not skip_bad:
        raise Problems(problems)
    counts.problems += problems
    return Opened(loaded, store, counts, lists, media.report())


def here(found: Opened) -> Here:
    """The study as exchanges of ratings see it."""
    return Here(found.name, found.loaded.study, found.loaded.version.hash, found.store)


def named_database(db: str | None) -> str | None:
    """The database that is asked for, or that RUBRICA_DB says."""
    return db or os.environ.get("RUBRICA_DB")


def database(loaded: LoadedStudy, db: str | None) -> str:
    """Where the data lives: as named, or beside the study."""
    return named_database(db) or str(loaded.folder / DATABASE)


def database_file(url: str) -> Path | None:
    """The file of a SQLite database; None for one on a server."""
    if "://" in url and not url.startswith("sqlite"):
        return None
    return Path(url.removeprefix("sqlite:///")).resolve()


def database_beside(study: Path | None, db: str | None) -> str:
    """The same for a command that needs no study file, which may be in any state."""
    return named_database(db) or str(study_file(study).with_name(DATABASE) if study else DATABASE)


def load_items(
    loaded: LoadedStudy,
    store: Store,
    media: MediaCheck,
    begun: Callable[[], None] = lambda: None,
    *,
    skip_bad: bool = False,
) -> Loaded:
    """Bring the items in the study's files into the database: all of them, or all that are good."""
    left_out: list[Problem] = []
    brought = 0

    def good(told: Callable[[float], None]) -> Iterator[NewItem]:
        nonlocal brought
        begun()
        for found in items_of(loaded, skip_bad, told):
            if isinstance(found, Problem):
                left_out.append(found)
                continue
            brought += 1
            if found.media:
                media.look(found.media, Where(found.origin.file, found.origin.place))
            yield found

    with progress("Loading items", 1.0) as told:
        try:
            counts = store.loader.load(loaded.name, good(told))
        except Problems as raised:
            few = Few(loaded)
            few.gather(raised.problems)
            raise Problems(few.told(brought + len(raised.problems))) from None
    counts.bad, counts.problems = len(left_out), left_out
    return counts


def load_lists(loaded: LoadedStudy, store: Store) -> tuple[Mapping[str, list[str]], list[Problem]]:
    """Bring the study's fixed lists, if it has any, into the database; what is wrong with them."""
    if loaded.study.raters.lists is None:
        return {}, []
    lists, problems = read_lists(loaded.folder / loaded.study.raters.lists)
    return lists, [*problems, *store.places.set_lists(loaded.name, lists)]
