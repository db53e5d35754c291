"""One study as one archive: its files, media and database, with a checksum of each.

Inside stands the study's folder as it is served, so that what comes out can be opened by every
command; `manifest.json` beside it says what must be there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from rubrica import __version__
from rubrica.errors import Problem, Rule, Where
from rubrica.exchange.files import folder, partly
from rubrica.items.files import data_files
from rubrica.items.media import TYPES, media_file, media_root
from rubrica.items.records import readers
from rubrica.study.load import FILE, LoadedStudy

MANIFEST = "manifest.json"
DATABASE = "rubrica.db"
FORMAT = 1
PIECE = 1 << 20
LARGEST_MANIFEST = 200_000_000
MADE = (1980, 1, 1, 0, 0, 0)
"""The time every file in the archive has: when a study is packed says nothing about it."""

NO_BUNDLE = Rule(
    code="X060",
    title="A bundle is an archive that this program made",
    says="{got} is no bundle of a study: {reason}",
    why="What is not understood is not unpacked.",
    mend="Make one with `rubrica export STUDY --bundle --to FILE.zip`.",
)
NOT_WHOLE = Rule(
    code="X061",
    title="A bundle's files are as they were packed",
    says="the file {file} in {got} is not as it was packed: {reason}",
    why="Results from damaged files would be wrong; nothing was unpacked.",
    mend="Copy the bundle again from where it was made.",
)
THERE_ALREADY = Rule(
    code="X062",
    title="Unpacking and packing overwrite nothing",
    says="{got} is there already",
    why="It may hold ratings that nothing else holds.",
    mend="Choose another place with `--to`.",
)
UNNAMABLE = Rule(
    code="X063",
    title="A bundled file has a name that any system can write",
    says="the name of {got} is no text",
    why="It would not be found again under its name on another machine.",
    mend="Rename the file, and name it so in the study.",
)

Told = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Packed:
    """What a bundle holds."""

    file: str
    study: str
    version: str
    files: int
    bytes: int
    media_missing: Sequence[str] = ()


def pack(
    loaded: LoadedStudy,
    database: Path,
    media: Sequence[str],
    missing: Sequence[str],
    to: Path,
    told: Told = lambda _: None,
) -> Packed:
    """Write the bundle of a study whose database, with this study alone, lies in that file."""
    if to.exists():
        raise Problem(THERE_ALREADY, Where(str(to)), got=str(to))
    sources = {**study_files(loaded, media), DATABASE: database}
    total, done = sum(path.stat().st_size for path in sources.values()) or 1, 0
    listed: dict[str, dict[str, Any]] = {}
    with partly(to, overwrites=False) as partial, zipfile.ZipFile(partial, "w") as archive:
        for name, path in sorted(sources.items()):
            listed[name] = _add(archive, f"{loaded.name}/{_text(name)}", path)
            done += listed[name]["bytes"]
            told(min(1.0, done / total))
        about = {
            "bundle": FORMAT,
            "rubrica": __version__,
            "study": loaded.name,
            "file": loaded.file.name,
            "version": loaded.version.hash,
            "media_missing": list(missing),
            "files": listed,
        }
        text = json.dumps(about, indent=1, ensure_ascii=True).encode()
        archive.writestr(_entry(MANIFEST), text, zipfile.ZIP_DEFLATED)
    size = to.stat().st_size
    return Packed(str(to), loaded.name, loaded.version.hash, len(listed), size, list(missing))


def study_files(loaded: LoadedStudy, media: Sequence[str]) -> dict[str, Path]:
    """Every file the study is made of, by its name below the study's folder."""
    declared, here = loaded.study, loaded.folder
    named = [loaded.file.name, *(guideline.file for guideline in loaded.guidelines.values())]
    named += declared.practice.from_ if declared.practice else []
    named += [declared.raters.lists] if declared.raters.lists else []
    found = {PurePosixPath(name).as_posix(): here / name for name in named}
    suffixes = tuple(suffix for reader in readers().values() for suffix in reader.suffixes)
    for patterns in (declared.items.from_, *(join.from_ for join in declared.items.join)):
        for file in data_files(here, patterns, suffixes):
            if not isinstance(file, Problem):
                found[file.path.relative_to(here).as_posix()] = file.path
    root = media_root(loaded)
    for name in media:
        path = media_file(root, name)
        if path is not None:
            found[PurePosixPath(declared.items.media, name).as_posix()] = path
    return found


def is_bundle(file: Path) -> bool:
    return zipfile.is_zipfile(file)


def unpack(file: Path, to: Path, told: Told = lambda _: None) -> Path:
    """The study's folder, made new in `to`: whole and as it was packed, or not at all."""
    with _archive(file) as archive:
        about = _manifest(file, archive)
        home: Path = to / about["study"]
        if home.exists():
            raise Problem(THERE_ALREADY, Where(str(home)), got=str(home))
        partial = folder(to) / f".{about['study']}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        try:
            _unpack(file, archive, about, partial, told)
            partial.rename(home)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return home / about["file"] if about["file"] != FILE else home


def _unpack(
    file: Path, archive: zipfile.ZipFile, about: Mapping[str, Any], to: Path, told: Told
) -> None:
    total = sum(entry["bytes"] for entry in about["files"].values()) or 1
    done = 0
    for name, entry in about["files"].items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with archive.open(f"{about['study']}/{name}") as packed, path.open("xb") as out:
                _copy_checked(packed, out, entry)
        except (KeyError, ValueError, OSError, zipfile.BadZipFile) as error:
            details = {"file": name, "reason": str(error).strip("'")}
            raise Problem(NOT_WHOLE, Where(str(file)), got=str(file), details=details) from None
        done += entry["bytes"]
        told(min(1.0, done / total))


def _copy_checked(packed: Any, out: Any, entry: Mapping[str, Any]) -> None:
    digest, size = hashlib.sha256(), 0
    while piece := packed.read(PIECE):
        size += len(piece)
        if size > entry["bytes"]:
            raise ValueError("it is larger")
        digest.update(piece)
        out.write(piece)
    if (size, digest.hexdigest()) != (entry["bytes"], entry["sha256"]):
        raise ValueError("its checksum is another one")
    os.fsync(out.fileno())


def _add(archive: zipfile.ZipFile, name: str, path: Path) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    entry = _entry(name)
    entry.compress_type = zipfile.ZIP_STORED if path.suffix.lower() in TYPES else zipfile.ZIP_DEFLATED
    with path.open("rb") as file, archive.open(entry, "w", force_zip64=True) as out:
        while piece := file.read(PIECE):
            digest.update(piece)
            size += len(piece)
            out.write(piece)
    return {"bytes": size, "sha256": digest.hexdigest()}


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, MADE)
    entry.external_attr = 0o644 << 16
    return entry


def _text(name: str) -> str:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Problem(UNNAMABLE, got=name.encode("utf-8", "backslashreplace").decode()) from None
    return name


def _archive(file: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (OSError, zipfile.BadZipFile) as error:
        raise _no_bundle(file, str(error)) from None


def _manifest(file: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
            raise ValueError("its manifest is too large")
        about: dict[str, Any] = json.loads(archive.read(MANIFEST))
        if about["bundle"] != FORMAT:
            raise ValueError(f"its format is {about['bundle']}, not {FORMAT}")
        if not all(_stays_inside(name) for name in _names(about)):
            raise ValueError("it names files outside of its folder")
        sums = [(int(entry["bytes"]), str(entry["sha256"])) for entry in about["files"].values()]
        if len(sums) != len(about["files"]) or DATABASE not in about["files"]:
            raise ValueError("its manifest lists no database")
    except KeyError as error:
        raise _no_bundle(file, f"it has no {error.args[0]}") from None
    except (ValueError, TypeError, AttributeError, RecursionError, zipfile.BadZipFile) as error:
        raise _no_bundle(file, str(error)) from None
    return about


def _names(about: Mapping[str, Any]) -> Iterator[str]:
    yield from about["files"]
    if "/" in about["study"] + about["file"]:
        raise ValueError("its study is no single folder")
    yield about["study"]
    yield about["file"]


def _stays_inside(name: str) -> bool:
    path = PurePosixPath(name)
    plain = name not in ("", ".") and not path.is_absolute() and ".." not in path.parts
    return plain and (os.name != "nt" or not any(sign in name for sign in "\\:"))


def _no_bundle(file: Path, reason: str) -> Problem:
    return Problem(NO_BUNDLE, Where(str(file)), got=str(file), details={"reason": reason})
