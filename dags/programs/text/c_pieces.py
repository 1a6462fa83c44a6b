"""The pieces of a C file: its functions and declarations, so that one is read without the others.

The function that is asked for is handed to the parser (pycparser) with the declarations whose
names it uses, and nothing else of the file. A name in a type's place is a type, whoever declares
it. Words that compilers and C++ add, and that change nothing here, are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
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
OPERATORS: Final = {
    *"=(,+-*/<>?:[!&|%",
    *("+=", "-=", "*=", "/=", "==", "!=", "<=", ">=", "&&", "||", "return"),
}
SIZES: Final = ("size", "rows", "cols", "length")  # of arrays in C++
HEADS: Final = {
    *("struct", "class", "enum", "union", "namespace", "public", "private", "protected"),
}
EXTREMES: Final = ("min", "max")
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
    """The pieces of a file."""
    words = list(_cleaned(tokens))
    pieces = Pieces(types=_types(words))
    place = 0
    while place < len(words):
        word = words[place]
        opens = [word.text for word in words[place : place + 3]]
        if word.text == "extern" and len(opens) > 2 and opens[1][0] == '"':
            place += 3 if opens[2] == "{" else 2
        elif word.text == "namespace":
            place += 3 if len(opens) > 2 and opens[2] == "{" else 2
        elif word.text in ("class", "struct") and (body := _members(words, place)):
            place = body
        elif word.text in HEADS and opens[1:2] == [":"]:
            place += 2
        elif word.text in ("}", ";"):
            place += 1
        else:
            end, name = _end_of_piece(words, place)
            piece = tuple(words[place:end])
            if name:
                pieces.functions.append(FunctionPiece(name, piece))
            elif _is_statement(piece):
                pieces.statements.append(word.line)
            else:
                pieces.declarations.append(piece)
            place = end
    return pieces


def _members(words: Sequence[Token], place: int) -> int:
    """The place of the first member of a class that has functions; 0 of another."""
    texts = [word.text for word in words[place : place + 40]]
    if "{" not in texts or {";", "(", "="} & {*texts[: texts.index("{")]}:
        return 0
    start = place + texts.index("{")
    inside = [word.text for word in words[start : _closed(words, start)]]
    return start + 1 if (")", "{") in pairwise(inside) else 0


def _cleaned(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the words that are C; those of C++ and of compilers are left out or replaced."""
    place = 0
    values = {*NUMBER_TYPES, *KNOWN_TYPES, *_template_types(tokens)}
    while place < len(tokens):
        word = tokens[place]
        following, *later = [token.text for token in tokens[place + 1 : place + 5]] or [""]
        before = tokens[place - 1].text if place else ";"
        place += 1
        if word.text in WITH_ARGUMENTS and following == "(":
            place = _closed(tokens, place)
        elif word.text == "[" and following == "[" and before in (";", "{", "}", ")", ","):
            place = _closed(tokens, place - 1)  # an attribute
        elif word.text == "template" and following == "<":
            place = _angle(tokens, place)
        elif word.text in EXTREMES and following == "<" and later[1:3] == [">", "("]:
            yield word
            place += 3
        elif word.text in CASTS and following == "<":
            end = _angle(tokens, place)
            yield Token("sign", "(", word.line)
            yield from tokens[place + 1 : end - 1]
            yield Token("sign", ")", word.line)
            place = end
        elif following == ("->" if word.text == "this" else "::") and word.kind == "name":
            place += 1
        elif word.text == "using":
            end = next((n for n in range(place, len(tokens)) if tokens[n].text == ";"), place)
            yield from _renamed_type(tokens[place:end], word.line)
            place = end
        elif word.text in VECTORS and following == "<":
            end = _angle(tokens, place)
            yield from _vector(tokens[place + 1 : end - 1], word.line)
            place = end + (end < len(tokens) and tokens[end].text == "&")
        elif word.kind == "name" and following == "." and later[1:3] == ["(", ")"] and later:
            if later[0] in SIZES:
                yield Token("name", f"{word.text}_{later[0]}", word.line)
                place += 4
            elif later[0] == "data":
                yield word
                place += 4
            else:
                yield word
        elif (
            word.text in values
            and following == "("
            and before in OPERATORS
            and later[:1] not in (["*"], ["&"])
        ):
            yield from (Token("sign", "(", word.line), word, Token("sign", ")", word.line))
        elif word.kind == "name" and following in ("{", "&") and _begins(tokens, place - 1):
            yield word
            if following == "{":
                end = _closed(tokens, place)
                yield Token("sign", "=", word.line)
                inside = tokens[place + 1 : end - 1]
                yield from inside or (Token("number", "0", word.line),)
                place = end
        elif word.text == "&" and _is_reference(tokens, place - 1, values):
            continue
        elif word.text == "new" and later[:1] == ["["]:
            end = _closed(tokens, place + 1)
            yield from (Token("name", "malloc", word.line), Token("sign", "(", word.line))
            yield from tokens[place + 2 : end - 1]
            yield Token("sign", ")", word.line)
            place = end
        elif word.text == "delete" and before in (";", "{", "}", ")"):
            name = place + 2 * (following == "[")
            yield from (Token("name", "free", word.line), Token("sign", "(", word.line))
            yield from (*tokens[name : name + 1], Token("sign", ")", word.line))
            place = name + 1
        elif word.text == "auto" and following != ";":
            yield Token("name", _automatic(tokens, place), word.line)
        elif word.text == "::" or word.text in LEFT_OUT or _is_decoration(word, following, before):
            continue
        elif word.text in SAME:
            yield Token("name", SAME[word.text], word.line)
        else:
            yield word


def _template_types(tokens: Sequence[Token]) -> set[str]:
    """The names of types that are parameters of templates, or have names by ``using``."""
    texts = [token.text for token in tokens]
    return {name for kind, name in pairwise(texts) if kind in ("typename", "class", "using")}


def _renamed_type(words: Sequence[Token], line: int) -> Iterator[Token]:
    """Yield ``using name = type`` as a definition of C; nothing of a namespace."""
    if len(words) > 2 and words[1].text == "=":
        yield Token("name", "typedef", line)
        yield from (word for word in words[2:] if word.text not in ("std", "::"))
        yield words[0]


def _vector(inside: Sequence[Token], line: int) -> Iterator[Token]:
    """Yield the type of a vector of C++ as a pointer, one of vectors as a pointer to pointers."""
    type_words = [word for word in inside if word.text not in ("std", "::")]
    stars = 1
    while len(type_words) > 2 and type_words[0].text in VECTORS and type_words[1].text == "<":
        type_words, stars = type_words[2:], stars + 1
    ends = (n for n, word in enumerate(type_words) if word.text in (",", ">", ">>"))
    yield from type_words[: next(ends, None)]
    for _ in range(stars):
        yield Token("sign", "*", line)


def _begins(tokens: Sequence[Token], place: int) -> bool:
    """Whether a name is declared with its value in braces, as ``double s{0};``."""
    if place < 1 or tokens[place + 1].text != "{":
        return False
    kind = tokens[place - 1]
    is_type = kind.kind == "name" and kind.text not in {*HEADS, *OTHER_WORDS} - {"auto"}
    end = _closed(tokens, place + 1)
    return is_type and end < len(tokens) and tokens[end].text in (";", ",")


def _is_reference(tokens: Sequence[Token], place: int, values: set[str]) -> bool:
    """Whether ``&`` declares a reference of C++, which is a name as others here."""
    before, following = tokens[place - 1 : place], tokens[place + 1 : place + 3]
    if not before or len(following) < 2 or following[0].kind != "name":
        return False
    first = tokens[place - 2].text if place > 1 else ";"
    if before[0].text == "(":
        return following[1].text == ")" and place > 1 and tokens[place - 2].kind == "name"
    is_type = before[0].text in {*values, "auto"} or (
        before[0].kind == "name" and first in ("const", "(", ",", ";", "{", "}")
    )
    return is_type and following[1].text in (",", ")", "=") and first not in ("=", "return")


def _automatic(tokens: Sequence[Token], place: int) -> str:
    """The type of ``auto x = ...``: int where it begins with a whole number, else double."""
    words = [token.text for token in tokens[place : place + 3]]
    is_whole = len(words) == 3 and words[1] == "=" and integer_of(words[2]) is not None
    return "int" if is_whole else "double"


def _is_decoration(word: Token, following: str, before: str) -> bool:
    """Whether a name stands before a type where only macros that say nothing do.

    So does ``const`` behind the head of a function of a class.
    """
    if word.text == "const" and before == ")" and following == "{":
        return True
    is_first = before in (";", "{", "}", ")", "(", ",")
    types = {"void", *NUMBER_TYPES, *KNOWN_TYPES}
    return (
        word.kind == "name"
        and word.text not in KEYWORDS | SAME.keys()
        and is_first
        and following in types
    )


def _closed(tokens: Sequence[Token], place: int) -> int:
    """The place behind the bracket that opens at `place`."""
    depth = 0
    for position in range(place, len(tokens)):
        depth += (tokens[position].text in PAIRS) - (tokens[position].text in PAIRS.values())
        if depth == 0:
            return position + 1
    raise ProgramError(
        f"{PAIRS[tokens[place].text]!r} is missing: {tokens[place].text!r} is not closed",
        tokens[place].line,
    )


def _angle(tokens: Sequence[Token], place: int) -> int:
    """The place behind the angle that opens at `place`."""
    depth = 0
    for position in range(place, len(tokens)):
        depth += (tokens[position].text == "<") - (tokens[position].text == ">")
        depth -= 2 * (tokens[position].text == ">>")
        if depth <= 0:
            return position + 1
    raise ProgramError("'<' is not closed", tokens[place].line)


def _end_of_piece(words: Sequence[Token], start: int) -> tuple[int, str]:
    """The place behind a piece, and its name if it is a function with a body."""
    name, is_statement = "", words[start].text in STATEMENTS
    place = start
    while place < len(words):
        text = words[place].text
        if text == "(" and not name and place > start and words[place - 1].kind == "name":
            name = words[place - 1].text
        if text == "{":
            end = _closed(words, place)
            head = {word.text for word in words[start:place]}
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
    """Whether a piece is a statement: it begins with one, or with a cell and a change."""
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
    """The names in a type's place: before another name, after const, in a cast."""
    names: set[str] = set()
    texts = [word.text for word in words]
    is_name = [word.kind == "name" and word.text not in KEYWORDS for word in words]
    for place, text in enumerate(texts):
        before = texts[place - 1] if place else ";"
        following = texts[place + 1 : place + 4]
        if text == "typedef":
            end, _ = _end_of_piece(words, place)
            names |= {word.text for word in words[place:end][-2:] if word.kind == "name"}
        if not is_name[place] or not following or before in ("struct", "union", "enum", ".", "->"):
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
        array = following[:3] == ["(", "*", ")"] or (following[:2] == ["(", "*"] and before != "=")
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
            names.add(text)
    return names - KEYWORDS


def _in_head(texts: Sequence[str], place: int) -> bool:
    """Whether a place is in the parentheses of a function's head, whose body follows."""
    depth = 0
    for position in range(place, min(len(texts), place + 2000)):
        depth += (texts[position] == "(") - (texts[position] == ")")
        if depth < 0:
            return position + 1 < len(texts) and texts[position + 1] in ("{", "const")
        if texts[position] in ("{", "}"):
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
        """The declarations and functions in some words.

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
            raise _of_c_plus_plus(tokens) or _refusal(str(error), tokens) from None
        except RecursionError:
            raise ProgramError("the text is nested too deeply", tokens[0].line) from None
        except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
            raise ProgramError("the text is no C that is read", tokens[0].line) from None
        return [*tree.ext[len(self.types) :]]

    def declared(self, pieces: Pieces, names: set[str]) -> list[c_ast.Node]:
        """The declarations that declare some names; those that are no C are left out."""
        declarations: list[c_ast.Node] = []
        for piece in pieces.declarations:
            if names.isdisjoint(word.text for word in piece):
                continue
            try:
                declarations += self.parsed(piece)
            except ProgramError:
                continue
        return declarations


def _of_c_plus_plus(tokens: Sequence[Token]) -> ProgramError | None:
    """What some words have of C++ that is not read; None if nothing is known of them."""
    texts = [token.text for token in tokens]
    for place, text in enumerate(texts[:-1]):
        line, following = tokens[place].line, texts[place + 1]
        if following == "[" and text in ("=", "(", ",", "return") and place + 2 < len(texts):
            return ProgramError("a lambda is not read: write its statements where it is used", line)
        if text == "for" and following == "(":
            head = texts[place : _closed(tokens, place + 1)]
            if ":" in head and ";" not in head:
                return ProgramError(
                    "a loop over the cells of an array is not read: write for (i = 0; i < n; i++)",
                    line,
                )
        if text in ("try", "throw", "operator", "new"):
            return ProgramError(f"{text!r} is not read: write loops, conditions and cells", line)
    return None


def _refusal(message: str, tokens: Sequence[Token]) -> ProgramError:
    """What the parser says as a sentence with a line of the text."""
    parts = message.split(":")
    line = next((int(part) for part in parts if part.strip().isdigit()), None)
    detail = message.rpartition(": ")[2].strip()
    location = f": {detail[:1].lower()}{detail[1:80]}" if detail else ""
    if "before: " in message:
        location = f" before {detail[:40]!r}"
    return ProgramError(f"the text is no C that is read{location}", line or tokens[-1].line)
