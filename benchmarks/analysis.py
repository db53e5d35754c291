"""How fast the statistics are, beside two packages in the same run, and a study of a million ratings.

    python benchmarks/analysis.py            all of it, a few minutes
    python benchmarks/analysis.py --quick    without the slowest of the others

Alpha is ordinal, its interval comes from 1,000 item-bootstrap replicates. The others have no item
bootstrap: `krippendorff` is timed on one resampled table and multiplied, `evalica` on its own
bootstrap of pairs, which answers another question (see its coverage in the tests).
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rubrica.analysis.alpha import MISSING, alpha_estimate, alpha_of, coincidences, patterns
from rubrica.analysis.analyse import analyse
from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.table import Answers, Factor, Items, Judge, Options, Question, Table

LEVELS = np.arange(5.0)
REPLICATES = 1_000


def best(run: Callable[[], Any], times: int) -> float:
    """Seconds of the fastest run."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        took.append(time.perf_counter() - start)
    return min(took)


def ratings(items: int, raters: int, gaps: float) -> np.ndarray:
    """A raters x items table of codes whose raters mostly agree."""
    rng = np.random.default_rng(1)
    codes = np.clip(rng.integers(0, 5, items) + rng.integers(-1, 2, (raters, items)), 0, 4)
    codes = codes.astype(np.uint8)
    codes[rng.random(codes.shape) < gaps] = MISSING
    return codes


def ours(codes: np.ndarray) -> tuple[float, float]:
    def alpha() -> float:
        found = patterns(codes, 5)
        totals = (coincidences(found.counts) * found.times[:, None]).sum(axis=0, keepdims=True)
        return float(alpha_of("ordinal", LEVELS)(totals)[0])

    def interval() -> object:
        sampler = Sampler(np.random.default_rng(1), REPLICATES)
        return alpha_estimate(patterns(codes, 5), "ordinal", LEVELS, sampler)

    return best(alpha, 20), best(interval, 5)


def compare(items: int, raters: int, gaps: float, quick: bool) -> None:
    codes = ratings(items, raters, gaps)
    alpha, interval = ours(codes)
    print(f"{items:,} items x {raters} raters, {gaps:.0%} missing")
    print(f"  rubrica       alpha {alpha * 1e3:10.3f} ms   interval {interval * 1e3:12.1f} ms")
    table = np.where(codes == MISSING, np.nan, codes.astype(float))
    for name, found in (("krippendorff", _krippendorff(table)), ("evalica", _evalica(table, quick))):
        theirs, again = found
        print(f"  {name:13} alpha {theirs * 1e3:10.3f} ms   {theirs / alpha:8.0f} times slower", end="")
        if again is not None:
            print(f"   interval {again * 1e3:12.1f} ms   {again / interval:10.0f} times slower", end="")
        print()


def _krippendorff(table: np.ndarray) -> tuple[float, float]:
    import krippendorff

    def alpha() -> object:
        return krippendorff.alpha(reliability_data=table, level_of_measurement="ordinal")

    one = best(alpha, 2)
    return one, one * REPLICATES


def _evalica(table: np.ndarray, quick: bool) -> tuple[float, float | None]:
    import evalica
    import pandas as pd

    frame = pd.DataFrame(table)
    one = best(lambda: evalica.alpha(frame, distance="ordinal"), 2)
    if quick and table.shape[1] > 100_000:
        return one, None

    def interval() -> object:
        return evalica.alpha_bootstrap(
            frame, distance="ordinal", n_resamples=REPLICATES, random_state=1
        )

    return one, best(interval, 1)


def million() -> tuple[Table, list[Question]]:
    """50,000 inputs in threads of ten, four systems, five of 300 raters each, three questions."""
    rng = np.random.default_rng(1)
    inputs, systems, per_item, raters = 50_000, 4, 5, 300
    items = inputs * systems
    system, source = np.divmod(np.arange(items), inputs)
    truth = rng.normal(3, 0.7, items) + 0.1 * system
    group = rng.integers(0, raters // per_item, inputs)
    item = np.repeat(np.arange(items), per_item)
    rater = group[source[item]] * per_item + np.tile(np.arange(per_item), items)
    bias = rng.normal(0, 0.3, raters)
    questions = [Question(n, "ordinal", (1, 2, 3, 4, 5)) for n in ("right", "complete", "overall")]
    answers = {}
    for question in questions:
        value = np.clip(np.round(truth[item] + bias[rater] + rng.normal(0, 0.6, len(item))), 1, 5)
        value[rng.random(len(item)) < 0.02] = np.nan
        answers[question.name] = Answers(value, why=np.where(np.isnan(value), 2, 0).astype(np.uint8))
    score = np.clip(np.round(truth + rng.normal(0, 0.5, items)), 1, 5)
    score[rng.random(items) < 0.05] = np.nan
    known = Items(
        names=tuple(f"item {i}" for i in range(items)),
        system=Factor(system, tuple("ABCD")),
        input=Factor(source, tuple(f"input {i}" for i in range(inputs))),
        thread=Factor(source // 10, tuple(f"thread {i}" for i in range(inputs // 10))),
        fields={"batch": Factor(source % 8, tuple(f"batch {i}" for i in range(8)))},
        judges=[Judge("judge", q.name, score) for q in questions],
    )
    table = Table(
        items=known,
        item=item,
        rater=Factor(rater, tuple(f"r{i}" for i in range(raters))),
        answers=answers,
        order=rng.permutation(len(item)),
        seconds=rng.gamma(4, 6, len(item)),
    )
    return table, questions


def whole() -> None:
    table, questions = million()
    print(f"the whole analysis of {len(table):,} ratings, three questions, one judge")
    start, busy = time.perf_counter(), time.process_time()
    results = analyse(table, questions, Options(groups=("system", "batch")), np.random.default_rng(1))
    took, worked = time.perf_counter() - start, time.process_time() - busy
    results.as_dict()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"  {took:.1f} s ({worked:.1f} s of processor), peak memory {peak:.2f} GB")
    print("  (aim for the whole report: 30 s, 2 GB)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=["alpha", "whole"])
    given = parser.parse_args()
    if given.only != "alpha":
        whole()
    if given.only != "whole":
        compare(10_000, 5, 0.2, given.quick)
        compare(1_000_000, 3, 0.0, given.quick)


if __name__ == "__main__":
    main()
