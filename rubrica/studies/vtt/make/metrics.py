"""Stand-ins for the automatic metrics of the real result files, one number per text.

BLEU, ROUGE-L and CIDEr follow their definitions; METEOR, SPICE and BERTScore are simple relatives
that need no model. They are there so that the demo has plausible numbers, not to be reported.
"""

from __future__ import annotations

from collections import Counter
from math import exp, log

Words = list[str]


def words(text: str) -> Words:
    return text.replace(",", " ").split()


STOP = frozenset(words("a an the in on into to with of it is and some"))


def grams(text: Words, size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[i : i + size]) for i in range(len(text) - size + 1))


def bleu4(said: Words, meant: Words) -> float:
    logs = 0.0
    for size in (1, 2, 3, 4):
        own, other = grams(said, size), grams(meant, size)
        hits, total = sum((own & other).values()), sum(own.values())
        logs += log((hits + 0.1) / (total + 0.1) if total else 0.1) / 4
    return min(1.0, exp(1 - len(meant) / max(1, len(said)))) * exp(logs)


def rouge_l(said: Words, meant: Words) -> float:
    row = [0] * (len(meant) + 1)
    for word in said:
        before = row[:]
        for place, other in enumerate(meant):
            row[place + 1] = before[place] + 1 if word == other else max(row[place], before[place + 1])
    return _f_score(row[-1], len(said), len(meant), 1.2)


def _f_score(hits: int, said: int, meant: int, beta: float) -> float:
    if not hits:
        return 0.0
    precision, recall = hits / said, hits / meant
    return (1 + beta**2) * precision * recall / (recall + beta**2 * precision)


def meteor(said: Words, meant: Words) -> float:
    hits = sum((Counter(said) & Counter(meant)).values())
    runs = sum((grams(said, 2) & grams(meant, 2)).values())
    penalty = 0.5 * (1 - runs / max(1, hits - 1)) if hits > 1 else 0.25
    return _f_score(hits, len(said), len(meant), 3) * (1 - penalty)


def cider(said: Words, meant: Words, seen: Counter[tuple[str, ...]], texts: int) -> float:
    total = 0.0
    for size in (1, 2, 3, 4):
        one, other = (
            {g: n * log((texts + 1) / (seen[g] + 1)) for g, n in grams(text, size).items()}
            for text in (said, meant)
        )
        norm = (sum(v * v for v in one.values()) * sum(v * v for v in other.values())) ** 0.5
        total += sum(v * other.get(g, 0.0) for g, v in one.items()) / norm if norm else 0.0
    return 10 * total / 4


def spice(said: Words, meant: Words) -> float:
    one, other = set(said) - STOP, set(meant) - STOP
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def bert_score(said: Words, meant: Words) -> float:
    one, other = (grams(list(" ".join(text)), 3) for text in (said, meant))
    shared = sum((one & other).values())
    return 2 * shared / max(1, sum(one.values()) + sum(other.values())) * 1.1 - 0.1


def of_texts(
    preds: tuple[str, ...], labels: tuple[str, ...], corpus: list[str]
) -> dict[str, list[float]]:
    """Every metric for each text that has a reference."""
    seen = Counter(g for text in corpus for size in (1, 2, 3, 4) for g in grams(words(text), size))
    pairs = [(words(said), words(meant)) for said, meant in zip(preds, labels, strict=False)]
    rows = {
        "BLEU_4": [bleu4(*pair) for pair in pairs],
        "ROUGE": [rouge_l(*pair) for pair in pairs],
        "METEOR": [meteor(*pair) for pair in pairs],
        "CIDEr": [cider(*pair, seen, len(corpus)) for pair in pairs],
        "SPICE": [spice(*pair) for pair in pairs],
        "BERTScore": [bert_score(*pair) for pair in pairs],
    }
    return {name: [round(value, 6) for value in values] for name, values in rows.items()}
