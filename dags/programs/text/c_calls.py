"""Functions of a file that another one calls: which of them are read inside of it, and how."""

import ast
from collections.abc import Sequence

from pycparser import c_ast

from dags.programs.nest import ProgramError
from dags.programs.text.c_pieces import FunctionPiece, Parser, Pieces
from dags.programs.text.c_pointers import nodes_of
from dags.programs.text.trees import placed

MOST_CALLS = 20  # one inside of another


class Callees:
    """The functions of a file, parsed where one is asked for.

    Parameters
    ----------
    pieces
        Of the file.
    parser
        Of its words.
    piece
        The function that is read.
    unknown
        Lines with a condition on a name that the text does not define, and the name.
    """

    def __init__(
        self,
        pieces: Pieces,
        parser: Parser,
        piece: FunctionPiece,
        unknown: Sequence[tuple[int, str]],
    ) -> None:
        self.parser, self.unknown = parser, unknown
        self._pieces: dict[str, FunctionPiece] = {}
        for function in pieces.functions:
            self._pieces.setdefault(function.name, function)
        self._trees: dict[str, c_ast.FuncDef] = {}
        self.words = self._reached(piece)

    def _reached(self, piece: FunctionPiece) -> set[str]:
        """The words of a function, and of those that it may call."""
        reached: set[str] = set()
        waiting = [piece]
        while waiting:
            words = {word.text for word in waiting.pop().tokens} - reached
            waiting += [self._pieces[word] for word in words & self._pieces.keys()]
            reached |= words
        return reached

    def parsed(self, piece: FunctionPiece) -> c_ast.FuncDef:
        """The tree of a function.

        Raises
        ------
        ProgramError
            If it is no C, or an ``#if`` in it asks for a name nobody defines.
        """
        words = piece.tokens
        for line, name in self.unknown:
            if words and words[0].line <= line <= words[-1].line:
                raise ProgramError(
                    f"whether the lines behind an #if count is not known: write #define {name}",
                    line,
                )
        trees = [tree for tree in self.parser.parsed(words) if isinstance(tree, c_ast.FuncDef)]
        if len(trees) != 1:
            raise ProgramError("the text is no function that is read", words[0].line)
        return trees[0]

    def tree(self, name: str) -> c_ast.FuncDef | None:
        """The tree of a function of the file; None if it has none of that name."""
        if name in self._pieces and name not in self._trees:
            self._trees[name] = self.parsed(self._pieces[name])
        return self._trees.get(name)


def parameters_of(tree: c_ast.FuncDef) -> list[c_ast.Decl]:
    """The parameters of a function.

    Raises
    ------
    ProgramError
        If one has no name, or there may be any number of them.
    """
    kind = tree.decl.type
    params = kind.args.params if kind.args is not None else []
    names = [parameter for parameter in params if isinstance(parameter, c_ast.Decl)]
    if len(names) < len(params) and not (
        len(params) == 1 and isinstance(params[0], c_ast.Typename)
    ):
        raise ProgramError(
            f"{tree.decl.name} takes any number of arguments: write its statements here",
            getattr(tree.decl.coord, "line", 1),
        )
    return names


def takes_place(tree: c_ast.FuncDef, parameter: c_ast.Decl) -> bool:
    """Whether a parameter is a place in memory: a pointer, an array, or a structure."""
    if isinstance(parameter.type, c_ast.PtrDecl | c_ast.ArrayDecl):
        return True
    return any(
        isinstance(node, c_ast.StructRef)
        and isinstance(node.name, c_ast.ID)
        and node.name.name == parameter.name
        for node in nodes_of(tree.body)
    )


def free_names(tree: c_ast.FuncDef) -> set[str]:
    """The names that a function reads or writes and does not declare."""
    declared = {parameter.name for parameter in parameters_of(tree)}
    names: set[str] = set()
    for node in nodes_of(tree.body):
        if isinstance(node, c_ast.Decl):
            declared.add(node.name)
        elif isinstance(node, c_ast.ID):
            names.add(node.name)
    return names - declared


def settled(body: list[ast.stmt], name: str) -> list[ast.stmt]:
    """The statements of a function that is called, without returns.

    What comes behind a condition that may return is done in its other branch.

    Parameters
    ----------
    body
        Its statements.
    name
        Of the function.

    Raises
    ------
    ProgramError
        If it may return within a loop.
    """
    for place, node in enumerate(body):
        following = body[place + 1 :]
        returns = [statement for statement in ast.walk(node) if isinstance(statement, ast.Return)]
        if isinstance(node, ast.Return):
            return body[:place]
        if returns and isinstance(node, ast.If):
            first, second = (
                settled([*branch, *following], name) for branch in (node.body, node.orelse)
            )
            chosen = ast.If(node.test, first or [placed(ast.Pass(), node.lineno)], second)
            return [*body[:place], placed(chosen, node.lineno)]
        if returns:
            raise ProgramError(
                f"{name} returns within a loop: write the loop to its end", returns[0].lineno
            )
    return body
