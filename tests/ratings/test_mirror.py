"""The page's mirror of the rules comes to what the server comes to, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

import rubrica.annotator
import rubrica.kinds
from rubrica.kinds.registry import kinds

STATIC = Path(rubrica.annotator.__path__[0]) / "static"
KINDS = Path(rubrica.kinds.__path__[0])
TABLE = Path(__file__).parent / "rules_cases.json"
ORIGIN = "http://mirror.test"

CHECK = """
async ({ names, table }) => {
  const { Decided } = await import("/rules.js");
  const parts = {};
  for (const name of names) parts[name] = await import(`/kinds/${name}.js`);
  const wrong = [];
  for (const one of table.cases) {
    const asked = table.studies[one.study].kinds;
    const measure = (name, value) => {
      const { kind, data } = asked[name];
      return parts[kind].measure(data, value, (inner) => parts[inner]);
    };
    const decided = (replies) => new Decided(one.rules, replies, measure);
    const now = decided(one.replies);
    const at_first = (name) => {
      const first = one.replies[name]?.first;
      return first === undefined ? now : decided({ ...one.replies, [name]: { value: first } });
    };
    const found = {
      states: (name) => now.state(name),
      values: (name) => now.value(name),
      implied: (name) => now.implied(name) && [now.implied(name).value, now.implied(name).name ?? null],
      second_look: (name) => at_first(name).second_look(name),
      scores: (name) => now.fact(`score.${name}`),
    };
    for (const [what, expected] of Object.entries(one.expect)) {
      for (const [name, value] of Object.entries(expected)) {
        if (what === "scores" && !(name.split(".")[0] in one.rules.scores)) continue;
        const got = found[what](name) ?? null;
        if (JSON.stringify(got) !== JSON.stringify(value))
          wrong.push([one.name, what, name, got, value]);
      }
    }
  }
  return wrong;
}
"""


def _serve(route: Route) -> None:
    path = route.request.url.removeprefix(ORIGIN)
    if path == "/":
        route.fulfill(content_type="text/html", body="<!doctype html><title>mirror</title>")
        return
    name = path.removeprefix("/kinds/").removesuffix(".js")
    file = KINDS / name / "part.js" if path.startswith("/kinds/") else STATIC / path[1:]
    route.fulfill(content_type="text/javascript", body=file.read_text("utf-8"))


@pytest.mark.browser
def test_the_page_comes_to_what_the_server_comes_to(chromium: Browser) -> None:
    argument: dict[str, Any] = {"names": list(kinds()), "table": json.loads(TABLE.read_text("utf-8"))}
    page = chromium.new_page()
    page.route(f"{ORIGIN}/**", _serve)
    page.goto(f"{ORIGIN}/")
    wrong = page.evaluate(CHECK, argument)
    page.close()
    assert wrong == []
