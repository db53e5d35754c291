"""A store in memory: the same protocols and the same answers, without a database.

Written plainly, to be read as what the databases must do and to be trusted in tests.
"""

from rubrica.storage.memory.store import MemoryStore

__all__ = ["MemoryStore"]
