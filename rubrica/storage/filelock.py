"""A lock beside the database, held over write transactions and checkpoints.

SQLite's own lock makes waiting processes poll, and eight of them starve each other; the operating
system queues them. It goes with the process that held it, however that ended.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _wait(handle: int) -> None:
        while True:
            try:
                return _lock(handle)
            except OSError:
                time.sleep(0.002)

    def _unlock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _wait(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


class FileLock:
    """One holder at a time among all processes and all instances of this class."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)

    def __enter__(self) -> FileLock:
        _wait(self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        _unlock(self._handle)

    def acquire(self, seconds: float) -> bool:
        """Take it within so many seconds, or say that it could not be had."""
        end = time.monotonic() + seconds
        while True:
            try:
                _lock(self._handle)
            except OSError:
                if time.monotonic() >= end:
                    return False
                time.sleep(0.01)
            else:
                return True

    def release(self) -> None:
        _unlock(self._handle)

    def close(self) -> None:
        os.close(self._handle)
