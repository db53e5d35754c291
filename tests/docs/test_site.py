"""The documentation is whole: it builds without a warning, and what is registered has its place."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from pages import ROOT, Page

REFERENCE = ROOT / "docs" / "reference"
REGISTERED = {
    "rubrica.kinds": "kinds.md",
    "rubrica.readers": "readers.md",
    "rubrica.policies": "policies.md",
    "rubrica.formats": "formats.md",
}


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = ["-m", "sphinx", "--fail-on-warning", "--quiet", "-b", "html", "docs", str(tmp_path)]
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    home = (tmp_path / "index.html").read_text("utf-8")
    assert "<title>Rubrica" in home
    assert not re.search(r'(?:src|<link[^>]*href)="https?:', home), "a page asks another host"


@pytest.mark.parametrize("group", REGISTERED)
def test_what_is_registered_is_documented(group: str) -> None:
    anchors = Page(REFERENCE / REGISTERED[group]).anchors
    bundled = [entry.name for entry in entry_points(group=group) if entry.dist.name == "rubrica"]
    assert bundled
    assert set(bundled) <= anchors
