"""What is imported when: `--version` answers at once, the serving process stays light."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from processes import ONE_TIME_LINK, fetched, serving

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


def as_owner(server: str, secret: str, path: str) -> dict[str, Any]:
    """What the desk's API gives whoever has the link that was printed."""
    with httpx.Client(base_url=server) as client:
        assert client.post("/api/session", json={"link": secret}).status_code == 200
        assert client.post("/api/session", json={"link": secret}).status_code == 401
        return dict(client.get(path).raise_for_status().json())


@pytest.mark.slow
def test_serve_imports_no_statistics(tmp_path: Path) -> None:
    assert run(["new", str(tmp_path / "answers")]) == 0
    with serving([*TRACED, "serve", "answers", "--port", "0"], tmp_path) as server:
        assert "answers" in fetched(server.address())
        desk, _, secret = server.address(ONE_TIME_LINK).partition("/desk/enter#")
        progress = as_owner(desk, secret, "/api/studies/answers/progress")
        assert progress["rated"] == 0
        here = imported(server.end())
    assert {"rubrica", "litestar", "sqlalchemy"} <= here
    assert not here & HEAVY
