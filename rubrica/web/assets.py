"""Static files under names that change with their content, so that browsers may keep them for ever.

ES modules are written and read one by one; they are sent joined into one file per page, because on
a bad network every request costs more than its bytes.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from posixpath import dirname, join, normpath

TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "png": "image/png",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
}

_IMPORT = re.compile(r'^import\s+(?:\{([^}]*)\}|\*\s+as\s+(\w+))\s+from\s+"([^"]+)";[ \t]*$', re.M)
_EXPORT = re.compile(r"^export\s+((?:async\s+)?(?:function\*?|class|const|let)\s+)(\w+)", re.M)
_EXPORT_LIST = re.compile(r"^export\s*\{([^}]*)\};?[ \t]*$", re.M)
_UNREADABLE = re.compile(r"^(?:import|export)\b.*$", re.M)


@dataclass(frozen=True, slots=True)
class Asset:
    name: str
    body: bytes
    zipped: bytes
    type: str
    etag: str


@dataclass(slots=True)
class Assets:
    """All static files of one side, kept in memory."""

    prefix: str
    files: dict[str, Asset] = field(default_factory=dict)

    def add(self, name: str, content: str | bytes) -> None:
        body = content.encode() if isinstance(content, str) else content
        etag = sha256(body).hexdigest()[:12]
        kind = TYPES[name.rpartition(".")[2]]
        self.files[name] = Asset(name, body, gzip.compress(body, 9, mtime=0), kind, etag)

    def url(self, name: str) -> str:
        return f"{self.prefix}/{self.files[name].etag}/{name}"

    def find(self, etag: str, name: str) -> Asset | None:
        found = self.files.get(name)
        return found if found is not None and found.etag == etag else None


def join_styles(sources: Mapping[str, str], order: Iterable[str]) -> str:
    """One stylesheet of several; the rule in `dark` holds where the reader has it dark."""
    texts = {**sources, "dark": in_dark(sources["dark"].partition(":root")[2].strip())}
    return "\n".join(texts[name] for name in order)


def in_dark(rule: str) -> str:
    """A rule of the stylesheet that holds where the reader has it dark."""
    system = f'@media (prefers-color-scheme: dark) {{ html[data-theme="system"] {rule} }}'
    return f'html[data-theme="dark"] {rule}\n{system}'


def join_modules(entry: str, sources: Mapping[str, str]) -> str:
    """One module that does what `entry` and all it imports would do together.

    Understands named and namespace imports of relative files and exports of declarations; anything
    else is a mistake of ours and stops the start.
    """
    order: list[str] = []
    _visit(entry, sources, order, ())
    names = {module: f"$m{number}" for number, module in enumerate(order)}
    return "\n".join(_wrapped(module, sources[module], names) for module in order) + "\n"


def _visit(module: str, sources: Mapping[str, str], order: list[str], path: tuple[str, ...]) -> None:
    if module in path:
        raise ValueError(f"modules import each other in a circle: {' -> '.join((*path, module))}")
    if module in order:
        return
    for found in _IMPORT.finditer(sources[module]):
        _visit(_resolve(module, found[3]), sources, order, (*path, module))
    order.append(module)


def _resolve(module: str, target: str) -> str:
    return normpath(join(dirname(module), target))


def _wrapped(module: str, source: str, names: Mapping[str, str]) -> str:
    exports = [found[2] for found in _EXPORT.finditer(source)]
    for found in _EXPORT_LIST.finditer(source):
        exports += _listed(found[1])
    body = _IMPORT.sub(lambda found: _taken(found, names[_resolve(module, found[3])]), source)
    body = _EXPORT_LIST.sub("", _EXPORT.sub(r"\1\2", body))
    left = _UNREADABLE.search(body)
    if left:
        raise ValueError(f"{module}: cannot join {left[0]!r}")
    return (
        f"const {names[module]} = (() => {{\n{body.strip()}\nreturn {{ {', '.join(exports)} }};\n}})();"
    )


def _taken(found: re.Match[str], source: str) -> str:
    if found[2]:
        return f"const {found[2]} = {source};"
    renamed = (name.replace(" as ", ": ") for name in _listed(found[1]))
    return f"const {{ {', '.join(renamed)} }} = {source};"


def _listed(names: str) -> Iterable[str]:
    return [" ".join(name.split()) for name in names.split(",") if name.strip()]
