"""Texts in all languages at once, and Markdown made safe."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from markupsafe import Markup

from rubrica.web.markdown import LONGEST, markdown
from rubrica.web.pages import Look, as_script_data
from rubrica.web.texts import language_rules, offered, spans, study_text


def test_each_wording_names_the_languages_it_serves() -> None:
    html = spans({"en": "Yes", "de": "Ja", "zh": "Yes"})
    assert html == Markup(
        '<span lang="en" data-l="en zh">Yes</span><span lang="de" data-l="de">Ja</span>'
    )


def test_one_wording_needs_no_element_and_is_escaped() -> None:
    assert spans({"en": "<b>", "zh": "<b>"}) == "&lt;b&gt;"


def test_a_language_nobody_wrote_for_gets_another() -> None:
    assert study_text({"en": "Hello", "de": "Hallo"}, ["en", "zh"]) == "Hello"


def test_the_pages_languages_are_offered_beside_the_studys() -> None:
    assert offered(["de"]) == ("de", "en", "zh")
    assert 'data-lang="de"' in language_rules(["de"])


@pytest.mark.parametrize(
    ("cookie", "accepts", "expected"),
    [
        ("zh.dark", "en", ("zh", "dark")),
        (None, "fr-FR,zh-CN;q=0.8", ("zh", "system")),
        ("xx.purple", "", ("en", "system")),
        ("", None, ("en", "system")),
    ],
)
def test_the_look_follows_choice_then_browser(
    cookie: str | None, accepts: str | None, expected: tuple[str, str]
) -> None:
    look = Look.of(cookie, accepts, ["en", "zh"])
    assert (look.language, look.theme) == expected


HOSTILE = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "![p](https://elsewhere.example/p.png)",
    "[x](data:text/html,<script>alert(1)</script>)",
    "<a href='//elsewhere.example' onclick=x>y</a>",
]


class Elements(HTMLParser):
    """What a browser would make elements of."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_can_do_nothing(text: str) -> None:
    seen = Elements()
    seen.feed(markdown(text))
    for tag, attributes in seen.found:
        assert tag in ("p", "a")
        assert attributes.keys() <= {"href", "rel", "target"}
        assert attributes.get("href", "https:").startswith("https:")


def test_markdown_shows_structure_below_the_pages_headings() -> None:
    html = markdown("# One\n\n## Two\n\n| a |\n|---|\n| b |\n\n[x](https://example.org)")
    assert "<h3>One</h3>" in html
    assert "<h4>Two</h4>" in html
    assert "<td>b</td>" in html
    assert 'rel="noopener noreferrer nofollow"' in html
    assert "<h2>One</h2>" in markdown("# One", 2)


def test_a_text_too_long_to_parse_is_shown_as_it_is() -> None:
    assert markdown("*a*" * LONGEST).startswith('<p class="as-is">*a*')


def test_a_lone_surrogate_becomes_a_character_that_can_be_sent() -> None:
    assert markdown("a\ud800b").encode() == b"<p>a\xef\xbf\xbdb</p>\n"


def test_data_in_a_page_cannot_end_its_element() -> None:
    assert "</script>" not in as_script_data({"a": "</script><!--"})
