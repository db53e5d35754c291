"""Whatever stands in a study's folder: problems or a study, never anything else."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubrica.errors import Problem
from rubrica.kinds.registry import kinds
from rubrica.study.load import Examined, examine, study_from
from rubrica.study.source import parse_yaml

VALID: dict[str, Any] = {
    "rubrica": 1,
    "title": {"en": "Answers", "zh": "回答"},
    "languages": ["en", "zh"],
    "consent": {"text": "You may stop at any time."},
    "guidelines": {"en": "guide.md"},
    "practice": {"from": ["practice.yaml"], "within": 1},
    "items": {
        "from": "a.jsonl",
        "key": ["id", "turn"],
        "thread": {"by": "run", "kind": "sequence", "order": "time", "restarts": "turn"},
        "only": {"not": {"item.action": ["filler", "x"]}},
        "join": [{"from": "b.jsonl", "as": "sample", "on": "id"}],
        "system": "model",
        "show": [
            {"chat": "turns", "labels": ["Driver", "Assistant"], "images": "pictures"},
            {"text": "answer", "marks": {"empty": "Empty.", "equals": {"[error]": "An error."}}},
            {
                "values": {
                    "Task": "task",
                    "Action": {"path": "action", "label": {"en": "A", "zh": "动"}},
                }
            },
            {"sequence": {"pattern": "{id}_{i}.jpg", "count": "texts", "more": 1}, "between": "texts"},
            {"note_by": "action", "texts": {"mislead": "Misleading."}, "otherwise": "Other."},
        ],
        "verdict": {
            "good": "judge.good",
            "bleu": {"path": "avg(bleu)", "missing": [-1], "scale": [0, 1]},
        },
        "gold": {"when": {"item.known": True}, "answers": {"good": "key"}},
    },
    "questions": {
        "good": {
            "kind": "scale",
            "ask": {"en": "How good?", "zh": "有多好？"},
            "levels": {"0": "Poor", "1": {"label": "Fair", "means": "Half of it holds."}, "2": "Good"},
            "implied": {"count": "marks", "levels": {"0": 2, "1": 1, "more": 0}},
            "second_look": {"when": {"score.gap": {"more_than": 1.5}}, "says": "Look again."},
            "cannot_judge": ["The image is missing."],
            "rubric": {"about": "All of it.", "examples": [{"text": "So.", "answer": 1}]},
        },
        **{name: parse_yaml(kind.example.encode(), name).data for name, kind in kinds().items()},
        "marks": {"kind": "failures", "ask": "What failed?", "types": {"a": "A", "b": "B"}},
        "why": {
            "kind": "text",
            "ask": "Why?",
            "when": {"any": [{"answer.good": [0, 1]}, {"item.a": 1}]},
        },
    },
    "score": {
        "overall": {"mean": {"good": 0.4, "scale": 0.6}, "onto": [1, 5], "pass_at": 3},
        "gap": {"gap": ["overall", "good"]},
    },
    "checklist": [{"says": "All is filled.", "breaks": {"answer.why.state": "left_out"}}],
    "raters": {"per_item": 3, "repeats": {"share": 0.1}, "join": "ids", "ids": ["r1", 2]},
    "report": {"reference_system": "base", "groups": ["task"]},
}


def look(
    raw: bytes, practice: bytes = b"- {item: {}, answers: {good: 1}}", guide: bytes = b"Read."
) -> Examined:
    with TemporaryDirectory() as folder:
        Path(folder, "study.yaml").write_bytes(raw)
        Path(folder, "practice.yaml").write_bytes(practice)
        Path(folder, "guide.md").write_bytes(guide)
        return examined(folder)


def examined(folder: str) -> Examined:
    """What the look gave, after all of it has been told and kept once."""
    found = examine(folder)
    for problem in found.problems:
        assert isinstance(problem, Problem)
        assert str(problem)
        assert json.dumps(problem.as_json())
    if found.loaded is not None:
        declared = json.loads(json.dumps(found.loaded.version.declared))
        assert study_from(declared) == found.loaded.study
    else:
        assert any(p.level == "error" for p in found.problems)
    return found


yamlish = st.text(
    st.sampled_from([*"abkind scale:ask{}[],&*!|>-?'\"#%@`~<0123.\n\t é回\x00\ud800"]),
    max_size=200,
)  # fmt: skip
odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
    | st.sampled_from(["item.a", "answer.good", "score.gap", "good", "scale", "en", "a[", "keys(a)"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["kind", "ask", "when", "any", "not", "text", "en", "levels", "0", "item.a"])
        | st.text(max_size=6),
        inner,
        max_size=3,
    ),
    max_leaves=8,
)  # fmt: skip


def ways(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    pairs = (
        data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    )
    return [way, *(w for key, value in pairs for w in ways(value, (*way, key)))]


WAYS = ways(VALID)[1:]


def changed(data: Any, way: tuple[Any, ...], value: Any, how: str) -> Any:
    data = copy.deepcopy(data)
    holder = data
    for step in way[:-1]:
        holder = holder[step] if isinstance(holder, dict | list) and _has(holder, step) else None
    if not isinstance(holder, dict | list) or not _has(holder, way[-1]):
        return data
    if how == "cut":
        del holder[way[-1]]
    elif how == "rename" and isinstance(holder, dict):
        holder[str(value)[:20]] = holder.pop(way[-1])
    else:
        holder[way[-1]] = value
    return data


def _has(holder: Any, step: Any) -> bool:
    return step in holder if isinstance(holder, dict) else isinstance(step, int) and step < len(holder)


def written(data: Any) -> bytes:
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False).encode("utf-8", "surrogatepass")


EXAMPLES = 5000 if os.environ.get("RUBRICA_SOAK") else 40
quick = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_the_study_all_others_are_made_of_is_valid() -> None:
    found = look(written(VALID))
    assert [p for p in found.problems if p.level == "error"] == []


@quick
@given(st.binary(max_size=200))
def test_any_bytes(raw: bytes) -> None:
    look(raw)


@quick
@given(yamlish)
def test_anything_like_yaml(text: str) -> None:
    look(text.encode("utf-8", "surrogatepass"))


@quick
@given(
    st.lists(
        st.tuples(st.sampled_from(WAYS), odd, st.sampled_from(["cut", "rename", "put"])), max_size=4
    )
)
def test_any_change_of_a_valid_study(changes: list[tuple[tuple[Any, ...], Any, str]]) -> None:
    data = VALID
    for way, value, how in changes:
        data = changed(data, way, value, how)
    look(written(data))


@quick
@given(st.data())
def test_any_damage_to_a_valid_file(data: st.DataObject) -> None:
    raw = written(VALID)
    at = data.draw(st.integers(0, len(raw)))
    length = data.draw(st.integers(0, 30))
    look(raw[:at] + data.draw(st.binary(max_size=6)) + raw[at + length :])


@quick
@given(
    st.binary(max_size=80) | yamlish.map(lambda t: t.encode("utf-8", "surrogatepass")),
    st.binary(max_size=40),
)
def test_any_practice_and_guidelines(practice: bytes, guide: bytes) -> None:
    look(written(VALID), practice, guide)


@quick
@given(odd)
def test_any_practice_of_any_shape(value: Any) -> None:
    look(written(VALID), written([{"item": {"a": value}, "answers": {"good": value, "each": value}}]))
