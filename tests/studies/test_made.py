"""The scripts that made the demo items still make the same files."""

from __future__ import annotations

import struct
import zlib
from importlib import import_module
from pathlib import Path

import pytest
from bundled_studies import STUDIES


def content(file: Path) -> bytes:
    """A picture's pixels, whichever way they were packed; any other file's bytes."""
    data = file.read_bytes()
    if file.suffix != ".png":
        return data
    pixels, at = b"", 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            pixels += data[at + 8 : at + 8 + length]
        at += length + 12
    return zlib.decompress(pixels)


def remade(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    module = import_module(f"rubrica.studies.{name}.make.build")
    monkeypatch.setattr(module, "STUDY", folder)
    module.build()
    return [file.relative_to(folder) for file in folder.rglob("*") if file.is_file()]


@pytest.mark.parametrize(
    "name",
    ["incar", *(pytest.param(name, marks=pytest.mark.slow) for name in ("m3bench", "vtt"))],
)
def test_demo_files_are_what_their_script_makes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = remade(name, tmp_path, monkeypatch)
    assert len(files) >= 14
    for file in files:
        assert content(tmp_path / file) == content(STUDIES / name / file), file
