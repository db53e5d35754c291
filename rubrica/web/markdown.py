"""Markdown to safe HTML: what a model or an author wrote may look like anything, but can do nothing."""

from __future__ import annotations

from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

LONGEST = 200_000
"""Beyond this a text is shown as it is: parsing megabytes of Markdown takes seconds."""

_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "del", "code", "pre", "blockquote", "ul", "ol", "li"),
    *(
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "a",
        "details",
        "summary",
    ),
}
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}

_parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


def _shift_headings(html: str, top: int) -> str:
    """A text inside a page cannot have headings above the page's own: its h1 becomes h`top`."""
    for level in (6, 5, 4, 3, 2, 1):
        shifted = min(6, level + top - 1)
        html = html.replace(f"<h{level}>", f"<h{shifted}>").replace(f"</h{level}>", f"</h{shifted}>")
    return html


@lru_cache(maxsize=2_000)
def markdown(text: str, top: int = 3) -> Markup:
    """Safe HTML, its headings from `top` on; images are left out, their description kept."""
    if len(text) > LONGEST:
        return Markup('<p class="as-is">{}</p>').format(text)
    tokens = _parser.parse(_whole(text))
    for token in tokens:
        for child in token.children or ():
            if child.type == "image":
                child.type, child.tag = "text", ""
    html = _shift_headings(_parser.renderer.render(tokens, _parser.options, {}), top)
    cleaned = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return Markup(cleaned)  # noqa: S704 -- cleaned by nh3 just above


def _whole(text: str) -> str:
    """Lone surrogates cannot be sent as UTF-8; each becomes the replacement character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def plain(text: str) -> Markup:
    """A text exactly as it is, escaped."""
    return escape(_whole(text))
