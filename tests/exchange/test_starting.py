"""A new study like a bundled one over somebody's own files, whatever they are called and lack."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from own_files import (
    Ran,
    clip,
    filled_in,
    new_log,
    old_log,
    output,
    rated,
    sample,
    talk,
    write_lines,
    write_talk,
)

from rubrica.cli.opening import opened
from rubrica.errors import Problem, Problems
from rubrica.exchange.starting.making import start
from rubrica.items.check import check_items
from rubrica.items.holes import media_report
from rubrica.items.load import items_of
from rubrica.items.mapping import Mapper
from rubrica.items.media import media_file, media_root
from rubrica.items.model import NewItem
from rubrica.paths import compile_path
from rubrica.study.load import LoadedStudy, load_study

KINDS = ("m3bench", "vtt", "incar")


def made(like: str, folder: Path, *data: Path, **more: Any) -> LoadedStudy:
    """A study made over these data, with no problem but pictures that are missing."""
    start(like, folder, data, **more)
    loaded = load_study(folder)
    problems = [str(p) for p in (*loaded.warnings, *check_items(loaded))]
    assert [p for p in problems if not p.startswith(("I026", "I027", "I025", "I029"))] == []
    return loaded


def items(loaded: LoadedStudy) -> list[NewItem]:
    return list(items_of(loaded))


def codes(like: str, folder: Path, *data: Path, **more: Any) -> set[str]:
    return {problem.code for problem in start(like, folder, data, **more).notes}


# --- what all kinds share ------------------------------------------------------------


@pytest.mark.parametrize("like", KINDS)
def test_without_data_it_comes_with_its_demo_items(like: str, tmp_path: Path, ran: Ran) -> None:
    result = ran("new", tmp_path / "s", "--like", like)
    assert result["next"][0] == f"rubrica check {tmp_path / 's'}"
    assert ran("check", tmp_path / "s")["errors"] == 0
    assert (tmp_path / "s" / "study.schema.json").is_file()


@pytest.mark.parametrize("like", KINDS)
def test_practice_stays_whole_over_other_items(like: str, tmp_path: Path) -> None:
    """Worked examples keep their pictures, and their data suit what the new study shows."""
    data = {
        "m3bench": lambda: write_lines(tmp_path / "a.jsonl", [sample()]),
        "vtt": lambda: write_lines(tmp_path / "a.jsonl", [output("one", 0)]),
        "incar": lambda: write_talk(tmp_path / "a.json", talk()),
    }[like]()
    loaded = made(like, tmp_path / "s", data)
    mapper = Mapper(loaded.study)
    assert len(loaded.practice) >= 5
    for example in loaded.practice:
        for one in (*example.earlier, example.item):
            names = mapper.media(mapper.shown(one))
            assert [n for n in names if media_file(media_root(loaded), n) is None] == []


@pytest.mark.parametrize("like", KINDS)
def test_files_of_another_kind_are_refused_and_nothing_is_left_behind(
    like: str, tmp_path: Path, ran: Ran
) -> None:
    write_lines(tmp_path / "data" / "notes.jsonl", [{"note": "nothing to rate"}])
    (tmp_path / "data" / "README.md").write_text("# Data", encoding="utf-8")
    result = ran("new", tmp_path / "s", "--like", like, "--data", tmp_path / "data", code=1)
    assert result["problems"][0]["code"] == "X071"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data"]


def test_data_need_a_kind_a_name_that_is_there_and_an_empty_folder(tmp_path: Path, ran: Ran) -> None:
    file = write_lines(tmp_path / "outputs.jsonl", [sample()])
    assert ran("new", tmp_path / "s", "--data", file, code=1)["problems"][0]["code"] == "C014"
    gone = ran("new", tmp_path / "s", "--like", "vtt", "--data", tmp_path / "output.jsonl", code=1)
    assert (gone["problems"][0]["code"], gone["problems"][0]["nearest"]) == ("X070", "outputs.jsonl")
    wrong = ran("new", tmp_path / "s", "--like", "vtr", "--data", file, code=1)
    assert (wrong["problems"][0]["code"], wrong["problems"][0]["nearest"]) == ("X078", "vtt")
    assert (
        ran("new", tmp_path, "--like", "vtt", "--data", file, code=1)["problems"][0]["code"] == "C010"
    )


def test_an_empty_folder_may_be_the_one_somebody_stands_in(
    tmp_path: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_lines(tmp_path / "outputs.jsonl", [sample()])
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert ran("new", ".", "--like", "m3bench", "--data", file)["items"] == 1
    assert (tmp_path / "empty" / "study.yaml").is_file()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "outputs.jsonl"]


def test_several_files_may_follow_one_data(tmp_path: Path, ran: Ran) -> None:
    one = write_lines(tmp_path / "one.jsonl", [output("one", 0)])
    two = write_lines(tmp_path / "two.jsonl", [output("two", 0)])
    assert ran("new", tmp_path / "s", "--like", "vtt", "--data", one, two)["items"] == 2


def test_a_line_cut_off_is_a_problem_with_its_place_or_left_out_when_asked(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.jsonl", [sample(0), sample(1)])
    with file.open("ab") as end:
        end.write(b'{"sample_id": "kite_1_turn_2", "vlm_resp')
    with pytest.raises(Problems) as caught:
        start("m3bench", tmp_path / "s", [file])
    assert [p.where.line for p in caught.value.problems] == [3]
    assert not (tmp_path / "s").exists()
    told = start("m3bench", tmp_path / "s", [file], skip_bad=True)
    assert (told.items, told.bad) == (2, 1)


# --- M1, M2: lines and logs of dialogues ------------------------------------------------------------


def test_m1_equal_lines_of_one_file_are_items_and_other_files_bring_only_new_ones(
    tmp_path: Path,
) -> None:
    one = write_lines(tmp_path / "samples.jsonl", [sample(0), sample(0), sample(1)])
    two = write_lines(tmp_path / "results.jsonl", [filled_in(sample(0)), filled_in(sample(5))])
    told = start("m3bench", tmp_path / "s", [one, two])
    assert told.items == 4
    assert {p.code for p in told.notes} == {"X075", "X076"}
    assert [i.copy for i in items(load_study(tmp_path / "s"))] == [0, 1, 0, 0]


def test_m1_any_field_may_be_null_or_missing(tmp_path: Path) -> None:
    empty = dict.fromkeys(sample(), None) | {"vlm_response": "An answer all the same."}
    bare = {"vlm_response": "Nothing else is known of this one."}
    file = write_lines(tmp_path / "a.jsonl", [empty, bare, sample(3)])
    loaded = made("m3bench", tmp_path / "s", file)
    assert len(items(loaded)) == 3


def test_m1_bytes_of_a_line_are_kept(tmp_path: Path) -> None:
    odd = sample(0, vlm_response='=HYPERLINK("x") \ud800 😀 \u202eabc', more={"b": 1.50, "a": [None]})
    line = json.dumps(odd).replace('"priority": 2', '"priority":   2,"nan": NaN').encode()
    (tmp_path / "a.jsonl").write_bytes(
        b"\xef\xbb\xbf" + line + b"\r\n\r\n" + json.dumps(sample(1)).encode()
    )
    loaded = made("m3bench", tmp_path / "s", tmp_path / "a.jsonl")
    assert items(loaded)[0].source == line
    (tmp_path / "b.jsonl").write_bytes(line.decode().encode("utf-16"))
    assert items(made("m3bench", tmp_path / "t", tmp_path / "b.jsonl"))[0].source == line


def test_m2_pictures_with_backslash_paths_are_found_among_the_data(tmp_path: Path) -> None:
    sent = ["tasks_v2\\run 1\\images\\öl@2.jpg", "tasks_v2\\run 2\\images\\öl@2.jpg", "gone\\b.png"]
    data = tmp_path / "data"
    write_lines(data / "a.jsonl", [sample(0, images_sent=sent)])
    for run_ in ("run 1", "run 2"):
        picture = data / "somewhere" / run_ / "images" / "öl@2.jpg"
        picture.parent.mkdir(parents=True)
        picture.write_bytes(run_.encode())
    told = start("m3bench", tmp_path / "s", [data])
    assert told.pictures == 2
    missing = next(p for p in told.notes if p.code == "X074")
    assert (missing.details["count"], missing.details["first"]) == (1, "gone/b.png")
    there = tmp_path / "s" / "tasks_v2" / "run 2" / "images" / "öl@2.jpg"
    assert there.read_bytes() == b"run 2"
    assert [hole.name for hole in media_report(load_study(tmp_path / "s")).holes] == ["gone/b.png"]


def test_m12_the_judges_score_and_what_it_speaks_of_are_declared(tmp_path: Path) -> None:
    old = write_lines(tmp_path / "old.jsonl", [sample(0)])
    verdicts = made("m3bench", tmp_path / "s", old).study.items.verdict
    assert {n: v.speaks_of for n, v in verdicts.items()} == {
        "confidence": "previous",
        "original_tool": "this",
    }
    scored = sample(0, auto_evaluation={"score": 0.4, "correctness": 3})
    new = write_lines(tmp_path / "new.jsonl", [scored])
    verdicts = made("m3bench", tmp_path / "t", new).study.items.verdict
    assert {n: (v.question, v.scale) for n, v in verdicts.items()} == {
        "quality": ("overall_quality", (0, 1)),
        "correctness": ("correctness", (1, 5)),
    }
    none = write_lines(tmp_path / "none.jsonl", [sample(0, auto_evaluation=None)])
    assert not made("m3bench", tmp_path / "u", none).study.items.verdict


def test_m13_logs_of_both_layouts_become_items_and_fillers_context(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    write_talk(logs / "batch_1" / "run_log_2.json", *old_log())
    write_talk(logs / "run_log_1.json", *new_log())
    (logs / "batch_progress.json").write_text('{"done": 2}', encoding="utf-8")
    told = start("m3bench", tmp_path / "s", [logs])
    assert (told.items, [p.code for p in told.notes]) == (5, ["X072", "X074"])
    there = items(load_study(tmp_path / "s"))
    assert sum(i.rated for i in there) == 5
    filler = next(i for i in there if not i.rated)
    assert (filler.thread, filler.turn) == ("kite_2#1", 1)
    check = next(i for i in there if i.hidden["action_type"] == "consistency_check")
    assert (check.turn, check.hidden["auto_evaluation"]) == (3, {"score": 0.4})


def test_m2_logs_beside_samples_bring_the_earlier_turns(tmp_path: Path) -> None:
    drawn = sample(1, task="kite_1", timestamp="2026-03-02T09:05:00")
    file = write_lines(tmp_path / "samples.jsonl", [drawn])
    log = write_talk(tmp_path / "run_log_1.json", *old_log(actions=["guidance"]))
    loaded = made("m3bench", tmp_path / "s", file, log)
    there = items(loaded)
    assert [(i.rated, i.turn) for i in there] == [(True, 1), (False, 0)]


# --- V1, V8, V10, V13: outputs, samples and pictures ------------------------------------------


def test_v10_outputs_are_taken_once_however_many_ratings_their_lines_have(tmp_path: Path) -> None:
    lines = [
        rated(output(s, i), 3, 4, 5, minute=m) for s in ("a", "b") for i in range(3) for m in (0, 1)
    ]
    file = write_lines(tmp_path / "both.jsonl", lines)
    told = start("vtt", tmp_path / "s", [file])
    assert told.items == 6
    rated_already = next(p for p in told.notes if p.code == "X075")
    assert rated_already.details["count"] == 12
    loaded = load_study(tmp_path / "s")
    assert loaded.study.raters.places == 2
    assert loaded.study.report.reference_system == "a"
    sent = json.dumps([[i.shown.views, i.facts] for i in items(loaded)])
    assert "fluency" not in (tmp_path / "s" / "results" / "both.jsonl").read_text(encoding="utf-8")
    assert [word for word in ("step 0", "0.5", '"a"') if word in sent] == []


@pytest.mark.parametrize("by", ["index", "id", "both", "mixed", "text"])
def test_v10_samples_are_joined_by_id_or_by_their_line(by: str, tmp_path: Path) -> None:
    samples = write_lines(tmp_path / "samples.jsonl", [clip("aa"), clip("bb", 3)])
    lines = {
        "index": [output("x", 1), output("y", 1)],
        "id": [output("x", None, "bb"), output("y", None, "bb")],
        "both": [output("x", 1, "bb"), output("y", 1, "bb")],
        "mixed": [output("x", 1), output("y", None, "bb")],
        "text": [output("x", sample_idx="1"), output("y", sample_idx="1")],
    }[by]
    loaded = made("vtt", tmp_path / "s", write_lines(tmp_path / "out.jsonl", lines), samples)
    there = items(loaded)
    assert [i.shown.views[0]["values"] for i in there] == [["Sport", "Fly Kite"]] * 2
    assert {i.thread for i in there} == {"bb"}
    assert {i.system for i in there} == {"x", "y"}
    assert there[0].shown.views[1]["images"][0].startswith("bb_4_")


def test_v10_an_output_whose_sample_is_not_there_is_shown_without(tmp_path: Path) -> None:
    samples = write_lines(tmp_path / "samples.jsonl", [clip("aa")])
    lines = [output("x", 0, "aa"), output("x", 0, "zz")]
    loaded = made("vtt", tmp_path / "s", write_lines(tmp_path / "out.jsonl", lines), samples)
    there = items(loaded)
    assert [i.shown.views[0]["values"] for i in there] == [["Sport", "Fly Kite"], ["", ""]]
    assert [i.thread for i in there] == ["aa", "zz"]


def test_v10_lines_alone_are_enough_and_name_the_pictures_that_are_missing(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "solo.jsonl", [output("x", 7), output("x", None, "cc")])
    told = start("vtt", tmp_path / "s", [file])
    assert {"X074", "X077"} <= {p.code for p in told.notes}
    there = items(load_study(tmp_path / "s"))
    assert [i.shown.views[0]["images"][0] for i in there] == ["7_3_0", "cc_3_0"]
    assert load_study(tmp_path / "s").study.report.reference_system is None


def test_v10_lines_without_a_system_are_their_files(tmp_path: Path) -> None:
    human = write_lines(tmp_path / "human.jsonl", [rated(output(None, None, "aa", order=4), 5, 5, 4)])
    other = write_lines(tmp_path / "ttx.jsonl", [rated(output("ttx", None, "aa"), 5, 5, 4)])
    loaded = made("vtt", tmp_path / "s", human, other)
    assert {(i.system, i.thread) for i in items(loaded)} == {("human", "aa"), ("ttx", "aa")}


def test_v10_files_of_one_annotation_each(tmp_path: Path) -> None:
    folder = tmp_path / "human_evaluation"
    for number, line in enumerate([output("a", 0), output("b", 0), output("a", 0)]):
        levels = rated(line, "3", "4", "5", minute=number)
        (folder / f"human_{number}.json").parent.mkdir(exist_ok=True)
        (folder / f"human_{number}.json").write_text(json.dumps(levels, indent=1), encoding="utf-8")
    told = start("vtt", tmp_path / "s", [folder])
    assert told.items == 2
    assert sorted(told.files) == ["results/a.jsonl", "results/b.jsonl"]


@pytest.mark.parametrize(
    "name",
    [
        "{id}_{n}_{i}.jpg",
        "{id}_{i}.PNG",
        "frames/{id}/{i}.webp",
        "{id}-{one}.jpeg",
        "{id}/img_{one:03}.jpg",
    ],
)
def test_v1_pictures_are_found_under_the_usual_names(name: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_lines(data / "out.jsonl", [output("x", 0), output("x", 1)])
    write_lines(data / "vtt_test.jsonl", [clip("aa_1"), clip("bb")])
    for known in ("aa_1", "bb"):
        for i in range(3):
            picture = data / name.format(id=known, n=3, i=i, one=i + 1)
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(f"{known} {i}".encode())
    told = start("vtt", tmp_path / "s", [data])
    assert told.pictures == 6
    assert media_report(load_study(tmp_path / "s")).holes == ()
    (third,) = (tmp_path / "s" / "images").glob("aa_1_3_2.*")
    assert third.read_bytes() == b"aa_1 2"


def test_v1_a_picture_missing_in_the_middle_stays_missing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_lines(data / "out.jsonl", [output("x", 0)])
    write_lines(data / "samples.jsonl", [clip("aa")])
    for i in (0, 2):
        (data / f"aa_3_{i}.jpg").write_bytes(b"picture")
    told = start("vtt", tmp_path / "s", [data])
    missing = next(p for p in told.notes if p.code == "X074")
    assert (missing.details["count"], missing.details["total"]) == (1, 3)
    assert [h.name for h in media_report(load_study(tmp_path / "s")).holes] == ["aa_3_1"]


def test_v12_metrics_become_judges_whatever_they_are(tmp_path: Path) -> None:
    line = output("x", 0, CIDEr=[0.1, None], Clip=0.7, ROUGE=[], **{"My Score": [1, 2]})
    loaded = made("vtt", tmp_path / "s", write_lines(tmp_path / "out.jsonl", [line]))
    found = {n: compile_path(v.path)(line) for n, v in loaded.study.items.verdict.items()}
    assert found == {"BLEU-4": 0.375, "CIDEr": 0.1, "Clip": 0.7, "My Score": 1.5}


def test_an_output_without_any_name_of_its_input_is_a_problem(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "out.jsonl", [output("x", 0), output("x")])
    with pytest.raises(Problems) as caught:
        start("vtt", tmp_path / "s", [file])
    assert [(p.code, p.where.line) for p in caught.value.problems] == [("X080", 2)]


# --- C2, C13: folders of logs ------------------------------------------------------------


def test_c2_each_folder_is_a_batch_whatever_lies_around(tmp_path: Path) -> None:
    data = tmp_path / "To annotate"
    names = ('1_What\'s a "döner".json', "2_Plan copy.json", "10_Grüße, ok_.json")
    for number, batch in enumerate(("config_1", "config_2", "config_10")):
        inside = data / batch / ("conversations" if number == 1 else "")
        write_talk(inside / names[number], talk(f"c{number}"))
    for stray in ("README.md", "config_1/human_ratings_JD01.xlsx", "config_1/.DS_Store"):
        (data / stray).write_bytes(b"not an item")
    (data / "summary.json").write_text('{"turns": 12}', encoding="utf-8")
    (data / "empty.json").write_bytes(b"")
    told = start("incar", tmp_path / "s", [data])
    assert (told.items, {p.code for p in told.notes}) == (3, {"X072"})
    loaded = load_study(tmp_path / "s")
    assert [i.origin.batch for i in items(loaded)] == [
        "logs/config_1",
        "logs/config_2",
        "logs/config_10",
    ]
    assert sorted(Path(f).name for f in told.files) == sorted(names)


def test_c2_folders_named_alike_stay_apart_and_single_files_are_fine(tmp_path: Path) -> None:
    for one in ("north", "south"):
        write_talk(tmp_path / one / "config_1" / "a.json", talk(one))
    loaded = made("incar", tmp_path / "s", tmp_path / "north", tmp_path / "south")
    assert len({i.origin.batch for i in items(loaded)}) == 2
    alone = write_talk(tmp_path / "alone.json", talk("x"), talk("y"))
    assert len(items(made("incar", tmp_path / "t", alone))) == 2
    lines = write_lines(tmp_path / "lines" / "all.jsonl", [talk("x"), talk("y")])
    assert len(items(made("incar", tmp_path / "u", lines))) == 2


def test_c3_nothing_of_the_judges_comes_into_what_is_shown(tmp_path: Path) -> None:
    loaded = made("incar", tmp_path / "s", write_talk(tmp_path / "a.json", talk()))
    sent = json.dumps([[i.shown.views, i.shown.entries, i.facts] for i in items(loaded)])
    assert [w for w in ("Judge-A", "talker", "calm", "pass", "config") if w in sent] == []


def test_c13_judges_are_told_apart_by_their_model_and_only_what_is_there_is_declared(
    tmp_path: Path,
) -> None:
    full = made("incar", tmp_path / "s", write_talk(tmp_path / "a.json", talk()))
    assert all(full.study.items.verdict[name].judge for name in ("goals", "plan_coherence"))
    bare = talk(metadata=None, conversation_evaluation=None, success_decision=None)
    for name in ("targets", "seed_phrase", "success_score"):
        del bare[name]
    loaded = made("incar", tmp_path / "t", write_talk(tmp_path / "b.json", bare))
    assert not loaded.study.items.verdict
    assert loaded.study.items.system is None
    assert items(loaded)[0].shown.entries["goals"] == []


def test_c5_turns_of_another_spelling_and_counting(tmp_path: Path) -> None:
    turns = [{"turn_number": 1, "user_utterance": "Hello?", "assistant_response": "Yes."}]
    goal = {"Greet": {"introduced_turn": 1}}
    file = write_talk(tmp_path / "a.json", talk(turns=turns, targets=goal), talk("c2", turns=None))
    first, second = items(made("incar", tmp_path / "s", file))
    assert first.shown.views[0]["turns"] == [{"user": "Hello?", "assistant": "Yes.", "images": []}]
    assert first.shown.entries["goals"][0]["turn"] == 1
    assert second.shown.views[0]["turns"] == []


def test_c2_conversations_without_ids_are_known_by_their_files(tmp_path: Path) -> None:
    write_talk(tmp_path / "d" / "a.json", talk(""))
    write_talk(tmp_path / "d" / "b.json", talk("c2"))
    assert codes("incar", tmp_path / "s", tmp_path / "d") == {"X079"}
    assert len({i.key for i in items(load_study(tmp_path / "s"))}) == 2


def test_a_log_that_is_cut_off_is_a_problem(tmp_path: Path) -> None:
    whole = write_talk(tmp_path / "d" / "a.json", talk())
    (tmp_path / "d" / "b.json").write_bytes(whole.read_bytes()[:200])
    with pytest.raises(Problems) as caught:
        start("incar", tmp_path / "s", [tmp_path / "d"])
    assert caught.value.problems[0].where.file == str(tmp_path / "d" / "b.json")
    assert start("incar", tmp_path / "s", [tmp_path / "d"], skip_bad=True).items == 1


def test_it_says_where_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Problem) as caught:
        start("vtt", tmp_path / "file" / "s")
    assert caught.value.code == "X001"


def test_w4_serving_asks_for_the_pictures_and_names_a_few(tmp_path: Path, ran: Ran) -> None:
    """Results alone are enough to load and import; only opening the study needs what raters see."""
    file = write_lines(tmp_path / "out.jsonl", [rated(output("x", n), 3, 3, 3) for n in range(9)])
    made = ran("new", tmp_path / "s", "--like", "vtt", "--data", file)
    assert made["next"][-1] == f"rubrica serve {tmp_path / 's'} --with-holes"
    assert ran("import", tmp_path / "s", file)["taken"]["new"] == 9
    with opened(tmp_path / "s") as found, pytest.raises(Problems) as caught:
        found.refuse_holes()
    (missing,) = caught.value.problems
    assert missing.code == "I027"
    assert missing.message.endswith("and 24 more")
    assert "--with-holes" in missing.hint
    said = ran("check", tmp_path / "s", code=1)
    assert [p["code"] for p in said["problems"] if p["level"] == "error"] == ["I027"]
