"""The report's files: the same bytes for the same study and seed, complete, safe and legible."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from small import SCALE, grid, make, rate, report

from rubrica.analysis.results import Results
from rubrica.cli import run
from rubrica.reports import files, schema
from rubrica.reports.colours import DARK, DARK_FROM, LIGHT, RAMP, RAMP_DARK

pytestmark = pytest.mark.slow
ITEMS = [
    {
        "id": f"i{n}",
        "system": ("ash", "birch", "cedar")[n % 3],
        "input": n // 3,
        "score": 1 + (n * 7) % 5,
        "kind": "long" if n % 2 else "short",
    }
    for n in range(36)
]
OF_ITEMS = """system: system
thread: {by: input, kind: set}
verdict: {bot: {path: score, question: quality}}"""
MORE = "raters: {per_item: all}\nreport: {reference_system: ash, groups: [kind]}"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three systems, four raters, a judge, groups: every chapter and every kind of figure."""
    made = make(tmp_path_factory.mktemp("files") / "study", ITEMS, SCALE, MORE, OF_ITEMS)
    lines = {f"i{n}": [1 + (n * k + n // 3 + k) % 5 for k in (1, 2, 3, 4)] for n in range(36)}
    rate(made, grid(lines))
    return made


@pytest.fixture(scope="module")
def english(study: Path) -> Any:
    return report(study)


@pytest.fixture(scope="module")
def chinese(study: Path) -> Any:
    return report(study, "--lang", "zh", out=study / "zh")


def texts_of(folder: Path) -> dict[str, bytes]:
    kept = (".html", ".md", ".tex", ".json", ".svg")
    found = sorted(p for p in folder.rglob("*") if p.suffix in kept)
    return {str(p.relative_to(folder)): p.read_bytes() for p in found}


def test_the_same_seed_gives_the_same_bytes_in_any_process(study: Path, english: Any) -> None:
    made = []
    for number, hashes in enumerate(("0", "12345")):
        out = study / f"again {number}"
        call = f"from rubrica.cli import run; run(['report', {str(study)!r}, '--out', {str(out)!r}])"
        environment = {**os.environ, "PYTHONHASHSEED": hashes}
        subprocess.run([sys.executable, "-c", call], env=environment, check=True, capture_output=True)
        made.append(texts_of(out))
    assert made[0] == made[1] == texts_of(english.folder)
    other = report(study, "--seed", "7", out=study / "other")
    assert other.text("report.json") != english.text("report.json")
    assert other.json["study"]["seed"] == 7


def test_every_form_begins_and_ends_as_it_should(english: Any, chinese: Any) -> None:
    for found, first, last in (
        (english, "In short", "Methods, to paste into a paper"),
        (chinese, "要点", "方法说明"),
    ):
        for form in ("report.html", "report.md"):
            text = found.text(form)
            version, seed = found.json["study"]["version"], found.json["study"]["seed"]
            assert text.index(version) < text.index(first) < text.rindex(last)
            assert f"{seed}" in text
    assert "The study has 36 items from 3 systems. 36 of them were rated, by 4 raters" in english.html
    assert "Nothing was left out." in english.html
    assert re.search(
        r"Rubrica \(study version [0-9a-f]{16}; intervals and tests by seed 1\)", english.html
    )


def test_the_page_needs_nothing_else(english: Any) -> None:
    assert "<script" not in english.html
    assert "javascript:" not in english.html
    links = re.findall(r'(?:src|href)="([^"]*)"', english.html)
    assert links
    assert all(link.startswith("#") for link in links)
    assert "url(" not in english.html
    ids = re.findall(r' id="([^"]*)"', english.html)
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in links} <= set(ids)


def test_chinese_has_no_english_sentences_left(chinese: Any) -> None:
    text = chinese.text("report.md")
    # Names of methods, sources and data stay; a run of five Latin words is a sentence.
    plain = re.sub(r"\n[^\n]*\(\d{4}\)[^\n]*", "", text)
    plain = re.sub(r"\(figures/[^)]*\)", "", plain)
    runs = re.findall(r"(?:[a-z]+ ){4}[a-z]+", plain)
    assert runs == []


def test_figures_stand_alone_and_have_their_pdf(english: Any) -> None:
    folder = english.folder / "figures"
    drawn = sorted(folder.glob("*.svg"))
    kinds = {p.stem.partition("-")[0] for p in drawn}
    assert kinds == {
        *("agreement", "answers", "confusion", "differences"),
        *("matrix", "means", "progress", "ranks", "time"),
    }
    for svg in drawn:
        root = ElementTree.fromstring(svg.read_text(encoding="utf-8"))
        assert root.get("aria-label")
        used = {name for part in root.iter() for name in (part.get("class") or "").split()}
        style = root.findtext("{http://www.w3.org/2000/svg}style") or ""
        assert [name for name in used if f".{name}{{" not in style] == []
        assert svg.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


def test_figures_of_an_earlier_report_are_taken_away_and_others_stay(study: Path, english: Any) -> None:
    folder = english.folder / "figures"
    old = folder / "means-gone.svg"
    old.write_text((folder / "means-quality.svg").read_text(encoding="utf-8"), encoding="utf-8")
    old.with_suffix(".pdf").write_bytes(b"%PDF")
    mine = folder / "mine.svg"
    mine.write_text("<svg/>", encoding="utf-8")
    report(study)
    assert not old.exists()
    assert not old.with_suffix(".pdf").exists()
    assert mine.exists()


def test_without_the_extra_it_says_what_is_missing(
    study: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    out = study / "no pdf"
    assert run(["report", str(study), "--out", str(out)]) == 0
    said = capsys.readouterr().err
    assert "R060" in said
    assert "rubrica[figures]" in said
    assert list((out / "figures").glob("*.svg"))
    assert not list((out / "figures").glob("*.pdf"))
    assert "rubrica[figures]" in (out / "report.html").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (study / "file").touch()
    assert run(["report", str(study), "--out", str(study / "file")]) == 1
    assert "R061" in capsys.readouterr().err


def test_the_command_tells_programs_what_it_wrote(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(["report", str(study), "--out", str(study / "json"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"report.html", "report.md", "tables.tex", "report.json"} < set(told["files"])
    assert all((study / "json" / name).is_file() for name in told["files"])


# --- the schema -------------------------------------------------------------------------------------


def test_the_schema_holds_every_list_and_is_shipped() -> None:
    assert schema.lists_of_results() == set(schema.LISTS)
    assert schema.FILE.read_text(encoding="utf-8") == schema.schema_text()
    wanted = {
        "left_out": ("what", "count", "why"),
        "agreement": (
            *("question", "group", "coefficient", "metric", "value", "low", "high"),
            *("items", "raters", "note"),
        ),
        "systems": ("question", "system", "n", "mean", "low", "high"),
        "comparisons": (
            *("question", "a", "b", "n", "difference", "low", "high", "p", "p_holm"),
            *("effect", "note"),
        ),
        "judges": (
            *("question", "judge", "group", "statistic", "value", "low", "high", "n"),
            *("missing", "note"),
        ),
    }
    properties = schema.schema()["properties"]
    for name, fields in wanted.items():
        assert list(properties[name]["items"]["properties"])[: len(fields)] == list(fields)
    assert set(Results.__dataclass_fields__) <= set(properties)


# --- colours ----------------------------------------------------------------------------------------


def light(colour: str) -> float:
    """Relative luminance (WCAG 2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("colours", "ramp"), [(LIGHT, RAMP), (DARK, RAMP_DARK)])
def test_colours_are_legible_and_keep_their_order_in_grey(
    colours: dict[str, str], ramp: tuple[str, ...]
) -> None:
    for text in ("ink", "soft", "mark"):
        for ground in ("paper", "panel"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    assert contrast(colours["ink"], colours["caution"]) >= 4.5
    assert contrast(colours["mark"], colours["paper"]) >= 3
    assert contrast(colours["other"], colours["paper"]) >= 3
    for shade, colour in enumerate(ramp):
        text = colours["paper"] if shade >= DARK_FROM else colours["ink"]
        assert contrast(text, colour) >= 4.5, shade
    greys = [light(colour) for colour in ramp]
    assert greys == sorted(greys, reverse=colours is LIGHT)
    assert all(contrast(a, b) > 1.15 for a, b in pairwise(ramp))
