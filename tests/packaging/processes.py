"""A command that serves, as a process of its own: started, asked over HTTP, ended by its id."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from urllib.request import Request, urlopen

ADDRESS = re.compile(r"http://[\w.:\[\]]+/s/[\w-]+")
ONE_TIME_LINK = re.compile(r"http://[\w.:\[\]]+/desk/enter#[\w-]+")
PATIENCE = 120


class Serving:
    """A serving process; everything it prints is kept in `told`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.told: list[str] = []
        self._lines: Queue[str | None] = Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            for line in stream:
                self._lines.put(line)
        self._lines.put(None)

    def wait(self) -> None:
        """Until the process has ended and everything it printed has been read."""
        self.process.wait(PATIENCE)
        self._listener.join(PATIENCE)

    def address(self, sort: re.Pattern[str] = ADDRESS) -> str:
        """The next address of this sort it prints."""
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except Empty:
                raise AssertionError(f"no address in time: {''.join(self.told)}") from None
            assert line is not None, f"it ended: {''.join(self.told)}"
            self.told.append(line)
            if found := sort.search(line):
                return found[0]

    def end(self) -> str:
        """Ends the process; all it has printed."""
        self.process.terminate()
        self.wait()
        while (line := self._lines.get(timeout=PATIENCE)) is not None:
            self.told.append(line)
        return "".join(self.told)


@contextmanager
def serving(
    command: Sequence[str | Path], folder: Path, given: Mapping[str, str] | None = None
) -> Iterator[Serving]:
    """A command run in a folder; with nothing of this project on its path unless it is given some."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=folder,
        env={**outside, **(given or {}), "COLUMNS": "200"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # what the command starts itself is ended with it
    )
    server = Serving(process)
    try:
        yield server
    finally:
        with suppress(ProcessLookupError):  # where it has ended by itself
            os.killpg(process.pid, signal.SIGKILL)
        server.wait()


def fetched(address: str) -> str:
    """The page at an address; anything but 200 is an error."""
    with urlopen(Request(address, headers={"accept": "text/html"}), timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
        return text
