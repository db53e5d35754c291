"""What several kinds share in checking answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rubrica.errors import Problem, Rule, Where, nearest, shown

NOT_A_LEVEL = Rule(
    code="A001",
    title="An answer is one of the values its question offers",
    says="{value} is not among the answers of this question",
    why="A value nobody was offered cannot be analysed with the others.",
    mend="Send one of the offered values, spelled exactly as declared.",
)
WRONG_TYPE = Rule(
    code="A002",
    title="An answer has the type its kind records",
    says="this answer has the wrong type",
    why="A number stored as text, or a list as a number, would silently drop out of every statistic.",
    mend="Send the type that is expected, without quotes around numbers.",
)
UNKNOWN_MEMBER = Rule(
    code="A003",
    title="A part of an answer has the members its kind records, and no others",
    says="this part of the answer has the wrong members",
    why="A member nobody reads would be lost although it was acknowledged.",
    mend="Send the members that are expected.",
)
WRONG_LENGTH = Rule(
    code="A004",
    title="A list has as many entries as its question asks for",
    says="this list has {length} entries",
    why="Too few or too many would not be the answer to what was asked.",
    mend="Send {expected}.",
)
OUT_OF_RANGE = Rule(
    code="A005",
    title="A number lies within its bounds",
    says="{value} is out of bounds",
    why="A number outside its bounds is a slip of the hand, or answers another question.",
    mend="Send a number that is {expected}.",
)
TOO_LONG = Rule(
    code="A030",
    title="A text keeps within the length its question allows",
    says="this text has {length} characters",
    why="A text that was cut in silence would no longer be what the rater wrote.",
    mend="Shorten it to at most {expected}.",
)
BLANK = Rule(
    code="A031",
    title="A text that is sent is not blank",
    says="this text holds nothing but blanks",
    why="A blank text says nothing, yet would count as answered.",
    mend="Write something, or leave it out where it is not required.",
)


def not_offered(value: Any, offered: Any) -> Problem:
    expected = "one of " + ", ".join(str(o) for o in offered)
    near = nearest(value, offered) if isinstance(value, str) else None
    return Problem(
        NOT_A_LEVEL,
        expected=expected,
        got=shown(value),
        nearest=near,
        details={"value": shown(value)},
    )


def wrong_type(expected: str, value: Any) -> Problem:
    return Problem(WRONG_TYPE, expected=expected, got=shown(value))


def whole_number(value: Any) -> int | None:
    """The whole number a JSON number stands for, if it does: 3 and 3.0 are the same number there."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if isinstance(value, int) or value.is_integer() else None


def bad_key(value: Any, offered: Any, what: str) -> Iterator[Problem]:
    if not isinstance(value, str):
        yield wrong_type(what, value)
    elif value not in offered:
        yield not_offered(value, offered)


def bad_text(value: Any, longest: int) -> Iterator[Problem]:
    if not isinstance(value, str):
        yield wrong_type("a text", value)
    elif not value.strip():
        yield Problem(BLANK)
    elif len(value) > longest:
        expected = f"{longest} characters"
        yield Problem(TOO_LONG, expected=expected, details={"length": len(value)})


def bad_whole(value: Any, low: int, high: int) -> Iterator[Problem]:
    number = whole_number(value)
    if number is None:
        yield wrong_type("a whole number", value)
    elif not low <= number <= high:
        yield out_of_range(value, low, high)


def out_of_range(value: Any, low: float | None, high: float | None) -> Problem:
    bounds = [f"{low:g} or more"] if low is not None else []
    bounds += [f"{high:g} or less"] if high is not None else []
    expected = " and ".join(bounds) or "finite"
    return Problem(OUT_OF_RANGE, expected=expected, got=shown(value), details={"value": shown(value)})


def bad_length(value: Sequence[Any], low: int, high: int, what: str) -> Iterator[Problem]:
    if not low <= len(value) <= high:
        expected = f"{low if low == high else f'{low} to {high}'} {what}"
        yield Problem(WRONG_LENGTH, expected=expected, details={"length": len(value)})


def bad_members(value: Any, required: Sequence[str], optional: Sequence[str] = ()) -> Iterator[Problem]:
    if not isinstance(value, Mapping):
        yield wrong_type("an object", value)
        return
    wrong = [m for m in required if m not in value]
    wrong += [m for m in value if m not in required and m not in optional]
    if wrong:
        expected = ", ".join([*required, *(f"{m} (if any)" for m in optional)])
        got = ", ".join(str(m) for m in value) or "nothing"
        yield Problem(UNKNOWN_MEMBER, expected=expected, got=got)


def inside(problems: Iterator[Problem], path: str) -> Iterator[Problem]:
    """The same problems, placed at a part of the answer."""
    for problem in problems:
        yield problem.at(Where(path=path + problem.where.path))
