"""What runs in the workers of tests: the least that answers, so that they start at once."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable


def answers(_: object, bound: socket.socket, ready: Callable[[], None]) -> None:
    """Tells everybody who connects which process it is, until asked to stop."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    bound.listen()
    ready()
    while True:
        link, _ = bound.accept()
        with link:
            link.sendall(str(os.getpid()).encode())


def dies(*_: object) -> None:
    raise SystemExit(3)


def keep(port: int) -> None:
    """What keeps workers of its own, to be killed."""
    from rubrica.web.server import listen
    from rubrica.web.workers import keep_serving

    with listen("127.0.0.1", port) as bound:
        assert keep_serving(2, answers, None, bound, lambda: None)
