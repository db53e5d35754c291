"""The stranger's package, installed beside Rubrica without touching it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.browser.conftest import open_page  # noqa: F401 -- a fixture of the browser's tests

HERE = Path(__file__).parent
Rubrica = Callable[..., str]

STUDY = """\
rubrica: 1
title: Paragraphs
items:
  from: texts.txt
  key: number
  show:
    - {text: text, label: Text}
questions:
  liking:
    kind: stars
    ask: How much do you like it?
  why:
    kind: text
    ask: Why?
    required: false
    when: {answer.liking: {at_most: 2}}
score:
  joy: {mean: {liking: 1}}
raters: {per_item: all, join: open}
seed: 3
"""
TEXTS = "Rain fell\nall day.\n\nThe bus came early.\n\n\nNobody wrote back.\n"


@pytest.fixture(scope="session")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The environment of a process that has the package; nothing of the tests' own is changed."""
    folder = tmp_path_factory.mktemp("stranger")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(folder), str(HERE / "stars")], check=True)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(HERE.parents[1])])}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "paragraphs"
    folder.mkdir()
    (folder / "study.yaml").write_text(STUDY, encoding="utf-8")
    (folder / "texts.txt").write_text(TEXTS, encoding="utf-8")
    return folder


@pytest.fixture
def rubrica(stranger: Mapping[str, str]) -> Rubrica:
    """Runs a command where the package is installed; its output."""

    def run(*words: str | Path, code: int = 0) -> str:
        command = [sys.executable, "-c", "from rubrica.cli import main; main()", *map(str, words)]
        done = subprocess.run(command, env=dict(stranger), capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    return run
