"""Links lead somewhere, and what a page tells people to type works as it stands."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml
from pages import ROOT, Page, pages
from processes import fetched, serving

from rubrica.cli import COMMANDS, run

PAGES = {page.name: page for page in pages()}
_page = cache(Page)
EVERY = pytest.mark.parametrize("name", PAGES)
TRANSLATED = {"README.zh.md": "README.md"}
WITH_COMMANDS = [
    name
    for name, page in PAGES.items()
    if name not in TRANSLATED and any(block.commands for block in page.blocks)
]
SERVING = ("serve", "demo")
ELSEWHERE = ("http://", "https://", "mailto:")


@EVERY
def test_links_lead_somewhere(name: str) -> None:
    page = PAGES[name]
    for link in page.links:
        if link.startswith(ELSEWHERE):
            continue
        path, _, anchor = link.partition("#")
        target = (page.path.parent / path).resolve() if path else page.path
        assert target.exists(), f"{name} links to {link}"
        if anchor:
            assert anchor in _page(target).anchors, f"{name} links to {link}"


@EVERY
def test_a_commands_name_is_one_there_is(name: str) -> None:
    for block in PAGES[name].blocks:
        for line in block.text.splitlines() if block.language == "sh" else ():
            words = shlex.split(line, comments=True)
            if words[:1] == ["rubrica"] and len(words) > 1 and not words[1].startswith("-"):
                assert words[1] in COMMANDS, f"{name}:{block.line} {line}"


@EVERY
def test_blocks_of_data_can_be_read(name: str) -> None:
    for block in PAGES[name].blocks:
        if block.language in ("yaml", "json"):
            yaml.safe_load(block.text)


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_what_a_page_says_to_type_works(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    page = PAGES[name]
    monkeypatch.chdir(tmp_path)
    for source, target in page.given:
        copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / source, target)
    for block in page.blocks:
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        for command in block.commands:
            code = _run(command, tmp_path)
            told = capfd.readouterr()
            assert code == 0, f"{name}:{block.line} {command}\n{told.out}\n{told.err}"


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_translation_says_to_type_the_same(name: str) -> None:
    def typed(page: Page) -> list[str]:
        found = [command for block in page.blocks for command in block.commands]
        return [command.replace(" --lang zh", "") for command in found]

    assert typed(PAGES[name]) == typed(PAGES[TRANSLATED[name]])
    assert PAGES[name].given == PAGES[TRANSLATED[name]].given


def _run(command: str, folder: Path) -> int:
    """Our own commands in this process, which is faster; one that serves until a page answers."""
    words = shlex.split(command)
    if words[0] == "make":  # what it does in full is tried by test_make.py
        return subprocess.run([*words, "--dry-run", "-C", ROOT], stdout=subprocess.DEVNULL).returncode
    if words[0] != "rubrica":
        beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(["sh", "-c", command], cwd=folder, env={**os.environ, "PATH": beside})
        return done.returncode
    if words[1] not in SERVING:
        return run(words[1:])
    start = [sys.executable, "-c", "from rubrica.cli import main; main()", *words[1:], "--port", "0"]
    with serving(start, folder) as server:
        assert "</html>" in fetched(server.address())
    return 0
