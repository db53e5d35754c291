"""Between the program and PostgreSQL may stand a pooler, which sends each transaction to any server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rubrica.storage.open import open_store
from tests.faults.proxy import Proxy

pytestmark = pytest.mark.postgres

KEY = re.compile(rb"(?s)(?<=K\0\0\0\x0c).{4}")
"""The number of the process that answers, by which a connection may be cancelled."""


def prepared(address: str) -> int:
    """How many statements lie prepared after one was asked often."""
    with open_store(address) as store, store.database.write() as tx:
        for _ in range(10):
            tx.plain("SELECT count(*) FROM ratings")
        return int(tx.plain("SELECT count(*) FROM pg_prepared_statements")[0][0])


def test_nothing_is_prepared_where_another_server_answers_than_was_said(postgres: Any) -> None:
    address = postgres.fresh()
    name = address.partition("?")[0].rpartition("/")[2]
    socket = Path(address.partition("host=")[2]) / ".s.PGSQL.5432"
    pooler = Proxy(socket, lambda piece: KEY.sub(b"none", piece))
    try:
        assert prepared(address) > 0
        assert prepared(f"postgresql://postgres:@127.0.0.1:{pooler.port}/{name}?sslmode=disable") == 0
    finally:
        pooler.close()
