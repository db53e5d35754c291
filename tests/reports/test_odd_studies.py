"""Small and odd studies: each gets a report, which says in words what cannot be said."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from small import SCALE, Report, grid, make, numbered, rate, report

from rubrica.reports import latex

YES_NO = "helps: {kind: choice, ask: Does it help?, options: {Yes: Yes, No: No}}"


def nothing_rated(folder: Path) -> Path:
    return make(folder, numbered(3))


def one_rater(folder: Path) -> Path:
    study = make(folder, numbered(8))
    rate(study, grid({f"i{n}": [1 + n % 5] for n in range(8)}))
    return study


def one_item(folder: Path) -> Path:
    study = make(folder, numbered(1))
    rate(study, grid({"i0": [2, 3, 3]}))
    return study


def no_overlap(folder: Path) -> Path:
    study = make(folder, numbered(8))
    rate(study, grid({f"i{n}": [n % 5 + 1, ""] if n < 4 else ["", n % 5 + 1] for n in range(8)}))
    return study


def all_the_same(folder: Path) -> Path:
    study = make(folder, numbered(10))
    rate(study, grid({f"i{n}": [4, 4, 4] for n in range(10)}))
    return study


def never_applicable(folder: Path) -> Path:
    asked = f"{SCALE}\n{YES_NO[:-1]}, when: {{item.kind: odd}}}}"
    study = make(folder, numbered(8, kind="plain"), asked)
    rate(
        study,
        [
            (f"i{n}", rater, {"quality": 1 + (n + int(rater)) % 5, "helps": None})
            for n in range(8)
            for rater in "12"
        ],
    )
    return study


def half_a_judge(folder: Path) -> Path:
    items = [{"id": f"i{n}", "score": 1 + n % 5 if n % 2 else None} for n in range(12)]
    of_items = "verdict: {bot: {path: score, question: quality}}"
    study = make(folder, items, of_items=of_items)
    rate(study, grid({f"i{n}": [1 + n % 5, 1 + (n + 1) % 5] for n in range(12)}))
    return study


def scores_of_nan(folder: Path) -> Path:
    items = [{"id": f"i{n}", "score": float("nan") if n < 3 else 1 + n % 5} for n in range(12)]
    items[3]["score"] = "NaN"
    items[4]["score"] = float("inf")
    study = make(folder, items, of_items="verdict: {bot: {path: score, question: quality}}")
    rate(study, grid({f"i{n}": [1 + n % 5, 1 + (n + 1) % 5] for n in range(12)}))
    return study


def paths_that_lead_nowhere(folder: Path) -> Path:
    items = [{"id": f"i{n}", "scores": [n % 5, None if n == 1 else 1]} for n in range(12)]
    items[0]["scores"] = "none"
    study = make(folder, items, of_items="verdict:\n  bot: avg(scores || `[]`)")
    rate(study, grid({f"i{n}": [1 + n % 5, 1 + (n + 1) % 5] for n in range(12)}))
    return study


def a_system_with_one_output(folder: Path) -> Path:
    items = [{"id": f"i{n}", "system": "big", "input": n} for n in range(9)]
    items.append({"id": "i9", "system": "tiny", "input": 0})
    study = make(folder, items, of_items="system: system\nthread: {by: input, kind: set}")
    rate(study, grid({f"i{n}": [1 + n % 5, 1 + (n * n) % 5] for n in range(10)}))
    return study


def five_of_32(folder: Path) -> Path:
    items = [{"id": f"i{n}", "score": (n % 10) / 10} for n in range(32)]
    of_items = "verdict: {bot: {path: score, question: quality, scale: [0, 1]}}"
    study = make(folder, items, of_items=of_items)
    rate(study, grid({f"i{n}": [level] for n, level in enumerate((1, 1, 5, 3, 2))}))
    return study


def all_skipped(folder: Path) -> Path:
    study = make(folder, numbered(4))
    rate(study, [(f"i{n}", rater, None) for n in range(4) for rater in "12"])
    return study


def hostile_names(folder: Path) -> Path:
    odd = ["<script>alert(1)</script>", "a|b\nc", "$x_1$ & 100% \\end{table}", "𝔘 مرحبا", "=1+1"]
    items = [
        {"id": f"{name} {n}", "system": odd[n % 3], "input": n // 3, "text": name, "score": 5 - n % 5}
        for n, name in enumerate(odd * 4)
    ]
    of_items = "system: system\nthread: {by: input, kind: set}\n"
    of_items += "verdict: {'<b>bot</b>|x': {path: score, question: quality}}"
    study = make(
        folder, items, of_items=of_items, more="raters: {per_item: all}\nreport: {groups: [text]}"
    )
    rate(study, grid({one["id"]: [1 + n % 5, 1 + n % 3] for n, one in enumerate(items)}))
    return study


def says(*texts: str) -> Callable[[Report], None]:
    def look(found: Report) -> None:
        said = found.text("report.md").replace("\\", "")
        assert [text for text in texts if text not in said] == []

    return look


ODD: list[tuple[Callable[[Path], Path], Callable[[Report], None]]] = [
    (nothing_rated, says("Nobody has rated anything yet", "no answers to this question")),
    (one_rater, says("cannot be said: Quality (there is one rater only", "Quality 2.62 [")),
    (one_item, says("too few independent items", "is not enough for an interval")),
    (no_overlap, says("no item was answered by two raters")),
    (all_the_same, says("are the same: alpha is undefined", "100%", "4.00 (a)", "all 10 items have")),
    (
        never_applicable,
        says("| Helps | answers | 16 | not applicable |", "no answers to this question"),
    ),
    (half_a_judge, says("6 of 12 rated items have no score of this judge")),
    (scores_of_nan, says("5 of 12 rated items have no score of this judge", "not a score")),
    (paths_that_lead_nowhere, says("| items | 2 | bot: its path cannot be followed in them |")),
    (a_system_with_one_output, says("share too few inputs for a test", "1 independent item is not")),
    (five_of_32, says("5 / 32", "there is one rater only", "resampling needs 6")),
    (all_skipped, says("the item was skipped", "no answers to this question")),
    (hostile_names, says("a|b c", "=1+1")),
]


@pytest.mark.parametrize(("made", "look"), ODD, ids=[made.__name__ for made, _ in ODD])
def test_an_odd_study_has_a_report(
    made: Callable[[Path], Path], look: Callable[[Report], None], tmp_path: Path
) -> None:
    study = made(tmp_path / "odd")
    found = report(study)
    assert "<script>alert" not in found.html
    assert "nan" not in found.text("report.md").replace("NaN", "")
    assert "None" not in found.text("report.md")
    chinese = report(study, "--lang", "zh", out=tmp_path / "zh")
    assert chinese.json == found.json
    look(found)


def test_nothing_in_a_name_becomes_a_command_of_latex(tmp_path: Path) -> None:
    tex = report(hostile_names(tmp_path / "odd")).text("tables.tex")
    plain = re.sub(r"\\[&%$#_{}\\]", "", tex)
    assert plain.count("{") == plain.count("}")
    assert len(re.findall(r"\\begin", tex)) == len(re.findall(r"\\end", tex)) == 6
    for table in re.findall(r"\\begin\{tabular\}(.*?)\\end\{tabular\}", tex, re.DOTALL):
        columns = re.match(r"\{((?:[lr]|p\{[\d.]+\\linewidth\})+)\}", table)
        assert columns is not None
        rows = [line for line in table.splitlines() if line.endswith(r"\\")]
        cells = {len(re.sub(r"\\&", "", row).split("&")) for row in rows}
        assert cells == {len(re.findall(r"[lr]|p\{[^}]*\}", columns[1]))}


@pytest.mark.parametrize(
    ("head", "stacked"),
    [
        ("Correctness", "Correctness"),
        ("Completeness of reasoning", r"\shortstack[r]{Completeness \\ of reasoning}"),
        ("R&D is a goal", r"\shortstack[r]{R\&D is a \\ goal}"),
        ("整体与分项之差", r"\shortstack[r]{整体与分项 \\ 之差}"),
    ],
)
def test_heads_of_tables_leave_room_for_the_others(head: str, stacked: str) -> None:
    assert latex._head(head) == stacked
