"""Results at the desk: closed until the study is, or each look is logged; the report's files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rubrica.coordinator.endpoint import At, Endpoint, File, Nothing
from rubrica.coordinator.live import data_name, failure, is_running, start
from rubrica.coordinator.rules import NO_COMPUTER, NOTHING, RESULTS_CLOSED
from rubrica.coordinator.shapes.results import ResultsFile, ResultsShown
from rubrica.coordinator.shapes.studies import StudyOf
from rubrica.errors import Problem
from rubrica.review.board import Kept
from rubrica.review.looks import log_look, looks

RESULTS = "results"
LOGGED = 5_000
FILES = {"report.html": "text/html", "report.md": "text/markdown", "tables.tex": "application/x-tex"}
TYPES = {**FILES, "report.json": "application/json", "charts.json": "application/json"}


def results(at: At, asked: StudyOf) -> ResultsShown:
    """In an open study, what one has asked to look at; nothing new is computed for a glance, and what
    could not be computed is tried again only when somebody says so."""
    failed = failure(at.site, at.name, RESULTS) is not None
    if at.site.stores.studies.is_closed(at.name) and not failed:
        _compute(at)
    return _shown(at)


def look(at: At, of: StudyOf, asked: Nothing) -> ResultsShown:
    """Results as of now. While the study is open this is logged, and the report states it."""
    stores = at.site.stores
    if not stores.studies.is_closed(at.name):
        at.refresh()
        log_look(stores.accounts, at.name, at.me.who, _ratings(at))
        made = at.study.desk.clock().isoformat()
        stores.board.keep(at.name, _own_look(at), Kept(data_name(at), "", made, 0.0))
    _compute(at)
    return _shown(at)


def _ratings(at: At) -> int:
    done = at.site.stores.board.tallies(at.name, "rater")
    return sum(t.rated + t.skipped + t.revised for t in done)


def _own_look(at: At) -> str:
    return f"look of person {at.me.person.number}"


def _compute(at: At) -> None:
    kept, of = at.site.stores.board.kept_of(at.name, RESULTS), data_name(at)
    if kept is None or kept.of != of:
        start(at.site, at.name, RESULTS, of, {"version": at.study.desk.version.hash})


def _shown(at: At) -> ResultsShown:
    stores, name = at.site.stores, at.name
    closed = stores.studies.is_closed(name)
    kept = visible(at)
    known = stores.board.kept_of(name, RESULTS)
    log = stores.accounts.newest_log(name, None, LOGGED)
    failed = failure(at.site, name, RESULTS)
    return ResultsShown(
        made=None if kept is None else kept.made,
        current=known is not None and known.of == data_name(at),
        computing=is_running(at.site, name, RESULTS),
        failed=None if failed is None else at.site.words.of_problem(failed),
        looked=len(looks(log, _ratings(at) + 1)),
        open=not closed,
        report=None if kept is None else json.loads(kept.body)["report"],
    )


def visible(at: At) -> Kept | None:
    """The kept results, if the study is closed or this person has asked for just these."""
    board, name = at.site.stores.board, at.name
    kept = board.kept(name, RESULTS)
    if kept is None or at.site.stores.studies.is_closed(name):
        return kept
    own = board.kept_of(name, _own_look(at))
    return kept if own is not None and own.of == kept.of else None


def results_file(at: At, asked: ResultsFile) -> File:
    """A file of the report that is shown."""
    kept = visible(at)
    if kept is None:
        raise Problem(RESULTS_CLOSED)
    if asked.name not in TYPES:
        raise Problem(NOTHING)
    body: Mapping[str, Any] = json.loads(kept.body)
    if asked.name == "report.json":
        text = json.dumps(body["report"], ensure_ascii=False, indent=1) + "\n"
    else:
        text = body["pages"][asked.language][asked.name]
    return File(asked.name, TYPES[asked.name], text.encode("utf-8", "replace"))


def needs_computer(at: At) -> Any:
    if at.site.compute is None:
        raise Problem(NO_COMPUTER, details={"reason": "this server computes nothing"})
    return at.site.compute


ENDPOINTS = [
    Endpoint(
        "GET",
        "/studies/{study}/results",
        "Results: of a closed study, or those one has asked to look at.",
        results,
        ResultsShown,
        asks=StudyOf,
        who="coordinator",
    ),
    Endpoint(
        "POST",
        "/studies/{study}/results/look",
        "Look at results now; while the study is open the look is logged, and the report states it.",
        look,
        ResultsShown,
        asks=StudyOf,
        takes=Nothing,
        who="coordinator",
        needs="write",
    ),
    Endpoint(
        "GET",
        "/studies/{study}/results/files/{name}",
        "A file of the report that is shown: report.html, report.md, tables.tex or report.json.",
        results_file,
        tuple(TYPES.values()),
        asks=ResultsFile,
        who="coordinator",
    ),
]
