"""Two languages side by side, and numbers as people read them."""

from __future__ import annotations

from typing import Literal

Language = Literal["en", "zh"]
NONE = "–"


class Say:
    """Texts stand in the code in both languages, next to each other, so that none is forgotten."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language

    def __call__(self, en: str, zh: str) -> str:
        return zh if self.language == "zh" else en

    @property
    def colon(self) -> str:
        return self(": ", "：")

    def listed(self, parts: list[str]) -> str:
        """`a, b and c`."""
        if self.language == "zh":
            return "、".join(parts)
        return ", ".join(parts[:-1]) + f" and {parts[-1]}" if len(parts) > 1 else "".join(parts)

    def counted(self, number: int, en: str, zh: str, many: str | None = None) -> str:
        """`1 item`, `1,204 items`; in Chinese the measure word is part of the noun."""
        if self.language == "zh":
            return f"{number:,} {zh}"
        return f"{number:,} {en if number == 1 else many or en + 's'}"


def number(value: float | None, digits: int = 2) -> str:
    """A number with a fixed number of digits and a real minus sign."""
    if value is None:
        return NONE
    text = f"{value:,.{digits}f}"
    if text.startswith("-") and not text.strip("-0.,"):
        text = text[1:]
    return text.replace("-", "−")


def signed(value: float | None, digits: int = 2) -> str:
    text = number(value, digits)
    plus = value is not None and not text.startswith("−") and text.strip("0.,") != ""
    return f"+{text}" if plus else text


def interval(low: float | None, high: float | None, digits: int = 2) -> str:
    if low is None or high is None:
        return ""
    return f"[{number(low, digits)}, {number(high, digits)}]"


def estimate(value: float | None, low: float | None, high: float | None, digits: int = 2) -> str:
    """`0.62 [0.51, 0.70]`."""
    return f"{number(value, digits)} {interval(low, high, digits)}".rstrip()


def p_value(p: float | None) -> str:
    if p is None:
        return NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def percent(share: float | None, digits: int = 0) -> str:
    return NONE if share is None else f"{share:.{digits}%}"
