"""People with accounts: signing in, sessions, tokens, roles, what was done."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from rubrica.accounts.people import Scope, StudyRole
from rubrica.coordinator.shapes.fields import Number, Short

Role = StudyRole


class SignIn(Struct, forbid_unknown_fields=True):
    """A name with its password, or the secret of a link."""

    name: Short = ""
    password: Annotated[str, Meta(max_length=1_000)] = ""
    link: Short = ""


class Me(Struct):
    number: int
    name: str
    roles: dict[str, Role]
    """By study; the role under the empty name holds for all."""
    has_password: bool
    choose_password: bool = False
    """The link that was used is for choosing a password."""


class NewPassword(Struct, forbid_unknown_fields=True):
    password: Annotated[str, Meta(max_length=1_000)]
    old: Annotated[str, Meta(max_length=1_000)] = ""
    name: Short | None = None


class SessionLine(Struct):
    id: str
    used: float
    here: bool


class SessionOf(Struct):
    id: Short


class TokenLine(Struct):
    number: int
    name: str
    scope: Scope
    made: str
    until: float
    ended: bool


class NewToken(Struct, forbid_unknown_fields=True):
    name: Short
    scope: Scope = "read"
    days: float = 90


class MadeToken(Struct):
    token: TokenLine
    secret: str
    """Shown only now."""


class TokenOf(Struct):
    number: Number


class PersonLine(Struct):
    number: int
    name: str
    state: str
    roles: dict[str, Role]
    has_password: bool
    added: str


class NewPerson(Struct, forbid_unknown_fields=True):
    name: Short
    role: Role = "reviewer"
    study: Short = ""
    """Empty for all studies."""


class Invited(Struct):
    person: PersonLine
    link: str
    """Lets them choose a password; works once."""


class PersonOf(Struct):
    number: Number


class NewRole(Struct, forbid_unknown_fields=True):
    study: Short = ""
    role: Role | None = None
    """None takes the role away."""


class Member(Struct):
    number: int
    name: str
    state: str
    role: Role | None
    """The highest they have in this study."""
    own: Role | None
    """The role given in this study, if it is not one in all studies that counts."""


class NewMember(Struct, forbid_unknown_fields=True):
    name: Short
    role: Role = "reviewer"


class AddedMember(Struct):
    member: Member
    link: str | None
    """Lets them choose a password; None for somebody who has an account."""


class MemberOf(Struct):
    study: str
    number: Number


class MemberRole(Struct, forbid_unknown_fields=True):
    role: Role | None = None
    """None takes the role away."""


class DeedLine(Struct):
    number: int
    when: str
    who: str
    what: str
    details: dict[str, Any]


class Before(Struct):
    before: Number | None = None
    count: Annotated[int, Meta(ge=1, le=200)] = 50
