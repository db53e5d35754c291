"""Packages that are loaded when they are first needed: a server on SQLite never needs most of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Later:
    """Stands in for a module; loads it when one of its names is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
