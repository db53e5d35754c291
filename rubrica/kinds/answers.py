"""Problems of answers that several kinds share."""

from __future__ import annotations

from typing import Any

from rubrica.errors import Problem, Rule, nearest, shown

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
