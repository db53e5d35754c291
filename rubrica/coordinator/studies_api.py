"""Studies: which there are, as each is declared, its versions, its log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import yaml

from rubrica.assignment.design import policy_name
from rubrica.coordinator.endpoint import Answered, At, Endpoint, Nothing
from rubrica.coordinator.goal import goal_of
from rubrica.coordinator.shapes.people import DeedLine
from rubrica.coordinator.shapes.results import StudyLog, Trial
from rubrica.coordinator.shapes.studies import StudyLine, StudyOf, StudyShown, VersionLine
from rubrica.coordinator.site import Watched
from rubrica.coordinator.trying import begin
from rubrica.coordinator.who import studies_of
from rubrica.fieldwork.finishing import close_study
from rubrica.study.store import StudyVersion
from rubrica.texts import LANGUAGES, per_language


def studies(at: At) -> list[StudyLine]:
    return [_line(at, at.site.study(name)) for name in studies_of(at.site, at.me)]


def _line(at: At, one: Watched) -> StudyLine:
    stores = at.site.stores
    at.site.counters.refresh(one.name)
    done = stores.board.tallies(one.name, "rater")
    goal = goal_of(one.desk, stores)
    role = at.me.person.role(one.name)
    assert role is not None  # noqa: S101
    return StudyLine(
        study=one.name,
        title=per_language(one.desk.version.study.title, LANGUAGES),
        role=role,
        items=one.desk.design.items,
        needed=goal.needed,
        given=goal.given,
        rated=sum(t.rated for t in done),
        skipped=sum(t.skipped for t in done),
        raters=len(done),
        closed=stores.studies.is_closed(one.name),
        last=max((t.last for t in done), default=None),
    )


def study(at: At, asked: StudyOf) -> StudyShown:
    one, stores = at.study, at.site.stores
    version = one.desk.version
    kept = stores.studies.version(one.name, version.hash)
    declared, written = _declared(at, kept)
    return StudyShown(
        study=one.name,
        title=per_language(version.study.title, LANGUAGES),
        version=version.hash,
        declared=declared,
        written=written,
        guidelines={language: text.text for language, text in version.guidelines.items()},
        versions=_versions(at),
        closed=stores.studies.is_closed(one.name),
        holes=list(one.holes),
        policy=policy_name(version.study.raters),
        per_item=one.desk.design.capacity,
        calibration=version.study.raters.calibration,
    )


def _declared(at: At, kept: StudyVersion | None) -> tuple[dict[str, Any], str]:
    """As data and as it was written. Who is listed there by name is not for reviewers."""
    declared = dict(kept.declared) if kept else {}
    study = dict(declared.get("study", {}))
    raters = dict(study.get("raters") or {})
    if at.is_at_least("coordinator") or raters.pop("ids", None) is None:
        return declared, at.study.written
    study["raters"] = raters
    text = yaml.safe_dump(study, sort_keys=False, allow_unicode=True, width=100)
    return {**declared, "study": study}, text


def _versions(at: At) -> list[VersionLine]:
    stores, name = at.site.stores, at.name
    at.refresh()
    counted = {
        t.version: t.rated + t.skipped + t.revised for t in stores.board.tallies(name, "version")
    }
    kept: Sequence[StudyVersion | None] = [None, *stores.studies.versions(name)]
    return [
        VersionLine(
            hash=one.hash,
            added=one.added,
            ratings=counted.get(one.hash, 0),
            now=one.hash == at.study.desk.version.hash,
            changed=[] if before is None else changes(before.declared, one.declared),
        )
        for before, one in pairwise(kept)
        if one is not None
    ]


def changes(before: Any, after: Any, path: str = "", most: int = 50) -> list[str]:
    """What differs between two declarations, as paths with what was done there."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        found = []
        for key in dict.fromkeys((*before, *after)):
            inner = f"{path}.{key}" if path else str(key)
            if key not in before:
                found.append(f"{inner}: added")
            elif key not in after:
                found.append(f"{inner}: removed")
            elif before[key] != after[key]:
                found += changes(before[key], after[key], inner, most)
        return found[:most]
    if before == after:
        return []
    short = all(isinstance(v, str | int | float | bool) and len(str(v)) <= 60 for v in (before, after))
    return [f"{path}: {before} → {after}" if short else f"{path}: changed"]


def log(at: At, asked: StudyLog) -> list[DeedLine]:
    entries = at.site.stores.accounts.newest_log(at.name, asked.before, asked.count)
    return [DeedLine(e.number, e.when, e.who, e.what, dict(e.details)) for e in entries]


def close(at: At, of: StudyOf, asked: Nothing) -> Nothing:
    close_study(at.study.desk, at.me.who)
    return Nothing()


def trial(at: At, of: StudyOf, asked: Nothing) -> Answered:
    name, cookie = begin(at)
    return Answered(Trial(f"/s/{quote(name, safe='')}"), [cookie])


ENDPOINTS = [
    Endpoint(
        "GET",
        "/studies",
        "The studies one has a role in.",
        studies,
        list[StudyLine],
        who="person",
    ),
    Endpoint(
        "GET",
        "/studies/{study}",
        "A study as declared, with its versions and what each changed.",
        study,
        StudyShown,
        asks=StudyOf,
    ),
    Endpoint(
        "GET",
        "/studies/{study}/log",
        "Who did what in a study, the newest first.",
        log,
        list[DeedLine],
        asks=StudyLog,
        who="coordinator",
    ),
    Endpoint(
        "POST",
        "/studies/{study}/close",
        "Close a study for good: no more ratings, results open.",
        close,
        asks=StudyOf,
        takes=Nothing,
        who="owner",
        needs="manage",
    ),
    Endpoint(
        "POST",
        "/studies/{study}/trial",
        "A place to try the study as a rater, where nothing is kept.",
        trial,
        Trial,
        asks=StudyOf,
        takes=Nothing,
        needs="write",
    ),
]
