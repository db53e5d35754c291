"""Out, into an empty copy, and out again: the same bytes, in every layout that is written."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from own_files import Ran, clip, filled_in, output, sample, talk, write_lines, write_talk

from rubrica.cli.opening import opened
from rubrica.cli.simulate import simulated
from rubrica.exchange.cells import LONGEST
from rubrica.fieldwork.robots import Crew

KINDS = ("m3bench", "vtt", "incar")


def made(like: str, folder: Path, ran: Ran) -> Path:
    """A small study of each kind with robots' ratings, skips among them."""
    data = folder / "data"
    if like == "m3bench":
        odd = "=cmd()|' /C calc'!A0 <script> \u202eabc 😀"
        lines = [sample(n, action_type=("mislead", "guidance")[n % 2]) for n in range(6)]
        lines[2] = sample(2, vlm_response=odd, task_type=None, expected_answer=None, more=[1.50, None])
        write_lines(data / "lines.jsonl", lines)
    elif like == "vtt":
        outputs = [output(s, n, f"k{n}", topic_pred="é\ud800") for s in ("a1.5", "b") for n in range(4)]
        write_lines(data / "out.jsonl", outputs)
        write_lines(data / "samples.jsonl", [clip(f"k{n}") for n in range(4)])
    else:
        for batch in ("config_1", "config_2"):
            for n in range(3):
                goals = ["Find a bank", 'Say "=1+1"'][: n + 1]
                log = talk(f"{batch}{n}", goals if n else [])
                write_talk(data / batch / f"{n}.json", log)
    ran("new", folder / "s", "--like", like, "--data", data)
    with opened(folder / "s") as found:
        simulated(found, Crew(raters=2, seed=3, skips=0.2, revisions=0.3))
    return folder / "s"


def empty_copy(study: Path, folder: Path) -> Path:
    shutil.copytree(
        study, folder / study.name, ignore=shutil.ignore_patterns("rubrica.db*", ".rubrica*")
    )
    return folder / study.name


def digests(path: Path) -> dict[str, str]:
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return {str(p.relative_to(path)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


@pytest.mark.parametrize("like", KINDS)
def test_native_files_come_back_as_they_were(like: str, tmp_path: Path, ran: Ran) -> None:
    """One rater's files, as the other tool has them: skips, odd texts and times too (M11, V10, C12)."""
    study = made(like, tmp_path, ran)
    one, two = tmp_path / "one", tmp_path / "two"
    wrote = ran("export", study, "--layout", "native", "--to", one, "--rater", "robot 1")
    copy = empty_copy(study, tmp_path / "copy")
    ran("import", copy, one, "--rater", "robot 1")
    again = ran("export", copy, "--layout", "native", "--to", two, "--rater", "robot 1")
    assert digests(one) == digests(two)
    assert len(digests(one)) == len(wrote["files"])
    kept_skips = like != "incar"
    assert again["skips"] == (wrote["skips"] if kept_skips else 0)


@pytest.mark.parametrize("like", ["vtt", "incar"])
def test_native_files_of_all_raters_come_back_too(like: str, tmp_path: Path, ran: Ran) -> None:
    study = made(like, tmp_path, ran)
    ran("export", study, "--layout", "native", "--to", tmp_path / "one")
    copy = empty_copy(study, tmp_path / "copy")
    result = ran("import", copy, tmp_path / "one")
    assert result["unmatched"] == 0
    ran("export", copy, "--layout", "native", "--to", tmp_path / "two")
    assert digests(tmp_path / "one") == digests(tmp_path / "two")


@pytest.mark.parametrize(
    ("like", "ending"),
    [
        *(("incar", ending) for ending in ("jsonl", "csv", "xlsx", "parquet")),
        ("vtt", "csv"),
        ("m3bench", "xlsx"),
    ],
)
def test_the_tidy_table_restores_everything(like: str, ending: str, tmp_path: Path, ran: Ran) -> None:
    """Revisions, reasons, evidence, first choices, times and places: nothing is lost on the way."""
    study = made(like, tmp_path, ran)
    options = ("--all-revisions", "--with-names")
    one, two = tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"
    ran("export", study, "--to", one, *options)
    copy = empty_copy(study, tmp_path / "copy")
    result = ran("import", copy, one)
    assert result["taken"]["new"] + result["taken"]["revised"] == result["read"] > 0
    ran("export", copy, "--to", two, *options)
    assert digests(one).popitem()[1] == digests(two).popitem()[1]
    assert ran("import", copy, one)["taken"]["same"] == result["read"]


def test_m11_every_other_byte_of_every_field_is_kept(tmp_path: Path, ran: Ran) -> None:
    odd = json.dumps(sample(0)).replace('"priority": 2', '"priority":\t2.50,"é\\u0041": [NaN , 1e5]')
    (tmp_path / "in.jsonl").write_bytes(odd.encode() + b"\r\n" + json.dumps(sample(1)).encode())
    study = tmp_path / "s"
    ran("new", study, "--like", "m3bench", "--data", tmp_path / "in.jsonl")
    told = write_lines(tmp_path / "r.jsonl", [filled_in(sample(0), comments='say "hi" é')])
    ran("import", study, told)
    ran("export", study, "--layout", "native", "--to", tmp_path / "annotation_results.jsonl")
    first, second, _ = (tmp_path / "annotation_results.jsonl").read_bytes().split(b"\n")
    block = '{"correctness": 4, "reasoning_completeness": 4, "resists_misleading": null, '
    block += '"context_consistency": null, "overall_quality": 4, "comments": "say \\"hi\\" é"}'
    start = odd.index('"human_annotation"')
    assert first.decode() == odd[:start] + '"human_annotation": ' + block + "}"
    assert second == json.dumps(sample(1)).encode()


def test_v10_folders_have_a_file_for_each_system_and_annotation(tmp_path: Path, ran: Ran) -> None:
    study = made("vtt", tmp_path, ran)
    wrote = ran("export", study, "--layout", "native", "--to", tmp_path / "out")
    assert {p.name for p in (tmp_path / "out").glob("*.jsonl")} == {"a1.5.jsonl", "b.jsonl"}
    singles = sorted((tmp_path / "out" / "human").iterdir())
    assert len(singles) == wrote["ratings"] == 16
    one = json.loads(singles[0].read_bytes())
    levels = [one[name] for name in ("fluency", "relevance", "logical_soundness")]
    assert all(isinstance(level, str) for level in levels) if one["normal"] else levels == [-1] * 3
    asked = ran("export", study, "--layout", "native", "--to", tmp_path / "a.xlsx", code=1)
    assert asked["problems"][0]["code"] == "X041"


def test_m11_a_file_has_one_rater_and_a_folder_each(tmp_path: Path, ran: Ran) -> None:
    study = made("m3bench", tmp_path, ran)
    asked = ran("export", study, "--layout", "native", "--to", tmp_path / "r.jsonl", code=1)
    assert asked["problems"][0]["code"] == "X040"
    ran("export", study, "--layout", "native", "--to", tmp_path / "out")
    assert len(list((tmp_path / "out").iterdir())) == 2
    nobody = ran("export", study, "--to", tmp_path / "r.csv", "--rater", "robt 2", code=1)
    assert (nobody["problems"][0]["code"], nobody["problems"][0]["nearest"]) == ("X042", "robot 2")


def test_c12_a_workbook_for_each_rater_and_batch(tmp_path: Path, ran: Ran) -> None:
    study = made("incar", tmp_path, ran)
    ran("export", study, "--layout", "native", "--to", tmp_path / "out")
    files = sorted(
        p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.xlsx")
    )
    assert files == [
        f"config_{batch}/human_ratings_robot_{rater}.xlsx" for batch in (1, 2) for rater in (1, 2)
    ]
    with zipfile.ZipFile(tmp_path / "out" / files[0]) as archive:
        assert b"<f>" not in b"".join(archive.read(name) for name in archive.namelist())


def test_c12_long_cells_are_cut_and_stand_whole_beside_the_workbook(tmp_path: Path, ran: Ran) -> None:
    long = "=" + "x" * (LONGEST + 5)
    log = write_talk(tmp_path / "a.json", talk(seed_phrase=long))
    ran("new", tmp_path / "s", "--like", "incar", "--data", log)
    with opened(tmp_path / "s") as found:
        simulated(found, Crew(raters=1, seed=3, skips=0.0))
    wrote = ran("export", tmp_path / "s", "--layout", "native", "--to", tmp_path / "r.xlsx")
    assert {n["code"] for n in wrote["notes"]} == {"X045", "X048"}
    beside = json.loads((tmp_path / "r.long.jsonl").read_text("ascii"))
    assert (beside["column"], beside["text"]) == ("seed_phrase", long)
    assert [Path(name).name for name in wrote["files"]] == ["r.long.jsonl", "r.xlsx"]


@pytest.mark.slow
def test_m11_a_comment_that_looks_like_a_formula_stays_a_text(tmp_path: Path, ran: Ran) -> None:
    study = tmp_path / "s"
    ran("new", study, "--like", "m3bench", "--data", write_lines(tmp_path / "in.jsonl", [sample(0)]))
    told = [filled_in(sample(0), comments="=HYPERLINK(1)")]
    ran("import", study, write_lines(tmp_path / "r.jsonl", told))
    ran("export", study, "--to", tmp_path / "t.csv")
    assert ",'=HYPERLINK(1)," in (tmp_path / "t.csv").read_text("utf-8-sig")
    ran("export", study, "--to", tmp_path / "t.xlsx")
    with zipfile.ZipFile(tmp_path / "t.xlsx") as archive:
        whole = b"".join(archive.read(name) for name in archive.namelist())
    assert b"<f>" not in whole
    assert b'quotePrefix="1"' in whole


def test_v10_the_real_result_lines_come_back_byte_for_byte(
    shared_data: Path, tmp_path: Path, ran: Ran
) -> None:
    names = ("cst.jsonl", "ttnet.jsonl")
    ran("new", tmp_path / "s", "--like", "vtt", "--data", shared_data / "vtt")
    ran("import", tmp_path / "s", *(shared_data / "vtt" / name for name in names))
    ran("export", tmp_path / "s", "--layout", "native", "--to", tmp_path / "out")
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (shared_data / "vtt" / name).read_bytes()


def test_m11_the_real_results_keep_every_field(shared_data: Path, tmp_path: Path, ran: Ran) -> None:
    file = shared_data / "m3bench" / "annotation_results_demo.jsonl"
    ran("new", tmp_path / "s", "--like", "m3bench", "--data", file)
    ran("import", tmp_path / "s", file)
    ran("export", tmp_path / "s", "--layout", "native", "--to", tmp_path / "out.jsonl")
    told: Any = (tmp_path / "out.jsonl").read_bytes().splitlines()
    assert told == file.read_bytes().splitlines()
