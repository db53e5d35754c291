"""A small study of extremes, to see pages under strain: long words and lists, empty and huge texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PARAGRAPH = (
    "The lighthouse at the end of the pier was built in three summers. Its keeper wrote down the "
    "weather every evening, and every evening somebody read it. "
)
LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
ZH = "灯塔位于防波堤的尽头，用了三个夏天才建成。守塔人每天傍晚记下天气，每天傍晚也都有人来读。"

Line = dict[str, Any]
CODE = "x = 1; " * 40
LINES: list[Line] = [
    {
        "id": "long",
        "title": f"A title with {LONG_WORD} in it",
        "said": PARAGRAPH * 6 + ZH * 6,
        "answer": f"# A heading\n\n{PARAGRAPH * 3}\n\n1. one\n2. two\n\n| a | b | c | d | e | f |\n"
        f"|---|---|---|---|---|---|\n| {' | '.join([LONG_WORD[:30]] * 6)} |\n\n"
        f"```\n{CODE}\n```\n\n"
        f"> {PARAGRAPH}\n\nhttps://example.org/{'a' * 200}\n\n<img src=x onerror=alert(1)>\n",
        "rows": [[1, "short", PARAGRAPH], [2, LONG_WORD, ZH]],
        "more": {"folded": [PARAGRAPH] * 3, "number": 1},
    },
    {"id": "empty", "title": "", "said": "", "answer": "", "rows": [], "more": None},
    {
        "id": "rtl",
        "title": "שלום",
        "said": "مرحبا بالعالم. " * 12,
        "answer": "נר " * 40,
        "rows": [["א", "ב"]],
    },
    {"id": "huge", "title": "A megabyte", "said": "Short.", "answer": PARAGRAPH * 8_000, "rows": []},
]


def odd_study(folder: Path, practice: bool = True) -> Path:
    folder.mkdir(parents=True)
    both = {"en": PARAGRAPH, "zh": ZH}
    levels = {n: {"label": {"en": f"Level {n}", "zh": f"等级 {n}"}, "means": both} for n in range(11)}
    declared: Line = {
        "rubrica": 1,
        "title": {
            "en": f"A study with a very long title that will not fit into any header, {LONG_WORD}",
            "zh": "标题很长、任何页眉都放不下的研究" * 3,
        },
        "about": both,
        "minutes": 45,
        "contact": {
            "en": "the study office, office@example.org",
            "zh": "研究办公室，office@example.org",
        },
        "languages": ["en", "zh"],
        "items": {
            "from": "items.jsonl",
            "key": "id",
            "show": [
                {
                    "values": {
                        "Title": "title",
                        "Nothing": "nothing || `null`",
                        "Number": "more.number || `0`",
                    }
                },
                {"text": "said", "label": {"en": "What was said", "zh": "原话"}},
                {"markdown": "answer", "label": {"en": "Answer", "zh": "回答"}},
                {"table": "rows", "label": {"en": "Rows", "zh": "表格"}},
                {"json": "more || `null`", "label": {"en": "Everything else", "zh": "其他"}},
            ],
        },
        "questions": {
            "eleven": {
                "kind": "scale",
                "ask": both,
                "levels": levels,
                "note": both,
                "cannot_judge": True,
            },
            "long": {
                "kind": "choice",
                "ask": {"en": "Options of a paragraph each?", "zh": "选项很长怎么办？"},
                "options": {n: {"label": both} for n in range(3)},
            },
            "which": {
                "kind": "many",
                "ask": {"en": "Which of these?", "zh": "哪些？"},
                "options": {
                    f"o{n}": {"label": {"en": f"Option {n}", "zh": f"选项{n}"}} for n in range(12)
                },
                "none": {"en": "None of them", "zh": "都没有"},
            },
            "count": {
                "kind": "number",
                "ask": {"en": "How many?", "zh": "多少个？"},
                "at_least": 0,
                "at_most": 400,
                "unit": {"en": "pieces", "zh": "件"},
            },
            "why": {"kind": "text", "ask": {"en": "Why?", "zh": "为什么？"}, "required": False},
        },
        "breaks": {"every_items": 1},
    }
    if practice:
        declared["consent"] = {
            "text": {"en": (PARAGRAPH * 4 + "\n\n") * 3, "zh": (ZH * 4 + "\n\n") * 3}
        }
        declared["practice"] = {"from": "practice.yaml", "pass_at": 1, "retries": 0}
    examples = [
        {
            "item": {**LINES[0], "id": "p"},
            "answers": {"eleven": 9, "long": "1", "which": ["o1"], "count": 3},
            "why": {"eleven": both, "which": both},
        }
    ]
    (folder / "study.yaml").write_text(json.dumps(declared, ensure_ascii=False), encoding="utf-8")
    (folder / "practice.yaml").write_text(json.dumps(examples, ensure_ascii=False), encoding="utf-8")
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in LINES)
    (folder / "items.jsonl").write_text(lines, encoding="utf-8")
    return folder
