"""How people of the desk prove who they are, and what is done to their accounts."""

from __future__ import annotations

import secrets
import unicodedata
from hashlib import sha256
from time import time

from rubrica.accounts.passwords import hash_password, is_password
from rubrica.accounts.people import (
    EVERY_STUDY,
    SCOPES,
    PeopleStore,
    Person,
    Purpose,
    Scope,
    StudyRole,
    Token,
)
from rubrica.errors import Problem, Rule, shown

LOCAL = "local"
"""The account behind the link that is printed on this machine."""
LINK_SECONDS = {"sign-in": 12 * 3600.0, "password": 7 * 86_400.0}
LONGEST_NAME = 100
MOST_DAYS = 366

WRONG_PASSWORD = Rule(
    code="W101",
    title="A name and its password open an account",
    says="this name and password do not belong together",
    why="Nobody enters under another's name.",
    mend="Try again, or ask an owner for a new link.",
)
DEAD_LINK = Rule(
    code="W102",
    title="A link works once, and for a while",
    says="this link has been used or is too old",
    why="A link that works for ever is found by somebody else in the end.",
    mend="Sign in with your password, or ask for a new link (`rubrica account link`).",
)
NAME_TAKEN = Rule(
    code="W103",
    title="An account has a name of its own",
    says="the name {got} is taken or cannot be one",
    why="The log says by name who did what.",
    mend="Choose another, of 1 to {longest} letters, digits or signs.",
)
NO_PERSON = Rule(
    code="W104",
    title="An account exists",
    says="there is no account {got}",
    why="There is nobody to change.",
    mend="Look at the list of accounts.",
)
LAST_OWNER = Rule(
    code="W105",
    title="Somebody stays who owns all studies",
    says="this is the last account that owns all studies",
    why="Without an owner nobody could let anybody in again.",
    mend="Make another account owner of all studies first.",
)
BAD_TOKEN = Rule(
    code="W106",
    title="A token has a name, a scope and an end",
    says="a token cannot be made like this",
    why="Whoever finds a token can do what it may, for as long as it lives.",
    mend="Give it a name, the scope read, write or manage, and 1 to {longest} days.",
)


def hashed(secret: str) -> str:
    """What is kept of a link or token; it has 256 random bits, so a plain hash is enough."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def person_name(name: str) -> str:
    kept = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(kept) <= LONGEST_NAME or not kept.isprintable():
        raise Problem(NAME_TAKEN, got=shown(name), details={"longest": LONGEST_NAME})
    return kept


def own_name(name: str) -> str:
    """A name somebody may have: the account of this machine is nobody's."""
    kept = person_name(name)
    if kept.casefold() == LOCAL:
        raise Problem(NAME_TAKEN, got=shown(name), details={"longest": LONGEST_NAME})
    return kept


def known(store: PeopleStore, number: int) -> Person:
    found = store.person(number)
    if found is None:
        raise Problem(NO_PERSON, got=str(number))
    return found


def add(
    store: PeopleStore,
    name: str,
    study: str,
    role: StudyRole,
    who: str,
    password: str | None = None,
) -> Person:
    """A new account. Without a password it waits for its owner to choose one by a link."""
    name = own_name(name)
    kept = "" if password is None else hash_password(password)
    made = store.add_person(name, kept, "active" if kept else "invited")
    if made is None:
        raise Problem(NAME_TAKEN, got=shown(name), details={"longest": LONGEST_NAME})
    store.set_role(made.number, study, role)
    store.log_deed(who, "added an account", {"person": made.number, "study": study, "role": role})
    return known(store, made.number)


def local_person(store: PeopleStore) -> Person:
    """Whoever sits at this machine owns what runs on it."""
    found = store.person_named(LOCAL) or store.add_person(LOCAL, "", "active")
    if found is None:  # made by another process just now
        found = store.person_named(LOCAL)
    assert found is not None  # noqa: S101
    if found.roles.get(EVERY_STUDY) != "owner":
        store.set_role(found.number, EVERY_STUDY, "owner")
    if found.state == "disabled":
        store.change_person(found.number, state="active")
    return known(store, found.number)


def has_password(store: PeopleStore) -> bool:
    """Whether somebody can come in from another machine."""
    return any(person.password and person.state == "active" for person in store.people())


def link(store: PeopleStore, person: Person, purpose: Purpose, who: str) -> str:
    """The secret of a link that lets this person in once."""
    secret = secrets.token_urlsafe(32)
    store.add_ticket(hashed(secret), person.number, purpose, time() + LINK_SECONDS[purpose])
    store.log_deed(who, "made a link", {"person": person.number, "purpose": purpose})
    return secret


def enter_by_link(store: PeopleStore, secret: str) -> tuple[Person, Purpose]:
    taken = store.take_ticket(hashed(secret), time())
    person = None if taken is None else store.person(taken[0])
    if taken is None or person is None or person.state == "disabled":
        raise Problem(DEAD_LINK)
    store.log_deed(f"person {person.number}", "came by link", {"purpose": taken[1]})
    if taken[1] == "password":  # what was forgotten or given away opens nothing from here on
        person = store.change_person(person.number, state="invited", password="")
    return person, taken[1]


def enter_by_password(store: PeopleStore, name: str, password: str) -> Person:
    found = store.person_named(" ".join(unicodedata.normalize("NFC", name).split()))
    right = is_password(password, found.password if found else "")
    if found is None or not right or found.state != "active":
        raise Problem(WRONG_PASSWORD)
    store.log_deed(f"person {found.number}", "signed in", {})
    return found


def set_password(store: PeopleStore, person: Person, password: str, name: str | None = None) -> Person:
    """Choose a password; whoever came by invitation is a full account from now on."""
    changes = {"password": hash_password(password), "state": "active"}
    if name is not None and person_name(name) != person.name:
        changes["name"] = own_name(name)
        if store.person_named(changes["name"]) is not None:
            raise Problem(NAME_TAKEN, got=shown(name), details={"longest": LONGEST_NAME})
    changed = store.change_person(person.number, **changes)
    store.log_deed(f"person {person.number}", "chose a password", {})
    return changed


def set_role(store: PeopleStore, number: int, study: str, role: StudyRole | None, who: str) -> Person:
    person = known(store, number)
    if study == EVERY_STUDY and role != "owner":
        _another_owner(store, person)
    store.set_role(number, study, role)
    store.log_deed(who, "changed a role", {"person": number, "study": study, "role": role})
    return known(store, number)


def disable(store: PeopleStore, number: int, who: str) -> Person:
    """Close an account: it opens nothing any more, its deeds stay in the log."""
    _another_owner(store, known(store, number))
    store.log_deed(who, "disabled an account", {"person": number})
    return store.change_person(number, state="disabled")


def enable(store: PeopleStore, number: int, who: str) -> Person:
    person = known(store, number)
    store.log_deed(who, "enabled an account", {"person": number})
    return store.change_person(number, state="active" if person.password else "invited")


def _another_owner(store: PeopleStore, person: Person) -> None:
    if person.roles.get(EVERY_STUDY) != "owner":
        return
    others = (p for p in store.people() if p.number != person.number and p.state == "active")
    if not any(p.roles.get(EVERY_STUDY) == "owner" for p in others):
        raise Problem(LAST_OWNER)


def add_token(
    store: PeopleStore, person: Person, name: str, scope: Scope, days: float, who: str
) -> tuple[Token, str]:
    """A token and its secret, which is shown once."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME or scope not in SCOPES or not 0 < days <= MOST_DAYS:
        raise Problem(BAD_TOKEN, details={"longest": MOST_DAYS})
    secret = f"rubrica_{secrets.token_urlsafe(32)}"
    made = store.add_token(hashed(secret), person.number, name, scope, time() + days * 86_400)
    store.log_deed(who, "made a token", {"token": made.number, "scope": scope})
    return made, secret
