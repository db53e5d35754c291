"""Lines of samples with a block of answers, as `annotation_results.jsonl` has them.

Each line is an item as it was sampled, with `human_annotation` in it. Writing keeps every byte of the
line the item came from and replaces the value of that one field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rubrica.errors import Problem, Where, nearest, shown
from rubrica.exchange.contract import Asked, Filled, Format, Here, Wrote
from rubrica.exchange.files import folder, safe_name, whole_file
from rubrica.exchange.kept import Kept, one_rater, only_rater
from rubrica.exchange.lines import Line, begins_with, read_lines
from rubrica.exchange.rules import (
    BAD_SHAPE,
    HALF_FILLED,
    NOT_JSON_SOURCE,
    UNKNOWN_FIELD,
)
from rubrica.items.lookup import name_of
from rubrica.items.readers.lines import text_of
from rubrica.ratings.model import Answer, Rating
from rubrica.verdicts.model import HiddenItem

BLOCK = "human_annotation"
COMMENTS = "comments"
LEVELS = ("correctness", "reasoning_completeness", "overall_quality")
CHOICES = ("resists_misleading", "context_consistency")
FIELDS = (*LEVELS[:2], *CHOICES, LEVELS[2], COMMENTS)
"""In the order of the file."""
FILE = "annotation_results{rater}.jsonl"

_BLANK = re.compile(r"[ \t\r\n]*")
_parse = json.JSONDecoder().raw_decode


class M3Bench(Format):
    name = "m3bench"
    files = "`annotation_results.jsonl`"
    says = (
        "One line an item, as it was sampled; the answers stand in its `human_annotation`. A line is "
        "known by its `sample_id` and `timestamp`, several of the same by their order. Whatever does "
        "not apply or cannot be judged is `null`; a line whose levels are all `null` is not filled in, "
        "or, where `comments` say why, a skip. Writing changes no other byte of a line."
    )
    questions = frozenset(FIELDS)

    def recognises(self, path: Path) -> bool:
        return bool(begins_with(path, (".jsonl", ".ndjson"), BLOCK, "vlm_response"))

    def references(self, item: HiddenItem) -> Sequence[Hashable]:
        return _references(item.hidden)

    def read(self, here: Here, path: Path) -> Iterator[Filled | Problem | None]:
        for line in read_lines(path):
            yield from [line] if isinstance(line, Problem) else read_block(line)

    def write(self, here: Here, asked: Asked) -> Wrote:
        """One file of one rater; in a folder, one for each rater who has ratings."""
        if asked.to.suffix.lower() == ".jsonl":
            kept = Kept(here, self.name, only_rater(here, asked))
            _write(here, asked.to, kept)
            return kept.told
        told = Wrote(self.name)
        raters = one_rater(here, asked)
        for rater in raters:
            suffix = f"_{safe_name(str(rater.number))}" if len(raters) > 1 else ""
            kept = Kept(here, self.name, rater, told)
            _write(here, folder(asked.to) / FILE.format(rater=suffix), kept)
        return told


def _references(data: Mapping[str, Any]) -> Sequence[Hashable]:
    """Samples of one id and time are told apart by what was said in them."""
    sample, time = name_of(data.get("sample_id")), name_of(data.get("timestamp"))
    said = json.dumps([data.get("user_message"), data.get("vlm_response")]).encode()
    exact = (sample, time, blake2b(said, digest_size=16).digest())
    return (exact,) if sample is None else (exact, (sample, time))


# --- in -------------------------------------------------------------------------------------------


def read_block(line: Line) -> Iterator[Filled | Problem | None]:
    """What a line says: a rating, nothing yet, or what is wrong with it."""
    where, block = line.where, line.data.get(BLOCK)
    if block is None:
        yield None
        return
    if not isinstance(block, Mapping):
        details = {"what": BLOCK}
        yield Problem(BAD_SHAPE, _in(where), "an object", shown(block), details=details)
        return
    problems = list(_unknown(where, block))
    yield from problems
    if not problems:
        yield from _filled(line, block)


def _unknown(where: Where, block: Mapping[str, Any]) -> Iterator[Problem]:
    for name in block:
        if name not in FIELDS:
            near = nearest(name, FIELDS)
            yield Problem(UNKNOWN_FIELD, _in(where), ", ".join(FIELDS), shown(name), near)
    comments = block.get(COMMENTS)
    if comments is not None and not isinstance(comments, str):
        details = {"what": COMMENTS}
        yield Problem(BAD_SHAPE, _in(where, COMMENTS), "a text", shown(comments), details=details)


def _filled(line: Line, block: Mapping[str, Any]) -> Iterator[Filled | Problem | None]:
    comments = (block.get(COMMENTS) or "").strip() and block[COMMENTS]
    given = {name: block.get(name) for name in FIELDS[:-1]}
    known = _references(line.data)
    if all(value is None for value in given.values()):
        yield Filled(line.where, known, None, skip_reason=comments) if comments else None
        return
    missing = [name for name in LEVELS if given[name] is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        details = {"missing": f"{', '.join(missing)} {verb}"}
        yield Problem(HALF_FILLED, _in(line.where, missing[0]), details=details)
        return
    replies = {name: _reply(given[name]) for name in FIELDS[:-1]}
    yield Filled(line.where, known, replies | ({COMMENTS: _reply(comments)} if comments else {}))


def _reply(value: Any) -> dict[str, Any]:
    return {"cannot_judge": True} if value is None else {"value": value}


def _in(where: Where, name: str = "") -> Where:
    return Where(where.file, where.line, path=f"{BLOCK}.{name}" if name else BLOCK)


# --- out ------------------------------------------------------------------------------------------


def _write(here: Here, to: Path, kept: Kept) -> None:
    with whole_file(to) as file:
        for item in here.sources.verdicts.all_hidden(here.name, context=True):
            rating = kept.rating(item.id) if item.rated else None
            source = fill(item, rating) if item.rated or has_block(item) else item.source
            file.write(source + b"\n")
            kept.told.rows += 1
    kept.told.files.append(str(to))


def has_block(item: HiddenItem) -> bool:
    return BLOCK in item.hidden


def fill(item: HiddenItem, rating: Rating | None) -> bytes:
    """The item's line with this rating's block in it."""
    text = text_of(item.source)
    if not text.lstrip().startswith("{"):
        raise Problem(NOT_JSON_SOURCE, Where(item.file, item.line))
    block = json.dumps(block_of(rating), ensure_ascii=False)
    start, end = _span(text)
    if start < 0:
        block = f', "{BLOCK}": {block}' if end > text.index("{") + 1 else f'"{BLOCK}": {block}'
        start = end
    return (text[:start] + block + text[end:]).encode("utf-8", "surrogatepass")


def block_of(rating: Rating | None) -> dict[str, Any]:
    """A rating as the layout's block; null in everything where there is none."""
    answers = None if rating is None else rating.submission.answers
    reason = None if rating is None else rating.submission.skip_reason
    values = {name: _value((answers or {}).get(name)) for name in FIELDS}
    said = reason if answers is None else values[COMMENTS]
    return {**values, COMMENTS: said or ""}


def _value(answer: Answer | None) -> Any:
    return answer.value if answer is not None and answer.state == "answered" else None


def _span(text: str) -> tuple[int, int]:
    """Where the block's value stands, the last of several; without one, (-1, end of the members)."""
    found, end = None, text.index("{") + 1
    position = _skip(text, end)
    while text[position] != "}":
        key, stop = _parse(text, position)
        start = _skip(text, _skip(text, stop) + 1)
        _, end = _parse(text, start)
        found = (start, end) if key == BLOCK else found
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    return found or (-1, end)


def _skip(text: str, position: int) -> int:
    blank = _BLANK.match(text, position)
    return blank.end() if blank else position


FORMAT = M3Bench()
