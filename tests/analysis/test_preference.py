from __future__ import annotations

import choix
import numpy as np
import pytest

from rubrica.analysis.preference import bradley_terry, components, davidson


@pytest.fixture
def baseball(published) -> np.ndarray:
    return np.array(published["baseball_wins_row_over_col"]["W"], dtype=float)


def test_agrestis_baseball(baseball):
    got = bradley_terry(baseball)
    known = [0, 1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945]
    assert got.log == pytest.approx(known, abs=5e-5)
    assert got.error[1:] == pytest.approx(0.33, abs=0.015)
    low, high = got.intervals()
    assert low[4] == pytest.approx(1.5814 - 1.96 * got.error[4], abs=1e-3)
    assert high[0] == low[0] == 0


def test_it_goes_on_until_it_has_settled(baseball):
    # A fit that stops after two rounds leaves Milwaukee at 1.383.
    assert bradley_terry(baseball).log[4] == pytest.approx(1.5814, abs=5e-5)


def test_davidsons_puddings(published):
    wins, ties = np.zeros((6, 6)), np.zeros((6, 6))
    for line in published["pudding_ij_wij_wji_tij"]:
        pair, counts = line.split(":")
        i, j = int(pair[0]) - 1, int(pair[1]) - 1
        wins[i, j], wins[j, i], tied = (int(c) for c in counts.split("/"))
        ties[i, j] = ties[j, i] = tied
    got = davidson(wins, ties)
    assert got.shares == pytest.approx([0.1388, 0.1730, 0.1617, 0.1654, 0.1587, 0.2024], abs=5e-5)
    assert got.tie == pytest.approx(0.7468, abs=5e-5)
    assert got.likelihood == pytest.approx(-809.7095, abs=5e-5)


def test_against_an_independent_package(rng):
    wins = rng.integers(1, 9, (5, 5)).astype(float)
    np.fill_diagonal(wins, 0)
    theirs = choix.ilsr_pairwise_dense(wins, max_iter=5_000, tol=1e-12)
    assert bradley_terry(wins).log == pytest.approx(theirs - theirs[0], abs=1e-6)


def test_two_options_by_hand():
    # Three wins to one: log 3 apart, variance 1 / (4 * 3/4 * 1/4)
    got = bradley_terry(np.array([[0.0, 1], [3, 0]]))
    assert got.log == pytest.approx([0, np.log(3)])
    assert got.error == pytest.approx([0, (4 / 3) ** 0.5])


@pytest.mark.parametrize(
    "wins",
    [
        [[0, 1, 2], [1, 0, 1], [0, 0, 0]],  # never won
        [[0, 3, 0, 0], [2, 0, 0, 0], [0, 0, 0, 4], [0, 0, 1, 0]],  # two leagues that never met
    ],
)
def test_what_is_not_connected_is_refused(wins):
    got = bradley_terry(np.array(wins, dtype=float), tuple("ABCD"[: len(wins)]))
    assert got.log is None
    assert got.note is not None
    assert got.note.code == "R024"
    assert "|" in got.note.message
    assert len(set(components(np.array(wins, dtype=float)).tolist())) == 2


def test_nothing_and_only_ties():
    assert bradley_terry(np.zeros((3, 3))).log is None
    assert bradley_terry(np.zeros((1, 1))).log is None
    ties = 1 - np.eye(3)
    assert davidson(np.zeros((3, 3)), ties).note.code == "R024"
    assert davidson(ties, np.zeros((3, 3))).note.code == "R024"
