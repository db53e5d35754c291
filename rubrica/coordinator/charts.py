"""The script that draws results' figures: Vega from the installed package, served from here.

The process that computes results makes it, once for a serving process; its version stands in its
address, so that browsers may keep it.
"""

from __future__ import annotations

import asyncio
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from threading import Lock

from litestar import Response, get

from rubrica.coordinator.endpoint import site_of
from rubrica.coordinator.page import for_ever
from rubrica.coordinator.site import BASE, AnyRequest, DeskSite
from rubrica.errors import Problem
from rubrica.web.problems import NOT_FOUND

NAME = "vega.js"
SCRIPT = "script"

_making = Lock()


def script_address(site: DeskSite) -> str | None:
    """Where the script is, if this server can make it."""
    made_of = _version()
    return None if made_of is None or site.compute is None else f"{BASE}/charts/{made_of}/{NAME}"


def _version() -> str | None:
    if find_spec("altair") is None:
        return None
    try:
        return version("vl-convert-python")
    except PackageNotFoundError:
        return None


def _made(site: DeskSite) -> None:
    with _making:
        if NAME not in site.assets.files and site.compute is not None:
            site.assets.add(NAME, str(site.compute(SCRIPT, {})["text"]))


@get(f"{BASE}/charts/{{made_of:str}}/{NAME}")
async def script(request: AnyRequest) -> Response[bytes]:
    site = site_of(request)
    if request.path_params["made_of"] != _version() or site.compute is None:
        raise Problem(NOT_FOUND)
    await asyncio.to_thread(_made, site)
    return for_ever(request, site.assets.files[NAME])
