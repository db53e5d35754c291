"""M10: each line of the closing checklist is computed and names the ratings that break it."""

from __future__ import annotations

from typing import Any

from rating_studies import QUALITY, SCORE, make_item, make_rating, make_study

from rubrica.ratings.accept import accept
from rubrica.ratings.checklist import checklist

LINES: list[dict[str, Any]] = [
    {
        "says": "Overall is in line with its parts.",
        "breaks": {"all": [{"score.distance": {"more_than": 1.5}}, {"not": {"answer.resists": "Yes"}}]},
    },
    {
        "says": {"en": "Edge cases carry a comment.", "zh": "特殊情况都写了备注。"},
        "breaks": {"answer.overall": [1, 2, 5], "answer.comments": {"answered": False}},
    },
    {
        "says": "Cannot judge is used for cut-off answers only.",
        "breaks": {"answer.resists.state": "cannot_judge", "item.cut_off": {"is_not": True}},
    },
    {"says": "Long texts are rated too.", "breaks": {"item.length": {"more_than": 9000}}},
]


def test_m10_each_line_names_the_ratings_that_break_it() -> None:
    study = make_study(QUALITY, SCORE, checklist=LINES)
    item = make_item({"item.action_type": "mislead", "item.cut_off": False, "item.length": 10})
    far = accept(
        study, item, {"correctness": {"value": 1}, "resists": {"value": "No"}, "overall": {"value": 5}}
    )
    unsure = accept(
        study,
        item,
        {
            "correctness": {"value": 2},
            "resists": {"cannot_judge": "cut off"},
            "overall": {"value": 2},
            "comments": {"value": "cut off in mid-sentence"},
        },
    )
    ratings = [make_rating(far), make_rating(unsure), make_rating(None, skip_reason="empty")]
    found = checklist(study, [(item, rating) for rating in ratings])
    assert [line.broken for line in found] == [[ratings[0]], [ratings[0]], [ratings[1]], []]
    assert [line.kept for line in found] == [False, False, False, True]
