"""Who is asking, and whether they may."""

from __future__ import annotations

from dataclasses import dataclass
from time import time

from rubrica.accounts.entering import hashed
from rubrica.accounts.people import SCOPES, Person, Scope, StudyRole
from rubrica.coordinator.rules import NOT_ALLOWED, NOTHING, SIGN_IN
from rubrica.coordinator.site import AnyRequest, DeskSite
from rubrica.errors import Problem


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person who is signed in, or a program that acts for one."""

    person: Person
    scope: Scope = "manage"
    token: int | None = None
    """The number of the token a program came with."""

    @property
    def who(self) -> str:
        """How the log names them; the name itself may be changed, the number stays."""
        by = "" if self.token is None else f" by token {self.token}"
        return f"person {self.person.number}{by}"

    def is_at_least(self, role: StudyRole, study: str) -> bool:
        return self.person.is_at_least(role, study)

    def scope_holds(self, scope: Scope) -> bool:
        return SCOPES.index(self.scope) >= SCOPES.index(scope)


def visitor(site: DeskSite, request: AnyRequest) -> Visitor:
    found = _by_token(site, request) or _by_session(site, request)
    if found is None or found.person.state == "disabled":
        raise Problem(SIGN_IN)
    return found


def _by_token(site: DeskSite, request: AnyRequest) -> Visitor | None:
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not secret:
        return None
    token = site.stores.people.token(hashed(secret.strip()))
    if token is None or token.ended or token.until <= time():
        raise Problem(SIGN_IN)
    person = site.stores.people.person(token.person)
    return None if person is None else Visitor(person, token.scope, token.number)


def _by_session(site: DeskSite, request: AnyRequest) -> Visitor | None:
    session = site.sessions.find(site.token(request), "")
    person = None if session is None else site.stores.people.person(session.who)
    return None if person is None else Visitor(person)


def may(found: Visitor, role: StudyRole, scope: Scope, study: str) -> None:
    """A study one has no part in is as unknown as one that does not exist."""
    if study and found.person.role(study) is None:
        raise Problem(NOTHING)
    if not found.is_at_least(role, study) or not found.scope_holds(scope):
        raise Problem(NOT_ALLOWED, details={"role": role if found.scope_holds(scope) else scope})


def studies_of(site: DeskSite, found: Visitor) -> list[str]:
    return [name for name in site.studies if found.person.role(name) is not None]
