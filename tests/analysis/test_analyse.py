from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from rubrica.analysis.analyse import analyse
from rubrica.analysis.answered import standing
from rubrica.analysis.table import Options, Question
from rubrica.errors import Problem

LISTS = {
    "left_out": {"what", "count", "why", "question"},
    "agreement": {
        "question",
        "group",
        "coefficient",
        "metric",
        "value",
        "low",
        "high",
        "items",
        "raters",
        "note",
    },
    "systems": {"question", "system", "n", "mean", "low", "high"},
    "comparisons": {
        "question",
        "a",
        "b",
        "n",
        "difference",
        "low",
        "high",
        "p",
        "p_holm",
        "effect",
        "note",
    },
    "judges": {
        "question",
        "judge",
        "group",
        "statistic",
        "value",
        "low",
        "high",
        "n",
        "missing",
        "note",
    },
    "mismatches": {"question", "judge", "item", "size"},
    "raters": {"rater", "question", "statistic", "value", "low", "high", "n", "note"},
}


def run(table, questions, options=None, seed=1):
    return analyse(table, questions, options or Options(), np.random.default_rng(seed)).as_dict()


def numbers(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, float):
        yield value


def full_study(table_of, five, yes_no, rng):
    truth = rng.integers(1, 6, 40)
    rows = [
        {
            "item": f"{s}{i}",
            "system": s,
            "input": str(i),
            "batch": "one" if i < 20 else "two",
            "rater": f"r{r}",
            "language": "en" if r < 2 else "zh",
            "quality": int(np.clip(truth[i] + (s == "B") + rng.integers(-1, 2), 1, 5)),
            "safe": int(rng.random() < 0.7),
            "seconds": float(rng.gamma(4, 10)),
            "excluded": r == 4,
        }
        for i in range(40)
        for s in "AB"
        for r in range(5)
    ]
    scores = {f"{s}{i}": float(truth[i]) for i in range(40) for s in "AB"}
    return table_of(rows, [five, yes_no], fields=["batch"], judges={"bot": scores})


def test_a_whole_study(table_of, five, yes_no, rng):
    table = full_study(table_of, five, yes_no, rng)
    options = Options(groups=("batch", "system"), reference="A")
    got = run(table, [five, yes_no], options)
    for name, keys in LISTS.items():
        assert got[name], name
        assert keys <= set(got[name][0]), name
    assert got["asked"]["items"] == 80
    assert got["asked"]["ratings"] == 400
    assert got["left_out"][0] == {
        "what": "ratings",
        "count": 80,
        "why": "the rater was excluded",
        "question": None,
    }
    assert {r["group"] for r in got["agreement"]} == {
        None,
        "batch=one",
        "batch=two",
        "system=A",
        "system=B",
    }
    assert {(c["a"], c["b"]) for c in got["comparisons"]} == {("B", "A")}
    assert got["side_by_side"][0]["what"] == "alpha"
    assert got["side_by_side"][0]["excluded_ratings"] == 80
    assert got["progress"][-1]["ratings"] == 400
    json.dumps(got, allow_nan=False)


def test_the_same_seed_gives_the_same_numbers(table_of, five, yes_no, rng):
    table = full_study(table_of, five, yes_no, rng)
    options = Options(groups=("batch",), replicates=200)
    assert run(table, [five, yes_no], options) == run(table, [five, yes_no], options)
    assert run(table, [five, yes_no], options) != run(table, [five, yes_no], options, seed=2)


def odd_studies():
    """Every study that is smaller or stranger than a textbook's."""
    many = [
        {"item": f"i{k}", "rater": f"r{r}", "quality": 1 + (k + r) % 5}
        for k in range(9)
        for r in range(3)
    ]
    same = [{**row, "quality": 4} for row in many]
    yield "nothing", [], {}
    yield "one rating", many[:1], {}
    yield "one rater", [r for r in many if r["rater"] == "r0"], {}
    yield "one item", [r for r in many if r["item"] == "i0"], {}
    yield (
        "no overlap",
        [{"item": f"i{k}", "rater": f"r{k % 3}", "quality": 1 + k % 5} for k in range(9)],
        {},
    )
    yield "all the same", same, {}
    yield "all the same, judged the same", same, {"judges": {"bot": {f"i{k}": 4.0 for k in range(9)}}}
    yield "never applicable", [{**r, "quality": "not applicable"} for r in many], {}
    yield "nobody could judge", [{**r, "quality": "cannot judge"} for r in many], {}
    yield "half the scores missing", many, {"judges": {"bot": {f"i{k}": 3.0 for k in range(0, 9, 2)}}}
    nan = {"judges": {"bot": {f"i{k}": (math.nan, math.inf, 3.0)[k % 3] for k in range(9)}}}
    yield "not a number", [{**r, "quality": (math.nan, 3)[k % 2]} for k, r in enumerate(many)], nan
    lone = [{**r, "system": "A", "input": r["item"]} for r in many]
    yield (
        "a system with one output",
        [*lone, {"item": "x", "system": "B", "input": "i0", "rater": "r0", "quality": 2}],
        {},
    )
    yield "one system", lone, {"judges": {"bot": {f"i{k}": float(1 + k % 5) for k in range(9)}}}
    filled = [{**r, "quality": r["quality"] if k < 5 else "left open"} for k, r in enumerate(many)]
    yield (
        "five filled",
        filled,
        {"judges": {"bot": {f"i{k}": k / 9 for k in range(9)}}, "scale": "fraction"},
    )
    yield "nobody named", [{k: v for k, v in r.items() if k != "rater"} for r in many], {}
    yield (
        "one thread",
        [{**r, "thread": "t"} for r in many],
        {"judges": {"bot": {f"i{k}": float(1 + k % 4) for k in range(9)}}},
    )
    yield "everyone excluded", [{**r, "excluded": True} for r in many], {}
    twice = [*many, *({**r, "repeat": True} for r in many)]
    yield "everything twice", twice, {}
    yield (
        "a metric of its own",
        many,
        {"judges": {"bleu": {f"i{k}": k / 7 for k in range(9)}}, "scale": "own"},
    )


@pytest.mark.parametrize(
    ("rows", "more"), [s[1:] for s in odd_studies()], ids=[s[0] for s in odd_studies()]
)
@pytest.mark.parametrize("kind", ["ordinal", "names", "yes or no", "free"])
def test_odd_studies_have_results_that_say_what_cannot_be_said(table_of, rows, more, kind):
    question = {
        "ordinal": Question("quality", "ordinal", (1, 2, 3, 4, 5)),
        "names": Question("quality", "nominal", (1, 2, 3, 4, 5), tuple("abcde")),
        "yes or no": Question("quality", "nominal", (3, 4)),
        "free": Question("quality", "interval"),
    }[kind]
    table = table_of(rows, [question], fields=["none"], **more)
    options = Options(groups=("system", "thread", "none"), replicates=50)
    got = run(table, [question], options)
    assert all(math.isfinite(n) for n in numbers(got))
    json.dumps(got, allow_nan=False)
    for name, value in (
        ("agreement", "value"),
        ("systems", "mean"),
        ("comparisons", "difference"),
        ("judges", "value"),
    ):
        for record in got[name]:
            assert record[value] is not None or record["note"], (name, record)
    counted = got["asked"]["answers_used"] + sum(
        x["count"] for x in got["left_out"] if x["what"] != "items"
    )
    assert counted == len(rows)


def test_every_question_is_its_own(table_of, five, yes_no, rng):
    rows = [
        {"item": f"i{k}", "rater": f"r{r}", "quality": 3, "safe": "not applicable"}
        for k in range(8)
        for r in range(2)
    ]
    got = run(table_of(rows, [five, yes_no]), [five, yes_no])
    first = {r["question"]: r for r in got["agreement"] if r["coefficient"] == "alpha"}
    assert first["quality"]["note"].startswith("all answers that could be compared are the same")
    assert first["safe"]["note"] == "no answers to this question could be used"
    assert {x["why"]: x["count"] for x in got["left_out"]} == {"not applicable": 16}


def test_what_a_judge_means_goes_with_its_numbers(table_of, five, rng):
    rows = [{"item": f"i{k}", "rater": "r", "quality": 1 + k % 5} for k in range(12)]
    table = table_of(rows, [five], judges={"bot": {f"i{k}": float(1 + k % 5) for k in range(12)}})
    judge = table.items.judges[0]
    said = type(judge)(judge.name, judge.question, judge.scores, says="it speaks of the turn before")
    table = replace(table, items=replace(table.items, judges=[said]))
    got = run(table, [five])
    pearson = next(r for r in got["judges"] if r["statistic"] == "pearson")
    assert pearson["note"] == "it speaks of the turn before"
    assert "it speaks of the turn before" in {n["text"] for n in got["notes"]}


def test_every_note_can_be_read(table_of, five):
    # A note's text is made when it is read: its details must fill its sentence.
    for rows, more in (s[1:] for s in odd_studies()):
        results = analyse(table_of(rows, [five], **more), [five], Options(), np.random.default_rng(1))
        found = [n for r in (*results.agreement, *results.judges, *results.raters) if (n := r.note)]
        for note in (*found, *results.notes):
            assert isinstance(note, Problem)
            assert note.message
            assert note.hint


def test_v11_the_papers_means_and_refusals(table_of, shared_data):
    names = ("fluency", "relevance", "logical_soundness")
    questions = [Question(q, "ordinal", (1, 2, 3, 4, 5)) for q in names]
    rows = []
    for system in ("cst", "ttnet"):
        for line in (shared_data / "vtt" / f"{system}.jsonl").read_text("utf-8").splitlines():
            given = json.loads(line)
            answers = {q: given[q] if given["normal"] else "cannot judge" for q in names}
            of = {"item": f"{system} {given['index']}", "input": str(given["index"]), "system": system}
            rows.append({**of, **answers})
    got = run(table_of(rows, questions), questions, Options(reference="ttnet", leave_out=frozenset()))
    means = {(r["system"], r["question"]): round(r["mean"], 2) for r in got["systems"]}
    assert [means["cst", q] for q in names] == [2.04, 3.16, 2.96]
    assert [means["ttnet", q] for q in names] == [4.78, 4.10, 4.11]
    assert {r["coefficient"] for r in got["agreement"]} == {
        "alpha",
        "percent",
        "AC2",
        "ICC(1)",
        "ICC(k)",
    }
    assert got["matrix"] == []
    assert any("places are not raters" in n["text"] for n in got["notes"])
    assert all(c["method"].startswith("sign-flip") and c["n"] == 196 for c in got["comparisons"])
    assert all("places are not raters" in c["note"] for c in got["comparisons"])


def test_v12_metrics_follow_the_raters_or_not(table_of, shared_data):
    five = Question("relevance", "ordinal", (1, 2, 3, 4, 5))
    rows, bleu = [], {}
    for system in ("cst", "ttnet"):
        for line in (shared_data / "vtt" / f"{system}.jsonl").read_text("utf-8").splitlines():
            given = json.loads(line)
            item = f"{system} {given['index']}"
            rows.append(
                {
                    "item": item,
                    "input": str(given["index"]),
                    "system": system,
                    "relevance": given["relevance"],
                }
            )
            bleu[item] = float(np.mean(given["BLEU_4"]))
    table = table_of(rows, [five], judges={"BLEU_4": bleu}, scale="own")
    got = run(table, [five], Options(groups=("system",)))
    per = {(r["group"], r["statistic"]): r for r in got["judges"]}
    assert per[None, "pearson"]["n"] == 392
    assert per["system=cst", "pearson"]["n"] == per["system=ttnet", "pearson"]["n"] == 196
    assert 0 < per["system=cst", "pearson"]["value"] < per[None, "pearson"]["value"]
    assert per[None, "pairwise_accuracy"]["n"] == 196
    assert per[None, "system_pearson"]["note"].startswith("only 2 systems")


def test_m12_the_original_tools_figures(table_of, shared_data):
    five = Question("overall", "ordinal", (1, 2, 3, 4, 5))
    text = (shared_data / "m3bench" / "annotation_results_demo.jsonl").read_text("utf-8")
    rows, scores = [], {}
    for place, line in enumerate(text.splitlines()):
        given = json.loads(line)
        overall = given["human_annotation"].get("overall_quality")
        item = {"item": str(place), "rater": "1", "action": given["action_type"]}
        rows.append({**item, "overall": "left open" if overall is None else overall})
        if (confidence := given["auto_evaluation"].get("confidence")) is not None:
            scores[str(place)] = confidence
    table = table_of(rows, [five], fields=["action"], judges={"confidence": scores}, scale="fraction")
    got = run(table, [five], Options(groups=("action",)))
    whole = {r["statistic"]: r for r in got["judges"] if r["group"] is None}
    assert whole["pearson"]["n"] == 5
    assert whole["pearson"]["value"] == pytest.approx(-0.786, abs=5e-4)
    assert whole["pearson"]["p"] == pytest.approx(0.115, abs=5e-4)
    assert whole["spearman"]["value"] == pytest.approx(-0.649, abs=5e-4)
    assert whole["pearson"]["low"] is None  # five items carry no resampled interval
    assert [m["size"] for m in got["mismatches"]] == [1.0, 0.9, 0.75]
    assert {m["groups"]["action"] for m in got["mismatches"]} == {"mislead", "follow_up"}
    assert {x["why"]: x["count"] for x in got["left_out"]} == {"left open": 27}


def test_c13_judges_side_by_side_each_with_its_own_items(table_of, five):
    rows = [
        {"item": f"i{k}", "rater": f"r{r}", "quality": 1 + (k + r * (k % 3 == 0)) % 5}
        for k in range(40)
        for r in range(2)
    ]
    judges = {
        "first model": {f"i{k}": float(1 + k % 5) for k in range(20)},
        "second model": {f"i{k}": float(5 - k % 5) for k in range(20, 40)},
    }
    got = run(table_of(rows, [five], judges=judges), [five])
    per = {(r["judge"], r["statistic"]): r for r in got["judges"]}
    assert (
        per["first model", "quadratic_kappa"]["value"]
        > 0.5
        > per["second model", "quadratic_kappa"]["value"]
    )
    assert per["first model", "accuracy"]["n"] == per["second model", "accuracy"]["n"] == 20
    assert per["first model", "AC2"]["low"] is not None
    assert {(x["what"], x["count"]) for x in got["left_out"]} == {("items", 20)}
    assert {c["judge"] for c in got["confusion"]} == set(judges)


def test_standing_leaves_the_table_alone(table_of, five):
    table = table_of([{"item": "a", "rater": "r", "quality": 1, "excluded": True}], [five])
    standing(table, Options())
    assert table.flags["excluded"].tolist() == [True]
    assert not standing(table, Options())[0].any()
