"""Who may enter the coordinators' desk: add, list, link, role, disable, enable."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rubrica.accounts import entering
from rubrica.accounts.people import EVERY_STUDY, PeopleStore, Person, StudyRole
from rubrica.cli.opening import Database, database_beside, named_database, taken_back, waiting_for
from rubrica.cli.talk import AsJson, give, problems_as_json
from rubrica.errors import Problem, Rule
from rubrica.storage.open import Store, open_store

BY = "this machine"
"""Who the log says it was: a command is run by whoever may use this machine."""
ENTRY = "/desk/enter#"

WHICH_DATABASE = Rule(
    code="C050",
    title="An account is kept in a database",
    says="no database is named",
    why="Accounts are kept beside the ratings they give access to.",
    mend="Name a study's folder with `--study`, or the database with `--db`.",
)
WHOSE_ACCOUNT = Rule(
    code="C051",
    title="A command about an account says whose",
    says="{got}",
    why="There would be nobody to do it to.",
    mend="Give the name after the word: `rubrica account {do} NAME`; `rubrica account list` shows all.",
)
NO_TERMINAL = Rule(
    code="C052",
    title="A password is typed at a terminal, or comes from a pipe",
    says="there is no terminal to ask for the password at",
    why="It would be read, and perhaps shown, where somebody else can see it.",
    mend="Run the command at a terminal, or give the password with `--password-stdin`.",
)


class Do(StrEnum):
    add = "add"
    list = "list"
    link = "link"
    role = "role"
    disable = "disable"
    enable = "enable"


class Role(StrEnum):
    owner = "owner"
    coordinator = "coordinator"
    reviewer = "reviewer"
    none = "none"


@dataclass(frozen=True)
class Told:
    """What was asked of the command."""

    people: PeopleStore
    name: str
    study: str
    role: StudyRole | None
    password: Callable[[], str]
    url: str


def command(
    do: Annotated[Do, typer.Argument(help="add, list, link, role, disable or enable.")],
    name: Annotated[str | None, typer.Argument(help="Whose account.")] = None,
    study: Annotated[
        Path | None, typer.Option(help="A study's folder: its database is used unless `--db` is given.")
    ] = None,
    only: Annotated[
        bool, typer.Option("--only", help="The role holds for that study, not for all in the database.")
    ] = False,
    role: Annotated[Role, typer.Option(help="What they may do (add, role).")] = Role.owner,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password of a new account from a pipe.")
    ] = False,
    url: Annotated[
        str, typer.Option(help="Where the server is reached, for links.")
    ] = "http://127.0.0.1:8000",
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Accounts of the people who run studies: who may enter the desk, and what they may do there.

    A new account's password is asked for. `link` makes a link that works once, for choosing a new one.
    """
    with problems_as_json(as_json), _opened(_database(study, db)) as store:
        here = study.resolve().name if study is not None and only else EVERY_STUDY
        asked = _read_password if password_stdin else _ask_password
        wanted: StudyRole | None = None if role is Role.none else role.value  # type: ignore[assignment]
        told = Told(store.people, name or "", here, wanted, asked, url.rstrip("/"))
        give(*DOES[do](told), as_json)


@contextmanager
def _opened(where: str) -> Iterator[Store]:
    with taken_back(where), waiting_for(where) as it_is_ours, open_store(where) as store:
        it_is_ours()
        yield store


def _database(study: Path | None, db: str | None) -> str:
    if study is None and named_database(db) is None:
        raise Problem(WHICH_DATABASE)
    return database_beside(study, db)


def _read_password() -> str:
    return sys.stdin.readline().rstrip("\r\n")


def _ask_password() -> str:
    if not sys.stdin.isatty():
        raise Problem(NO_TERMINAL)
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))


Answer = tuple[Any, str]


def _add(told: Told) -> Answer:
    _named(told, Do.add)
    if told.role is None:
        raise Problem(WHOSE_ACCOUNT, got="without a role it opens nothing", details={"do": Do.add})
    made = entering.add(told.people, told.name, told.study, told.role, BY, told.password())
    return _shown(made), f"{made.name} may now sign in as {_roles(made)}."


def _list(told: Told) -> Answer:
    people = told.people.people()
    lines = [f"{p.name}: {_roles(p)}{'' if p.state == 'active' else f' ({p.state})'}" for p in people]
    return [_shown(p) for p in people], "\n".join(lines) or "Nobody has an account."


def _link(told: Told) -> Answer:
    person = _known(told, Do.link)
    link = f"{told.url}{ENTRY}{entering.link(told.people, person, 'password', BY)}"
    says = f"{link}\nIt works once, for a week; the old password ends when it is used."
    return {**_shown(person), "link": link}, says


def _role(told: Told) -> Answer:
    number = _known(told, Do.role).number
    person = entering.set_role(told.people, number, told.study, told.role, BY)
    return _shown(person), f"{person.name} is now {_roles(person)}."


def _disable(told: Told) -> Answer:
    person = entering.disable(told.people, _known(told, Do.disable).number, BY)
    return _shown(person), f"{person.name} opens nothing any more."


def _enable(told: Told) -> Answer:
    person = entering.enable(told.people, _known(told, Do.enable).number, BY)
    return _shown(person), f"{person.name} is {_roles(person)} again."


DOES: Mapping[Do, Callable[[Told], Answer]] = {
    Do.add: _add,
    Do.list: _list,
    Do.link: _link,
    Do.role: _role,
    Do.disable: _disable,
    Do.enable: _enable,
}


def _named(told: Told, do: Do) -> None:
    if not told.name:
        raise Problem(WHOSE_ACCOUNT, got="no name is given", details={"do": do})


def _known(told: Told, do: Do) -> Person:
    _named(told, do)
    found = told.people.person_named(told.name)
    if found is None:
        raise Problem(WHOSE_ACCOUNT, got=f"nobody here is called {told.name}", details={"do": do})
    return found


def _roles(person: Person) -> str:
    held = [f"{role} of {study or 'all studies'}" for study, role in sorted(person.roles.items())]
    return ", ".join(held) or "without a role"


def _shown(person: Person) -> dict[str, Any]:
    shown = {name: value for name, value in asdict(person).items() if name != "password"}
    return {**shown, "has_password": bool(person.password)}
