"""What the desk serves: studies with their stores, sign-ins, templates, static files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Event, Lock
from typing import Any, Protocol
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader
from litestar import Request

from rubrica.accounts.people import PeopleStore
from rubrica.accounts.sessions import SessionStore
from rubrica.coordinator.counting import Counters
from rubrica.coordinator.rules import NOTHING
from rubrica.coordinator.words import HERE, Words
from rubrica.errors import Problem
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.store import Stores
from rubrica.items.store import ItemLoader
from rubrica.reports.html import part_style
from rubrica.review.board import BoardStore
from rubrica.study.views import view_name
from rubrica.texts import LANGUAGES, per_language
from rubrica.verdicts.model import VerdictStore
from rubrica.web.assets import Assets, in_dark, join_modules
from rubrica.web.markdown import LONGEST
from rubrica.web.pages import LOOK_COOKIE, Look, environment, texts_in
from rubrica.web.parts import kinds_used, part_modules
from rubrica.web.sessions import Sessions, cookie_in
from rubrica.web.texts import Catalogue, language_rules

AnyRequest = Request[Any, Any, Any]
BASE = "/desk"
WARMS = 0.03
"""Seconds between two templates that are made ready."""


class DeskStores(Stores, Protocol):
    """Everything the desk works on."""

    @property
    def people(self) -> PeopleStore: ...
    @property
    def sessions(self) -> SessionStore: ...
    @property
    def board(self) -> BoardStore: ...
    @property
    def verdicts(self) -> VerdictStore: ...
    @property
    def loader(self) -> ItemLoader: ...


@dataclass(frozen=True)
class Watched:
    """One study as its coordinators meet it."""

    desk: Desk
    media: Path
    holes: Sequence[str] = ()
    """Images, sounds and films that are named but missing."""
    written: str = ""
    """The study's file, as its author wrote it."""

    @property
    def name(self) -> str:
        return self.desk.id

    @property
    def quoted(self) -> str:
        """Its name as a part of an address."""
        return quote(self.name, safe="")

    @property
    def base(self) -> str:
        return f"{BASE}/s/{self.quoted}"

    @property
    def raters_base(self) -> str:
        """Where its raters come in."""
        return f"/s/{self.quoted}"


@dataclass(frozen=True)
class Given:
    """What the rater's side lends, so that both sides have one look."""

    templates: Path
    static: Path
    style: Callable[[], str]
    words: Catalogue


Compute = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""Runs one computation (`what`, and what it needs) in a process of its own."""


@dataclass
class Running:
    """What is being computed for this site, and what could not be."""

    lock: Lock = field(default_factory=Lock)
    now: set[tuple[str, str]] = field(default_factory=set)
    failed: dict[tuple[str, str], tuple[float, Problem]] = field(default_factory=dict)
    read: dict[str, Any] = field(default_factory=dict)
    """The last statistics of each study as they were read: of many raters they are long."""


@dataclass(frozen=True)
class DeskSite:
    studies: Mapping[str, Watched]
    stores: DeskStores
    sessions: Sessions
    given: Given
    compute: Compute | None = None
    stopping: Event = field(default_factory=Event)
    running: Running = field(default_factory=Running)
    secure: bool = False

    def study(self, name: str) -> Watched:
        found = self.studies.get(name)
        if found is None:
            raise Problem(NOTHING)
        return found

    @cached_property
    def counters(self) -> Counters:
        """Brings the counts of each study up to date, behind whoever looks at them."""
        return Counters(self.stores.board, self.stores.studies)

    @cached_property
    def rater_sessions(self) -> Sessions:
        """Opens a place to try a study; raters' own sign-ins are the rater's side's business."""
        path = lambda study: f"/s/{quote(study, safe='')}"  # noqa: E731
        return Sessions(self.stores.sessions, "rater", path=path, secure=self.secure)

    def token(self, request: AnyRequest) -> str | None:
        return cookie_in(request.scope, self.sessions.cookie_name)

    # --- pages ---

    def warm(self) -> None:
        """Make what pages are made of, so that the first visitor waits no longer than others do; with
        pauses, for whoever comes meanwhile."""
        self.strings  # noqa: B018
        for name in self.templates.list_templates():
            if self.stopping.wait(WARMS):
                return
            self.templates.get_template(name)

    @cached_property
    def words(self) -> Words:
        return Words(self.given.words)

    @cached_property
    def assets(self) -> Assets:
        made = Assets(f"{BASE}/static")
        own = (HERE / "static" / "desk.css").read_text(encoding="utf-8")
        spoken = (language for one in self.studies.values() for language in one.desk.version.languages)
        languages = tuple(dict.fromkeys((*LANGUAGES, *spoken)))
        report = part_style(".report", in_dark)
        made.add("desk.css", f"{self.given.style()}\n{own}\n{report}\n{language_rules(languages)}\n")
        sources = {path.name: path.read_text("utf-8") for path in (HERE / "static").glob("*.js")}
        sources |= part_modules(kinds_used(one.desk.version.study for one in self.studies.values()))
        for shared in ("dom.js", "images.js", "look.js", "net.js", "options.js"):
            sources[shared] = (self.given.static / shared).read_text(encoding="utf-8")
        made.add("desk.js", join_modules("desk.js", sources))
        return made

    @cached_property
    def templates(self) -> Environment:
        folders = [HERE / "templates", self.given.templates]
        return environment(
            FileSystemLoader(folders),
            _=self.words.say,
            say=self.words.say,
            asset=self.assets.url,
            view_name=view_name,
            longest_markdown=LONGEST,
            **self.words.helpers(),
        )

    def look(self, request: AnyRequest, languages: Sequence[str]) -> Look:
        accepts = request.headers.get("accept-language")
        return Look.of(request.cookies.get(LOOK_COOKIE), accepts, languages)

    def page(self, request: AnyRequest, template: str, title: str, **values: Any) -> str:
        """A whole page of the desk, which speaks the pages' own languages."""
        common = {
            "base_url": BASE,
            "languages": LANGUAGES,
            "look": self.look(request, LANGUAGES),
            "titles": self._titles(title, values.get("watched")),
            "title": self.words.say(title),
            "strings": self.strings,
            "visitor": None,
            "watched": None,
            **texts_in(LANGUAGES),
        }
        return self.templates.get_template(template).render({**common, **values})

    @cached_property
    def strings(self) -> Mapping[str, Mapping[str, str]]:
        """What the scripts say."""
        return self.words.strings(self.assets.files["desk.js"].body.decode())

    def _titles(self, title: str, watched: Watched | None) -> Mapping[str, str]:
        """For the window: the page, its study, the program."""
        of = {} if watched is None else per_language(watched.desk.version.study.title, LANGUAGES)
        return {
            language: " · ".join(part for part in (text, of.get(language), "Rubrica") if part)
            for language, text in self.words.texts(title).items()
        }
