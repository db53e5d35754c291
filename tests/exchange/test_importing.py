"""Ratings from files: all of them or none, each in its place, whatever the file looks like."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from own_files import Ran, clip, filled_in, output, rated, sample, talk, write_lines, write_talk
from workbooks import COLUMNS, bomb, row, workbook

from rubrica.cli import run
from rubrica.cli.opening import opened

Data = list[dict[str, Any]]


@pytest.fixture
def dialogues(tmp_path: Path, ran: Ran) -> Path:
    lines = [sample(turn) for turn in range(4)]
    ran("new", tmp_path / "s", "--like", "m3bench", "--data", write_lines(tmp_path / "in.jsonl", lines))
    return tmp_path / "s"


@pytest.fixture
def clips(tmp_path: Path, ran: Ran) -> Path:
    lines = [output(system, place) for system in ("a", "b") for place in range(2)]
    samples = write_lines(tmp_path / "samples.jsonl", [clip("k0"), clip("k1")])
    file = write_lines(tmp_path / "in.jsonl", lines)
    ran("new", tmp_path / "s", "--like", "vtt", "--data", file, "--data", samples)
    return tmp_path / "s"


@pytest.fixture
def talks(tmp_path: Path, ran: Ran) -> Path:
    for batch, name in (("config_1", "c1"), ("config_1", "c2"), ("config_2", "c1")):
        write_talk(tmp_path / "logs" / batch / f"{name}.json", talk(name))
    ran("new", tmp_path / "s", "--like", "incar", "--data", tmp_path / "logs")
    return tmp_path / "s"


def kept(study: Path) -> list[tuple[str, Any, bool]]:
    """Every rating there: the item, its levels, whether it has a rater of its own."""
    with opened(study) as found:
        store = found.store
        raters = {r.number: r for r in store.accounts.raters("s")}
        return [
            (
                store.verdicts.hidden("s", r.submission.item).key,
                r.submission.answers and [a.value for a in r.submission.answers.values()],
                raters[r.submission.rater].named,
            )
            for r in store.ratings.ratings("s")
        ]


# --- the counts ------------------------------------------------------------------------------


def test_m11_lines_filled_elsewhere_come_in_once(dialogues: Path, tmp_path: Path, ran: Ran) -> None:
    told = [
        filled_in(sample(0), comments="good"),
        filled_in(sample(1), context_consistency="Yes"),
        sample(2),
        filled_in(
            sample(3), correctness=None, reasoning_completeness=None, overall_quality=None, comments="?"
        ),
    ]
    file = write_lines(tmp_path / "results.jsonl", told)
    would = ran("import", dialogues, file, "--dry-run")
    assert (would["dry_run"], would["taken"]["new"], kept(dialogues)) == (True, 3, [])
    first = ran("import", dialogues, file, "--rater", "ann")
    counts = ("read", "matched", "unmatched", "unfilled", "skips")
    assert [first[name] for name in counts] == [4, 3, 0, 1, 1]
    assert first["taken"]["new"] == 3
    again = ran("import", dialogues, file, "--rater", "ann")
    assert (again["taken"]["new"], again["taken"]["same"]) == (0, 3)
    assert [(key, named) for key, _, named in kept(dialogues)] == [
        ("kite_1_turn_0", True),
        ("kite_1_turn_1", True),
        ("kite_1_turn_3", True),
    ]


def test_m1_equal_ids_are_matched_by_what_was_said_in_any_order(tmp_path: Path, ran: Ran) -> None:
    lines = [sample(0, vlm_response=f"Answer {n}") for n in range(3)]
    ran("new", tmp_path / "s", "--like", "m3bench", "--data", write_lines(tmp_path / "in.jsonl", lines))
    told = [filled_in(lines[n], correctness=n + 1) for n in (2, 0)]
    ran("import", tmp_path / "s", write_lines(tmp_path / "results.jsonl", told))
    with opened(tmp_path / "s") as found:
        met = {
            found.store.verdicts.hidden("s", r.submission.item).hidden["vlm_response"]: r
            for r in found.store.ratings.ratings("s")
        }
    levels = {said: r.submission.answers["correctness"].value for said, r in met.items()}
    assert levels == {"Answer 2": 3, "Answer 0": 1}


def test_v10_places_levels_as_texts_skips_and_times(clips: Path, tmp_path: Path, ran: Ran) -> None:
    lines = [
        rated(output("a", 0), 3, 4, 5, minute=1),
        rated(output("a", 0), "5", "5", "5", minute=2),
        rated(output("b", 1), -1, -1, -1, minute=3, normal=False),
        output("b", 0),
    ]
    result = ran("import", clips, write_lines(tmp_path / "r.jsonl", lines))
    assert [result[n] for n in ("read", "matched", "unfilled", "skips")] == [4, 3, 1, 1]
    assert result["taken"]["raters"] == 2
    there = kept(clips)
    assert [(levels, named) for _, levels, named in there] == [
        ([3, 4, 5], False),
        ([5, 5, 5], False),
        (None, False),
    ]
    with opened(clips) as found:
        first = next(iter(found.store.ratings.ratings("s")))
    assert first.received == "2026-04-01T10:01:30.000000Z"
    assert first.submission.pace.wall_seconds == 30
    assert ran("import", clips, tmp_path / "r.jsonl")["taken"]["same"] == 3


def test_v10_lines_are_matched_by_id_line_or_file(clips: Path, tmp_path: Path, ran: Ran) -> None:
    by_id = rated(output("a", None, "k1"), 1, 2, 3)
    by_text = rated(output("b", sample_idx="1"), 2, 2, 2)
    named = rated(output(None, None, "k0"), 4, 4, 4)
    ran("import", clips, write_lines(tmp_path / "r.jsonl", [by_id, by_text]))
    ran("import", clips, write_lines(tmp_path / "b.jsonl", [named]))
    with opened(clips) as found:
        store = found.store
        there = [(r, store.verdicts.hidden("s", r.submission.item)) for r in store.ratings.ratings("s")]
    levels = {
        (item.system, item.thread): [answer.value for answer in r.submission.answers.values()]
        for r, item in there
    }
    assert levels == {("a", "k1"): [1, 2, 3], ("b", "k1"): [2, 2, 2], ("b", "k0"): [4, 4, 4]}


def test_v10_a_line_of_one_of_several_systems_is_left_out(
    clips: Path, tmp_path: Path, ran: Ran
) -> None:
    lines = [rated(output(None, 0), 4, 4, 4), rated(output("a", 0), 4, 4, 4)]
    result = ran("import", clips, write_lines(tmp_path / "unknown.jsonl", lines))
    assert (result["matched"], result["unmatched"]) == (1, 1)
    assert [w["code"] for w in result["warnings"]] == ["X023"]


def test_c12_workbooks_come_in_for_folder_and_rater(talks: Path, tmp_path: Path, ran: Ran) -> None:
    file = workbook(tmp_path / "human_ratings_JD01.xlsx", [row("c1"), row("c2", level=0), row("c9")])
    result = ran("import", talks, file, "--rater", "JD01")
    assert [result[n] for n in ("read", "matched", "unmatched")] == [3, 2, 1]
    assert result["warnings"][0]["code"] == "X014"
    with opened(talks) as found:
        ratings = list(found.store.ratings.ratings("s"))
        batches = {found.store.verdicts.hidden("s", r.submission.item).batch for r in ratings}
        answers = ratings[0].submission.answers
    assert batches == {"logs/config_1"}, "not the conversation of that id in the other folder"
    assert answers["goals"].value[0]["value"] == 1
    assert answers["instruction_failures"].state == "left_out"
    assert ratings[0].received == "2026-05-01T09:15:00.123456Z"
    assert ran("import", talks, file)["taken"]["same"] == 2


# --- files that are wrong ---------------------------------------------------------------------


def lines_of(file: Path) -> Path:
    return write_lines(file, [filled_in(sample(0)), filled_in(sample(1), context_consistency="No")])


def cut(file: Path) -> Path:
    lines_of(file)
    file.write_bytes(file.read_bytes()[:-40])
    return file


def out_of_range(file: Path) -> Path:
    return write_lines(file, [filled_in(sample(0)), filled_in(sample(1), correctness=6)])


def half(file: Path) -> Path:
    return write_lines(file, [filled_in(sample(0)), filled_in(sample(1), overall_quality=None)])


def twice(file: Path) -> Path:
    both = [sample(0), {**sample(0), "timestamp": "2026-03-01T10:00:00.000001"}]
    return write_lines(file, [filled_in(one) for one in both])


@pytest.mark.parametrize(
    ("make", "code", "line"),
    [(cut, "I006", 2), (out_of_range, None, 2), (half, "X026", 2)],
)
def test_one_bad_line_keeps_all_out_and_is_named(
    make: Callable[[Path], Path], code: str | None, line: int, dialogues: Path, tmp_path: Path, ran: Ran
) -> None:
    problem = ran("import", dialogues, make(tmp_path / "r.jsonl"), code=1)["problems"][0]
    assert problem["where"]["line"] == line
    assert problem["where"]["file"].endswith("r.jsonl")
    assert code in (None, problem["code"])
    assert problem["mend"]
    assert kept(dialogues) == []


def test_a_line_more_than_items_is_left_out(dialogues: Path, tmp_path: Path, ran: Ran) -> None:
    result = ran("import", dialogues, twice(tmp_path / "r.jsonl"))
    assert (result["matched"], result["unmatched"]) == (1, 1)
    assert result["warnings"][0]["code"] == "X015"


@pytest.mark.parametrize("how", ["bom", "crlf", "utf-16", "blank lines", "no last newline"])
def test_any_encoding_and_line_end_is_read(how: str, dialogues: Path, tmp_path: Path, ran: Ran) -> None:
    raw = lines_of(tmp_path / "r.jsonl").read_bytes()
    raw = {
        "bom": b"\xef\xbb\xbf" + raw,
        "crlf": raw.replace(b"\n", b"\r\n"),
        "utf-16": raw.decode().encode("utf-16"),
        "blank lines": b"\n" + raw.replace(b"\n", b"\n\n"),
        "no last newline": raw[:-1],
    }[how]
    (tmp_path / "r.jsonl").write_bytes(raw)
    assert ran("import", dialogues, tmp_path / "r.jsonl")["taken"]["new"] == 2


def test_ratings_of_unknown_items_only_are_another_studys_file(
    dialogues: Path, tmp_path: Path, ran: Ran
) -> None:
    file = write_lines(tmp_path / "r.jsonl", [filled_in(sample(0, task="other"))])
    problem = ran("import", dialogues, file, code=1)["problems"][0]
    assert problem["code"] == "X013"
    assert "other_turn_0" in problem["mend"]


def test_a_file_of_another_kind_and_one_of_another_study(
    dialogues: Path, tmp_path: Path, ran: Ran
) -> None:
    (tmp_path / "r.txt").write_text("good", encoding="utf-8")
    (tmp_path / "empty.jsonl").write_bytes(b"")
    other = write_lines(tmp_path / "vtt.jsonl", [rated(output("a", 0), 1, 1, 1)])
    book = workbook(tmp_path / "human_ratings_x.xlsx", [row()])
    found = {
        path.name: ran("import", dialogues, path, code=1)["problems"][0]["code"]
        for path in (tmp_path / "r.txt", tmp_path / "empty.jsonl", other, book, tmp_path / "gone.jsonl")
    }
    assert found == {
        "r.txt": "X010",
        "empty.jsonl": "X010",
        "vtt.jsonl": "X012",
        "human_ratings_x.xlsx": "X012",
        "gone.jsonl": "X011",
    }


@pytest.mark.parametrize(
    ("levels", "normal", "code"),
    [
        ((-1, -1, -1), True, "X027"),
        ((3, -1, 3), False, "X027"),
        ((3, None, 3), True, "X026"),
        ((9, 1, 1), True, "A"),
    ],
)
def test_v10_contradictions_are_not_guessed(
    levels: tuple[Any, ...], normal: bool, code: str, clips: Path, tmp_path: Path, ran: Ran
) -> None:
    lines = [rated(output("a", 0), 3, 3, 3), rated(output("a", 1), *levels, normal=normal)]
    problem = ran("import", clips, write_lines(tmp_path / "r.jsonl", lines), code=1)["problems"][0]
    assert problem["code"].startswith(code)
    assert problem["where"]["line"] == 2
    assert kept(clips) == []


def renamed(file: Path) -> Path:
    columns = ["Conversation" if name == "conversation_id" else name for name in COLUMNS]
    return workbook(file, [row(Conversation="c1")], columns)


def dated(file: Path) -> Path:
    return workbook(file, [row("c2"), row(conversation_id=datetime(2026, 5, 1))])


def two_raters(file: Path) -> Path:
    return workbook(file, [row("c1"), row("c2", who="XY")])


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (renamed, "X022"),
        (dated, "X024"),
        (two_raters, "X017"),
        (bomb, "I020"),
        (lambda f: workbook(f, [row("c1"), row("c2")], merged=True), "X025"),
        (lambda f: workbook(f, [row("c1"), row("c2", level=3)]), "A"),
        (lambda f: workbook(f, [row("c1"), row("c2", level=None)]), "X026"),
        (lambda f: workbook(f, [row("c1", timestamp="yesterday")]), "X029"),
        (lambda f: workbook(f, [row("c1", target_statuses_json="{")]), "X020"),
        (lambda f: workbook(f, [row("c1", target_statuses_json='{"Find a bank.": 1}')]), "X021"),
        (lambda f: workbook(f, [row("c1", target_statuses_json="{}")]), "X026"),
    ],
)
def test_c12_a_spoiled_workbook_is_refused_whole(
    make: Callable[[Path], Path], code: str, talks: Path, tmp_path: Path, ran: Ran
) -> None:
    file = make(tmp_path / "human_ratings_JD01.xlsx")
    problem = ran("import", talks, file, code=1)["problems"][0]
    assert problem["code"].startswith(code)
    assert problem["where"]["file"] == str(file)
    assert kept(talks) == []


def test_c12_reordered_columns_numbers_as_ids_and_notes_are_fine(
    talks: Path, tmp_path: Path, ran: Ran
) -> None:
    columns = [*reversed(COLUMNS), "notes"]
    about = {"annotator_id": 7, "source_folder": "C:\\data\\config_1"}
    rows = [row("c1", who=7, notes="=1+1", level=1.0)]
    file = workbook(tmp_path / "human_ratings_7.xlsx", rows, columns, about=about)
    assert ran("import", talks, file)["taken"]["new"] == 1
    with opened(talks) as found:
        answers = next(iter(found.store.ratings.ratings("s"))).submission.answers
        assert [r.name for r in found.store.accounts.raters("s")] == ["7"]
    assert (answers["notes"].value, answers["plan_coherence"].value) == ("=1+1", 1)


def test_c12_another_raters_file_is_refused(talks: Path, tmp_path: Path, ran: Ran) -> None:
    file = workbook(tmp_path / "human_ratings_JD01.xlsx", [row("c1")])
    problem = ran("import", talks, file, "--rater", "XY", code=1)["problems"][0]
    assert (problem["code"], problem["got"], problem["expected"]) == ("X016", "JD01", "XY")


def test_a_folder_gives_what_it_holds_and_names_the_rest(clips: Path, tmp_path: Path, ran: Ran) -> None:
    folder = tmp_path / "human_evaluation"
    write_lines(folder / "a.jsonl", [rated(output("a", 0), 1, 2, 3)])
    (folder / "README.md").write_text("# Results", encoding="utf-8")
    one = folder / "single" / "human_3.json"
    one.parent.mkdir()
    one.write_text(json.dumps(rated(output("b", 1), "4", "4", "4"), indent=2), encoding="utf-8")
    result = ran("import", clips, folder)
    assert sorted(Path(f["file"]).name for f in result["files"]) == ["a.jsonl", "human_3.json"]
    assert [Path(name).name for name in result["passed_over"]] == ["README.md"]
    assert result["taken"]["new"] == 2


def test_a_person_reads_the_counts(
    dialogues: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_lines(tmp_path / "r.jsonl", [filled_in(sample(0)), filled_in(sample(9)), sample(1)])
    assert run(["import", str(dialogues), str(file), "--dry-run"]) == 0
    told = capsys.readouterr()
    assert "1 rating would come in" in told.out
    assert "for no item of it, left out: 1" in told.out
    assert "X014" in told.err


@pytest.mark.slow
# --- the real files -----------------------------------------------------------------------------


def test_v10_the_real_result_lines(shared_data: Path, tmp_path: Path, ran: Ran) -> None:
    files = [shared_data / "vtt" / name for name in ("cst.jsonl", "ttnet.jsonl")]
    assert ran("new", tmp_path / "s", "--like", "vtt", "--data", *files)["items"] == 392
    result = ran("import", tmp_path / "s", *files)
    assert [(f["read"], f["matched"]) for f in result["files"]] == [(392, 392), (392, 392)]
    with opened(tmp_path / "s") as found:
        items = [r.submission.item for r in found.store.ratings.ratings("s")]
        systems = [found.store.verdicts.hidden("s", item).system for item in set(items)]
    assert (len(items), systems.count("cst"), systems.count("ttnet")) == (784, 196, 196)
    assert ran("import", tmp_path / "s", *files)["taken"]["same"] == 784


def test_m11_the_real_results(shared_data: Path, tmp_path: Path, ran: Ran) -> None:
    file = shared_data / "m3bench" / "annotation_results_demo.jsonl"
    assert ran("new", tmp_path / "s", "--like", "m3bench", "--data", file.parent)["items"] == 38
    result = ran("import", tmp_path / "s", file)
    assert [result[n] for n in ("read", "matched", "unfilled", "unmatched")] == [32, 5, 27, 0]
