"""Running an application: uvicorn with our limits, one socket opened beforehand."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from threading import current_thread, main_thread

import uvicorn

from rubrica.errors import Problem, Rule
from rubrica.web.door import App
from rubrica.web.limits import LimitedProtocol

CANNOT_LISTEN = Rule(
    code="W030",
    title="The server can listen where it is told to",
    says="cannot listen at {got}: {reason}",
    why="Something else listens there, or this machine has no such address.",
    mend="Choose another port with `--port`, or `--port 0` for any free one.",
)

THREADS = 32
"""Requests that may wait for the database at once: the more of them, the more is written together."""
SWITCH_SECONDS = 0.0005
"""How long a busy thread may keep the others from the interpreter. The thread that writes lets go of it
at every statement; as Python comes it may wait ten times as long to go on, each time."""
BACKLOG = 2048
"""Connections that may wait to be taken."""


@dataclass(frozen=True, slots=True)
class Listening:
    host: str
    port: int

    @property
    def url(self) -> str:
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


def is_this_machine(host: str) -> bool:
    """Whether only programs on this machine can reach what listens there."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, so that the port is known (and ours) before anything is said about it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
    except OSError as error:
        made.close()
        reason = error.strerror or str(error)
        raise Problem(CANNOT_LISTEN, got=f"{host}:{port}", details={"reason": reason}) from None
    return made


def nothing() -> None:
    """Whoever does not want to be told is told nothing."""


def serve(
    app: App, bound: socket.socket, ready: Callable[[], None], stopping: Callable[[], None] = nothing
) -> None:
    """Serve until interrupted; `ready` is called once requests are answered, `stopping` when they
    no longer are, so that streams can end."""
    config = uvicorn.Config(
        app,
        http=LimitedProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=True,
        timeout_keep_alive=65,
        timeout_graceful_shutdown=10,
        backlog=BACKLOG,
    )
    _Server(config, ready, stopping).run([bound])


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], stopping: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._ready, self._stopping = ready, stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        threads = ThreadPoolExecutor(THREADS, thread_name_prefix="rubrica-request")
        asyncio.get_running_loop().set_default_executor(threads)
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._stopping()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As uvicorn does, but to be asked to end is a good end: stores are closed after it."""
        if current_thread() is not main_thread():
            yield
            return
        before = signal.signal(signal.SIGTERM, lambda *_: None)
        try:
            with super().capture_signals():
                yield
        finally:
            signal.signal(signal.SIGTERM, before)
