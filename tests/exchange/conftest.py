"""What the tests of exchanges share."""

from __future__ import annotations

import json
from typing import Any

import pytest
from own_files import Ran

from rubrica.cli import run


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str]) -> Ran:
    """Runs a command with --json; its result, with the exit code beside it."""

    def call(*args: Any, code: int = 0) -> Any:
        capsys.readouterr()
        exit_code = run([*map(str, args), "--json"])
        told = capsys.readouterr()
        assert exit_code == code, told
        return json.loads(told.out)

    return call
