"""A study's items drawn from a simulator's logs."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from rubrica.cli.opening import Database, database, database_file
from rubrica.cli.simulate import BAD_NUMBER
from rubrica.cli.talk import AsJson, counted, give, problems_as_json, progress
from rubrica.errors import Problem, Problems, Rule, Where
from rubrica.exchange.sampling import RATE, Drawn, sample, turns_of
from rubrica.exchange.starting.contract import Given, Started, given
from rubrica.exchange.starting.making import again, start
from rubrica.exchange.starting.rules import NOTHING_LIKE_IT
from rubrica.storage.open import open_store
from rubrica.study.load import LoadedStudy, load_study

RATED = Rule(
    code="C015",
    title="Items are drawn before they are rated",
    says="the study {got} has ratings",
    why="Another sample would leave them without their items.",
    mend="Draw into a new folder: rubrica sample NEW_STUDY LOGS...",
)


def command(
    study: Annotated[
        Path, typer.Argument(help="The study's folder; one that is not there yet is made.")
    ],
    logs: Annotated[
        list[Path], typer.Argument(help="Logs (run_log_*.json) or folders of them, of both layouts.")
    ],
    n: Annotated[int, typer.Option("--n", "-n", help="How many answers to draw.")] = 50,
    seed: Annotated[int, typer.Option(help="The same seed draws the same answers.")] = 1,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave out logs that cannot be read, and count them.")
    ] = False,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Draw a study's items from a simulator's logs, by task and action, risky actions more often."""
    with problems_as_json(as_json):
        if n < 1:
            raise Problem(BAD_NUMBER, expected="at least 1", got=str(n), details={"option": "--n"})
        _refuse_rated(study, db)
        with progress("Reading logs", 1.0) as told:
            files = given(logs, skip_bad=skip_bad, told=told)
            there = list(turns_of(files))
        if files.problems and not skip_bad:
            raise Problems(files.problems)
        if not any(turn.rated for turn in there):
            details, expected = {"count": len(files.files)}, "a simulator's log of events"
            raise Problem(NOTHING_LIKE_IT, Where(str(logs[0])), expected, details=details)
        drawn = sample(there, n, seed)
        made = _write(study, drawn, files)
    give(_result(drawn, made, seed), _text(drawn, made), as_json)


def _refuse_rated(study: Path, db: str | None) -> None:
    if not study.is_dir() or not any(study.iterdir()):
        return
    loaded = load_study(study)
    if _has_ratings(loaded, db):
        raise Problem(RATED, Where(str(study)), got=loaded.name)


def _has_ratings(loaded: LoadedStudy, db: str | None) -> bool:
    where = database(loaded, db)
    file = database_file(where)
    if file is not None and not file.exists():
        return False
    with open_store(where) as store:
        if loaded.name not in store.studies.names():
            return False
        return next(iter(store.ratings.ratings(loaded.name)), None) is not None


def _write(study: Path, drawn: Drawn, files: Given) -> Started:
    with TemporaryDirectory() as folder:
        lines = Path(folder) / "annotation_samples.jsonl"
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in drawn.lines)
        lines.write_bytes(text.encode("utf-8", "surrogatepass"))
        data = files.only(lines)
        if study.is_dir() and any(study.iterdir()):
            return again("m3bench", study, data)
        return start("m3bench", study, data)


def _result(drawn: Drawn, made: Started, seed: int) -> dict[str, Any]:
    return {
        "study": str(made.folder),
        "seed": seed,
        "items": drawn.items,
        "context": drawn.context,
        "turns": drawn.turns,
        "fillers": drawn.fillers,
        "runs": drawn.runs,
        "files": made.files,
        "strata": [asdict(share) for share in drawn.shares],
        "notes": [problem.as_json() for problem in made.notes],
    }


def _text(drawn: Drawn, made: Started) -> str:
    lines = [
        f"{made.folder}: {counted(drawn.items, 'answer')} of {drawn.turns:,} drawn, "
        f"{counted(drawn.context, 'earlier turn')} beside them as context.",
        f"Each line has its inclusion_probability; risky actions are drawn {RATE:g} times as often.",
    ]
    for share in drawn.shares:
        name = " / ".join(part or "(none)" for part in (share.task_type, share.action_type))
        lines.append(f"  {share.drawn:>4} of {share.turns:<6} {share.probability:.3f}  {name}")
    return "\n".join([*lines, f"Next: rubrica check {made.folder}"])
