"""Style that a linter does not know: sizes of kernels, constants, and parameters."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("dags", "pebble", "schedulers", "proofs", "redblue")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
MOST_KERNEL_LINES = 60
MOST_CLASSES_OF_A_NAME = 4
MANY = 3  # parameters that a line cannot explain


@cache
def tree_of(path):
    return ast.parse(path.read_text())


def module_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def lines_of(function):
    """The lines of a function without its signature and docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return body[-1].end_lineno - body[0].lineno + 1


def parameters(function):
    arguments = function.args
    everything = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    return [
        parameter.arg
        for parameter in everything
        if parameter is not None and parameter.arg not in ("self", "cls")
    ]


def exported():
    """Functions, and public methods of classes, that packages export, with their names."""
    names = {
        (node.module, alias.name)
        for path in FILES
        if path.name == "__init__.py"
        for node in tree_of(path).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    modules = {module for module, _ in names}
    for path in FILES:
        module = module_of(path)
        for node in tree_of(path).body if module in modules else ():
            if isinstance(node, ast.ClassDef | FUNCTIONS) and (module, node.name) in names:
                for function in node.body if isinstance(node, ast.ClassDef) else [node]:
                    if isinstance(function, FUNCTIONS) and not function.name.startswith("_"):
                        yield f"{module}: {node.name}.{function.name}", function


def test_kernels_can_be_read():
    sizes = {
        f"{module_of(path)}: {node.name}": lines_of(node)
        for path in FILES
        if "_kernels" in path.with_suffix("").parts
        for node in tree_of(path).body
        if isinstance(node, FUNCTIONS)
    }
    assert sizes["pebble._kernels.replay: replay"] > MOST_KERNEL_LINES // 2
    assert {name: size for name, size in sizes.items() if size > MOST_KERNEL_LINES} == {}


def test_module_level_constants_are_set_once():
    """A second assignment would overrule the first in silence."""
    twice = {}
    for path in FILES:
        names = [
            target.id
            for node in tree_of(path).body
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
            for place in (node.targets if isinstance(node, ast.Assign) else [node.target])
            for target in (place.elts if isinstance(place, ast.Tuple) else [place])
            if isinstance(target, ast.Name)
        ]
        if repeated := {name for name in names if names.count(name) > 1}:
            twice[module_of(path)] = sorted(repeated)
    assert twice == {}


def test_many_parameters_are_explained():
    """Of what users import; with their shapes and units."""
    result = dict(exported())
    assert {
        "schedulers.eviction.policies: lru.lru",
        "dags.cdag.value: CDAG.words_of",
    } <= result.keys()
    assert [
        name
        for name, function in result.items()
        if len(parameters(function)) >= MANY
        and not re.search(r"^Parameters\n-+$", ast.get_docstring(function) or "", re.MULTILINE)
    ] == []


def test_one_class_name_has_few_meanings():
    """A reader who searches for a name finds the thing; small records of kernels may agree."""
    names = Counter(
        node.name
        for path in FILES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef)
    )
    assert names["Computation"] == 1
    assert {name: count for name, count in names.items() if count > MOST_CLASSES_OF_A_NAME} == {}
