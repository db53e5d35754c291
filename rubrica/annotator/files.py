"""Static files, media and the service worker."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from litestar import Response, get
from litestar.response import Stream

from rubrica.annotator.pages import site_of
from rubrica.annotator.scripts import STATIC
from rubrica.annotator.site import AnyRequest, Named
from rubrica.errors import Problem
from rubrica.items.media import TYPES, media_file
from rubrica.web.problems import NOT_FOUND

FOR_EVER = "public, max-age=31536000, immutable"
PIECE = 256_000
A_WEEK = "private, max-age=604800, immutable"
MEDIA_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A picture may be an SVG somebody else drew: opened by itself it must not run anything."""


@get("/static/{etag:str}/{name:str}", sync_to_thread=False)
def static(request: AnyRequest, etag: Named, name: Named) -> Response[bytes]:
    found = site_of(request).assets.find(etag, name)
    if found is None:
        raise Problem(NOT_FOUND)
    zips = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    if zips:
        headers["content-encoding"] = "gzip"
    return Response(found.zipped if zips else found.body, media_type=found.type, headers=headers)


@get("/s/{study:str}/sw.js", sync_to_thread=False)
def service_worker(request: AnyRequest, study: Named) -> Response[bytes]:
    """Keeps the workbench openable without network; its text changes when what it keeps does."""
    site = site_of(request)
    served = site.study(study)
    kept = [site.assets.url("rubrica.css"), site.assets.url("work.js")]
    given = json.dumps({"base": served.base, "files": kept})
    body = f"const GIVEN = {given};\n" + (STATIC / "offline" / "sw.js").read_text(encoding="utf-8")
    return Response(body.encode(), media_type="text/javascript", headers={"cache-control": "no-cache"})


@get("/s/{study:str}/media/{public:str}", sync_to_thread=True)
def media(request: AnyRequest, study: Named, public: Named) -> Response[Any]:
    """A medium some item of the study shows, by its opaque id; nothing else of the folder."""
    site = site_of(request)
    signed = site.signed(request, study)
    name = signed.desk.stores.items.media(study, public)
    path = None if name is None else media_file(signed.served.media, name)
    if path is None:
        raise Problem(NOT_FOUND)
    return _file(path, request.headers.get("range"))


def _file(path: Path, wanted: str | None) -> Response[Any]:
    kind = TYPES[path.suffix.lower()]
    headers = {
        "cache-control": A_WEEK,
        "content-security-policy": MEDIA_POLICY,
        "accept-ranges": "bytes",
    }
    size = path.stat().st_size
    part = _range(wanted, size)
    if part is not None:
        return _part(path, part, kind, headers)
    return Stream(_pieces(path), media_type=kind, headers={**headers, "content-length": str(size)})


def _pieces(path: Path) -> Iterator[bytes]:
    """The bytes and nothing else: when a file was changed tells which files were made together."""
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def _range(wanted: str | None, size: int) -> tuple[int, int] | None:
    """First and last byte of a simple range; players ask for these to jump."""
    if not wanted or not wanted.startswith("bytes=") or "," in wanted:
        return None
    first, _, last = wanted[6:].partition("-")
    if not (first.isdecimal() and (last.isdecimal() or not last)):
        return None
    start, end = int(first), min(int(last) if last else size - 1, size - 1)
    return (start, end) if start <= end else None


def _part(path: Path, part: tuple[int, int], kind: str, headers: Mapping[str, str]) -> Response[bytes]:
    start, end = part
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(start)
        body = file.read(min(end - start + 1, 4_000_000))
    told = {**headers, "content-range": f"bytes {start}-{start + len(body) - 1}/{size}"}
    return Response(body, status_code=206, media_type=kind, headers=told)


FILES = [static, service_worker, media]
