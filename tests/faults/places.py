"""Things a program stands on, which tests pull away: its clock, its disk."""

from __future__ import annotations

import resource
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

HERE = Path(__file__).parent


class Clock:
    """The wall clock of programs started with `environment`; it jumps when told to."""

    def __init__(self, folder: Path) -> None:
        self._file, library = folder / "shift", folder / "clock.so"
        self._file.write_bytes(struct.pack("l", 0))
        compiler = shutil.which("cc") or shutil.which("gcc")
        self.there = compiler is not None
        self.environment: dict[str, str] = {}
        if compiler:
            made = [
                compiler,
                "-shared",
                "-fPIC",
                "-O1",
                "-o",
                str(library),
                str(HERE / "clock.c"),
                "-ldl",
            ]
            subprocess.run(made, check=True)
            self.environment = {"LD_PRELOAD": str(library), "CLOCK_SHIFT": str(self._file)}

    def jump(self, seconds: int) -> None:
        with self._file.open("r+b") as file:
            file.write(struct.pack("l", seconds))


class Disk:
    """A small disk to keep a database on, which can be filled; where none may be mounted, the programs
    that write to it are refused longer files instead."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder = folder
        folder.mkdir()
        size = f"size={megabytes}m"
        mounting = ["mount", "-t", "tmpfs", "-o", size, "rubrica-test", str(folder)]
        self.mounted = shutil.which("mount") is not None and (
            subprocess.run(mounting, capture_output=True).returncode == 0
        )

    @contextmanager
    def full(self, programs: list[int]) -> Iterator[None]:
        if not self.mounted:
            with self._refused(programs):
                yield
            return
        filler = self.folder / "filler"
        try:
            with filler.open("wb", buffering=0) as file, suppress(OSError):
                while True:
                    file.write(b"x" * 65536)
            yield
        finally:
            filler.unlink()

    @contextmanager
    def _refused(self, programs: list[int]) -> Iterator[None]:
        before = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in programs}
        for pid, (_, hard) in before.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, hard))
        try:
            yield
        finally:
            for pid, limits in before.items():
                resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)

    def close(self) -> None:
        if self.mounted:
            subprocess.run(["umount", str(self.folder)], check=True)
