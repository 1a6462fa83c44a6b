"""The pieces of a C file: its functions and declarations, so that one is read without the others.

The function that is asked for is handed to the parser (pycparser) with the declarations whose
names it uses, and nothing else of the file. A name in a type's place is a type, whoever declares
it. Words that compilers and C++ add, and that change nothing here, are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pycparser import CParser, c_ast
from pycparser.c_parser import ParseError

from dags.programs.nest import ProgramError
from dags.programs.text.c_source import Token, integer_of

NUMBER_TYPES: Final = ("char", "short", "int", "long", "float", "double", "signed", "unsigned")
QUALIFIERS: Final = ("const", "static", "register", "volatile", "restrict", "inline", "extern")
TYPE_WORDS: Final = {"void", "struct", "union", "enum", *NUMBER_TYPES, *QUALIFIERS, "_Bool"}
OTHER_WORDS: Final = {
    *("auto", "break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return"),
    *("sizeof", "switch", "typedef", "while"),
}
KEYWORDS: Final = TYPE_WORDS | OTHER_WORDS
TESTED: Final = {"if", "while", "for", "switch", "sizeof"}  # no cast stands behind these
STATEMENTS: Final = {"for", "if", "while", "do", "switch", "return", "goto", "{", ";"}
KNOWN_TYPES: Final = (
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    *("size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "bool", "uint", "DATA_TYPE"),
)
LEFT_OUT: Final = {
    *("__restrict__", "__restrict", "restrict", "__global__", "__device__", "__host__", "noexcept"),
    *("__forceinline__", "__forceinline", "__inline__", "__inline", "inline", "__extension__"),
    *("virtual", "override", "final", "explicit", "register", "volatile", "__volatile__"),
}
WITH_ARGUMENTS: Final = {"__attribute__", "__declspec", "alignas", "_Alignas", "__launch_bounds__"}
SAME: Final = {"constexpr": "const", "nullptr": "NULL", "__const": "const", "__signed__": "signed"}
CASTS: Final = {"static_cast", "const_cast", "reinterpret_cast"}
VECTORS: Final = {"vector", "array", "span", "valarray"}  # of C++: flat arrays
PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
LOOSE: Final = "program"  # the name of statements outside functions


@dataclass(frozen=True)
class FunctionPiece:
    """The words of a function."""

    name: str
    tokens: tuple[Token, ...]


@dataclass
class Pieces:
    """The pieces of a file.

    Parameters
    ----------
    functions
        Those with a body, in the order of the text; a name may be there twice.
    declarations
        Other pieces: types, constants, arrays, functions without a body.
    statements
        The lines of statements outside of functions.
    types
        Names that stand in a type's place.
    """

    functions: list[FunctionPiece] = field(default_factory=list)
    declarations: list[tuple[Token, ...]] = field(default_factory=list)
    statements: list[int] = field(default_factory=list)
    types: set[str] = field(default_factory=set)


def pieces_of(tokens: Sequence[Token]) -> Pieces:
    """Return the pieces of a file."""
    words = list(_cleaned(tokens))
    found = Pieces(types=_types(words))
    place = 0
    while place < len(words):
        word = words[place]
        opens = [each.text for each in words[place : place + 3]]
        if word.text == "extern" and len(opens) > 2 and opens[1][0] == '"':
            place += 3 if opens[2] == "{" else 2
        elif word.text == "namespace":
            place += 3 if len(opens) > 2 and opens[2] == "{" else 2
        elif word.text in ("}", ";"):
            place += 1
        else:
            end, name = _end_of_piece(words, place)
            piece = tuple(words[place:end])
            if name:
                found.functions.append(FunctionPiece(name, piece))
            elif _is_statement(piece):
                found.statements.append(word.line)
            else:
                found.declarations.append(piece)
            place = end
    return found


def _cleaned(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the words that are C; those of C++ and of compilers are left out or replaced."""
    place = 0
    while place < len(tokens):
        word = tokens[place]
        then = tokens[place + 1].text if place + 1 < len(tokens) else ""
        before = tokens[place - 1].text if place else ";"
        place += 1
        if word.text in WITH_ARGUMENTS and then == "(":
            place = _closed(tokens, place)
        elif word.text == "template" and then == "<":
            place = _angle(tokens, place)
        elif word.text in CASTS and then == "<":
            end = _angle(tokens, place)
            yield Token("sign", "(", word.line)
            yield from tokens[place + 1 : end - 1]
            yield Token("sign", ")", word.line)
            place = end
        elif word.text in ("std", "") and then == "::":
            place += 1
        elif word.text in VECTORS and then == "<":
            end = _angle(tokens, place)
            inside = [token for token in tokens[place + 1 : end - 1] if token.text != "std"]
            yield from inside[: next((n for n, t in enumerate(inside) if t.text == ","), None)]
            yield Token("sign", "*", word.line)
            place = end + (end < len(tokens) and tokens[end].text == "&")
        elif word.text == "auto" and then != ";":
            yield Token("name", _automatic(tokens, place), word.line)
        elif word.text == "::" or word.text in LEFT_OUT or _is_decoration(word, then, before):
            continue
        elif word.text in SAME:
            yield Token("name", SAME[word.text], word.line)
        else:
            yield word


def _automatic(tokens: Sequence[Token], place: int) -> str:
    """Return the type of ``auto x = ...``: int where it begins with a whole number, else double."""
    words = [token.text for token in tokens[place : place + 3]]
    is_whole = len(words) == 3 and words[1] == "=" and integer_of(words[2]) is not None
    return "int" if is_whole else "double"


def _is_decoration(word: Token, then: str, before: str) -> bool:
    """Return whether a name stands before a type where only macros that say nothing do."""
    is_first = before in (";", "{", "}", ")", "(", ",")
    types = {"void", *NUMBER_TYPES, *KNOWN_TYPES}
    return (
        word.kind == "name"
        and word.text not in KEYWORDS | SAME.keys()
        and is_first
        and then in types
    )


def _closed(tokens: Sequence[Token], place: int) -> int:
    """Return the place behind the bracket that opens at `place`."""
    depth = 0
    for here in range(place, len(tokens)):
        depth += (tokens[here].text in PAIRS) - (tokens[here].text in PAIRS.values())
        if depth == 0:
            return here + 1
    raise ProgramError(
        f"{PAIRS[tokens[place].text]!r} is missing: {tokens[place].text!r} is not closed",
        tokens[place].line,
    )


def _angle(tokens: Sequence[Token], place: int) -> int:
    """Return the place behind the angle that opens at `place`."""
    depth = 0
    for here in range(place, len(tokens)):
        depth += (tokens[here].text == "<") - (tokens[here].text == ">")
        depth -= 2 * (tokens[here].text == ">>")
        if depth <= 0:
            return here + 1
    raise ProgramError("'<' is not closed", tokens[place].line)


def _end_of_piece(words: Sequence[Token], start: int) -> tuple[int, str]:
    """Return the place behind a piece, and its name if it is a function with a body."""
    name, is_statement = "", words[start].text in STATEMENTS
    place = start
    while place < len(words):
        text = words[place].text
        if text == "(" and not name and place > start and words[place - 1].kind == "name":
            name = words[place - 1].text
        if text == "{":
            end = _closed(words, place)
            head = {each.text for each in words[start:place]}
            if is_statement or (name not in ("", *KEYWORDS) and "=" not in head):
                return end, "" if is_statement else name
            place = end
        elif text in ("(", "["):
            place = _closed(words, place)
        elif text == ";":
            return place + 1, ""
        elif text in PAIRS.values():
            raise ProgramError(f"{text!r} closes nothing", words[place].line)
        else:
            place += 1
    return len(words), ""


def _is_statement(piece: Sequence[Token]) -> bool:
    """Return whether a piece is a statement: it begins with one, or with a cell and a change."""
    first = piece[0]
    if first.text in STATEMENTS or first.kind in ("sign", "number"):
        return True
    if first.kind != "name" or first.text in KEYWORDS:
        return False
    place = 1
    while place < len(piece) and piece[place].text == "[":
        place = _closed(piece, place)
    return place < len(piece) and piece[place].text in ("=", "+=", "-=", "*=", "/=", "++", "--")


def _types(words: Sequence[Token]) -> set[str]:
    """Return the names in a type's place: before another name, after const, in a cast."""
    found: set[str] = set()
    texts = [each.text for each in words]
    is_name = [each.kind == "name" and each.text not in KEYWORDS for each in words]
    for place, text in enumerate(texts):
        before = texts[place - 1] if place else ";"
        then = texts[place + 1 : place + 4]
        if text == "typedef":
            end, _ = _end_of_piece(words, place)
            found |= {each.text for each in words[place:end][-2:] if each.kind == "name"}
        if not is_name[place] or not then or before in ("struct", "union", "enum", ".", "->"):
            continue
        follows = is_name[place + 1]
        stars = 0
        while place + 1 + stars < len(texts) and texts[place + 1 + stars] in ("*", "const"):
            stars += 1
        behind = place + 1 + stars
        is_first = before in ("(", ",", ";", "{", "}", *QUALIFIERS)
        declares = behind + 1 < len(texts) and (
            is_name[behind] and texts[behind + 1] in (",", ")", "=", ";", "[")
        )
        array = then[:3] == ["(", "*", ")"] or (then[:2] == ["(", "*"] and before != "=")
        casts = before == "(" and behind < len(texts) and texts[behind] == ")"
        casts = casts and not (place > 1 and (texts[place - 2] in TESTED or is_name[place - 2]))
        operand = words[behind + 1] if casts and behind + 1 < len(words) else None
        plain = operand is not None and operand.kind in ("name", "number")
        if (
            follows
            or (before in QUALIFIERS and (stars or array))
            or (stars and is_first and declares and before != "(" and before != ",")
            or (stars and before in ("(", ",") and declares and _in_head(texts, place))
            or (casts and (stars or plain))
            or (array and before in ("(", ",", ";", "{", "}") and _in_head(texts, place))
        ):
            found.add(text)
    return found - KEYWORDS


def _in_head(texts: Sequence[str], place: int) -> bool:
    """Return whether a place is in the parentheses of a function's head, whose body follows."""
    depth = 0
    for here in range(place, min(len(texts), place + 2000)):
        depth += (texts[here] == "(") - (texts[here] == ")")
        if depth < 0:
            return here + 1 < len(texts) and texts[here + 1] in ("{", "const")
        if texts[here] in ("{", "}"):
            return False
    return False


class Parser:
    """The parser of C, with types by any name.

    Parameters
    ----------
    types
        Names of types.
    """

    def __init__(self, types: set[str]) -> None:
        self.types = sorted({*types, *KNOWN_TYPES})

    def parsed(self, tokens: Sequence[Token]) -> list[c_ast.Node]:
        """Return the declarations and functions in some words.

        Raises
        ------
        ProgramError
            If they are no C.
        """
        head = "".join(f"typedef int {name};" for name in self.types)
        rows: list[list[str]] = [[head]]
        for word in tokens:
            while len(rows) < word.line:
                rows.append([])
            rows[word.line - 1].append(word.text)
        text = "\n".join(" ".join(row) for row in rows) + "\n"
        try:
            tree = CParser().parse(text)
        except ParseError as error:
            raise _refusal(str(error), tokens) from None
        except RecursionError:
            raise ProgramError("the text is nested too deeply", tokens[0].line) from None
        except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
            raise ProgramError("the text is no C that is read", tokens[0].line) from None
        return [*tree.ext[len(self.types) :]]

    def declared(self, pieces: Pieces, names: set[str]) -> list[c_ast.Node]:
        """Return the declarations that declare some names; those that are no C are left out."""
        found: list[c_ast.Node] = []
        for piece in pieces.declarations:
            if names.isdisjoint(word.text for word in piece):
                continue
            try:
                found += self.parsed(piece)
            except ProgramError:
                continue
        return found


def _refusal(message: str, tokens: Sequence[Token]) -> ProgramError:
    """Return what the parser says as a sentence with a line of the text."""
    parts = message.split(":")
    line = next((int(part) for part in parts if part.strip().isdigit()), None)
    said = message.rpartition(": ")[2].strip()
    where = f": {said[:1].lower()}{said[1:80]}" if said else ""
    if "before: " in message:
        where = f" before {said[:40]!r}"
    return ProgramError(f"the text is no C that is read{where}", line or tokens[-1].line)
