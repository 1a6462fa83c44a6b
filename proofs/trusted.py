"""The lines of the checker that the verdict on a certificate rests on.

Of a kind, the checker is the functions, classes and constants of this package that its record and
what is said of it lead to, name by name, however often or seldom they are called: more than what
runs, and never less. Tables of kinds lead nowhere by themselves: a certificate says which of their
entries it needs, those of the proofs inside it too. The game and the DAG, with what reads them, are
the question, and do not count here.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from proofs.certificates import CHECKERS, Certificate
from proofs.certificates.maps import MAPS
from proofs.certificates.pieces.ledger import ORDER, PIECES, PLAIN, STAGED
from proofs.certificates.pieces.orders import OfOrder, Orders
from proofs.lemmas.loops.nests import PARTS, parts_of

PACKAGE: Final = "proofs"
START: Final = (PACKAGE + ".certificates", "proven_io")  # reads and dispatches all of them
Place = tuple[str, str]  # a module and a name in it
TABLES: Final[frozenset[Place]] = frozenset(
    (
        ("proofs.certificates", "CHECKERS"),
        ("proofs.certificates.maps", "MAPS"),
        ("proofs.certificates.pieces.ledger", "PIECES"),
        ("proofs.lemmas", "LEMMAS"),
        ("proofs.lemmas.loops.nests", "NESTS"),
        ("proofs.lemmas.loops.nests", "PARTS"),
    )
)


@dataclass(frozen=True)
class _Module:
    """What a module defines, and what it imports of this package.

    Parameters
    ----------
    lines
        The first and the last line of what each name stands for.
    uses
        The names in there, with attributes of modules: "words", "maps.words".
    imports
        Places, and modules with an empty name, by the names they have here.
    """

    lines: Mapping[str, tuple[int, int]]
    uses: Mapping[str, frozenset[str]]
    imports: Mapping[str, Place]


def lines_behind(certificate: Certificate) -> dict[str, int]:
    """How many lines of each room of the checker a certificate rests on.

    Parameters
    ----------
    certificate
        One that proves something.
    """
    rooms: dict[str, int] = {}
    for module, lines in _ranges(places_behind(certificate)).items():
        room = "/".join(module.split(".")[1:3])
        if module.count(".") == 2 and not _is_folder(module):
            room = module.split(".")[1]
        rooms[room] = rooms.get(room, 0) + lines
    return dict(sorted(rooms.items()))


def places_behind(certificate: Certificate) -> frozenset[Place]:
    """The modules and names of this package that a certificate rests on."""
    return _reached(frozenset((START, *_roots(certificate.kind, certificate.data))))


def places_of_kind(kind: str) -> frozenset[Place]:
    """What any certificate of a kind rests on, beside proofs inside it."""
    return _reached(frozenset((START, *_of_kind(kind))))


def lines_of(places: Iterable[Place]) -> int:
    """How many lines of code, comments and docstrings places have together."""
    return sum(_ranges(places).values())


def _of_kind(kind: str) -> Iterator[Place]:
    """Yield the places of what is said of all certificates of a kind."""
    lemma = CHECKERS[kind]
    yield from _places(type(lemma), lemma.record, lemma.says)
    for table in (MAPS.get(kind, ()), PARTS.get(lemma.record, ())[:1]):
        yield from _places(*table)


def _roots(kind: str, data: Mapping[str, Any]) -> Iterator[Place]:
    """Yield the places of what is said of a certificate, and of the proofs inside it."""
    yield from _of_kind(kind)
    if "kind" in data:
        yield from _roots(data["kind"], data["data"])
    for part in data.get("parts", ()):
        if part["proof"] == ORDER:
            yield from _places(OfOrder, Orders)
        else:
            piece = {**PIECES, **STAGED, **PLAIN}[part["proof"]]
            yield from _places(type(piece), piece.record, piece.shows)
    for record in parts_of(kind, data):
        yield from _places(type(record), PARTS[type(record)][0])


def _places(*objects: Any) -> Iterator[Place]:
    """Yield the places of classes and functions."""
    for item in objects:
        inner = item.func if isinstance(item, partial) else item
        name = inner.__qualname__.partition(".")[0]
        if inner.__module__.startswith(PACKAGE) and not name.startswith("<"):
            yield inner.__module__, name


def _ranges(places: Iterable[Place]) -> dict[str, int]:
    """How many lines places have, by module."""
    lines: dict[str, set[int]] = {}
    for module, name in places:
        first, last = _module(module).lines[name]
        lines.setdefault(module, set()).update(range(first, last + 1))
    return {module: len(lines) for module, lines in lines.items()}


@cache
def _reached(roots: frozenset[Place]) -> frozenset[Place]:
    """The places that names lead to, from some on."""
    reached: set[Place] = set()
    waiting = [place for root in roots for place in _resolved(*root)]
    while waiting:
        place = waiting.pop()
        if place in reached:
            continue
        reached.add(place)
        module, name = place
        if place in TABLES:
            continue
        for used in _module(module).uses[name]:
            waiting.extend(_resolved(module, used))
    return frozenset(reached)


def _resolved(module: str, name: str) -> Iterator[Place]:
    """Yield the place where a name of a module is defined, if that is in this package."""
    known = _module(module)
    first, _, rest = name.partition(".")
    if first in known.lines:
        yield module, first
    elif first in known.imports:
        source, inner = known.imports[first]
        if inner and _is_module(f"{source}.{inner}"):
            source, inner = f"{source}.{inner}", ""
        wanted = inner or rest.partition(".")[0]
        if wanted:
            yield from _resolved(source, wanted)


def _is_module(name: str) -> bool:
    return find_spec(name) is not None if _is_folder(name.rpartition(".")[0]) else False


@cache
def _is_folder(module: str) -> bool:
    return _file(module).name == "__init__.py"


def _file(module: str) -> Path:
    spec = find_spec(module)
    assert spec is not None
    return Path(str(spec.origin))


@cache
def _module(name: str) -> _Module:
    """What a module of this package defines and imports."""
    lines: dict[str, tuple[int, int]] = {}
    uses: dict[str, frozenset[str]] = {}
    tree = ast.parse(_file(name).read_text(encoding="utf-8"))
    for node in tree.body:
        used = frozenset(_used(node))
        for defined in _defined(node):
            first = min(
                [
                    node.lineno,
                    *(decorator.lineno for decorator in getattr(node, "decorator_list", ())),
                ]
            )
            lines[defined], uses[defined] = (first, node.end_lineno or first), used
    imports = {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE)
        for alias in node.names
    }
    return _Module(lines, uses, imports)


def _defined(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module gives something to."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (
            part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
        )


def _used(node: ast.stmt) -> Iterator[str]:
    """Yield the names in a statement, and the attributes of names."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            yield f"{part.value.id}.{part.attr}"
