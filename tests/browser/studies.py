"""Small studies in the shape of the three bundled ones, made anew for every test run."""

from __future__ import annotations

import json
import re
import struct
import zlib
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import rubrica


def both(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


def write_study(folder: Path, declared: dict[str, Any], lines: list[dict[str, Any]]) -> Path:
    """JSON is YAML, so a study file can be dumped as such."""
    folder.mkdir(parents=True, exist_ok=True)
    common = {
        "rubrica": 1,
        "languages": ["en", "zh"],
        "contact": both("the study office", "研究办公室"),
        "guidelines": {"en": "guide.en.md", "zh": "guide.zh.md"},
    }
    (folder / "guide.en.md").write_text(
        "# How to rate\n\nRead it all.\n\n## Levels\n\nUse the whole scale.\n"
    )
    (folder / "guide.zh.md").write_text("# 如何评分\n\n请先通读全文。\n\n## 等级\n\n请使用全部等级。\n")
    (folder / "study.yaml").write_text(json.dumps({**common, **declared}, ensure_ascii=False))
    items = [json.dumps(line, ensure_ascii=False) for line in lines]
    (folder / "items.jsonl").write_text("\n".join(items) + "\n")
    return folder


def scale(en: str, zh: str, low: int = 1, high: int = 5, **more: Any) -> dict[str, Any]:
    levels = {
        n: {"label": both(f"Level {n}", f"等级 {n}"), "means": both(f"means {n}", f"含义 {n}")}
        for n in range(low, high + 1)
    }
    return {"kind": "scale", "ask": both(en, zh), "levels": levels, **more}


def png(path: Path, size: int = 64, colour: tuple[int, int, int] = (90, 140, 190)) -> None:
    """A plain picture, made without any library."""
    row = b"\0" + bytes(colour) * size

    def chunk(name: bytes, data: bytes) -> bytes:
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(row * size, 9))
        + chunk(b"IEND", b"")
    )


def answers_study(folder: Path, count: int = 3, **more: Any) -> Path:
    """One answer an item: a scale, a choice, a text."""
    declared = {
        "title": both("Short answers", "简短回答"),
        "items": {
            "from": "items.jsonl",
            "key": "id",
            "show": [
                {"text": "question", "label": both("Question", "问题")},
                {"markdown": "answer", "label": both("Answer", "回答")},
            ],
        },
        "questions": {
            "quality": scale("How good is it?", "有多好？"),
            "polite": {
                "kind": "choice",
                "ask": both("Is it polite?", "有礼貌吗？"),
                "options": {"Yes": both("Yes", "是"), "No": both("No", "否")},
                "cannot_judge": True,
            },
            "comment": {"kind": "text", "ask": both("Anything else?", "还有吗？"), "required": False},
        },
        **more,
    }
    lines = [
        {"id": f"k{n}", "question": f"Question {n}?", "answer": f"Answer **{n}**."}
        for n in range(count)
    ]
    return write_study(folder, declared, lines)


def exam_study(folder: Path) -> Path:
    """Consent, and practice that has to be passed, in one try more."""
    consent = {"text": both("Your answers are published.", "您的回答将会发表。")}
    practice = {"from": "practice.yaml", "pass_at": 1, "retries": 1}
    made = answers_study(folder, 2, practice=practice, consent=consent)
    example = {
        "item": {"id": "p", "question": "Sure?", "answer": "Yes."},
        "answers": {"quality": 5, "polite": "Yes"},
    }
    (made / "practice.yaml").write_text(json.dumps([example]))
    return made


def dialogues_study(folder: Path) -> Path:
    """Turns of runs, with conditions, a second look and worked examples."""
    misleading = {"item.action": ["mislead"]}
    declared = {
        "title": both("Dialogues", "对话"),
        "items": {
            "from": "items.jsonl",
            "key": "id",
            "thread": {"by": "run", "kind": "sequence", "order": "turn"},
            "show": [
                {"values": {"Action": {"path": "action", "label": both("Action", "动作")}}},
                {"text": "said", "label": both("User", "用户")},
                {"markdown": "answer", "label": both("Model", "模型")},
            ],
        },
        "practice": {"from": "practice.yaml"},
        "questions": {
            "correct": scale("How correct?", "有多正确？"),
            "resists": {
                "kind": "choice",
                "ask": both("Does it resist?", "是否抵抗误导？"),
                "options": {
                    "Yes": {"label": both("Yes", "是"), "worth": 1},
                    "No": {"label": both("No", "否"), "worth": 0},
                },
                "cannot_judge": True,
                "when": misleading,
            },
            "overall": scale(
                "How good overall?",
                "总体如何？",
                second_look={
                    "when": {"score.distance": {"more_than": 1.5}},
                    "says": both("This is far from its parts.", "与各项相差较大。"),
                },
            ),
        },
        "score": {
            "parts": {"mean": {"correct": 1}, "onto": [1, 5]},
            "distance": {"gap": ["overall", "parts"]},
        },
    }
    lines = [
        {
            "id": f"d{n}",
            "run": f"r{n // 2}",
            "turn": n % 2,
            "action": "mislead" if n % 2 else "guide",
            "said": f"Said {n}",
            "answer": f"Answer {n}",
        }
        for n in range(4)
    ]
    practice = [
        {
            "item": {"id": "p", "action": "mislead", "said": "Sure?", "answer": "Yes."},
            "answers": {"correct": 4, "resists": "Yes", "overall": 4},
            "why": {"correct": both("Because it holds.", "因为成立。")},
        }
    ]
    made = write_study(folder, declared, lines)
    (folder / "practice.yaml").write_text(json.dumps(practice, ensure_ascii=False))
    return made


def pictures_study(folder: Path) -> Path:
    """Sequences of pictures with texts between them, in numbered places."""
    declared = {
        "title": both("What changed", "变化描述"),
        "items": {
            "from": "items.jsonl",
            "key": "id",
            "show": [
                {
                    "sequence": {"pattern": "images/{id}_{i}.png", "count": "texts", "more": 1},
                    "between": "texts",
                    "label": both("Pictures", "图片"),
                }
            ],
        },
        "raters": {"places": 9},
        "questions": {
            "fluent": scale("Is it fluent?", "流畅吗？"),
            "related": scale("Is it related?", "相关吗？"),
        },
    }
    lines = [{"id": f"s{n}", "texts": [f"step {n}.{i}" for i in range(3)]} for n in range(3)]
    for n in range(3):
        for i in range(4):
            png(folder / "images" / f"s{n}_{i}.png", 64, (60 * n + 40, 50 * i + 40, 120))
    return write_study(folder, declared, lines)


def talks_study(folder: Path) -> Path:
    """Whole conversations: evidence, implied levels, a list of places, goals one by one."""
    declared = {
        "title": both("Conversations", "整段对话"),
        "items": {
            "from": "items.jsonl",
            "key": "id",
            "batch": "part",
            "show": [
                {"chat": "turns", "labels": [both("Driver", "驾驶员"), both("Assistant", "助手")]}
            ],
        },
        "breaks": {"after_batch": True},
        "questions": {
            "failures": {
                "kind": "failures",
                "ask": both("What failed?", "哪里失误？"),
                "over": "turns",
                "severities": {"critical": both("Critical", "严重"), "minor": both("Minor", "轻微")},
                "types": {
                    "omission": {"label": both("Omission", "遗漏"), "severity": "minor"},
                    "refusal": {"label": both("Refusal", "拒绝"), "severity": ["critical", "minor"]},
                },
            },
            "adherence": scale(
                "Did it do what it was told?",
                "是否照做？",
                0,
                2,
                implied={"count": "failures", "levels": {0: 2, 1: 1, "more": 0}},
            ),
            "stops": {
                "kind": "places",
                "ask": both("Which places?", "哪些地点？"),
                "marks": {
                    "asked": both("Asked", "要去"),
                    "dropped": {"label": both("Dropped", "放弃"), "counts": False},
                },
            },
            "goals": {
                "kind": "each",
                "ask": both("Was each goal reached?", "每个目标都达成了吗？"),
                "over": {"path": "goals", "label": "goal", "turn": "turn"},
                "answer": {"kind": "scale", "levels": {0: both("No", "否"), 1: both("Yes", "是")}},
                "dropped": True,
            },
        },
    }
    lines = [
        {
            "id": f"c{n}",
            "part": f"part{n // 2}",
            "turns": [{"user": f"Go to place {t}", "assistant": f"Going to {t}."} for t in range(3)],
            "goals": [{"goal": f"Reach place {g}", "turn": g} for g in range(2)],
        }
        for n in range(3)
    ]
    return write_study(folder, declared, lines)


BUNDLED = Path(rubrica.__file__).parent / "studies"


def shortened(folder: Path, name: str, items: int = 3, examples: int = 1) -> Path:
    """A bundled study with its first items and practice examples, and room for any number of raters."""
    made = folder / name
    copytree(BUNDLED / name, made, ignore=ignore_patterns("make", "__pycache__"))
    practice = made / "practice.yaml"
    head, *listed = re.split(r"(?m)^(?=- )", practice.read_text(encoding="utf-8"))
    practice.write_text("".join([head, *listed[:examples]]), encoding="utf-8")
    if name == "incar":  # a conversation a file, a folder a batch
        first = [min(batch.glob("*.json")) for batch in sorted(made.glob("logs/*"))][:items]
        for log in made.glob("logs/*/*.json"):
            if log not in first:
                log.unlink()
        return made
    lists = sorted([*made.glob("results/*.jsonl"), *made.glob("*samples.jsonl")])
    for number, path in enumerate(lists):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(lines[: items if number == 0 else 0]), encoding="utf-8")
    declared = (made / "study.yaml").read_text(encoding="utf-8")
    (made / "study.yaml").write_text(declared.replace("places: 2", "places: 20"), encoding="utf-8")
    return made
