"""Whether a change renames local variables and does nothing else: syntax trees without local names.

    python benchmarks/renamed.py HEAD              the files of the tree against those of HEAD
    python benchmarks/renamed.py HEAD~3 HEAD       one commit against another

Local names are parameters, variables of functions and of comprehensions, and functions that are
defined in functions. Each is numbered by its first place in its file, so that two files are equal
if they differ in these names alone. A loop whose variable lives in the loop alone has a variable
of its own, so that two loops may name theirs differently. An argument that is given by name may
have another name in the second tree where the parameter of a function of this name has it, too.
Docstrings, comments and layout are not compared.
"""

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("dags", "pebble", "schedulers", "proofs", "redblue", "tests", "benchmarks", "docs")
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Named = ast.Name | ast.arg | ast.FunctionDef | ast.AsyncFunctionDef | ast.ExceptHandler
Loops = tuple[ast.For, ...]  # with a place in their bodies, the outermost first


@dataclass
class Scope:
    """A module, class, function or comprehension: the names that it binds, and those it may not."""

    number: int
    node: ast.AST
    parent: "Scope | None"
    bound: set[str] = field(default_factory=set)
    fixed: set[str] = field(default_factory=set)  # imported, global, nonlocal or matched names

    @property
    def local(self) -> bool:
        """Whether names of this scope can be seen from nowhere else by name."""
        return isinstance(self.node, Function | Comprehension)


@dataclass
class Variable:
    """A local variable: the scope that binds it and its places in the order of the text."""

    scope: Scope
    name: str
    nodes: list[Named] = field(default_factory=list)


class Names:
    """The local variables of a file."""

    def __init__(self, tree: ast.Module) -> None:
        self.scopes: list[Scope] = []
        self.places: list[tuple[Named, Scope, Loops]] = []
        self._enter(tree, None, ())
        self.variables = self._variables()

    def _enter(self, node: ast.AST, parent: Scope | None, loops: Loops) -> None:
        scope = Scope(len(self.scopes), node, parent)
        self.scopes.append(scope)
        if isinstance(node, Comprehension):
            self._comprehension(node, scope, loops)
        elif isinstance(node, Function):
            for parameter in ast.walk(node.args):
                if isinstance(parameter, ast.arg):
                    self._bind(parameter, parameter.arg, scope, ())
            body = [node.body] if isinstance(node, ast.Lambda) else node.body
            for child in body:
                self._visit(child, scope, ())
        else:
            for child in ast.iter_child_nodes(node):
                if not isinstance(node, ast.ClassDef) or child in node.body:
                    self._visit(child, scope, ())

    def _comprehension(self, node: Comprehension, scope: Scope, loops: Loops) -> None:
        for position, generator in enumerate(node.generators):
            if position:
                self._visit(generator.iter, scope, loops)
            self._visit(generator.target, scope, loops)
            for condition in generator.ifs:
                self._visit(condition, scope, loops)
        results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        for result in results:
            self._visit(result, scope, loops)

    def _bind(self, node: Named, name: str, scope: Scope, loops: Loops) -> None:
        scope.bound.add(name)
        self.places.append((node, scope, loops))

    def _visit(self, node: ast.AST, scope: Scope, loops: Loops) -> None:
        match node:
            case ast.Name():
                if not isinstance(node.ctx, ast.Load):
                    scope.bound.add(node.id)
                self.places.append((node, scope, loops))
                return
            case ast.NamedExpr():
                owner = scope
                while isinstance(owner.node, Comprehension) and owner.parent is not None:
                    owner = owner.parent
                self._visit(node.target, owner, loops)
                self._visit(node.value, scope, loops)
                return
            case ast.Global() | ast.Nonlocal():
                scope.fixed.update(node.names)
                outer = scope.parent
                while outer is not None:
                    outer.fixed.update(node.names)
                    outer = outer.parent
                return
            case ast.Import() | ast.ImportFrom():
                names = {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
                scope.bound.update(names)
                scope.fixed.update(names)
                return
            case ast.MatchAs() | ast.MatchStar():
                if node.name is not None:
                    scope.bound.add(node.name)
                    scope.fixed.add(node.name)
            case ast.MatchMapping() if node.rest is not None:
                scope.bound.add(node.rest)
                scope.fixed.add(node.rest)
            case ast.ExceptHandler() if node.name is not None:
                self._bind(node, node.name, scope, loops)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._bind(node, node.name, scope, loops)
                self._function_outside(node, scope, loops)
                self._enter(node, scope, ())
                return
            case ast.Lambda():
                self._function_outside(node, scope, loops)
                self._enter(node, scope, ())
                return
            case ast.ClassDef():
                scope.bound.add(node.name)
                scope.fixed.add(node.name)
                for child in (*node.decorator_list, *node.bases, *node.keywords):
                    self._visit(child, scope, loops)
                self._enter(node, scope, ())
                return
            case ast.For():
                self._visit(node.iter, scope, loops)
                for child in (node.target, *node.body):
                    self._visit(child, scope, (*loops, node))
                for child in node.orelse:
                    self._visit(child, scope, loops)
                return
            case _ if isinstance(node, Comprehension):
                self._visit(node.generators[0].iter, scope, loops)
                self._enter(node, scope, loops)
                return
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope, loops)

    def _function_outside(self, node: Function, scope: Scope, loops: Loops) -> None:
        """Defaults, annotations and decorators belong to the scope around a function."""
        outside: list[ast.AST | None] = [*node.args.defaults, *node.args.kw_defaults]
        outside += [
            parameter.annotation
            for parameter in ast.walk(node.args)
            if isinstance(parameter, ast.arg)
        ]
        if not isinstance(node, ast.Lambda):
            outside += [*node.decorator_list, node.returns]
        for child in outside:
            if child is not None:
                self._visit(child, scope, loops)

    def _owner(self, name: str, scope: Scope) -> Scope | None:
        """The scope whose variable a name means."""
        if name in scope.bound or name in scope.fixed:
            return scope
        outer = scope.parent
        while outer is not None:
            if name in outer.bound and not isinstance(outer.node, ast.ClassDef):
                return outer
            outer = outer.parent
        return None

    def _variables(self) -> list[Variable]:
        owned: dict[tuple[int, str], list[tuple[Named, Loops]]] = {}
        for node, scope, loops in self.places:
            name = name_of(node)
            owner = self._owner(name, scope)
            if owner is not None and owner.local and name not in owner.fixed:
                owned.setdefault((owner.number, name), []).append((node, loops))
        return [
            Variable(self.scopes[number], name, nodes)
            for (number, name), places in owned.items()
            for nodes in apart_by_loop(name, places)
        ]


def name_of(node: Named) -> str:
    """The name that a node binds or reads."""
    if isinstance(node, ast.Name):
        return node.id
    return node.arg if isinstance(node, ast.arg) else node.name or ""


def targets(loop: ast.For) -> set[str]:
    """The names that a loop sets at each turn before its body."""
    return {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}


def apart_by_loop(name: str, places: list[tuple[Named, Loops]]) -> Iterator[list[Named]]:
    """Places of a variable, apart by loop if it lives in loops that set it and nowhere else."""
    loops: dict[int, list[Named]] = {}
    for node, around in places:
        setting = [loop for loop in around if name in targets(loop)]
        if not setting:
            yield [node for node, _ in places]
            return
        loops.setdefault(id(setting[0]), []).append(node)
    yield from loops.values()


def without_docstrings(tree: ast.Module) -> ast.Module:
    """The tree with an empty text for each docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                first.value.value = ""
    return tree


@dataclass(frozen=True)
class Normal:
    """A file without its local names: its tree, arguments given by name, and parameters."""

    tree: str
    keywords: tuple[tuple[str, str], ...]  # name of the function that is called, of the argument
    parameters: tuple[tuple[str, str], ...]  # name of the function, of its parameter


def called(call: ast.Call) -> str:
    """The last part of the name of the function of a call; that of `partial` is its first."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else ""
    name = function.id if isinstance(function, ast.Name) else name
    if name == "partial" and call.args:
        return called(ast.Call(call.args[0], [], []))
    return name


def parameters_of(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each function of a file with each of its parameters, in the order of the text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = node.args
            for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                yield node.name, parameter.arg


def normal(text: str) -> Normal:
    """A file without its local names, docstrings, comments and layout."""
    tree = without_docstrings(ast.parse(text))
    variables = Names(tree).variables
    parameters = tuple(parameters_of(tree))
    keywords = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = called(node)
            for keyword in node.keywords:
                if keyword.arg is not None:
                    keywords.append((name, keyword.arg))
                    keyword.arg = "argument"
    order = {id(node): place for place, node in enumerate(ast.walk(tree))}
    variables.sort(key=lambda variable: min(order[id(node)] for node in variable.nodes))
    for number, variable in enumerate(variables):
        for node in variable.nodes:
            if isinstance(node, ast.Name):
                node.id = f"local{number}"
            elif isinstance(node, ast.arg):
                node.arg = f"local{number}"
            else:
                node.name = f"local{number}"
    return Normal(ast.dump(tree), tuple(keywords), parameters)


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Files that differ in more than local names, with the reason; texts by path."""
    pairs = {}
    for path in sorted(before.keys() | after.keys()):
        if path not in before or path not in after:
            yield f"{path}: in one of the trees only"
        elif before[path] != after[path]:
            pairs[path] = normal(before[path]), normal(after[path])
    renamed = {
        (old, new)
        for first, second in pairs.values()
        for old, new in zip(first.parameters, second.parameters, strict=False)
        if old != new
    }
    unnamed = {
        parameter
        for text in after.values()
        if any(old[0] in text for old, _ in renamed)
        for parameter in parameters_of(ast.parse(text))
    }
    removed = {old for old, _ in renamed} - unnamed
    for path, (first, second) in pairs.items():
        if first.tree != second.tree or len(first.keywords) != len(second.keywords):
            yield f"{path}: the syntax trees differ"
            continue
        for old, new in zip(first.keywords, second.keywords, strict=True):
            if old[1] != new[1] and (old, (old[0], new[1])) not in renamed:
                yield f"{path}: {old[0]}({old[1]}=...) is {new[0]}({new[1]}=...)"
    for path, text in after.items():
        if any(name in text for name, _ in removed):
            for keyword in normal(text).keywords:
                if keyword in removed:
                    yield f"{path}: {keyword[0]} has no parameter {keyword[1]!r} any more"


def at_commit(commit: str) -> dict[str, str]:
    """The Python files of a commit, by path."""
    git = ["git", "-C", str(ROOT)]
    listed = subprocess.run(
        [*git, "ls-tree", "-r", "--name-only", commit, "--", *FOLDERS],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    paths = [path for path in listed if path.endswith(".py")]
    request = "".join(f"{commit}:{path}\n" for path in paths).encode()
    answer = subprocess.run(
        [*git, "cat-file", "--batch"], input=request, capture_output=True, check=True
    ).stdout
    texts, start = {}, 0
    for path in paths:
        header = answer.index(b"\n", start) + 1
        size = int(answer[start:header].split()[-1])
        texts[path] = answer[header : header + size].decode()
        start = header + size + 1
    return texts


def in_tree() -> dict[str, str]:
    """The Python files of the folder, by path."""
    return {
        str(path.relative_to(ROOT)): path.read_text()
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def main() -> None:
    """Print the files that differ in more than local names; exit with 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", help="a commit")
    parser.add_argument("after", nargs="?", help="another; the files of the folder without it")
    arguments = parser.parse_args()
    after = at_commit(arguments.after) if arguments.after else in_tree()
    lines = list(differences(at_commit(arguments.before), after))
    print("\n".join(lines) or "only local names differ")
    sys.exit(bool(lines))


if __name__ == "__main__":
    main()
