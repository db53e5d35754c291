"""Every address under `/api`: the endpoints, the word that something changed, the API's document."""

from __future__ import annotations

import asyncio
import json
from functools import cache

from litestar import Response, get
from litestar.response import Stream

from rubrica.coordinator import (
    exports_api,
    invitations_api,
    items_api,
    members_api,
    messages_api,
    people_api,
    progress,
    raters_api,
    results_api,
    studies_api,
    timesheet_api,
)
from rubrica.coordinator.endpoint import API, Endpoint, enter, route, site_of
from rubrica.coordinator.live import events as events_of
from rubrica.coordinator.openapi import document
from rubrica.coordinator.shapes.studies import StudyOf
from rubrica.coordinator.site import AnyRequest

ENDPOINTS: list[Endpoint] = [
    *people_api.ENDPOINTS,
    *members_api.ENDPOINTS,
    *studies_api.ENDPOINTS,
    *progress.ENDPOINTS,
    *invitations_api.ENDPOINTS,
    *raters_api.ENDPOINTS,
    *timesheet_api.ENDPOINTS,
    *items_api.ENDPOINTS,
    *messages_api.ENDPOINTS,
    *results_api.ENDPOINTS,
    *exports_api.ENDPOINTS,
]


def events(study: str) -> None:
    """Stands for the stream in the list of endpoints; `stream` answers."""


EVENTS = Endpoint(
    "GET",
    "/studies/{study}/events",
    "The word that something changed, as server-sent events; ask for what is shown then.",
    events,
    "text/event-stream",
    asks=StudyOf,
)


@get(API + "/studies/{study:str}/events")
async def stream(request: AnyRequest) -> Stream:
    study = request.path_params["study"]
    await asyncio.to_thread(enter, EVENTS, request, study)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return Stream(events_of(site_of(request), study), media_type="text/event-stream", headers=headers)


@cache
def openapi() -> bytes:
    return json.dumps(document([*ENDPOINTS, EVENTS])).encode()


@get(API + "/openapi.json", sync_to_thread=False)
def openapi_json() -> Response[bytes]:
    return Response(openapi(), media_type="application/json")


ROUTES = [*(route(one) for one in ENDPOINTS), stream, openapi_json]
