"""What is wrong with this machine or database, and what to do."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from rubrica import __version__
from rubrica.cli import machine
from rubrica.cli.opening import Database, database, database_file, named_database
from rubrica.cli.talk import AsJson, give
from rubrica.errors import Problem, Problems, Rule
from rubrica.storage.doctor import findings
from rubrica.storage.open import open_store
from rubrica.study.load import LoadedStudy, load_study

Level = Literal["well", "note", "warning", "error"]

LEAST_ROOM = 500_000_000
"""Bytes that should be free where ratings are kept."""

FAR_AWAY = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "fuse.rclone", "davfs")

LITTLE_ROOM = Rule(
    code="C041",
    title="The disk has room for ratings",
    says="{got} is left on the disk of {folder}",
    why="A full disk stops a study; nothing that was saved is lost.",
    mend="Make room, or keep the database elsewhere with `--db`.",
    level="warning",
)
FAR_DISK = Rule(
    code="C042",
    title="A SQLite database lies on a disk of this machine",
    says="{folder} is on a network file system ({got})",
    why="SQLite relies on locks that network file systems often do not keep.",
    mend="Keep the database on a local disk with `--db`, or use PostgreSQL.",
    level="warning",
)
NOT_WRITABLE = Rule(
    code="C043",
    title="The study's folder can be written",
    says="{got} cannot be written",
    why="The database is kept there unless another place is given.",
    mend="Give yourself the right to write there, or keep the database elsewhere with `--db`.",
)


NO_DATABASE = Rule(
    code="C045",
    title="A database that is asked about is there",
    says="there is no database {got} yet",
    why="Nothing has been rated there; a doctor makes none.",
    mend="Nothing to mend for a new study: it is made when the study is loaded or served.",
    level="note",
)


@dataclass(frozen=True, slots=True)
class Finding:
    level: Level
    what: str
    says: str
    mend: str | None = None


def command(
    study: Annotated[
        Path | None, typer.Argument(help="A study to look at too: its file and its database.")
    ] = None,
    db: Database = None,
    port: Annotated[int, typer.Option(help="The port `rubrica serve` is to listen at.")] = 8000,
    as_json: AsJson = False,
) -> None:
    """What is wrong with this machine or database, and what to do."""
    findings = list(examine(study, db, port))
    give([asdict(f) for f in findings], "\n".join(map(_line, findings)), as_json)
    if any(f.level == "error" for f in findings):
        raise typer.Exit(1)


def examine(study: Path | None = None, db: str | None = None, port: int = 8000) -> Iterator[Finding]:
    """Everything that was looked at, well or not."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("well", "program", f"Rubrica {__version__} on Python {version}")
    for what, problems in machine.problems(port):
        yield from _told(what, problems)
    loaded = None
    if study is not None:
        loaded, problems = _study(study)
        yield from _told("study", problems)
    url = database(loaded, db) if loaded else named_database(db)
    if url is not None:
        yield from _told("disk", _disk(url))
        yield from _told("database", _database(url))


def _told(what: str, problems: Iterator[Problem]) -> Iterator[Finding]:
    found = [Finding(p.level, what, f"{p.code}: {_say(p)}", p.hint) for p in problems]
    yield from found or [Finding("well", what, "nothing wrong")]


def _say(problem: Problem) -> str:
    place = str(problem.where)
    return f"{problem.message} ({place})" if place else problem.message


def _study(path: Path) -> tuple[LoadedStudy | None, Iterator[Problem]]:
    try:
        loaded = load_study(path)
    except Problems as found:
        return None, iter(found.problems)
    return loaded, iter(loaded.warnings)


def _disk(url: str) -> Iterator[Problem]:
    file = database_file(url)
    folder = None if file is None else file.parent
    if folder is None or not folder.is_dir():
        return
    if not _writable(folder):
        yield Problem(NOT_WRITABLE, got=str(folder))
    free = shutil.disk_usage(folder).free
    if free < LEAST_ROOM:
        details = {"folder": str(folder)}
        yield Problem(LITTLE_ROOM, got=f"{free / 1e6:,.0f} MB", details=details)
    kind = _file_system(folder)
    if kind in FAR_AWAY:
        yield Problem(FAR_DISK, got=kind, details={"folder": str(folder)})


def _writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK)


def _file_system(folder: Path) -> str | None:
    """What the folder's disk is, where the system tells (Linux)."""
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    points = [line.split() for line in mounts.splitlines()]
    above = [p for p in points if len(p) > 2 and folder.is_relative_to(p[1])]
    return max(above, key=lambda p: len(p[1]))[2] if above else None


def _database(url: str) -> Iterator[Problem]:
    file = database_file(url)
    if file is not None and not file.exists():
        yield Problem(NO_DATABASE, got=str(file))
        return
    try:
        with open_store(url) as store:
            yield from findings(store)
    except Problem as problem:
        yield problem


def _line(finding: Finding) -> str:
    mark = {"well": "ok", "note": "note", "warning": "WARNING", "error": "ERROR"}[finding.level]
    head = f"{mark:<8}{finding.what}: {finding.says}"
    return head if finding.mend is None else f"{head}\n{'':<8}{finding.mend}"
