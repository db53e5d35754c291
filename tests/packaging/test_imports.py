"""What is imported when: `--version` answers at once, the serving process stays light."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from processes import fetched, serving

from rubrica import __version__
from rubrica.cli import run

TRACED = [sys.executable, "-X", "importtime", "-c", "from rubrica.cli import main; main()"]
HEAVY = {"polars", "numpy", "scipy", "altair", "vl_convert"}


def imported(trace: str) -> set[str]:
    """The packages named in a trace of imports."""
    return {name.partition(".")[0] for name in re.findall(r"^import time:.*\| +(\S+)$", trace, re.M)}


def test_version_imports_no_other_package() -> None:
    done = subprocess.run([*TRACED, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"rubrica {__version__}\n"
    here = imported(done.stderr)
    assert "rubrica" in here
    assert not here & {*HEAVY, "typer", "rich", "pydantic", "sqlalchemy", "litestar", "yaml"}


@pytest.mark.slow
def test_serve_imports_no_statistics(tmp_path: Path) -> None:
    assert run(["new", str(tmp_path / "answers")]) == 0
    with serving([*TRACED, "serve", "answers", "--port", "0"], tmp_path) as server:
        assert "answers" in fetched(server.address())
        here = imported(server.end())
    assert {"rubrica", "litestar", "sqlalchemy"} <= here
    assert not here & HEAVY
