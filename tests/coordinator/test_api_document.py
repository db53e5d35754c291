"""The API keeps its document's word: generated requests find no fault and no undocumented answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import schemathesis
from argon2 import PasswordHasher
from desking import World, computed_here
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from rubrica.accounts import entering, passwords
from rubrica.coordinator.api import ENDPOINTS
from rubrica.coordinator.endpoint import Endpoint
from rubrica.fieldwork.robots import Crew, simulate
from rubrica.storage.open import open_store

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
KNOWN: dict[str, list[Any]] = {
    "study": ["two", "nothing"],
    "number": [1, 2, 2**31 - 1],
    "name": ["report.html", "report.json", "x"],
}
"""What path parameters are tried with, so that requests get somewhere."""
EXAMPLES = 6


@pytest.fixture(scope="module")
def world(pattern: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = copytree(pattern, tmp_path_factory.mktemp("api") / "made")
    with open_store(folder / "test.db") as store, pytest.MonkeyPatch.context() as patched:
        patched.setattr(passwords, "_hasher", PasswordHasher(1, 64, 1))
        made = World(store, folder).open(
            folder / "two", compute=computed_here(store), names=["testserver"]
        )
        simulate(made.desks["two"], Crew(raters=2, seed=1, skips=0.1), lambda _: None)
        yield made
        assert made.site is not None
        made.site.stopping.set()


@pytest.fixture(scope="module")
def number(world: World) -> int:
    """Who tries: an owner beside another one."""
    world.person("second", {"": "owner"}, "a password of ten letters")
    return world.person("first", {"": "owner"})


@pytest.fixture
def secret(world: World, number: int) -> str:
    """A token of theirs, whatever the requests before have done to the account."""
    world.store.people.change_person(number, state="active")
    world.store.people.set_role(number, "", "owner")
    person = entering.known(world.store.people, number)
    return entering.add_token(world.store.people, person, "tried", "manage", 1, "a test")[1]


@pytest.fixture(scope="module")
def document(world: World, number: int) -> dict[str, Any]:
    owner = world.entered(number)
    found: dict[str, Any] = owner.shown("/api/openapi.json")
    item = owner.shown("/api/studies/two/items")["items"][0]["id"]
    version = owner.shown("/api/studies/two")["version"]
    known = {**KNOWN, "item": [item, "nothing"], "version": [version, "nothing"]}
    for path in found["paths"].values():
        for operation in path.values():
            for parameter in operation["parameters"]:
                if parameter["name"] in known:
                    parameter["schema"] = {"enum": known[parameter["name"]]}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda one: f"{one.method} {one.path}")
def test_every_answer_is_documented(
    world: World, secret: str, document: dict[str, Any], endpoint: Endpoint
) -> None:
    schema = schemathesis.openapi.from_dict(document)
    schema.app = world.app
    operation = schema[f"/api{endpoint.path}"][endpoint.method]
    headers = {"authorization": f"Bearer {secret}"}
    strategies = [
        operation.as_strategy(GenerationMode.POSITIVE),
        operation.as_strategy(GenerationMode.NEGATIVE),
    ]
    for strategy in strategies:

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=strategy)
        def tried(case: Any) -> None:
            case.call_and_validate(headers=headers, checks=CHECKS)

        tried()


def test_the_document_can_be_read_and_says_who_may(world: World) -> None:
    document = world.browser().shown("/api/openapi.json")
    assert set(document["paths"]) >= {f"/api{one.path}" for one in ENDPOINTS}
    schemathesis.openapi.from_dict(document).validate()
