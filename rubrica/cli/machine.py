"""What can be wrong with this machine, whatever the study: parts, versions, port, clock, browser."""

from __future__ import annotations

import errno
import re
import socket
import time
import webbrowser
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, entry_points, requires, version
from importlib.util import find_spec
from pathlib import Path

from rubrica.errors import Problem, Rule

GROUPS = ("rubrica.kinds", "rubrica.readers", "rubrica.policies", "rubrica.formats")
EXTRAS = {
    "figures": ("altair", "vl_convert"),
    "parquet": ("polars",),
}
NEEDS = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?>=([0-9.]+)(;.*)?$")
"""What a dependency says, as in `litestar>=2.25`."""
A_DAY = 86_400

BROKEN_PART = Rule(
    code="C040",
    title="Every installed part can be loaded",
    says="the part {got} of {group} cannot be loaded: {reason}",
    why="Studies that use it would fail.",
    mend="Reinstall the package that brings it, or remove it.",
)
NO_EXTRA = Rule(
    code="C044",
    title="Extras are installed where they are wanted",
    says="the extra {got} is not installed",
    why="Without it some files cannot be read or written; everything else works.",
    mend="If you need it: pip install 'rubrica[{got}]'.",
    level="note",
)


OLD_PACKAGE = Rule(
    code="C060",
    title="Packages are as new as Rubrica needs them",
    says="{package} is {got}",
    why="Something will fail that works elsewhere.",
    mend="Run: pip install --upgrade '{package}>={expected}'",
)
PORT_TAKEN = Rule(
    code="C061",
    title="The port to serve at is free",
    says="another program listens at port {got}",
    why="`rubrica serve` cannot listen there too; it may be a Rubrica that still runs.",
    mend="End the other program, or serve with `--port` and another number.",
    level="warning",
)
PORT_DENIED = Rule(
    code="C062",
    title="The port to serve at may be used",
    says="port {got} is for the system's own services ({reason})",
    why="Only the system's owner may listen at numbers below 1024.",
    mend="Serve with `--port 8000`, behind a proxy where people expect 80 or 443.",
    level="warning",
)
NO_BROWSER = Rule(
    code="C063",
    title="A browser is there for `rubrica demo` and the desk",
    says="no browser is found on this machine",
    why="The pages cannot open by themselves; raters on other machines are not touched.",
    mend="Open the printed address in Chrome, Edge or Firefox of 2023 or later, or Safari 16.4.",
    level="note",
)
WRONG_CLOCK = Rule(
    code="C064",
    title="The clock is right",
    says="the clock says {got}, before this program was installed",
    why="Ratings would carry wrong times, reservations would never run out, and sign-ins fail.",
    mend="Set the clock, and let the system keep it (timedatectl set-ntp true).",
    level="warning",
)


def problems(port: int) -> Iterator[tuple[str, Iterator[Problem]]]:
    """What was looked at, with what is wrong there."""
    yield "installed parts", _parts()
    yield "versions", _versions()
    yield "extras", _extras()
    yield "port", _port(port)
    yield "clock", _clock(time.time())
    yield "browser", _browser()


def _parts() -> Iterator[Problem]:
    for group in GROUPS:
        for part in entry_points(group=group):
            try:
                part.load()
            except Exception as error:
                details = {"group": group, "reason": f"{type(error).__name__}: {error}"}
                yield Problem(BROKEN_PART, got=part.name, details=details)


def _versions() -> Iterator[Problem]:
    for line in requires("rubrica") or ():
        found = NEEDS.match(line.replace(" ", ""))
        if found is None or "extra==" in (found[3] or ""):
            continue
        package, wanted = found[1], found[2]
        try:
            there = version(package)
        except PackageNotFoundError:
            there = "not installed"
        if _numbers(there) < _numbers(wanted):
            yield Problem(OLD_PACKAGE, expected=wanted, got=there, details={"package": package})


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def _extras() -> Iterator[Problem]:
    for extra, packages in EXTRAS.items():
        if not all(find_spec(package) for package in packages):
            yield Problem(NO_EXTRA, got=extra)


def _port(port: int) -> Iterator[Problem]:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            rule = PORT_DENIED if error.errno == errno.EACCES else PORT_TAKEN
            yield Problem(rule, got=str(port), details={"reason": error.strerror})


def _clock(now: float) -> Iterator[Problem]:
    if now < Path(__file__).stat().st_mtime - A_DAY:
        yield Problem(WRONG_CLOCK, got=time.strftime("%Y-%m-%d %H:%M", time.gmtime(now)))


def _browser() -> Iterator[Problem]:
    try:
        webbrowser.get()
    except webbrowser.Error:
        yield Problem(NO_BROWSER)
