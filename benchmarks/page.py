"""The rater's page beside a minimal Streamlit survey and a minimal Gradio form with the same questions.

    python benchmarks/page.py [--items 30] [--many 1000] [--environments FOLDER]

First load of the workbench with an empty cache, submit until the next item's controls are ready, start
of the server until its first page, resident memory. The other two are installed into environments that
are thrown away, unless a folder to keep them in is given; where that is impossible they are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, sleep
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "scripts")]

from playwright.sync_api import Browser, Page, Request  # noqa: E402
from stage import SERVE, chromium, confirm, free_port, join  # noqa: E402

FRAME = 1000 / 60
AIMS = {"kB": 60.0, "requests": 8, "submit ms": 33.0, "start s": 1.0, "idle MB": 90.0}
STARTS = 3

STUDY = {
    "rubrica": 1,
    "title": "Short answers",
    "languages": ["en"],
    "guidelines": {"en": "guide.md"},
    "items": {
        "from": "items.jsonl",
        "key": "id",
        "show": [{"text": "question", "label": "Question"}, {"markdown": "answer", "label": "Answer"}],
    },
    "questions": {
        "quality": {
            "kind": "scale",
            "ask": "How good is it?",
            "levels": {n: str(n) for n in range(1, 6)},
        },
        "polite": {"kind": "choice", "ask": "Is it polite?", "options": {"Yes": "Yes", "No": "No"}},
        "comment": {"kind": "text", "ask": "Anything else?", "required": False},
    },
}

WATCH = """number => {
  const ready = () => {
    const radios = [...document.querySelectorAll('input[type=radio]')];
    return document.body.innerText.includes(`Question ${number}?`) && radios.length >= 7
      && radios.every((one) => !one.checked && !one.disabled);
  };
  window.took = new Promise((done) => addEventListener('click', () => {
    const start = performance.now();
    const look = () => (ready() ? done(performance.now() - start) : requestAnimationFrame(look));
    requestAnimationFrame(look);
  }, { capture: true, once: true }));
}"""
"""From the click on submit to the first frame in which the next item can be answered."""

RATE_MANY = """async ([base, count]) => {
  const post = async (path, body) => (await fetch(`${base}/api/${path}`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  })).json();
  for (let done = 0; done < count; done += 1) {
    const { works: [work] } = await post('next', { count: 1, held: [] });
    await post('submit', {
      id: crypto.randomUUID().replaceAll('-', ''), place: work.place, version: work.version,
      answers: { quality: { value: 4 }, polite: { value: 'Yes' } },
    });
  }
}"""


@dataclass
class Tool:
    name: str
    command: Callable[[int], list[str]]
    enter: Callable[[Page, str], str]
    """Comes to the first item; returns its address."""
    submit: str
    folder: Path
    figures: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def running(self) -> Iterator[tuple[str, int, float]]:
        """Address, process id, and the seconds from the start to the first page."""
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        before = perf_counter()
        process = subprocess.Popen(
            self.command(port),
            cwd=self.folder,
            env=as_installed(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield url, process.pid, until_answered(url, process) - before
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def as_installed() -> dict[str, str]:
    """The environment, with compiled modules kept between starts, as they are for everybody."""
    quiet = {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1"}
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **quiet}


def until_answered(url: str, process: subprocess.Popen[bytes]) -> float:
    opener = build_opener(ProxyHandler({}))
    while process.poll() is None:
        try:
            with opener.open(url, timeout=5) as answer:
                if answer.status == 200:
                    return perf_counter()
        except (URLError, ConnectionError, TimeoutError):
            sleep(0.005)
    raise RuntimeError(f"ended with {process.returncode} before it answered")


# --- what is measured -----------------------------------------------------------------------------


def measure(tool: Tool, browser: Browser, items: int, many: int) -> None:
    starts = []
    for _ in range(STARTS):
        with tool.running() as (_, _, seconds):
            starts.append(seconds)
    tool.figures["start s"] = statistics.median(starts)
    with tool.running() as (url, pid, _):
        tool.figures["idle MB"] = resident(pid)
        page = browser.new_page()
        address = tool.enter(page, url)
        tool.figures |= first_load(browser, page, address)
        times = submits(tool, page, items)
        tool.figures["submit ms"] = statistics.median(times)
        tool.figures["frames"] = statistics.median(times) / FRAME
        if many:
            page.evaluate(RATE_MANY, [address.removesuffix("/work"), many])
        tool.figures["rated"] = items + many
        tool.figures["then MB"] = resident(pid)
        page.context.close()
    print(tool.name, json.dumps(tool.figures), file=sys.stderr, flush=True)


def first_load(browser: Browser, page: Page, address: str) -> dict[str, float]:
    """What a browser with an empty cache fetches until the first item is there, and just after."""
    context = browser.new_context(storage_state=page.context.storage_state())
    fetched: list[Request] = []
    context.on("requestfinished", lambda request: fetched.append(request))
    fresh = context.new_page()
    fresh.goto(address)
    fresh.wait_for_selector("input[type=radio]", state="attached")
    fresh.wait_for_timeout(2_000)  # some pages never fall silent
    sizes = [one for one in (request.sizes() for request in fetched) if one["responseBodySize"] >= 0]
    context.close()
    total = sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes)
    return {"kB": total / 1000, "requests": len(sizes)}


def submits(tool: Tool, page: Page, items: int) -> list[float]:
    times = []
    for number in range(1, items + 1):
        page.wait_for_function("n => document.body.innerText.includes(`Question ${n}?`)", arg=number)
        radios = page.locator("input[type=radio]")
        radios.nth(3).check(force=True)
        radios.nth(5).check(force=True)
        page.wait_for_timeout(150)  # a rater needs longer; what is fetched ahead may come
        page.evaluate(WATCH, number + 1)
        page.locator(tool.submit).click()
        times.append(page.evaluate("window.took"))
    return times


def resident(pid: int) -> float:
    """Megabytes of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    if not children.exists():
        told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True)
        return int(told.stdout) / 1000
    status = Path(f"/proc/{pid}/status").read_text()
    own = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return own * 1.024 / 1000 + sum(resident(int(child)) for child in children.read_text().split())


# --- the three ------------------------------------------------------------------------------------


def rubrica(folder: Path, items: int) -> Tool:
    study = folder / "study"
    study.mkdir()
    (study / "study.yaml").write_text(json.dumps(STUDY))
    (study / "guide.md").write_text("# How to rate\n\nRead it all.\n")
    lines = [
        {"id": n, "question": f"Question {n}?", "answer": f"Answer **{n}**."}
        for n in range(1, items + 1)
    ]
    (study / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = [sys.executable, "-c", SERVE, "serve", "study", "--port"]
    return Tool("Rubrica", lambda port: [*command, str(port)], enter_rubrica, "#submit", folder)


def enter_rubrica(page: Page, url: str) -> str:
    join(page, f"{url}/s/study")
    confirm(page)
    page.wait_for_selector("#questions .question")
    return f"{url}/s/study/work"


def enter_form(page: Page, url: str) -> str:
    page.goto(url)
    page.wait_for_selector("input[type=radio]", state="attached")
    return url


def others(folder: Path) -> Iterator[Tool]:
    for name in ("streamlit", "gradio"):
        python = installed(name, folder)
        if python is None:
            continue
        form = str(HERE / "forms" / f"{name}_form.py")
        yield Tool(
            name.title(), commands(python, form)[name], enter_form, "button:has-text('Submit')", folder
        )


def commands(python: str, form: str) -> dict[str, Callable[[int], list[str]]]:
    quiet = ["--server.headless=true", "--browser.gatherUsageStats=false", "--server.address=127.0.0.1"]
    run = [python, "-m", "streamlit", "run", form, *quiet]
    return {
        "streamlit": lambda port: [*run, f"--server.port={port}"],
        "gradio": lambda port: [python, form, str(port)],
    }


def installed(name: str, folder: Path) -> str | None:
    """The interpreter of an environment that has this package, or None with a word on why."""
    python = folder / name / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / name)], check=True)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install", name]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode == 0:
        return str(python)
    print(f"{name} left out: it cannot be installed ({done.stderr.strip().splitlines()[-1][:100]})")
    return None


# --- the whole ------------------------------------------------------------------------------------


def show(tools: list[Tool]) -> None:
    rows = ["kB", "requests", "submit ms", "frames", "start s", "idle MB", "rated", "then MB"]
    print("| | " + " | ".join(tool.name for tool in tools) + " | aim |")
    print("|---" * (len(tools) + 2) + "|")
    for row in rows:
        shown = [f"{tool.figures[row]:.4g}" for tool in tools]
        print(f"| {row} | " + " | ".join(shown) + f" | {AIMS.get(row, '')} |")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=30, help="rated in the browser")
    parser.add_argument("--many", type=int, default=1000, help="rated besides, for the memory after")
    parser.add_argument("--environments", type=Path, help="where the others are kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, chromium() as browser:
        folder = Path(made)
        tools = [rubrica(folder, given.items + given.many + 1)]
        measure(tools[0], browser, given.items, given.many)
        for tool in others(given.environments or folder):
            tool.folder = folder
            measure(tool, browser, given.items, 0)
            tools.append(tool)
    show(tools)
    missed = [row for row, most in AIMS.items() if tools[0].figures[row] > most]
    print(f"missed: {', '.join(missed)}" if missed else "all aims are met")


if __name__ == "__main__":
    main()
