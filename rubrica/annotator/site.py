"""What the rater's side serves: studies with their desks, sessions, templates, static files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader
from litestar import Request
from litestar.params import FromPath
from markupsafe import Markup

from rubrica.accounts.sessions import Session
from rubrica.annotator.questions import question_templates
from rubrica.annotator.scripts import joined, style
from rubrica.annotator.words import CATALOGUE, HERE, script_strings
from rubrica.errors import Problem
from rubrica.fieldwork.desk import Desk
from rubrica.study.views import view_name
from rubrica.texts import LANGUAGES
from rubrica.web.assets import Assets
from rubrica.web.markdown import LONGEST
from rubrica.web.pages import LOOK_COOKIE, Look, environment, page_titles, texts_in
from rubrica.web.parts import kinds_used
from rubrica.web.problems import NOT_FOUND, SIGNED_OUT
from rubrica.web.sessions import Sessions, cookie_in, header_in
from rubrica.web.texts import language_rules, offered

AnyRequest = Request[Any, Any, Any]
Named = FromPath[str]
"""A part of an address."""
SCRIPTS = ("work", "page", "practice")


def base_of(study: str) -> str:
    return f"/s/{quote(study, safe='')}"


@dataclass(frozen=True)
class Served:
    """One study as raters meet it. `media` is the folder its media lie in."""

    desk: Desk
    media: Path

    @property
    def base(self) -> str:
        return base_of(self.desk.id)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        return offered(self.desk.version.languages)


@dataclass(frozen=True, slots=True)
class Asking:
    """What a request says about who sends it: nothing of it is believed yet."""

    served: Served
    study: str
    token: str | None
    speaks_for: str | None
    """The rater whose page it is."""


@dataclass(frozen=True)
class Signed:
    """A signed-in rater in one study."""

    served: Served
    rater: int

    @property
    def desk(self) -> Desk:
        return self.served.desk


@dataclass(frozen=True)
class Site:
    """The rater's side of one process."""

    studies: Mapping[str, Served]
    sessions: Sessions
    store: Any
    """Counts attempts to join; the sessions' store."""
    trials: Callable[[str], Served | None] = lambda _: None
    """Places where a study may be tried: studies of their own, which no list names."""

    def study(self, name: str) -> Served:
        found = self.studies.get(name) or self.trials(name)
        if found is None:
            raise Problem(NOT_FOUND)
        return found

    def token(self, request: AnyRequest) -> str | None:
        return cookie_in(request.scope, self.sessions.cookie_name)

    def signed(self, request: AnyRequest, study: str) -> Signed:
        """Who is asking; a session of another study opens nothing here.

        A page says whose it is: where another rater has signed in since, its answers are not theirs.
        """
        asking = self.asking(request.scope, study)
        signed = self._signed(asking, self.sessions.find(asking.token, study))
        if isinstance(signed, Problem):
            raise signed
        return signed

    def asking(self, scope: Mapping[str, Any], study: str) -> Asking:
        """Who says what about who they are. Read from what came: to make all headers and all cookies
        of it costs more than to find the session."""
        token = cookie_in(scope, self.sessions.cookie_name)
        speaks_for = header_in(scope, b"rubrica-rater")
        return Asking(self.study(study), study, token, speaks_for)

    def signed_all(self, asking: Sequence[Asking]) -> list[Signed | Problem]:
        """The same for many that ask at once."""
        sessions = self.sessions.find_all([(one.token, one.study) for one in asking])
        return [self._signed(*each) for each in zip(asking, sessions, strict=True)]

    def _signed(self, asking: Asking, session: Session | None) -> Signed | Problem:
        if session is None or asking.speaks_for not in (None, str(session.who)):
            return Problem(SIGNED_OUT)
        return Signed(asking.served, session.who)

    # --- pages ---

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Every language of any study served, and the pages' own."""
        spoken = (language for served in self.studies.values() for language in served.languages)
        return tuple(dict.fromkeys((*LANGUAGES, *spoken)))

    @cached_property
    def assets(self) -> Assets:
        made = Assets("/static")
        made.add("rubrica.css", f"{style()}\n{language_rules(self.languages)}\n")
        used = kinds_used(served.desk.version.study for served in self.studies.values())
        for entry in SCRIPTS:
            made.add(f"{entry}.js", joined(f"{entry}.js", used))
        return made

    @cached_property
    def templates(self) -> Environment:
        return environment(
            FileSystemLoader(HERE / "templates"),
            _=CATALOGUE.say,
            say=CATALOGUE.say,
            asset=self.assets.url,
            view_name=view_name,
            longest_markdown=LONGEST,
        )

    def strings(self, entry: str, languages: Sequence[str]) -> dict[str, dict[str, str]]:
        source = self.assets.files[f"{entry}.js"].body.decode()
        return script_strings(source, languages)

    def look(self, request: AnyRequest, languages: Sequence[str]) -> Look:
        return Look.of(
            request.cookies.get(LOOK_COOKIE), request.headers.get("accept-language"), languages
        )

    def page(self, request: AnyRequest, template: str, served: Served | None, **values: Any) -> str:
        """A whole page, for this reader's language and theme."""
        languages = served.languages if served else LANGUAGES
        study = served.desk.version.study if served else None
        common = {
            "study": study,
            "base": served.base if served else "",
            "languages": languages,
            "look": self.look(request, languages),
            "titles": page_titles(study.title if study else "Rubrica", languages),
            **texts_in(languages),
        }
        return self.templates.get_template(template).render({**common, **values})

    def questions(self, served: Served) -> Markup:
        """The question templates of a study's present version, made once."""
        return question_templates(self.templates, served.desk.version.study, served.languages)
