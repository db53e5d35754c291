"""Load a study's items, or see what a change to them would do."""

from __future__ import annotations

from typing import Any

from rubrica.cli.opening import Database, Opened, SkipBad, opened
from rubrica.cli.talk import AsJson, StudyPath, counted, give, problems_as_json

MOST_TOLD = 20
"""Problems told one by one; `--json` has all of them."""


def command(
    study: StudyPath, db: Database = None, skip_bad: SkipBad = False, as_json: AsJson = False
) -> None:
    """Load a study's items, or see what a change to them did."""
    with problems_as_json(as_json), opened(study, db, skip_bad=skip_bad) as found:
        result = _result(found)
        give(result, _text(found), as_json)


def _result(found: Opened) -> dict[str, Any]:
    counts = found.counts
    return {
        "study": found.name,
        "version": found.loaded.version.hash,
        "new": counts.new,
        "same": counts.same,
        "changed": counts.changed,
        "gone": counts.gone,
        "bad": counts.bad,
        "context": counts.context,
        "duplicates": counts.duplicates,
        "media": found.media.there,
        "media_missing": [hole.name for hole in found.media.holes],
        "problems": [problem.as_json() for problem in counts.problems],
    }


def _text(found: Opened) -> str:
    counts = found.counts
    told = (
        (counts.same, "as before"),
        (counts.changed, "changed: the new text is shown from now on, ratings name what they saw"),
        (counts.gone, "no longer in the files: kept, with their ratings"),
        (counts.context, "shown as context only, never rated"),
        (counts.duplicates, "with a key another item has too: told apart by their order"),
        (counts.bad, "left out because of problems"),
        (len(found.media.holes), "images, sounds or films that are not there"),
    )
    lines = [f"{found.name}: {counted(counts.new, 'new item')}"]
    lines += [f"  {number:,} {says}" for number, says in told if number]
    lines += [str(problem) for problem in [*counts.problems, *found.media.problems()][:MOST_TOLD]]
    return "\n".join(lines)
