"""The rules a page mirrors: settled on the server, with nothing hidden in them."""

from __future__ import annotations

import json
from typing import Any

from rubrica.ratings.page import page_rules


def test_item_facts_are_settled_and_do_not_leave(quality: Any, misled: Any, plain: Any) -> None:
    for item, applies in [(misled, True), (plain, False)]:
        rules = page_rules(quality, item)
        assert rules["questions"]["resists"]["when"] is applies
        sent = json.dumps(rules)
        assert "action_type" not in sent
        assert "mislead" not in sent


def test_only_scores_that_rules_need_are_sent(quality: Any, misled: Any) -> None:
    rules = page_rules(quality, misled)
    assert rules["scores"] == {
        "parts": {
            "mean": [["answer.correctness.fraction", 40.0], ["answer.resists.fraction", 20.0]],
            "onto": [1.0, 5.0],
            "missing": "drop",
            "pass_at": None,
        },
        "distance": {"gap": ["answer.overall", "score.parts"]},
    }


def test_no_rule_no_scores(study_of: Any, plain: Any) -> None:
    scale = {"kind": "scale", "ask": "?", "levels": {0: "no", 1: "yes"}}
    study = study_of({"seen": scale}, {"all": {"mean": {"seen": 1}}})
    assert page_rules(study, plain)["scores"] == {}
