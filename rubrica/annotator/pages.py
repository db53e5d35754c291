"""The rater's pages: join, consent, guidelines, practice, workbench, done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from litestar import Response, get
from litestar.response import Redirect
from markupsafe import Markup

from rubrica.annotator.questions import listed_reasons, question_specs
from rubrica.annotator.site import AnyRequest, Named, Served, Signed, Site, base_of
from rubrica.annotator.units import exercise_json, work_json
from rubrica.errors import Problem
from rubrica.fieldwork import asking
from rubrica.fieldwork.finishing import summary
from rubrica.fieldwork.model import Step
from rubrica.fieldwork.pace import my_items, progress
from rubrica.fieldwork.practice import exercises, standing
from rubrica.fieldwork.stepping import step
from rubrica.fieldwork.working import next_work
from rubrica.study.called import score_called
from rubrica.study.views import SequenceView, View
from rubrica.texts import per_language
from rubrica.web.markdown import markdown
from rubrica.web.pages import texts_in
from rubrica.web.problems import SIGNED_OUT
from rubrica.web.texts import spans

AHEAD = 4
"""So many items a browser holds: the one being rated and those after it."""


def site_of(request: AnyRequest) -> Site:
    site: Site = request.app.state.site
    return site


def html(text: str) -> Response[bytes]:
    return Response(text.encode("utf-8", "replace"), media_type="text/html")


@get("/", sync_to_thread=True)
def studies(request: AnyRequest) -> Response[Any]:
    """The studies open here; where there is one, straight to it."""
    site = site_of(request)
    if len(site.studies) == 1:
        return Redirect(next(iter(site.studies.values())).base)
    listed = []
    for served in site.studies.values():
        show, study = texts_in(served.languages), served.desk.version.study
        listed.append(
            (served.base, show["texts"](study.title), study.about and show["blocks"](study.about))
        )
    return html(site.page(request, "studies.html", None, studies=listed))


@get("/s/{study:str}", sync_to_thread=True)
def enter(request: AnyRequest, study: Named) -> Response[Any]:
    """The page that is due for whoever comes: join for strangers, else the next one of their own."""
    site = site_of(request)
    served = site.study(study)
    try:
        signed = site.signed(request, study)
    except Problem:
        return html(_join(site, request, served))
    return _due(site, request, signed, step(signed.desk, signed.rater))


def _join(site: Site, request: AnyRequest, served: Served) -> str:
    study = served.desk.version.study
    return site.page(
        request,
        "join.html",
        served,
        crowd=None if study.crowd is None else study.crowd.participant,
        minutes=f"{study.minutes:g}" if study.minutes else None,
        signed_out=site.token(request) is not None,
        ask_code=study.raters.join == "invitation" or site.token(request) is not None,
        consent_hash=served.desk.version.consent_hash,
        strings=site.strings("page", served.languages),
    )


def _due(site: Site, request: AnyRequest, signed: Signed, due: Step) -> Response[Any]:
    served, version = signed.served, signed.desk.version
    if due.page in ("workbench", "done", "practice"):
        path = {"workbench": "work"}.get(due.page, due.page)
        return Redirect(f"{served.base}/{path}")
    shown: dict[str, Any] = {"reason": due.reason}
    if due.page == "consent":
        shown = {"hash": version.consent_hash}
    elif due.page == "guidelines":
        shown = {
            "hash": version.guidelines_hash,
            "guidelines": guidelines_html(served),
            "notices": asking.notices(signed.desk, signed.rater),
        }
    page = site.page(
        request,
        f"{due.page}.html",
        served,
        rater=signed.rater,
        changed=due.reason == "changed",
        strings=site.strings("page", served.languages),
        **shown,
    )
    return html(page)


def guidelines_html(served: Served) -> Markup:
    texts = {language: one.text for language, one in served.desk.version.guidelines.items()}
    if not texts:
        return Markup("")
    return spans(per_language(texts, served.languages), "div", lambda text: markdown(text, 2))


@get("/s/{study:str}/guidelines", sync_to_thread=True)
def guidelines(request: AnyRequest, study: Named) -> Response[bytes]:
    """The guidelines alone, for the panel beside the work."""
    signed = site_of(request).signed(request, study)
    return html(guidelines_html(signed.served))


@get("/s/{study:str}/work", sync_to_thread=True)
def work(request: AnyRequest, study: Named) -> Response[Any]:
    """The workbench with its first item; the others come while that one is rated."""
    site = site_of(request)
    try:
        signed = site.signed(request, study)
    except Problem as problem:
        if problem.rule is not SIGNED_OUT:
            raise
        return Redirect(base_of(study))
    due = step(signed.desk, signed.rater)
    if due.page == "done" and due.reason is None:
        first: list[Any] = []
    elif due.page != "workbench":
        return Redirect(signed.served.base)
    else:
        first = list(next_work(signed.desk, signed.rater, 1))[:1]
    start = work_start(site, signed, first)
    return html(_bench(site, request, signed, start, "work"))


def _bench(
    site: Site, request: AnyRequest, signed: Signed, start: Mapping[str, Any], entry: str
) -> str:
    served = signed.served
    return site.page(
        request,
        f"{entry}.html",
        served,
        start=start,
        strings=site.strings(entry, served.languages),
        questions=site.questions(served),
        guidelines=bool(served.desk.version.guidelines),
        practice=entry == "practice",
    )


def work_start(site: Site, signed: Signed, first: list[Any]) -> dict[str, Any]:
    served, study = signed.served, signed.desk.version.study
    so_far = progress(signed.desk, signed.rater)
    breaks = study.breaks
    languages = served.languages
    in_turn = study.raters.batches == "in_turn"
    return {
        **_common(signed),
        "made": signed.desk.clock().timestamp(),
        "ahead": AHEAD,
        "works": [work_json(site.templates, served, one) for one in first],
        "progress": {**asdict(so_far), "done": so_far.done},
        "first_number": 0 if study.raters.places else 1,
        "numbered": study.raters.places is not None,
        "revise": study.raters.revise,
        "skip_reasons": listed_reasons(study.skip_reasons, study.languages[0], languages),
        "has_images": any(_shows_images(view) for view in study.items.show),
        "breaks": {
            "every_items": breaks.every_items,
            "every_minutes": breaks.every_minutes,
            "after_batch": breaks.after_batch and in_turn,
            "says": None if breaks.says is None else per_language(breaks.says, languages),
        },
        "show_score": study.show_score,
        "score_labels": {
            name: {language: score_called(study, name, language) for language in languages}
            for name in study.score
        },
    }


def _shows_images(view: View) -> bool:
    return isinstance(view, SequenceView) or getattr(view, "images", None) is not None


def _common(signed: Signed) -> dict[str, Any]:
    served, version = signed.served, signed.desk.version
    return {
        "base": served.base,
        "rater": signed.rater,
        "version": version.hash,
        "questions": question_specs(version.study, served.languages),
        "guidelines": f"{served.base}/guidelines" if version.guidelines else None,
        "contact": version.study.contact and per_language(version.study.contact, served.languages),
    }


@get("/s/{study:str}/practice", sync_to_thread=True)
def practice(request: AnyRequest, study: Named) -> Response[Any]:
    site = site_of(request)
    signed = site.signed(request, study)
    if step(signed.desk, signed.rater).page != "practice":
        return Redirect(signed.served.base)
    return html(_bench(site, request, signed, practice_start(site, signed), "practice"))


def practice_start(site: Site, signed: Signed) -> dict[str, Any]:
    desk = signed.desk
    stands = standing(desk, desk.rater(signed.rater))
    shown = exercises(desk, signed.rater)
    return {
        **_common(signed),
        "works": [exercise_json(site.templates, signed.served, one) for one in shown],
        "standing": asdict(stands),
        "revise": True,
        "pass_at": desk.version.study.practice and desk.version.study.practice.pass_at,
    }


@get("/s/{study:str}/done", sync_to_thread=True)
def done(request: AnyRequest, study: Named) -> Response[Any]:
    site = site_of(request)
    signed = site.signed(request, study)
    due = step(signed.desk, signed.rater)
    found = summary(signed.desk, signed.rater)
    return html(
        site.page(
            request,
            "done.html",
            signed.served,
            summary=found,
            finished=due.page == "done" and due.reason is None,
            closed=due.reason == "closed",
            rater=signed.rater,
            first=next((one.number for one in my_items(signed.desk, signed.rater, -1, 1)), ""),
            strings=site.strings("page", signed.served.languages),
        )
    )


PAGES = [studies, enter, guidelines, work, practice, done]
