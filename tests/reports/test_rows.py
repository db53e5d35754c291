"""The bundled studies' rows that need statistics, from files to the report."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from small import SCALE, grid, make, rate, report

from rubrica.cli import run
from rubrica.cli.demo import bundled

pytestmark = pytest.mark.slow
THREE = ("fluency", "relevance", "logical_soundness")


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


# --- M12: the original tool's figures -----------------------------------------------------------------

ORIGINAL = """verdict:
  original_tool:
    path: auto.confidence
    question: quality
    scale: [0, 1]
    note: The confidence assesses the answer before and is no quality score.
  confidence: {path: auto.confidence, question: quality, scale: [0, 1], speaks_of: previous}
thread: {by: run, kind: sequence}"""
ACTIONS = ("mislead", "mislead", "mislead", "distraction", "follow_up")


def look_at_m12(folder: Path, items: list[dict[str, Any]], levels: list[int]) -> None:
    study = make(
        folder, items, of_items=ORIGINAL, more="raters: {per_item: all}\nreport: {groups: [action]}"
    )
    rate(study, grid({one["id"]: [level] for one, level in zip(items, levels, strict=False)}))
    found = report(study)
    of = {"judge": "original_tool", "question": "quality"}
    pearson = found.one("judges", **of, group=None, statistic="pearson")
    assert (round(pearson["value"], 3), round(pearson["p"], 3), pearson["n"]) == (-0.786, 0.115, 5)
    assert round(found.one("judges", **of, group=None, statistic="spearman")["value"], 3) == -0.649
    assert "no quality score" in pearson["note"]
    shares = {r["group"]: r["value"] for r in found.found("judges", **of, statistic="mismatch_share")}
    assert round(shares["action=mislead"], 3) == 0.667
    assert (shares["action=distraction"], shares["action=follow_up"]) == (0, 1)
    worst = found.found("mismatches", **of)
    assert [m["size"] for m in worst] == [1.0, 0.9, 0.75]
    assert [m["groups"]["action"] for m in worst] == ["mislead", "mislead", "follow_up"]
    assert all(m["texts"][0]["text"] for m in worst)
    assert found.one("judges", judge="confidence", group=None)["missing"] == 5
    assert "is no quality score" in found.html
    assert f"5 / {len(items)}" in found.html


def test_m12_in_small(tmp_path: Path) -> None:
    items = [
        {"id": f"i{n}", "run": n, "auto": {"confidence": c}, "action": ACTIONS[n % 5]}
        for n, c in enumerate((0.9, 1.0, 0.8, 0.9, 1.0, 0.7, 0.6))
    ]
    look_at_m12(tmp_path / "m12", items, [1, 1, 5, 3, 2])


def test_m12_on_the_real_file(tmp_path: Path, shared_data: Path) -> None:
    lines = lines_of(shared_data / "m3bench" / "annotation_results_demo.jsonl")
    filled = [one for one in lines if one["human_annotation"]["overall_quality"] is not None]
    rest = [one for one in lines if one["human_annotation"]["overall_quality"] is None]
    items = [
        {
            "id": f"i{n}",
            "run": n,
            "auto": {"confidence": one["auto_evaluation"].get("confidence")},
            "action": one["action_type"],
            "text": one["user_message"],
        }
        for n, one in enumerate([*filled, *rest])
    ]
    levels = [one["human_annotation"]["overall_quality"] for one in filled]
    look_at_m12(tmp_path / "m12", items, levels)


# --- V11, V12: the paper's table, and metrics beside the raters ---------------------------------------

VTT = "\n".join(
    f"{q}: {{kind: scale, ask: How good?, levels: {{1: a, 2: b, 3: c, 4: d, 5: e}}}}" for q in THREE
)
OUTPUTS = """system: exp
thread: {by: index, kind: set}
verdict:
  BLEU-4: avg(BLEU_4 || `[]`)
  CIDEr: avg(CIDEr || `[]`)"""
PAPER = "raters: {places: 2}\nreport: {reference_system: cst, leave_out: [cst 3]}"


def vtt_study(folder: Path, systems: dict[str, list[dict[str, Any]]], more: str) -> Path:
    """Outputs as items, each once; result lines, which name no rater, as ratings."""
    outputs = {
        f"{one['exp']} {one['index']}": {
            **{name: one.get(name) for name in ("exp", "index", "BLEU_4", "CIDEr")},
            "text": " / ".join(one["preds"]),
        }
        for lines in systems.values()
        for one in lines
    }
    items = [{"id": name, **one} for name, one in outputs.items()]
    study = make(folder, items, VTT, more, OUTPUTS)
    for system, lines in systems.items():
        text = "".join(json.dumps(one) + "\n" for one in lines)
        (study / f"{system}.results.jsonl").write_text(text, encoding="utf-8")
    assert run(["import", str(study), *map(str, sorted(study.glob("*.results.jsonl")))]) == 0
    return study


def result_line(
    system: str, index: int, levels: tuple[int, int, int], bleu: list[float]
) -> dict[str, Any]:
    given = dict(zip(THREE, levels, strict=True))
    times = {"start_time": "2022-11-15 21:13:33", "end_time": "2022-11-15 21:14:04", "duration": 31}
    output = {"index": index, "preds": ["a text"], "exp": system, "BLEU_4": bleu, "CIDEr": [0.5, 0.5]}
    return {**output, **given, **times, "normal": -1 not in levels}


def refuses_what_places_cannot_say(found: Any) -> None:
    told = {r["coefficient"] for r in found.found("agreement", group=None, question="fluency")}
    assert told == {"alpha", "percent", "AC2", "ICC(1)", "ICC(k)"}
    assert found.json["matrix"] == []
    assert "agreement of pairs cannot be computed; places are not raters" in found.html
    for one in found.json["comparisons"]:
        assert "the two-way test cannot be computed; places are not raters" in one["note"]
        assert one["method"].startswith("sign-flip")
    assert found.json["study"]["named_raters"] is False


def test_v11_in_small(tmp_path: Path) -> None:
    systems = {
        name: [
            result_line(name, index, (base + index % 2, base, 1 + (index + place) % 5), [index / 10])
            for index in range(12)
            for place in range(2)
        ]
        for name, base in (("cst", 2), ("ttnet", 4))
    }
    systems["cst"][0].update(dict.fromkeys(THREE, -1), normal=False)
    found = report(vtt_study(tmp_path / "v11", systems, PAPER))
    refuses_what_places_cannot_say(found)
    means = {r["system"]: r["mean"] for r in found.found("systems", question="fluency")}
    # Of cst, the item left out by name is odd: 5 of 11 odd; a skip is in no mean.
    assert means == {"cst": pytest.approx(2 + 5 / 11), "ttnet": 4.5}
    assert found.one("left_out", why="the item was left out by name")["count"] == 2
    assert found.one("left_out", why="the item was skipped", question="fluency")["count"] == 1
    tex = found.text("tables.tex")
    assert r"cst & 2.45 & 2.00 &" in tex
    assert r"ttnet & \textbf{4.50}$^{***}$ & \textbf{4.00}$^{***}$ &" in tex
    assert "Marks show a difference to cst" in tex
    assert "Items left out by name: cst 3." in tex
    assert all(rule in tex for rule in (r"\toprule", r"\midrule", r"\bottomrule"))


def test_v11_and_v12_on_the_real_files(tmp_path: Path, shared_data: Path) -> None:
    systems = {name: lines_of(shared_data / "vtt" / f"{name}.jsonl") for name in ("cst", "ttnet")}
    more = "raters: {places: 2}\nreport: {reference_system: cst}"
    found = report(vtt_study(tmp_path / "v11", systems, more))
    means = {(r["system"], r["question"]): round(r["mean"], 2) for r in found.json["systems"]}
    assert [means["cst", q] for q in THREE] == [2.04, 3.16, 2.96]
    assert [means["ttnet", q] for q in THREE] == [4.78, 4.10, 4.11]
    assert {r["ratings"] for r in found.json["systems"]} == {392}
    refuses_what_places_cannot_say(found)
    assert "cst & 2.04 & 3.16 & 2.96" in found.text("tables.tex")
    bleu = found.one("judges", judge="BLEU-4", question="relevance", group=None, statistic="pearson")
    assert (bleu["n"], round(bleu["value"], 2)) == (392, 0.52)


def test_v12_metrics_per_item_and_per_system(tmp_path: Path) -> None:
    systems = {
        name: [
            result_line(name, index, (base, base, base), [base / 5 + (index + place) % 2 * 0.01])
            for index in range(9)
            for place in range(2)
        ]
        for name, base in (("ash", 1), ("birch", 3), ("cedar", 4), ("dogwood", 5))
    }
    found = report(vtt_study(tmp_path / "v12", systems, "raters: {places: 2}"))
    of = {"judge": "BLEU-4", "question": "fluency", "group": None}
    values = {r["statistic"]: r["value"] for r in found.found("judges", **of)}
    assert values["pearson"] > 0.99
    assert values["system_tau_b"] == values["system_pairwise_accuracy"] == 1
    assert values["pairwise_accuracy"] == 1
    assert values["soft_pairwise_accuracy"] > 0.99
    assert found.one("judges", **of, statistic="pairwise_accuracy")["n"] == 9 * 6
    flat = found.one("judges", **{**of, "judge": "CIDEr"}, statistic="pearson")
    assert flat["value"] is None
    assert "is the same for every item" in flat["note"]
    assert "How well automatic metrics follow the raters" in found.html


# --- C10, C13: scores and judges of conversations -----------------------------------------------------


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The bundled study of conversations, rated by robots; its report and its tidy rows."""
    study = bundled("incar", tmp_path_factory.mktemp("talks"))
    assert run(["simulate", str(study), "--raters", "3", "--skips", "0.05"]) == 0
    rows = study / "ratings.jsonl"
    assert run(["export", str(study), "--to", str(rows)]) == 0
    return report(study), [row for row in lines_of(rows) if not row["skipped"]]


DIMENSIONS = (
    "instruction_constraint_adherence",
    "context_ambiguity_handling",
    "plan_coherence",
    "safety_compliance",
)


def by_hand(row: dict[str, Any]) -> float:
    """The four levels over 2 and the share of goals, over 5; without goals natively 0."""
    goals = row["goals.complete"] / row["goals.total"] if row["goals.total"] else 0.0
    return (sum(row[name] for name in DIMENSIONS) / 2 + goals) / 5


def of_items(rows: list[dict[str, Any]], value: Any) -> list[float]:
    by_item: dict[str, list[float]] = {}
    for row in rows:
        by_item.setdefault(row["item"], []).append(value(row))
    return [mean(values) for values in by_item.values()]


def test_c10_scores_and_passes_by_hand(talks: Any) -> None:
    found, rows = talks
    shown = {(r["question"], r["system"]): r["mean"] for r in found.json["systems"]}
    for system in {row["system"] for row in rows}:
        own = [row for row in rows if row["system"] == system]
        scored = mean(of_items(own, by_hand))
        passed = mean(of_items(own, lambda row: float(by_hand(row) >= 0.75)))
        assert shown["score.overall", system] == pytest.approx(scored)
        assert shown["score.overall.pass", system] == pytest.approx(passed)
    assert any(row["goals.dropped"] for row in rows)
    assert {r["question"] for r in found.json["systems"]} >= {"score.without_dropped"}


def test_c10_the_first_rating_counts_once_the_score_was_shown(tmp_path: Path) -> None:
    scored = "score: {overall: {mean: {quality: 1}, pass_at: 0.75}}"
    shown = f"{scored}\nshow_score: true\nraters: {{per_item: all}}"
    first = {f"i{n}": [1 + n % 4] for n in range(8)}
    final = {f"i{n}": [5] for n in range(8)}
    items = [{"id": name} for name in first]

    def mean_of(folder: Path, more: str) -> Any:
        study = make(folder, items, SCALE, more)
        rate(study, [*grid(first), *grid(final)], revised=True)
        return report(study)

    counted = mean_of(tmp_path / "first", shown)
    assert counted.one("systems", question="quality")["mean"] == mean(1 + n % 4 for n in range(8))
    revised = "revision made after the score was shown; the first rating counts"
    assert counted.one("left_out", why=revised)["count"] == 8
    declared = mean_of(tmp_path / "final", f"{shown}\nreport: {{analyse: final}}")
    assert declared.one("systems", question="quality")["mean"] == 5
    assert declared.one("left_out", why="superseded by a revision")["count"] == 8


def test_c13_every_judge_model_by_itself(talks: Any) -> None:
    found, _ = talks
    models = {r["judge"] for r in found.found("judges", question="safety_compliance", group=None)}
    assert len(models) == 4
    sizes = {}
    for model in models:
        of = {"judge": model, "question": "plan_coherence", "group": None}
        got = {r["statistic"]: r for r in found.found("judges", **of)}
        assert {"quadratic_kappa", "AC2", "accuracy"} <= set(got)
        sizes[model] = got["accuracy"]["n"] + got["accuracy"]["missing"]
        assert got["accuracy"]["low"] is None or got["accuracy"]["low"] <= got["accuracy"]["value"]
    # Each model is held against the conversations it judged, and no others.
    assert sum(sizes.values()) == found.json["asked"]["rated_items"]
    cells = found.found(
        "confusion", question="plan_coherence", judge=max(sizes, key=lambda m: sizes[m])
    )
    assert sum(c["count"] for c in cells) == pytest.approx(max(sizes.values()))


def test_c13_plans_goals_decisions_and_failures(talks: Any) -> None:
    found, _ = talks
    groups = {r["group"] for r in found.found("judges", question="plan_coherence")}
    assert {"plan_required=true", "plan_required=false"} <= groups
    goals = found.found("judges", question="goals.entries", group=None, statistic="accuracy")
    assert len(goals) == 4
    dropped = found.one("left_out", why="verdict goals: a value that means no score")
    assert dropped["count"] > 0
    decision = found.one(
        "judges",
        question="score.overall.pass",
        judge="success_decision",
        group=None,
        statistic="accuracy",
    )
    assert decision["n"] == found.json["asked"]["rated_items"]
    score = found.found("judges", question="score.overall", judge="success_score", group=None)
    assert {"pearson", "mae", "bias"} <= {r["statistic"] for r in score}
    marks = found.found(
        "judges", question="instruction_failures.entries", statistic="sensitivity", group=None
    )
    assert len(marks) == 4


# --- W3: a calibration round ----------------------------------------------------------------------


@pytest.mark.parametrize(("declared", "used"), [("beforehand", 12), ("afterwards", 8), ("never", 8)])
def test_w3_a_calibration_round_counts_only_where_that_was_declared_beforehand(
    tmp_path: Path, declared: str, used: int
) -> None:
    def written(counts: bool) -> Path:
        more = f"raters: {{calibration: 2}}\nreport: {{calibration: {str(counts).lower()}}}\n"
        return make(tmp_path / "study", [{"id": f"i{n}"} for n in range(6)], more=more)

    study = written(declared == "beforehand")
    assert run(["simulate", str(study), "--raters", "2", "--skips", "0", "--json"]) == 0
    written(declared != "never")
    assert report(study).json["asked"]["ratings_used"] == used
