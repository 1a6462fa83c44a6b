"""The five packages import only downwards, and what is slow to import only where it is used."""

import ast
import functools
import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BELOW = {
    "dags": set(),
    "pebble": {"dags"},
    "schedulers": {"dags", "pebble"},
    "proofs": {"dags", "pebble"},
    "redblue": {"dags", "pebble", "schedulers", "proofs"},
}
SLOW = {"dask", "matplotlib", "ortools", "pandas"}
IMPORTS = ast.Import | ast.ImportFrom
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
BLOCKS = ast.stmt | ast.excepthandler | ast.match_case
FILES = sorted(path for package in BELOW for path in (ROOT / package).rglob("*.py"))


def imports(tree, late=False):
    """The imports of a module, and whether each is late: in a function, or for types only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, IMPORTS):
            yield node, late
        elif isinstance(node, BLOCKS):  # expressions hold none
            yield from imports(node, late or isinstance(node, FUNCTIONS) or is_for_types(node))


def is_for_types(node):
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


@functools.cache
def tree_of(path):
    return ast.parse(path.read_text())


@functools.cache
def imports_of(path):
    return tuple(imports(tree_of(path)))


def imported(result, lazily=True):
    """The top-level packages of imports; of late ones only if `lazily`."""
    for node, late in result:
        if late and not lazily:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        else:
            assert node.level == 0, f"line {node.lineno}: imports between packages are absolute"
            yield node.module.partition(".")[0]


def files_of(package):
    return [path for path in FILES if path.relative_to(ROOT).parts[0] == package]


def test_the_walk_sees_all_imports():
    tree = ast.parse(
        "import a.b\nfrom c import d\nif TYPE_CHECKING:\n    import e\ndef f():\n    import g\n"
        "class H:\n    import i\n    def j(self):\n        from k.l import m\ntry:\n    import n\n"
        "finally:\n    pass"
    )
    result = list(imports(tree))
    assert set(imported(result)) == set("aceigkn")
    assert set(imported(result, lazily=False)) == set("acin")


def test_all_packages_are_here():
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(BELOW)


@pytest.mark.parametrize("package", BELOW)
def test_imports_go_down(package):
    for path in files_of(package):
        used = set(imported(imports_of(path)))
        assert used & set(BELOW) <= BELOW[package] | {package}, path
        assert not used & {"tests", "benchmarks"}, path


@pytest.mark.parametrize("package", BELOW)
def test_slow_imports_are_where_they_belong(package):
    for path in files_of(package):
        result = imports_of(path)
        assert not set(imported(result, lazily=False)) & SLOW, path
        if "numba" in set(imported(result)):
            assert "_kernels" in path.with_suffix("").parts or path.name == "_numba.py", path


def module_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}
LEAVES = ("dags.tracing", "dags.programs.text", "dags.importers", "redblue.papers")
# No module below the first name imports one below the second, but for those below the others. Of
# leaves nobody does outside of them: `dags.spec.leaves` and `redblue.leaves` are their doors.
ARROWS = (
    ("proofs.core", "proofs", ("proofs.core",)),
    ("proofs.lemmas", "proofs", ("proofs.core", "proofs.lemmas", "proofs.certificates")),
    ("proofs.certificates", "proofs.bounds", ()),
    *(("", leaf, ()) for leaf in LEAVES),
)


def is_below(module, name):
    return not name or module == name or module.startswith(f"{name}.")


@functools.cache
def named(path):
    """What a module imports, by whole names, but for what it imports for types only."""
    result, waiting = set(), [tree_of(path)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom):
            result.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            result.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Module | BLOCKS) and not is_for_types(node):
            waiting += ast.iter_child_nodes(node)
    return result


@pytest.mark.parametrize(("above", "below", "allowed"), ARROWS)
def test_no_arrow_goes_where_none_may(above, below, allowed):
    inside = [name for name in MODULES if is_below(name, above)]
    assert inside
    assert any(is_below(name, below) for name in MODULES)
    for module in inside:
        if above or not is_below(module, below):
            used = {name for name in named(MODULES[module]) if is_below(name, below)}
            assert not [n for n in used if not any(is_below(n, folder) for folder in allowed)], (
                module
            )


def test_the_core_of_proofs_compiles_nothing_and_adds_in_integers():
    for path in (ROOT / "proofs" / "core").rglob("*.py"):
        assert not [name for name in named(path) if "_kernels" in name or "numba" in name], path
        for node in ast.walk(ast.parse(path.read_text())):
            assert not isinstance(node, ast.Div), (path, "divides")
            assert not isinstance(getattr(node, "value", None), float), (path, node.lineno)
            assert not (isinstance(node, ast.Name) and node.id == "float"), (path, node.lineno)
            assert not (isinstance(node, ast.Attribute) and "float" in node.attr), path


def modules_used(result):
    """The modules that imports name, those of their names that are modules."""
    for node, _ in result:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def test_nothing_imports_the_papers():
    """`redblue.leaves` reaches them by name; the front door names a type of theirs."""
    for path in files_of("redblue"):
        if "papers" in path.parts or path == ROOT / "redblue" / "__init__.py":
            continue
        used = modules_used(imports_of(path))
        assert not [name for name in used if name.startswith("redblue.papers")], path


def first_circle(used):
    """A list of modules each of which imports the next one, the last one the first; or None."""
    state = {}
    for start in used:
        path = [(start, iter(used[start]))] if start not in state else []
        state.setdefault(start, "open")
        while path:
            following = next(path[-1][1], None)
            if following is None:
                state[path.pop()[0]] = "done"
            elif state.get(following) == "open":
                names = [name for name, _ in path]
                return names[names.index(following) :]
            elif following not in state:
                state[following] = "open"
                path.append((following, iter(used[following])))
    return None


def test_a_circle_is_found():
    assert first_circle({"a": ["b"], "b": ["c", "d"], "c": [], "d": []}) is None
    assert first_circle({"a": ["b"], "b": ["c"], "c": ["d"], "d": ["b"]}) == ["b", "c", "d"]


def test_modules_import_each_other_in_no_circle():
    """Imports for type checking and those in functions included.

    A package that lists its own modules is no circle by that: only what a module names counts,
    and a module that names its own package does.
    """
    used = {
        name: sorted({entry for entry in modules_used(imports_of(path)) if entry in MODULES})
        for name, path in MODULES.items()
    }
    assert first_circle(used) is None


# A module called __main__ is a program: to import it is to run it.
@pytest.mark.parametrize("package", BELOW)
def test_no_module_is_hidden_by_a_name_that_its_package_exports(package):
    for name in map(module_of, files_of(package)):
        if "." in name and not name.endswith(".__main__"):
            module = importlib.import_module(name)
            room, _, leaf = name.rpartition(".")
            assert getattr(sys.modules[room], leaf) is module, name


def test_kernels_are_compiled_from_kernels_only():
    """`dags.compiled.sources_of` names compiled kernels by these files, and `dags/arrays.py`."""
    for path in FILES:
        if "_kernels" not in path.with_suffix("").parts:
            continue
        for node, _ in imports_of(path):
            if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] in BELOW:
                parts = {*node.module.split("."), *(alias.name for alias in node.names)}
                known = node.module in ("dags._numba", "dags.arrays")
                assert "_kernels" in parts or known, path
