"""Other tools under the same load, each by its own HTTP calls, from environments that are thrown away.

Whatever cannot be installed or does not start is left out, with a word why.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Callable, Coroutine
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter, sleep
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

from raters import Broken, Link, cuts

TOKEN = "0123456789abcdef0123456789abcdef01234567"
TASKS = 3_000
PATIENCE = 600.0
"""Its first start makes a database in many small steps."""

SIGN_IN = {
    "LABEL_STUDIO_USERNAME": "load@example.org",
    "LABEL_STUDIO_PASSWORD": "not-a-secret-1",
    "LABEL_STUDIO_USER_TOKEN": TOKEN,
    "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
    "COLLECT_ANALYTICS": "false",
}
ASKED = """<View><Text name="text" value="$text"/>
<Rating name="quality" toName="text" maxRating="5"/>
<Choices name="clear" toName="text"><Choice value="Yes"/><Choice value="No"/></Choices></View>"""

Line = Callable[..., None]


def environment(folder: Path, package: str) -> Path | None:
    """The programs of a fresh environment with this package in it."""
    place = folder / package
    if not place.exists():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        installing = [str(place / "bin" / "pip"), "install", "--quiet", package]
        done = subprocess.run(installing, capture_output=True, text=True)
        if done.returncode:
            print(f"{package} is left out: {done.stderr.strip().splitlines()[-1]}")
            return None
    return place / "bin"


def label_studio(
    folder: Path, counts: list[int], seconds: float, bare: float, line: Line, port: int
) -> None:
    programs = environment(folder, "label-studio")
    if programs is None:
        return
    data = folder / "label-studio-data"
    data.mkdir(exist_ok=True)
    given = {**os.environ, **SIGN_IN, "LABEL_STUDIO_BASE_DATA_DIR": str(data)}
    command = [str(programs / "label-studio"), "start", "--no-browser", "--port", str(port)]
    command += ["--internal-host", "127.0.0.1"]
    with (data / "log").open("wb") as log:
        process = subprocess.Popen(
            command, env=given, stdout=log, stderr=log, cwd=data, start_new_session=True
        )
    url = f"http://127.0.0.1:{port}"
    try:
        project = _project(url)
        for count in counts:
            found = asyncio.run(_all_rate(count, seconds, partial(_rates, port, project)))
            line(f"Label Studio, {count} raters", found, bare)
    except (TimeoutError, URLError) as error:
        print(f"Label Studio is left out: {error}")
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _call(url: str, method: str, body: Any = None) -> Any:
    headers = {"authorization": f"Token {TOKEN}", "content-type": "application/json"}
    asked = Request(url, None if body is None else json.dumps(body).encode(), headers, method=method)
    with build_opener(ProxyHandler({})).open(asked, timeout=120) as answer:
        return json.load(answer)


def _project(url: str) -> int:
    """A project with tasks that many may annotate, once the server answers."""
    end = perf_counter() + PATIENCE
    while True:
        try:
            made = _call(f"{url}/api/projects", "POST", {"title": "load", "label_config": ASKED})
            break
        except URLError:
            if perf_counter() > end:
                raise TimeoutError("it did not start in time") from None
            sleep(1)
    _call(f"{url}/api/projects/{made['id']}", "PATCH", {"maximum_annotations": 1_000})
    tasks = [{"text": f"Answer {n}. " * 40} for n in range(TASKS)]
    _call(f"{url}/api/projects/{made['id']}/import", "POST", tasks)
    return int(made["id"])


Rate = Callable[[int, "Told"], Coroutine[Any, Any, None]]


class Told:
    """What everybody saw together, until the time is up."""

    def __init__(self, seconds: float) -> None:
        self.took, self.refused, self.broken = array("d"), 0, 0
        self._end = perf_counter() + seconds

    @property
    def going(self) -> bool:
        return perf_counter() < self._end

    def submitted(self, start: float, well: bool) -> None:
        if well:
            self.took.append(perf_counter() - start)
        else:
            self.refused += 1


async def _all_rate(count: int, seconds: float, rate: Rate) -> dict[str, Any]:
    told = Told(seconds)
    await asyncio.gather(*(rate(number, told) for number in range(count)))
    return {
        "submit": cuts(told.took),
        "per_second": len(told.took) / seconds,
        "refused": {"all": told.refused},
        "broken": told.broken,
    }


async def _rates(port: int, project: int, number: int, told: Told) -> None:
    link = Link("127.0.0.1", port, f"10.2.0.{number % 250}")
    link.cookie = f"authorization: Token {TOKEN}\r\n"
    result = [
        {"from_name": "quality", "to_name": "text", "type": "rating", "value": {"rating": 3}},
        {"from_name": "clear", "to_name": "text", "type": "choices", "value": {"choices": ["Yes"]}},
    ]
    while told.going:
        try:
            start = perf_counter()
            status, _, content = await link.ask("GET", f"/api/projects/{project}/next")
            if status == 200:
                task = json.loads(content)["id"]
                start = perf_counter()
                path = f"/api/tasks/{task}/annotations"
                status, _, _ = await link.ask("POST", path, {"result": result, "lead_time": 4.2})
            told.submitted(start, status == 201)
        except Broken:
            told.broken += 1
    link.close()


# --- Potato -----------------------------------------------------------------------------------------

POTATO = {
    "annotation_task_name": "load",
    "task_dir": ".",
    "output_annotation_dir": "out",
    "output_annotation_format": "jsonl",
    "data_files": ["items.jsonl"],
    "item_properties": {"id_key": "id", "text_key": "text"},
    "user_config": {"allow_all_users": True, "users": []},
    "require_password": False,
    "annotation_schemes": [
        {
            "annotation_type": "radio",
            "name": "quality",
            "description": "How good?",
            "labels": ["1", "2", "3", "4", "5"],
        },
        {
            "annotation_type": "radio",
            "name": "clear",
            "description": "Clear?",
            "labels": ["yes", "no"],
        },
    ],
}
SHOWN = re.compile(rb'name="instance_id" type="hidden" value="([^"]+)"')


def potato(folder: Path, counts: list[int], seconds: float, bare: float, line: Line, port: int) -> None:
    programs = environment(folder, "potato-annotation")
    if programs is None:
        return
    for count in counts:
        with tempfile.TemporaryDirectory(dir=folder, prefix="potato-") as name:
            place = Path(name)
            (place / "config.yaml").write_text(json.dumps(POTATO))
            lines = [json.dumps({"id": f"k{n}", "text": f"Answer {n}. " * 40}) for n in range(TASKS)]
            (place / "items.jsonl").write_text("\n".join(lines))
            command = [str(programs / "potato"), "start", "config.yaml", "--port", str(port)]
            with (place / "log").open("wb") as log:
                process = subprocess.Popen(
                    [*command, "--host", "127.0.0.1"], stdout=log, stderr=log, cwd=place
                )
            try:
                cookies = [_potato_cookie(port, f"rater {n}") for n in range(count)]
                rate = partial(_rates_potato, port, cookies)
                line(f"Potato, {count} raters", asyncio.run(_all_rate(count, seconds, rate)), bare)
            except (TimeoutError, OSError) as error:
                print(f"Potato with {count} raters is left out: {error}")
            finally:
                process.terminate()
                process.wait()


def _potato_cookie(port: int, name: str) -> str:
    """Sign in, once the server answers."""
    end = perf_counter() + 60
    while True:
        link = HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            form = {"content-type": "application/x-www-form-urlencoded"}
            link.request("POST", "/auth", urlencode({"email": name}), form)
            given = link.getresponse().getheader("set-cookie") or ""
            return f"cookie: {given.split(';')[0]}\r\n"
        except OSError:
            if perf_counter() > end:
                raise TimeoutError("it did not start in time") from None
            sleep(0.5)
        finally:
            link.close()


async def _rates_potato(port: int, cookies: list[str], number: int, told: Told) -> None:
    """It saves what was chosen, then asks for the page of the next item: one is submitted by both."""
    link = Link("127.0.0.1", port, f"10.3.0.{number % 250}")
    link.cookie = cookies[number]
    chosen = {"quality:3": "3", "clear:yes": "yes"}
    page = b""
    while told.going:
        try:
            if not page:
                page = await _potato_ask(link, "GET", "/annotate")
            found = SHOWN.search(page)
            if found is None:
                break
            item, start = found[1].decode(), perf_counter()
            saved = await _potato_ask(
                link, "POST", "/updateinstance", {"instance_id": item, "annotations": chosen}
            )
            told.submitted(start, b'"success"' in saved)
            on = {"action": "next_instance", "instance_id": item}
            page = await _potato_ask(link, "POST", "/annotate", on)
        except Broken:
            told.broken += 1
            page = b""
    link.close()


async def _potato_ask(link: Link, method: str, path: str, body: Any = None) -> bytes:
    """Each request has a link of its own, as the server wants it; the cookie changes with each."""
    _, head, content = await link.ask(method, path, body)
    link.close()
    given = re.search(rb"set-cookie: ([^;\r]+)", head, re.IGNORECASE)
    if given:
        link.cookie = f"cookie: {given[1].decode()}\r\n"
    return content
