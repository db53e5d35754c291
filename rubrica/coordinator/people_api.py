"""Signing in, one's own account, and the accounts of others."""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.accounts import entering
from rubrica.accounts.passwords import is_password
from rubrica.accounts.people import Deed, Person, Token
from rubrica.accounts.sessions import Session
from rubrica.coordinator.endpoint import Answered, At, Endpoint, Nothing
from rubrica.coordinator.rules import NOT_ALLOWED
from rubrica.coordinator.shapes.people import (
    Before,
    DeedLine,
    Invited,
    MadeToken,
    Me,
    NewPassword,
    NewPerson,
    NewRole,
    NewToken,
    PersonLine,
    PersonOf,
    SessionLine,
    SessionOf,
    SignIn,
    TokenLine,
    TokenOf,
)
from rubrica.coordinator.site import BASE
from rubrica.errors import Problem
from rubrica.web.rates import limit

ATTEMPTS = 10
"""So often a minute one address, or one name from anywhere, may try to sign in."""


def sign_in(at: At, asked: SignIn) -> Answered:
    store, sessions = at.site.stores.people, at.site.stores.sessions
    limit(sessions, ("desk", at.address, ATTEMPTS))
    if asked.link:
        person, purpose = entering.enter_by_link(store, asked.link)
    else:
        limit(sessions, ("desk name", asked.name, ATTEMPTS))
        person, purpose = entering.enter_by_password(store, asked.name, asked.password), "sign-in"
    cookie = at.site.sessions.open("", person.number, replaces=at.token)
    return Answered(_me(person, choose=purpose == "password"), [cookie])


def sign_out(at: At, asked: Nothing) -> Answered:
    return Answered(Nothing(), [at.site.sessions.end(at.token, "")])


def me(at: At) -> Me:
    return _me(at.me.person)


def _me(person: Person, choose: bool = False) -> Me:
    return Me(person.number, person.name, dict(person.roles), bool(person.password), choose)


def password(at: At, asked: NewPassword) -> Answered:
    """Choosing a password ends every other session of the account."""
    person = at.me.person
    if at.me.token is not None:
        raise Problem(NOT_ALLOWED, details={"role": "person"})
    limit(at.site.stores.sessions, ("desk password", str(person.number), ATTEMPTS))
    if person.password and not is_password(asked.old, person.password):
        raise Problem(entering.WRONG_PASSWORD)
    changed = entering.set_password(at.site.stores.people, person, asked.password, asked.name)
    at.site.stores.sessions.end_sessions("coordinator", "", person.number)
    return Answered(_me(changed), [at.site.sessions.open("", person.number)])


# --- sessions and tokens --------------------------------------------------------------------------


def sessions(at: At) -> list[SessionLine]:
    here = entering.hashed(at.token or "")
    return [
        SessionLine(hashed[:16], session.touched, hashed == here) for hashed, session in _sessions(at)
    ]


def _sessions(at: At) -> Sequence[tuple[str, Session]]:
    now = at.site.sessions.clock()
    return at.site.stores.sessions.sessions_of("coordinator", "", at.me.person.number, now)


def end_session(at: At, of: SessionOf, asked: Nothing) -> Nothing:
    for hashed, _ in _sessions(at):
        if hashed[:16] == of.id:
            at.site.stores.sessions.end_session(hashed)
            at.site.stores.people.log_deed(at.me.who, "ended a session", {})
    return Nothing()


def tokens(at: At) -> list[TokenLine]:
    return [_token(t) for t in at.site.stores.people.tokens(at.me.person.number)]


def _token(token: Token) -> TokenLine:
    of = token
    return TokenLine(of.number, of.name, of.scope, of.made, of.until, of.ended)


def add_token(at: At, asked: NewToken) -> MadeToken:
    if not at.me.scope_holds(asked.scope):
        raise Problem(NOT_ALLOWED, details={"role": asked.scope})
    store, person = at.site.stores.people, at.me.person
    made, secret = entering.add_token(store, person, asked.name, asked.scope, asked.days, at.me.who)
    return MadeToken(_token(made), secret)


def end_token(at: At, of: TokenOf, asked: Nothing) -> Nothing:
    if at.site.stores.people.end_token(at.me.person.number, of.number):
        at.site.stores.people.log_deed(at.me.who, "ended a token", {"token": of.number})
    return Nothing()


# --- people ---------------------------------------------------------------------------------------


def people(at: At) -> list[PersonLine]:
    return [_line(person) for person in at.site.stores.people.people()]


def _line(person: Person) -> PersonLine:
    return PersonLine(
        number=person.number,
        name=person.name,
        state=person.state,
        roles=dict(person.roles),
        has_password=bool(person.password),
        added=person.added,
    )


def add_person(at: At, asked: NewPerson) -> Invited:
    store = at.site.stores.people
    person = entering.add(store, asked.name, _study(at, asked.study), asked.role, at.me.who)
    return _invited(at, person)


def _study(at: At, study: str) -> str:
    return at.site.study(study).name if study else ""


def _invited(at: At, person: Person) -> Invited:
    secret = entering.link(at.site.stores.people, person, "password", at.me.who)
    return Invited(_line(person), f"{BASE}/enter#{secret}")


def new_link(at: At, of: PersonOf, asked: Nothing) -> Invited:
    """A link to choose a new password: what was forgotten cannot be told."""
    return _invited(at, entering.known(at.site.stores.people, of.number))


def set_role(at: At, of: PersonOf, asked: NewRole) -> PersonLine:
    study = _study(at, asked.study)
    person = entering.set_role(at.site.stores.people, of.number, study, asked.role, at.me.who)
    return _line(person)


def disable(at: At, of: PersonOf, asked: Nothing) -> PersonLine:
    person = entering.disable(at.site.stores.people, of.number, at.me.who)
    at.site.stores.sessions.end_sessions("coordinator", "", of.number)
    return _line(person)


def enable(at: At, of: PersonOf, asked: Nothing) -> PersonLine:
    return _line(entering.enable(at.site.stores.people, of.number, at.me.who))


def deeds(at: At, asked: Before) -> list[DeedLine]:
    return [_deed(d) for d in at.site.stores.people.deeds(asked.before, asked.count)]


def _deed(deed: Deed) -> DeedLine:
    return DeedLine(deed.number, deed.when, deed.who, deed.what, dict(deed.details))


ENDPOINTS = [
    Endpoint(
        "POST",
        "/session",
        "Sign in with a name and password, or with a link that works once.",
        sign_in,
        Me,
        takes=SignIn,
        who="anybody",
    ),
    Endpoint("POST", "/session/end", "Sign out.", sign_out, takes=Nothing, who="anybody"),
    Endpoint("GET", "/me", "Who is signed in.", me, Me, who="person"),
    Endpoint(
        "POST",
        "/me/password",
        "Choose a password; every other session ends.",
        password,
        Me,
        takes=NewPassword,
        who="person",
        needs="manage",
    ),
    Endpoint("GET", "/me/sessions", "One's own sessions.", sessions, list[SessionLine], who="person"),
    Endpoint(
        "POST",
        "/me/sessions/{id}/end",
        "End a session of one's own.",
        end_session,
        asks=SessionOf,
        takes=Nothing,
        who="person",
        needs="write",
    ),
    Endpoint("GET", "/me/tokens", "One's own tokens.", tokens, list[TokenLine], who="person"),
    Endpoint(
        "POST",
        "/me/tokens",
        "Make a token for a program.",
        add_token,
        MadeToken,
        takes=NewToken,
        who="person",
        needs="manage",
    ),
    Endpoint(
        "POST",
        "/me/tokens/{number}/end",
        "End a token of one's own.",
        end_token,
        asks=TokenOf,
        takes=Nothing,
        who="person",
        needs="write",
    ),
    Endpoint("GET", "/people", "All accounts.", people, list[PersonLine], who="owner"),
    Endpoint(
        "POST",
        "/people",
        "Invite somebody: an account, and a link to choose a password.",
        add_person,
        Invited,
        takes=NewPerson,
        who="owner",
        needs="manage",
    ),
    Endpoint(
        "POST",
        "/people/{number}/role",
        "Give, change or take a role.",
        set_role,
        PersonLine,
        asks=PersonOf,
        takes=NewRole,
        who="owner",
        needs="manage",
    ),
    Endpoint(
        "POST",
        "/people/{number}/link",
        "A link to choose a new password.",
        new_link,
        Invited,
        asks=PersonOf,
        takes=Nothing,
        who="owner",
        needs="manage",
    ),
    Endpoint(
        "POST",
        "/people/{number}/disable",
        "Close an account: its sessions and tokens open nothing any more.",
        disable,
        PersonLine,
        asks=PersonOf,
        takes=Nothing,
        who="owner",
        needs="manage",
    ),
    Endpoint(
        "POST",
        "/people/{number}/enable",
        "Open an account again.",
        enable,
        PersonLine,
        asks=PersonOf,
        takes=Nothing,
        who="owner",
        needs="manage",
    ),
    Endpoint(
        "GET",
        "/deeds",
        "What was done to accounts, the newest first.",
        deeds,
        list[DeedLine],
        asks=Before,
        who="owner",
    ),
]
