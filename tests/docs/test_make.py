"""The two commands of the README, as far as a test can run them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from pages import ROOT
from processes import fetched, serving

ENVIRONMENT = ROOT / ".venv" / "demo-installed"


@pytest.mark.slow
@pytest.mark.skipif(not ENVIRONMENT.exists(), reason="the environment was not made by make")
def test_make_demo_serves_the_three_studies(tmp_path: Path) -> None:
    command = ["make", "demo", f"ARGS=--no-browser --port 0 --raters 1 {tmp_path / 'demo'}"]
    with serving(command, ROOT) as server:
        addresses = [server.address() for _ in range(3)]
        assert all("</html>" in fetched(address) for address in addresses)


def test_make_test_runs_every_test_and_ci_runs_make_test() -> None:
    told = subprocess.run(
        ["make", "--dry-run", "test"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    [tests] = [line for line in told.splitlines() if "-m pytest" in line]
    assert not {"-m", "-k", "--ignore", "--deselect"} & set(tests.partition("pytest")[2].split())
    for step in ("ruff check", "mypy", "lint-imports"):
        assert step in told
    assert "make test" in (ROOT / ".ci" / "run").read_text("utf-8")
