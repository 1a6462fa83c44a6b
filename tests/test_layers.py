"""The six packages import only downwards, and what is slow to import only where it is used."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BELOW = {
    "dags": set(),
    "pebble": {"dags"},
    "schedulers": {"dags", "pebble"},
    "proofs": {"dags", "pebble"},
    "machines": {"dags", "proofs"},
    "redblue": {"dags", "pebble", "schedulers", "proofs", "machines"},
}
SLOW = {"dask", "matplotlib", "ortools", "pandas"}
FILES = sorted(path for package in BELOW for path in (ROOT / package).rglob("*.py"))


def imported(tree, lazily=True):
    """The top-level packages that a module imports; those in functions only if `lazily`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports between packages are absolute"
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from imported(node, lazily) if lazily else ()
        elif lazily or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from imported(node, lazily)


def name_of(path):
    return str(path.relative_to(ROOT))


def test_the_walk_sees_all_imports():
    tree = ast.parse(
        "import a.b\nfrom c import d\nif TYPE_CHECKING:\n    import e\ndef f():\n    import g\n"
        "class H:\n    import i\n    def j(self):\n        from k.l import m\ntry:\n    import n\n"
        "finally:\n    pass"
    )
    assert set(imported(tree)) == set("aceigkn")
    assert set(imported(tree, lazily=False)) == set("acin")


def test_all_packages_are_here():
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(BELOW)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_go_down(path):
    package = path.relative_to(ROOT).parts[0]
    used = set(imported(ast.parse(path.read_text())))
    assert used & set(BELOW) <= BELOW[package] | {package}
    assert not used & {"tests", "benchmarks"}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_slow_imports_are_where_they_belong(path):
    tree = ast.parse(path.read_text())
    assert not set(imported(tree, lazily=False)) & SLOW
    if "numba" in set(imported(tree)):
        assert "_kernels" in path.with_suffix("").parts or path.name == "_numba.py"


@pytest.mark.parametrize(
    "path", [path for path in FILES if "certificates" in path.parts], ids=name_of
)
def test_what_checks_imports_nothing_that_finds(path):
    nodes = list(ast.walk(ast.parse(path.read_text())))
    modules = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    modules += [
        alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names
    ]
    assert not [module for module in modules if module.startswith("proofs.bounds")]
