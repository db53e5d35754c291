"""A package that Rubrica has never seen adds a question kind and a reader."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from processes import serving

from tests.browser.conftest import Open, join, own_ratings, says, wait_item
from tests.plugin.conftest import Rubrica

SERVE = [sys.executable, "-c", "from rubrica.cli import main; main()", "serve"]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("plugin")]


def test_its_study_is_checked_rated_by_robots_and_exported(rubrica: Rubrica, study: Path) -> None:
    assert "no problems" in rubrica("check", study)
    assert "9 ratings" in rubrica("simulate", study, "--raters", "3", "--skips", "0")
    out = study / "out.jsonl"
    rubrica("export", study, "--to", out)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(rows) == 9
    assert {row["liking"] for row in rows} <= {1, 2, 3, 4, 5}
    assert all(row["score.joy"] == pytest.approx((row["liking"] - 1) / 4) for row in rows)


def test_its_keys_are_completed_and_its_mistakes_explained(rubrica: Rubrica, study: Path) -> None:
    schema = json.loads(rubrica("schema"))
    assert schema["$defs"]["StarsQuestion"]["properties"]["most"]["default"] == 5
    file = study / "study.yaml"
    file.write_text(file.read_text("utf-8").replace("kind: stars", "kind: starz"), encoding="utf-8")
    assert "did you mean: stars" in rubrica("check", study, code=1)


def test_its_answers_are_analysed(rubrica: Rubrica, study: Path, tmp_path: Path) -> None:
    rubrica("simulate", study, "--raters", "3")
    rubrica("report", study, "--out", tmp_path / "report")
    told = json.loads((tmp_path / "report" / "report.json").read_text("utf-8"))
    alphas = [a for a in told["agreement"] if a["question"] == "liking" and a["coefficient"] == "alpha"]
    assert [a["metric"] for a in alphas] == ["ordinal"]


@pytest.mark.browser
def test_its_page_part_works(stranger: Mapping[str, str], study: Path, open_page: Open) -> None:
    with serving([*SERVE, study, "--port", "0"], study.parent, stranger) as server:
        base = server.address()
        page = open_page()
        join(page, base)
        wait_item(page, 1)
        page.keyboard.press("4")
        page.keyboard.press("Enter")
        wait_item(page, 2)
        page.click("#questions .level:nth-child(2)")
        assert page.is_visible("text=Why?")
        page.click("#submit")
        wait_item(page, 3)
        page.keyboard.press("5")
        page.keyboard.press("Enter")
        says(page, "h1", "All done. Thank you!")
        given = [rating["answers"]["liking"]["value"] for rating in own_ratings(page, base)]
    assert given == [4, 2, 5]
