"""The wheel, installed into an empty environment, has all that Rubrica needs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest
from processes import fetched, serving

ROOT = Path(__file__).parents[2]
MOST_BYTES = 400_000_000
MOST_PACKAGES = 50
"""What README.md says of the size of an installation without extras."""

DATA = (".css", ".csv", ".html", ".js", ".json", ".jsonl", ".md", ".mo", ".png", ".svg", ".yaml")
"""Endings of what is no code and is read by it."""

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]


def ran(*command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from what is in the repository, as `pip install .` builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    ran(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel and what it depends on; its folder."""
    folder = tmp_path_factory.mktemp("installed")
    ran(sys.executable, "-m", "venv", "--without-pip", folder)
    pip: Sequence[str | Path] = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python")
    ran(*pip, "install", "--quiet", "--constraint", ROOT / "constraints.txt", wheel)
    return folder


def test_the_wheel_has_everything_the_code_reads(wheel: Path) -> None:
    held = set(ZipFile(wheel).namelist())
    package = ROOT / "rubrica"
    files = [p for p in package.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    data = {p.relative_to(ROOT).as_posix() for p in files if p.suffix in (*DATA, ".py")}
    assert data - held == set()
    for part in ("storage/migrations/versions/v0001_first.py", "kinds/scale/part.js"):
        assert f"rubrica/{part}" in held
    assert not [name for name in held if name.endswith((".db", ".pyc"))]


def test_an_installation_is_as_small_as_stated(installed: Path) -> None:
    packages = list(installed.rglob("*.dist-info"))
    assert len(packages) <= MOST_PACKAGES, sorted(p.name for p in packages)
    site = packages[0].parent
    size = sum(p.stat().st_size for p in site.rglob("*") if p.is_file() and p.suffix != ".pyc")
    assert size <= MOST_BYTES
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"{MOST_BYTES // 10**6} MB" in readme
    assert f"{MOST_PACKAGES} packages" in readme


def test_demo_runs_from_any_folder(installed: Path, tmp_path: Path) -> None:
    command = [installed / "bin" / "rubrica", "demo", "--no-browser", "--port", "0"]
    with serving(command, tmp_path) as server:
        addresses = [server.address() for _ in range(3)]
        assert {address.rpartition("/")[2] for address in addresses} == {"m3bench", "vtt", "incar"}
        assert all("</html>" in fetched(address) for address in addresses)
    assert (tmp_path / "rubrica-demo" / "demo.db").is_file()
