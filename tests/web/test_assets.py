"""Modules joined into one file do what they did apart."""

from __future__ import annotations

import pytest

from rubrica.web.assets import Assets, join_modules, join_styles


def test_imports_and_exports_are_wired() -> None:
    sources = {
        "main.js": 'import { one as first } from "./parts/one.js";\n'
        'import * as two from "./two.js";\nuse(first, two);\n',
        "parts/one.js": 'import { two } from "../two.js";\nexport const one = two + 1;\n',
        "two.js": "export const two = 2;\nexport function f() {}\n"
        "export async function g() {}\nexport class C {}\n",
    }
    joined = join_modules("main.js", sources)
    assert joined.index("const two = 2") < joined.index("const one = two + 1") < joined.index("use(")
    assert "return { two, f, g, C };" in joined
    assert "const { one: first } = $m1;" in joined
    assert "export" not in joined
    assert "import" not in joined


def test_a_list_of_exports_and_a_multi_line_import() -> None:
    sources = {
        "a.js": 'import {\n  x,\n  y,\n} from "./b.js";\nuse(x, y);\n',
        "b.js": "const x = 1, y = 2;\nexport { x, y };\n",
    }
    assert "return { x, y };" in join_modules("a.js", sources)


@pytest.mark.parametrize("line", ['import "./x.js";', "export default 3;", 'import x from "./x.js";'])
def test_what_cannot_be_joined_stops_the_start(line: str) -> None:
    with pytest.raises(ValueError, match="cannot join"):
        join_modules("a.js", {"a.js": line, "x.js": ""})


def test_a_circle_stops_the_start() -> None:
    sources = {"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}
    with pytest.raises(ValueError, match="circle"):
        join_modules("a.js", sources)


def test_an_address_changes_with_the_content() -> None:
    assets = Assets("/static")
    assets.add("a.css", "one")
    first = assets.url("a.css")
    assets.add("a.css", "two")
    assert assets.url("a.css") != first
    assert assets.find(first.split("/")[2], "a.css") is None
    found = assets.find(assets.url("a.css").split("/")[2], "a.css")
    assert found is not None
    assert found.body == b"two"


def test_what_is_dark_holds_by_choice_and_by_the_system() -> None:
    parts = {"light": "a { color: black }", "dark": "/* night */\n:root {\n  --x: 1;\n}\n"}
    style = join_styles(parts, ("light", "dark"))
    assert style.startswith("a { color: black }\n")
    assert 'html[data-theme="dark"] {\n  --x: 1;\n}' in style
    assert '@media (prefers-color-scheme: dark) { html[data-theme="system"] {\n  --x: 1;\n} }' in style
