"""The people of one study: who has which role in it."""

from __future__ import annotations

from rubrica.accounts import entering
from rubrica.accounts.people import Person
from rubrica.coordinator.endpoint import At, Endpoint
from rubrica.coordinator.shapes.people import AddedMember, Member, MemberOf, MemberRole, NewMember
from rubrica.coordinator.shapes.studies import StudyOf
from rubrica.coordinator.site import BASE


def members(at: At, asked: StudyOf) -> list[Member]:
    people = at.site.stores.people.people()
    return [_member(at, person) for person in people if person.role(at.name) is not None]


def _member(at: At, person: Person) -> Member:
    return Member(
        number=person.number,
        name=person.name,
        state=person.state,
        role=person.role(at.name),
        own=person.roles.get(at.name),
    )


def add_member(at: At, of: StudyOf, asked: NewMember) -> AddedMember:
    """Whoever has an account already gets the role; anybody else an account and a link."""
    store = at.site.stores.people
    known = store.person_named(entering.person_name(asked.name))
    if known is not None:
        person = entering.set_role(store, known.number, at.name, asked.role, at.me.who)
        return AddedMember(_member(at, person), None)
    person = entering.add(store, asked.name, at.name, asked.role, at.me.who)
    secret = entering.link(store, person, "password", at.me.who)
    return AddedMember(_member(at, person), f"{BASE}/enter#{secret}")


def member_role(at: At, of: MemberOf, asked: MemberRole) -> Member:
    store = at.site.stores.people
    return _member(at, entering.set_role(store, of.number, at.name, asked.role, at.me.who))


ENDPOINTS = [
    Endpoint(
        "GET",
        "/studies/{study}/members",
        "Who has a role in a study.",
        members,
        list[Member],
        asks=StudyOf,
        who="owner",
    ),
    Endpoint(
        "POST",
        "/studies/{study}/members",
        "Give somebody a role in a study, and an account with a link to whoever has none.",
        add_member,
        AddedMember,
        asks=StudyOf,
        takes=NewMember,
        who="owner",
        needs="manage",
    ),
    Endpoint(
        "POST",
        "/studies/{study}/members/{number}/role",
        "Change or take somebody's role in a study.",
        member_role,
        Member,
        asks=MemberOf,
        takes=MemberRole,
        who="owner",
        needs="manage",
    ),
]
