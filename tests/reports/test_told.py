"""What a report must tell: who was excluded, who looked early, what a judge's score means."""

from __future__ import annotations

from pathlib import Path

import pytest
from small import SCALE, grid, make, numbered, rate, report

from rubrica.accounts.changes import exclude, withdraw
from rubrica.cli import run
from rubrica.cli.opening import opened

LINES = {f"i{n}": [1 + n % 5, 1 + n % 5, 5 - n % 5] for n in range(12)}


def test_results_with_and_without_excluded_raters_stand_side_by_side(tmp_path: Path) -> None:
    study = make(tmp_path / "study", numbered(12))
    rate(study, grid(LINES))
    with opened(study) as found:
        exclude(found.store.accounts, found.name, 3, "robot", "answers upside down")
    told = report(study)
    (alpha,) = told.found("side_by_side", what="alpha")
    assert alpha["without_excluded"] == 1
    assert alpha["with_excluded"] < 0.5
    assert alpha["excluded_ratings"] == 12
    assert told.one("left_out", why="the rater was excluded")["count"] == 12
    assert told.one("agreement", group=None, coefficient="alpha")["value"] == 1
    assert "Results without and with excluded raters (12 ratings)" in told.html
    assert "answers upside down" in told.html


def test_withdrawn_ratings_leave_everything_but_are_counted(tmp_path: Path) -> None:
    study = make(tmp_path / "study", numbered(12))
    rate(study, grid(LINES))
    with opened(study) as found:
        withdraw(found.store.accounts, found.name, 3, "robot")
    told = report(study)
    assert told.json["asked"]["ratings"] == 24
    assert told.one("left_out", what="raters")["why"] == "withdrew their consent"
    assert told.one("left_out", what="ratings")["count"] == 12
    assert not told.found("matrix", b="R3")


def test_early_looks_are_reported_and_a_second_look_alike_is_none(tmp_path: Path) -> None:
    study = make(tmp_path / "study", numbered(12))
    rate(study, grid({name: line[:1] for name, line in LINES.items()}))
    first = report(study)
    assert first.json["study"]["looks"] == []
    assert report(study, out=tmp_path / "again").html == first.html
    rate(study, grid({name: ["", *line[1:]] for name, line in LINES.items()}), start=12)
    later = report(study)
    assert later.json["study"]["looks"] == [12]
    assert "Results were looked at before all ratings were in: after 12 ratings." in later.html
    with opened(study) as found:
        found.store.studies.close(found.name)
    assert report(study).json["study"]["closed"]


def test_what_a_judge_means_is_told_in_the_reports_language(tmp_path: Path) -> None:
    items = [{"id": f"i{n}", "score": 1 + n % 4} for n in range(12)]
    of_items = """verdict:
  bot: {path: score, question: quality, note: {en: It saw half of the text., zh: 它只看了一半。}}"""
    study = make(tmp_path / "study", items, of_items=of_items)
    rate(study, grid(LINES))
    assert "It saw half of the text." in report(study).html
    chinese = report(study, "--lang", "zh", out=tmp_path / "zh").html
    assert "它只看了一半。" in chinese
    assert "half of the text" not in chinese


def test_scores_of_unrated_items_sharpen_a_mean(tmp_path: Path) -> None:
    items = [{"id": f"i{n}", "score": 1 + n % 5} for n in range(60)]
    study = make(tmp_path / "study", items, of_items="verdict: {bot: {path: score, question: quality}}")
    rate(study, grid({f"i{n}": [1 + n % 5 if n % 4 else 3] for n in range(20)}))
    told = report(study)
    plain = told.one("systems", question="quality")
    corrected = told.one("judges", judge="bot", statistic="ppi_mean")
    assert corrected["high"] - corrected["low"] < plain["high"] - plain["low"]
    assert corrected["low"] < 3 < corrected["high"]
    assert "PPI++" in told.html


def test_position_in_the_list_is_an_effect_that_is_reported(tmp_path: Path) -> None:
    # Every rater starts at another item and is a level milder by the end.
    study = make(tmp_path / "study", numbered(24), SCALE)
    ratings = []
    for place in range(24):
        for rater in range(1, 5):
            item = (place + 6 * rater) % 24
            level = 1 + item % 3 + (place > 11) * 2
            ratings.append((f"i{item}", str(rater), {"quality": level}))
    rate(study, ratings)
    effect = report(study).one("effects", question="quality", effect="position")
    assert effect["low"] > 0


def test_questions_go_by_their_labels_and_by_their_keys_in_the_numbers(tmp_path: Path) -> None:
    labelled = SCALE.replace("{kind", "{label: {en: Goodness, zh: 好坏}, kind")
    study = make(tmp_path / "study", numbered(12), labelled)
    rate(study, grid(LINES))
    told = report(study, "--lang", "zh")
    assert "好坏" in told.html
    assert "Quality" not in told.html
    assert told.found("systems", question="quality")


def test_ratings_by_robots_are_marked_on_top_and_those_of_people_are_not(tmp_path: Path) -> None:
    study = make(tmp_path / "study", numbered(6))
    rate(study, grid({f"i{n}": [1 + n % 5] for n in range(6)}))
    plain = report(study)
    assert "robots" not in plain.html
    assert plain.json["study"]["simulated_raters"] == 0
    made = make(tmp_path / "made", numbered(6))
    assert run(["simulate", str(made), "--raters", "2", "--skips", "0"]) == 0
    told = report(made)
    assert told.html.index("made by robots") < told.html.index('id="short"')
    assert told.text("report.md").index("made by robots") < told.text("report.md").index("## In short")
    assert "% These ratings were made by robots" in told.text("tables.tex")
    assert told.json["study"]["simulated_raters"] == 2


def test_counts_are_told_alike_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = make(tmp_path / "study", numbered(4))
    ratings = [("i0", "1", {"quality": 3}), ("i1", "1", None), ("i2", "1", {"quality": 2})]
    rate(study, [*ratings, ("i2", "1", {"quality": 4})], revised=True)
    told = report(study)
    words = "2 ratings, 1 skip and 1 revision"
    assert f"{words} of 3 items, 1 left out" in capsys.readouterr().out
    assert f"by 1 rater, in {words}." in told.html
    assert (told.json["study"]["skips"], told.json["study"]["revisions"]) == (1, 1)


def test_an_item_with_mismatched_entries_is_shown_once(tmp_path: Path) -> None:
    items = [
        {"id": f"i{n}", "text": f"Conversation {n}", "goals": ["park", "pay"], "said": [1, 1]}
        for n in range(4)
    ]
    answer = "{kind: scale, levels: {0: No, 1: Yes}}"
    goals = f"goals: {{kind: each, ask: Reached?, over: goals, answer: {answer}}}"
    study = make(tmp_path / "study", items, goals, of_items="verdict: {goals: said}")
    given = {"": 0, "entries": [{"answer": 0}, {"answer": 0}]}
    rate(study, [(f"i{n}", rater, {"goals": given}) for n in range(4) for rater in ("1", "2")])
    told = report(study)
    assert len(told.found("mismatches", judge="goals")) >= 8
    assert told.html.count("Conversation 2") == 1
    assert "park" in told.html
    assert all(m["texts"] for m in told.json["mismatches"])


def test_w5_raters_who_came_later_are_a_wave_and_comparisons_across_say_so(tmp_path: Path) -> None:
    items = [{"id": f"i{n}", "model": "abc"[n % 3], "input": n // 3} for n in range(18)]
    study = make(
        tmp_path / "study",
        items,
        more="raters: {waves: {second: 2026-06-01}}",
        of_items="system: model\nthread: {by: input, kind: set}",
    )
    everybody = {f"i{n}": [1 + n % 5, 1 + n * n % 5] for n in range(18)}
    later = {f"i{n}": [*everybody[f"i{n}"], 1 + n % 4] for n in range(18) if n % 3 == 2}
    rate(study, grid({**everybody, **later}))
    with opened(study) as found, found.store.database.write() as tx:
        tx.plain("UPDATE raters SET joined = '2026-05-31T23:59:59Z' WHERE number < 3")
        tx.plain("UPDATE raters SET joined = '2026-06-01T00:00:00Z' WHERE number = 3")
    compared = report(study).json["comparisons"]
    across = [one for one in compared if "c" in (one["a"], one["b"])]
    assert len(across) == 2
    assert all("different waves (first / first, second)" in one["note"] for one in across)
    (within,) = [one for one in compared if one not in across]
    assert "waves" not in (within["note"] or "")


def test_a_score_beyond_its_scale_is_left_out_and_counted(tmp_path: Path) -> None:
    items = [{"id": f"i{n}", "score": 1 + n % 5, "bleu": n % 5 / 4} for n in range(12)]
    items[3]["score"], items[5]["bleu"], items[6]["bleu"] = 7, 1.5, -0.1
    verdicts = (
        "bot: {path: score, question: quality}, bleu: {path: bleu, question: quality, scale: [0, 1]}"
    )
    study = make(tmp_path / "study", items, of_items=f"verdict: {{{verdicts}}}")
    rate(study, grid(LINES))
    told = report(study)
    for verdict, count in (("bot", 1), ("bleu", 2)):
        why = f"verdict {verdict}: not a score of its question"
        assert told.one("left_out", why=why)["count"] == count
