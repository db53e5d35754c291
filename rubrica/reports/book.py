"""What every section of the report is written from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from rubrica.analysis.results import JudgeStatistic, Results
from rubrica.analysis.table import Question
from rubrica.errors import Problem
from rubrica.reports import chinese
from rubrica.reports.language import Language, Say
from rubrica.reports.naming import Names
from rubrica.review.coding import ENTRIES, SCORE
from rubrica.review.gather import Gathered
from rubrica.review.results import Reviewed

TOLD_ELSEWHERE = frozenset({"R020", "R041", "R019"})
"""Notes that hold for every number of a section: said once there, not on each line."""


class Book:
    def __init__(self, reviewed: Reviewed, language: Language) -> None:
        self.reviewed = reviewed
        self.gathered: Gathered = reviewed.gathered
        self.results: Results = reviewed.results
        self.say = Say(language)
        self.names = Names(reviewed.gathered, self.say)

    @property
    def questions(self) -> Mapping[str, Question]:
        return self.names.questions

    @cached_property
    def headline(self) -> list[str]:
        """Questions with levels, and scores: what a reader wants first. Counts of evidence follow."""
        plain = [q for q in self.questions if not q.endswith(ENTRIES)]
        first = [q for q in plain if self.questions[q].levels is not None and not q.startswith(SCORE)]
        scores = [q for q in plain if q.startswith(SCORE)]
        rest = [q for q in plain if q not in first and q not in scores]
        lists = [q for q in self.questions if q.endswith(ENTRIES)]
        return [*first, *lists, *scores, *rest]

    def note(self, problem: Problem | None) -> str:
        if problem is None:
            return ""
        details = dict(problem.details)
        if "question" in details:
            details["question"] = self.names.question(details["question"])
        if "says" in details:
            details["says"] = self.names.said(details["says"])
        problem = replace(problem, details=details)
        return chinese.note(problem) if self.say.language == "zh" else problem.message

    def sentence(self, problem: Problem) -> str:
        """A note that stands by itself."""
        text = self.note(problem)
        end = "" if text[-1:] in ".。!?" else self.say(".", "。")
        return f"{text[:1].upper()}{text[1:]}{end}"

    def reason(self, text: str) -> str:
        return chinese.reason(text) if self.say.language == "zh" else text

    def tally(self) -> str:
        """What came in, in the words of the desk and of the command line."""
        say, gathered = self.say, self.gathered
        ratings = self.results.asked["ratings"] - gathered.skips - gathered.revisions
        counts = [
            say.counted(ratings, "rating", "份评分"),
            say.counted(gathered.skips, "skip", "次跳过"),
        ]
        return say.listed([*counts, say.counted(gathered.revisions, "revision", "次修改")])

    def cautions(self) -> Iterator[str]:
        """Numbers that nobody gave may be looked at for their form alone."""
        say, robots = self.say, self.gathered.robots
        if robots and robots >= self.results.asked["raters"]:
            yield say(
                "These ratings were made by robots (rubrica simulate). They show what the report will "
                "look like; nothing here says anything about the systems or the judges.",
                "这些评分由机器人生成（rubrica simulate），只用来预览报告的样子，不说明任何系统或评委的好坏。",
            )
        elif robots:
            many = say.counted(robots, "rater", "位评分员")
            yield say(
                f"Among the raters are robots (rubrica simulate: {many}): no number here may be published.",
                f"评分员中有机器人（rubrica simulate：{many}），其中的数字不得发表。",
            )

    def judges(self) -> Iterator[tuple[str, list[JudgeStatistic]]]:
        """Every judge's records on all items, by judge and question."""
        whole = [r for r in self.results.judges if r.group is None]
        for judge in dict.fromkeys(r.judge for r in whole):
            yield judge, [r for r in whole if r.judge == judge]


class Notes:
    """Remarks below a table, each once, with the letter that stands in the cells."""

    MARKS = "abcdefghijklmnopqrstuvwxyz"

    def __init__(self) -> None:
        self._texts: list[str] = []

    def mark(self, text: str) -> str:
        if not text:
            return ""
        if text not in self._texts:
            self._texts.append(text)
        again, place = divmod(self._texts.index(text), len(self.MARKS))
        return f"({self.MARKS[place]}{again or ''})"

    @property
    def lines(self) -> Sequence[str]:
        return [f"{self.mark(text)}  {text}" for text in self._texts]


def slug(text: str) -> str:
    """A name for a file: letters, digits and dashes."""
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in text.lower())
    return "-".join(part for part in kept.split("-") if part) or "x"
