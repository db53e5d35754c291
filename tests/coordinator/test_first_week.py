"""What goes wrong with files before a study opens, and what is added once it runs: rows W4 and W5."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from desking import STUDY, Browser, World, computed_here, until, write_study

from rubrica.annotator.site import Served
from rubrica.app import build, desk_site, site_for
from rubrica.cli import run
from rubrica.cli.opening import opened
from rubrica.cli.serve import _watched
from rubrica.errors import Problems
from rubrica.fieldwork.robots import Crew, simulate
from rubrica.items.media import media_root

# --- W4: every image is there, or the list of what is missing ---------------------------------------


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Six items, each with a picture; one of them is there, in a folder of its own."""
    items = {"from": "items.jsonl", "key": "id", "show": [{"images": "picture"}]}
    folder = write_study(tmp_path / "pictures", items=items)
    lines = [{"id": f"k{n}", "picture": f"{n}.png"} for n in range(6)]
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (folder / "scans").mkdir()
    (folder / "scans" / "0.png").write_bytes(b"png")
    return folder


def found_in(folder: Path, media: str) -> None:
    """The study says in which folder its media are."""
    declared = json.loads((folder / "study.yaml").read_text())
    declared["items"]["media"] = media
    (folder / "study.yaml").write_text(json.dumps(declared))


def test_w4_a_study_with_holes_is_not_opened_and_says_what_is_missing(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", str(pictures), "--port", "0"]) == 1
    told = capsys.readouterr().err
    assert "'0.png', '1.png', '2.png' and 3 more" in told
    assert "scans/0.png" in told, "where a file of that name is"


def test_w4_media_are_looked_for_in_the_folder_that_is_named(pictures: Path) -> None:
    found_in(pictures, "scans")
    with opened(pictures) as one:
        assert [hole.name for hole in one.media.holes] == [f"{n}.png" for n in range(1, 6)]
        with pytest.raises(Problems, match=r"1\.png"):
            one.refuse_holes()
    for n in range(1, 6):
        (pictures / "scans" / f"{n}.png").write_bytes(b"png")
    with opened(pictures) as one:
        one.refuse_holes()
        assert one.media.there == 6


@contextmanager
def desk_of(folder: Path) -> Iterator[Browser]:
    """Whoever sits at the machine, at the desk of a study that was opened all the same."""
    with opened(folder) as one:
        served = Served(one.desk(), media_root(one.loaded))
        site = desk_site({one.name: _watched(one, served)}, one.store)
        world = World(one.store, folder)
        world.app = build(site_for({one.name: served}, one.store.sessions), (), site)
        yield world.signed_in("olga", {"": "owner"})
        site.stopping.set()


def test_w4_the_desk_lists_the_holes_of_a_study_that_was_opened_all_the_same(
    pictures: Path, quick_hashes: None
) -> None:
    found_in(pictures, "scans")
    with desk_of(pictures) as owner:
        shown = owner.shown("/api/studies/pictures")
        assert shown["holes"] == [f"{n}.png" for n in range(1, 6)]
        page = owner.get("/desk/s/pictures/study", accept="text/html").text
        assert "<code>5.png</code>" in page
        assert "named but not there: 5." in page
        item = owner.shown("/api/studies/pictures/items")["items"][1]["id"]
        assert owner.get(f"/desk/s/pictures/items/{item}", accept="text/html").status_code == 200


# --- W5: what is added later is a named wave --------------------------------------------------------


@pytest.fixture
def waves(world: World) -> World:
    """Two robots rate a first wave of outputs, then those of another system, which came later."""
    thread = {"by": "input", "kind": "set"}
    items = {**STUDY["items"], "wave": "wave", "thread": thread}
    folder = write_study(world.folder / "waves", 12, items=items)
    lines = [
        {**json.loads(line), "wave": "first", "input": n // 2} for n, line in enumerate(_lines(folder))
    ]
    _write(folder, lines)
    world.open(folder, compute=computed_here(world.store))
    simulate(world.desks["waves"], Crew(raters=2, seed=1, skips=0.0, dropouts=0.0), lambda _: None)
    late = {"text": "late", "model": "secret-c", "part": "part-2", "wave": "second"}
    _write(folder, [*lines, *({"id": f"n{n}", "input": n, **late} for n in range(6))])
    world.open(folder, compute=computed_here(world.store))
    simulate(world.desks["waves"], Crew(raters=2, seed=2, skips=0.0, dropouts=0.0), lambda _: None)
    return world


def _lines(folder: Path) -> list[str]:
    return (folder / "items.jsonl").read_text().splitlines()


def _write(folder: Path, lines: list[dict[str, Any]]) -> None:
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))


def test_w5_items_added_later_keep_the_name_of_their_wave(waves: World) -> None:
    carl = waves.signed_in("carl", {"waves": "coordinator"})
    rows = carl.shown("/api/studies/waves/items")["items"]
    assert [row["wave"] for row in rows] == ["first"] * 12 + ["second"] * 6
    listed = carl.get("/desk/s/waves/items", accept="text/html").text
    assert '<td class="wave">second</td>' in listed
    shown = carl.get(f"/desk/s/waves/items/{rows[-1]['id']}", accept="text/html").text
    assert "second" in shown


def test_w5_comparisons_across_waves_say_so(waves: World) -> None:
    carl = waves.signed_in("carl", {"waves": "coordinator"})
    carl.done("/api/studies/waves/results/look")
    path = "/api/studies/waves/results"
    report = until(lambda: carl.shown(path), lambda shown: shown["report"] is not None)["report"]
    across, within = [], []
    for one in report["comparisons"]:
        (across if "secret-c" in (one["a"], one["b"]) else within).append(one)
    assert across
    assert all("different waves (first / second)" in one["note"] for one in across)
    assert not any("different waves" in (one["note"] or "") for one in within)
    for language, says in (("en", "different waves (first / second)"), ("zh", "first / second")):
        page = carl.get(f"{path}/files/report.html?language={language}").text
        assert says in page
