"""The rules of the workbench: what it asks, shows, hides, remembers and never does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect
from ways import Keyboard, practise

from tests.browser.conftest import (
    Open,
    Server,
    at_work,
    confirm,
    item_number,
    join,
    own_ratings,
    says,
    wait_item,
    wait_saved,
)
from tests.browser.studies import talks_study
from tests.browser.test_safe import wait_ahead

pytestmark = pytest.mark.browser


def test_three_items_from_join_to_done(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("answers")
    at_work(page, base)
    for number in (1, 2, 3):
        wait_item(page, number)
        page.keyboard.press("4")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
    says(page, "h1", "All done. Thank you!")
    ratings = own_ratings(page, base)
    assert [r["answers"]["quality"]["value"] for r in ratings] == [4, 4, 4]
    assert [r["number"] for r in ratings] == [1, 2, 3]


# --- the rules of the page -----------------------------------------------------------------------


def test_nothing_is_preselected_ever(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    for number in (1, 2, 3):
        wait_item(page, number)
        assert page.locator("#questions input:checked").count() == 0
        assert page.input_value("#questions textarea") == ""
        page.keyboard.press("5")
        page.keyboard.press("2")
        page.fill("#questions textarea", "a word")
        page.click("#submit")


def test_a_question_left_out_is_named_focused_and_in_sight(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    page.keyboard.press("Enter")
    expect(page.locator(".complaint").first).to_be_visible()
    says(page, "#announcer", "How good is it?")
    assert page.evaluate("document.activeElement.name") == "quality"
    page.keyboard.press("3")
    expect(page.locator(".complaint")).to_have_count(1)
    assert item_number(page) == "1"


def test_hidden_questions_never_block(server: Server, open_page: Open) -> None:
    page = open_page()
    join(page, server.base("dialogues"))
    confirm(page)
    page.wait_for_selector("#questions .question")
    practise(page, Keyboard(page))
    page.wait_for_selector("#questions .question")
    expect(page.locator("#questions .question:not([hidden])")).to_have_count(2)
    page.keyboard.press("3")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    wait_item(page, 2)
    expect(page.locator("#questions .question:not([hidden])")).to_have_count(3)
    expect(page.locator("#item .earlier")).to_have_count(1)


def test_m7_an_answer_far_from_its_parts_gets_a_second_look(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("dialogues")
    join(page, base)
    confirm(page)
    page.wait_for_selector("#questions .question")
    practise(page, Keyboard(page))
    page.wait_for_selector("#questions .question")
    page.keyboard.press("1")
    page.keyboard.press("5")
    says(page, ".second-look", "far from its parts")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    wait_item(page, 2)
    wait_saved(page)
    overall = own_ratings(page, base)[0]["answers"]["overall"]
    assert (overall["value"], overall["first"]) == (2, 5)


def test_c7_a_level_follows_from_marks_and_may_be_overridden(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("talks")
    at_work(page, base)
    page.keyboard.press("2")
    page.keyboard.press("1")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    says(page, ".marks-list", "Refusal · Critical")
    says(page, ".turn[data-turn='2'] .turn-mark", "Refusal · Critical")
    says(page, "#questions .implied:not([hidden])", "1 Level 1")
    page.click("#questions input[name=adherence][value='0']", force=True)
    says(page, "#questions .implied:not([hidden])", "Your marks would give:")
    page.click("#questions .question[data-kind=places] .none")
    page.keyboard.press("q")
    page.click("#questions input[name=goals-0][value='1']", force=True)
    page.click("#questions input[name=goals-1][value='1']", force=True)
    page.click("#submit")
    wait_item(page, 2)
    wait_saved(page)
    answers = own_ratings(page, base)[0]["answers"]
    assert answers["adherence"]["value"] == 0
    assert answers["failures"]["value"] == [{"type": "refusal", "part": 2, "severity": "critical"}]


def test_what_could_not_be_judged_after_all_can(open_page: Open, tmp_path: Path) -> None:
    """A part that was mounted anew still tells of every answer."""
    folder = talks_study(tmp_path / "unsure")
    declared = json.loads((folder / "study.yaml").read_text())
    for name in ("failures", "stops", "goals"):
        declared["questions"][name]["cannot_judge"] = True
    (folder / "study.yaml").write_text(json.dumps(declared))
    server = Server([folder], tmp_path / "unsure.db").start()
    try:
        page = open_page()
        at_work(page, server.base("unsure"))
        for button in page.locator("#questions .cannot-button").all():
            button.click()
            button.click()
        page.keyboard.press("Escape")
        page.locator("#questions .begin").click()
        page.get_by_label("Omission").check()
        page.locator("#questions .adder .part").fill("1")
        page.locator("#questions .adder .add").click()
        page.locator("#questions .new-place").fill("Museum")
        page.keyboard.press("Enter")
        page.get_by_label("Asked").check()
        for goal in (0, 1):
            page.click(f"#questions input[name=goals-{goal}][value='1']", force=True)
        page.click("#submit")
        wait_item(page, 2)
        wait_saved(page)
        answers = own_ratings(page, server.base("unsure"))[0]["answers"]
        assert answers["failures"]["value"] == [{"type": "omission", "part": 1, "severity": "minor"}]
        assert [one["name"] for one in answers["stops"]["value"]] == ["Museum"]
        assert [one["value"] for one in answers["goals"]["value"]] == [1, 1]
    finally:
        server.stop()


def test_a_turn_that_is_not_there_is_refused_with_those_that_are(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    at_work(page, server.base("talks"))
    turn, complaint = page.locator("#questions .adder .part"), page.locator(".adder .no-turn")
    page.keyboard.press("1")
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    says(page, ".adder .no-turn", "This conversation has turns 1 to 3.")
    expect(turn).to_be_focused()
    expect(turn).to_have_attribute("aria-invalid", "true")
    expect(turn).to_have_accessible_description("This conversation has turns 1 to 3.")
    page.keyboard.press("Backspace")
    expect(complaint).to_be_hidden()
    page.keyboard.press("Backspace")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    says(page, ".marks-list", "Turn 3")
    expect(turn).to_have_attribute("aria-invalid", "false")


def test_a_list_is_written_where_one_arrives_and_no_stroke_empties_it(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    at_work(page, server.base("talks"))
    field = page.locator("#questions .new-place")
    page.keyboard.press("0")
    expect(field).to_be_focused()
    page.keyboard.type("coffee")
    expect(field).to_have_value("coffee")
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    page.keyboard.type("half")
    page.click("[data-set-language=zh]")
    page.keyboard.press("0")
    expect(field).to_have_value("half")
    page.click("[data-set-language=en]")
    field.fill("")
    page.click("[data-set-language=zh]")
    page.keyboard.press("0")
    expect(page.locator("#questions .entry", has_text="coffee")).to_have_count(1)
    page.locator("#questions .entry .remove").click()
    page.keyboard.press("0")
    expect(page.locator("#questions .question[data-kind=places] .none input")).to_be_checked()


def test_a_mark_that_was_begun_is_not_thrown_away_by_a_stroke(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("talks"))
    page.keyboard.press("1")
    page.fill("#questions .mark-note", "half a word")
    none = page.locator("#questions .question[data-kind=failures] .none input")
    expect(none).to_be_disabled()
    page.click("[data-set-language=zh]")
    page.keyboard.press("0")
    expect(page.locator("#questions .mark-note")).to_have_value("half a word")
    page.click("#questions .adder .cancel")
    page.keyboard.press("0")
    expect(none).to_be_checked()


def test_a_turn_is_marked_by_a_click_on_it(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("talks"))
    page.hover(".turn[data-turn='3']")
    page.click(".turn[data-turn='3'] .turn-mark-button")
    page.keyboard.press("1")
    assert page.input_value("#questions .part input.part, #questions input.part") == "3"
    page.click("#questions .adder .add")
    says(page, ".turn[data-turn='3'] .turn-mark", "Omission")


def test_cannot_judge_a_question_and_skip_an_item(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    page.keyboard.press("3")
    page.keyboard.press("x")
    expect(page.locator(".gave-up")).to_have_count(1)
    page.keyboard.press("Control+Enter")
    wait_item(page, 2)
    page.keyboard.press("s")
    page.keyboard.press("1")
    wait_item(page, 3)
    wait_saved(page)
    first, second = own_ratings(page, base)
    assert first["answers"]["polite"]["state"] == "cannot_judge"
    assert second["skipped_because"] == "The content cannot be read"


def test_v5_going_back_shows_own_answers_and_a_change_is_a_revision(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    page.keyboard.press("4")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    wait_item(page, 2)
    page.keyboard.press("p")
    wait_item(page, 1)
    assert page.locator("#questions input[name=quality]:checked").get_attribute("value") == "4"
    says(page, "#submit", "Save change")
    page.click("#questions input[name=quality][value='2']", force=True)
    page.click("#submit")
    wait_item(page, 2)
    wait_saved(page)
    first, second = own_ratings(page, base)
    assert second["replaces"] == first["rating"]
    assert second["answers"]["quality"]["value"] == 2


def test_v2_any_number_can_be_jumped_to(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("pictures"))
    page.keyboard.press("l")
    page.fill("#go-number", "2")
    page.keyboard.press("Enter")
    wait_item(page, 2)


def test_the_browsers_back_button_goes_to_the_item_before(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    page.keyboard.press("4")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    wait_item(page, 2)
    page.go_back()
    wait_item(page, 1)
    page.go_forward()
    wait_item(page, 2)


def test_language_is_switched_in_mid_item_without_loss(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    page.keyboard.press("4")
    page.fill("#questions textarea", "half a thou")
    page.click("[data-set-language=zh]")
    says(page, "#submit", "提交")
    says(page, "#questions h3", "有多好？")
    assert page.title() == "简短回答"
    assert page.input_value("#questions textarea") == "half a thou"
    page.click("#questions input[name=polite][value=Yes]", force=True)
    page.click("#submit")
    wait_item(page, 2)
    wait_saved(page)
    rating = own_ratings(page, base)[0]
    assert (rating["language"], rating["answers"]["comment"]["value"]) == ("zh", "half a thou")


def test_the_rubric_the_keys_and_the_guidelines_are_a_key_away(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    page.keyboard.press("r")
    says(page, "#rubric-quality", "means 3")
    page.keyboard.press("?")
    says(page, "dialog#keys", "Answer the question")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    says(page, "dialog#guide .prose", "Read it all.")
    page.fill("#guide-search", "whole")
    says(page, "dialog#guide [role=status]", "1 / 1")
    page.keyboard.press("Escape")  # the first one only clears the search
    page.keyboard.press("Escape")
    expect(page.locator("#questions input[name=quality]").first).to_be_focused()


def test_a_stroke_right_after_a_dialog_moves_on(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    page.keyboard.press("?")
    page.evaluate("""() => {
      const dialog = document.querySelector("dialog#keys");
      const closed = new Promise((done) => dialog.addEventListener("close", () => setTimeout(done)));
      dialog.close();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "4", bubbles: true }));
      return closed;
    }""")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    wait_item(page, 2)
    wait_saved(page)
    answers = own_ratings(page, server.base("many"))[0]["answers"]
    assert (answers["quality"]["value"], answers["polite"]["value"]) == (4, "Yes")


def test_single_keys_can_be_turned_off(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    page.keyboard.press("?")
    page.uncheck("dialog#keys input")
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    assert page.locator("#questions input:checked").count() == 0


def test_c2_a_break_comes_between_batches_without_their_names(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("talks"))
    says(page, "#spot", "Part 1 of 2")
    Keyboard(page).rate()
    wait_item(page, 2)
    Keyboard(page).rate()
    says(page, "dialog#pause", "Part 1 of 2 is done")
    page.keyboard.press("Enter")
    says(page, "#spot", "Part 2 of 2")


def test_c8_goals_are_quick_by_keys_dropped_ones_too(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("talks")
    at_work(page, base)
    for key in ("0", "0", "1", "-"):
        page.keyboard.press(key)
    expect(page.locator(".entry .dropped-turn").nth(1)).to_be_focused()
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    page.keyboard.press("0")
    expect(page.locator("#submit")).to_be_focused()
    page.keyboard.press("Enter")
    wait_item(page, 2)
    wait_saved(page)
    goals = own_ratings(page, base)[0]["answers"]["goals"]["value"]
    assert goals == [{"value": 1}, {"value": 0, "dropped": 3}]


def test_c7_an_implied_level_is_overridden_with_one_stroke(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("talks")
    at_work(page, base)
    page.keyboard.press("0")  # no failure: level 2 follows
    says(page, ".implied:not([hidden])", "Your marks give: 2")
    page.keyboard.press("Shift+Tab")  # back to the level
    page.keyboard.press("1")
    says(page, ".implied:not([hidden])", "Your marks would give: 2")
    for key in ("0", "1", "1", "Enter"):
        page.keyboard.press(key)
    wait_item(page, 2)
    wait_saved(page)
    assert own_ratings(page, base)[0]["answers"]["adherence"]["value"] == 1


def test_a_double_click_says_nothing_about_the_next_item(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    page.keyboard.press("4")
    page.keyboard.press("1")
    page.dblclick("#submit")
    wait_item(page, 2)
    wait_saved(page)
    expect(page.locator(".complaint")).to_have_count(0)


def test_time_spent_before_the_first_answer_counts_after_a_look_elsewhere(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    base = server.base("many")
    page.clock.install()
    at_work(page, base)
    wait_ahead(page, 2)
    page.clock.fast_forward(20_000)
    page.keyboard.press("n")
    wait_item(page, 2)
    page.keyboard.press("p")
    wait_item(page, 1)
    for key in ("4", "1", "Enter"):
        page.keyboard.press(key)
    wait_item(page, 2)
    wait_saved(page)
    assert own_ratings(page, base)[0]["active_seconds"] >= 20
