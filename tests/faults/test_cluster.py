"""Past one machine: raters go on through the loss of an application and of the database server."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cluster
import pytest
from crowd import Crowd, wrong_with

from benchmarks.load import write_study

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


@pytest.fixture
def folder() -> Iterator[Path]:
    if lacking := cluster.missing():
        pytest.skip(lacking)
    made = Path(tempfile.mkdtemp(prefix="rubrica-cluster-"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def test_raters_outlive_an_application_and_the_database_server(folder: Path) -> None:
    study = write_study(folder / "studies" / "load", 2_000)
    with cluster.Cluster(folder, [study], workers=1) as whole:
        crowd = Crowd(whole.url, folder / "acks")
        try:
            crowd.goes_on()
            whole.kill_app(0)
            crowd.goes_on()
            whole.apps[0].start()
            whole.fail_over()
            crowd.goes_on()
        finally:
            crowd.end()
        assert wrong_with(whole.address, crowd.acknowledged()) == []
        assert wrong_with(whole.standby.address("rubrica"), crowd.acknowledged()) == []
