"""A report as files in a folder, and figures as PDF where the extra is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path

from rubrica.errors import Problem, Rule
from rubrica.reports.book import Book
from rubrica.reports.compose import compose
from rubrica.reports.document import Document
from rubrica.reports.html import html
from rubrica.reports.language import Language
from rubrica.reports.latex import tables
from rubrica.reports.markdown import markdown
from rubrica.reports.records import report_json
from rubrica.reports.svg import MADE
from rubrica.review.results import Reviewed

FIGURES = "figures"

NO_PDF = Rule(
    code="R060",
    title="Figures as PDF need an extra",
    says="the figures were written as SVG only: PDF needs the extra `figures`",
    why="Journals ask for PDF; everything else of the report is complete without it.",
    mend='Install it with `pip install "rubrica[figures]"` and run the report again.',
    level="note",
)
NOT_A_FOLDER = Rule(
    code="R061",
    title="A report is written into a folder",
    says="the report cannot be written to {got}: {reason}",
    why="Nothing was written.",
    mend="Give `--out` a folder that is there and can be written to, or one that can be made.",
)


@dataclass(frozen=True)
class Made:
    """A report in every form it has, before it is written."""

    reviewed: Reviewed
    language: Language

    @cached_property
    def book(self) -> Book:
        return Book(self.reviewed, self.language)

    @cached_property
    def document(self) -> Document:
        return compose(self.book, () if _pdf_maker() else (self._no_pdf(),))

    def _no_pdf(self) -> str:
        return self.book.say(
            f"{self.book.sentence(Problem(NO_PDF))} {NO_PDF.mend}",
            '图只有 SVG 格式：PDF 需要 figures 组件，请运行 pip install "rubrica[figures]" 后重新生成报告。',
        )

    def texts(self) -> dict[str, str]:
        """Every file but the PDFs, by its name below the folder; the same results, the same bytes."""
        files = {
            "report.html": html(self.document, self.book.say),
            "report.md": markdown(self.document),
            "tables.tex": tables(self.book),
            "report.json": report_json(self.reviewed),
        }
        drawings = {f"{FIGURES}/{d.name}.svg": d.canvas.alone() for d in self.document.drawings}
        return {**files, **drawings}


@dataclass(frozen=True)
class Written:
    folder: Path
    files: Sequence[str]
    notes: Sequence[Problem]


def write_report(made: Made, folder: Path, told: Callable[[float], None] | None = None) -> Written:
    """The report's files; figures of an earlier report that this one no longer has are taken away."""
    texts, pdf = made.texts(), _pdf_maker()
    drawn = [name for name in texts if name.startswith(FIGURES)]
    printed = {_as_pdf(name): partial(pdf, texts[name]) for name in drawn} if pdf else {}
    files = [*texts, *printed]
    try:
        (folder / FIGURES).mkdir(parents=True, exist_ok=True)
        _clear(folder / FIGURES, {Path(name).name for name in files})
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        for number, (name, printing) in enumerate(printed.items()):
            (folder / name).write_bytes(printing())
            if told is not None:
                told((number + 1) / len(printed))
    except OSError as error:
        reason = error.strerror or str(error)
        raise Problem(NOT_A_FOLDER, got=str(folder), details={"reason": reason}) from error
    notes = [Problem(NO_PDF)] if drawn and pdf is None else []
    return Written(folder, files, notes)


def _as_pdf(name: str) -> str:
    return name.removesuffix(".svg") + ".pdf"


def _pdf_maker() -> Callable[[str], bytes] | None:
    if find_spec("vl_convert") is None:
        return None
    import vl_convert

    return vl_convert.svg_to_pdf


def _clear(folder: Path, kept: set[str]) -> None:
    """Only what a report wrote: an SVG with our mark, and the PDF beside it."""
    for old in sorted(folder.glob("*.svg")):
        if old.name not in kept and MADE in old.read_text(encoding="utf-8", errors="replace"):
            old.unlink()
            old.with_suffix(".pdf").unlink(missing_ok=True)
