"""Other tools under the same load, each by its own HTTP calls, from environments that are thrown away.

Whatever cannot be installed or does not start is left out, with a word why.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, sleep
from typing import Any
from urllib.error import URLError
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
            found = asyncio.run(_all_rate(port, project, count, seconds))
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


async def _all_rate(port: int, project: int, count: int, seconds: float) -> dict[str, Any]:
    told: dict[str, Any] = {"took": array("d"), "refused": 0, "broken": 0}
    end = perf_counter() + seconds
    await asyncio.gather(*(_rates(port, project, n, end, told) for n in range(count)))
    took = told["took"]
    return {
        "submit": cuts(took),
        "per_second": len(took) / seconds,
        "refused": {"all": told["refused"]},
        "broken": told["broken"],
    }


async def _rates(port: int, project: int, number: int, end: float, told: dict[str, Any]) -> None:
    link = Link("127.0.0.1", port, f"10.2.0.{number % 250}")
    link.cookie = f"authorization: Token {TOKEN}\r\n"
    result = [
        {"from_name": "quality", "to_name": "text", "type": "rating", "value": {"rating": 3}},
        {"from_name": "clear", "to_name": "text", "type": "choices", "value": {"choices": ["Yes"]}},
    ]
    while perf_counter() < end:
        try:
            status, _, content = await link.ask("GET", f"/api/projects/{project}/next")
            if status == 200:
                task = json.loads(content)["id"]
                start = perf_counter()
                path = f"/api/tasks/{task}/annotations"
                status, _, _ = await link.ask("POST", path, {"result": result, "lead_time": 4.2})
            if status == 201:
                told["took"].append(perf_counter() - start)
            else:
                told["refused"] += 1
        except Broken:
            told["broken"] += 1
    link.close()
