"""One store: everything a study keeps, in one database, one part for each protocol."""

from __future__ import annotations

from types import TracebackType

from rubrica.storage.accounts import Accounts, add_raters, log_all
from rubrica.storage.board import Board
from rubrica.storage.core import Clock, Core
from rubrica.storage.database import Database
from rubrica.storage.drafts import keep
from rubrica.storage.imports import Imports
from rubrica.storage.items import Items, Verdicts
from rubrica.storage.load import Loader
from rubrica.storage.messages import Messages
from rubrica.storage.people import People
from rubrica.storage.places import Places
from rubrica.storage.ratings import Ratings
from rubrica.storage.reserving import reserve
from rubrica.storage.sessions import Sessions, count_all, open_all
from rubrica.storage.studies import Studies
from rubrica.storage.submits import record
from rubrica.storage.writer import Writer


class SqlStore:
    """Fulfils `fieldwork.store.Stores`, and holds what other rooms need beside it."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self._writer = Writer(
            database, [keep, record, reserve, add_raters, log_all, open_all, count_all]
        )
        self.core = core = Core(database, self._writer, clock)
        self.studies = Studies(core)
        self.items = Items(core)
        self.loader = Loader(core)
        self.verdicts = Verdicts(core)
        self.accounts = Accounts(core)
        self.places = Places(core)
        self.ratings = Ratings(core)
        self.imports = Imports(core)
        self.messages = Messages(core)
        self.sessions = Sessions(core)
        self.people = People(core)
        self.board = Board(core)

    def close(self) -> None:
        """Write what waits, then let go of the database."""
        self._writer.close()
        self.database.close()

    def __enter__(self) -> SqlStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
