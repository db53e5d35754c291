"""Fixtures of the ratings' tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rating_studies import QUALITY, SCORE, make_item, make_study

from rubrica.items.model import Item
from rubrica.study.model import Study


@pytest.fixture
def quality() -> Study:
    return make_study(QUALITY, SCORE)


@pytest.fixture
def misled() -> Item:
    return make_item({"item.action_type": "mislead"})


@pytest.fixture
def plain() -> Item:
    return make_item({"item.action_type": "follow_up"})


@pytest.fixture
def study_of() -> Callable[..., Study]:
    return make_study


@pytest.fixture
def item_of() -> Callable[..., Item]:
    return make_item
