"""What a database's format is can be told from the steps' file names, without loading Alembic."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from alembic.script import ScriptDirectory

from rubrica.storage.migrate import newest
from rubrica.storage.open import open_store

MIGRATIONS = Path(__file__).parents[2] / "rubrica" / "storage" / "migrations"


def test_a_steps_file_carries_its_number() -> None:
    assert newest() == ScriptDirectory(str(MIGRATIONS)).get_current_head()


def test_a_database_of_todays_format_opens_without_what_it_does_not_need(tmp_path: Path) -> None:
    open_store(tmp_path / "r.db").close()
    script = (
        "import sys; from rubrica.storage.open import open_store; open_store(sys.argv[1]).close();"
        "print([name for name in ('alembic', 'psycopg', 'rich') if name in sys.modules])"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "r.db")]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
