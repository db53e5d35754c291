from __future__ import annotations

import numpy as np
import pytest

from rubrica.analysis.icc import icc, one_way_of, one_way_rows

SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float
)


@pytest.mark.parametrize(
    ("form", "known"),
    [
        ("ICC(1)", 0.1657),
        ("ICC(A,1)", 0.2898),
        ("ICC(C,1)", 0.7148),
        ("ICC(k)", 0.4428),
        ("ICC(A,k)", 0.6201),
        ("ICC(C,k)", 0.9093),
    ],
)
def test_shrout_and_fleiss(form, known):
    assert icc(SHROUT_FLEISS, form) == pytest.approx(known, abs=5e-5)


def test_one_way_with_unequal_numbers_by_hand():
    # Items (1, 3), (2, 2, 5), (6,): the last has one rating and says nothing.
    # n 2, ratings 5, k = (5 - 13/5) / 1 = 2.4; means 2 and 3, grand 13/5
    # between 2 * .36 + 3 * .16 = 1.2; within (2 + 6) / 3; ICC = (1.2 - 8/3) / (1.2 + 1.4 * 8/3)
    item = np.array([0, 0, 1, 1, 1, 2])
    rows = one_way_rows(item, np.array([1.0, 3, 2, 2, 5, 6]), 3)
    got = one_way_of(False)(rows.sum(axis=0, keepdims=True))[0]
    assert got == pytest.approx((1.2 - 8 / 3) / (1.2 + 1.4 * 8 / 3))


def test_constant_is_undefined():
    assert np.isnan(icc(np.full((4, 3), 2.0), "ICC(A,1)"))
    assert np.isnan(icc(np.full((4, 3), 2.0), "ICC(1)"))


def test_one_item_is_undefined():
    assert np.isnan(icc(np.array([[1.0, 2.0]]), "ICC(1)"))
