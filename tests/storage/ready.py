"""Database files that are migrated already: migrating each anew would take most of a test's time."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from rubrica.storage.open import open_store


@cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pattern.db"
        open_store(file).close()
        return file.read_bytes()


def ready_file(file: Path) -> Path:
    file.write_bytes(_migrated())
    return file
