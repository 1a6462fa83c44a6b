"""Formulas that pages of the theory write in plain characters, as the site shows them.

- An indented line is a display, in MathML: ``sum over t of max(0, beta(v_t) - v_(t-1))``.
- Sentences get indices, Greek letters and signs: ``at least v_t - eta(v_(t+1)) of them``.
"""

import re
from html import escape

LETTERS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau"
)
CAPITALS = "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
GREEK = (*LETTERS.split(), "phi", "chi", "psi", "omega", *CAPITALS.split())
FUNCTIONS = {"max": r"\max", "min": r"\min", "log": r"\log", "log2": r"\log_{2}"}
SIGNS = {
    "<=": r"\le ", ">=": r"\ge ", "*": r"\cdot ", "...": r"\ldots ", "{": r"\{", "}": r"\}",
    "_": r"\_", "%": r"\%", "#": r"\#", "&": r"\&",
}  # fmt: skip
OVER = {"sum": r"\sum", "prod": r"\prod", "max": r"\max", "min": r"\min", "minimum": r"\min"}
RANGE = r"(?:\w = 1, \.\.\., \w|[^,()]+?)"
LARGE = re.compile(rf"\b({'|'.join(OVER)}) over ({RANGE}) of (?=\S)")
INTEGRAL = re.compile(r"\bintegral from (\S+) to (\S+) of ")
INDEX = re.compile(r"([_^])(\((?:[^()]|\([^()]*\))*\)|-?\w+)")
TOKEN = re.compile(
    r"(?P<gap> {3,})|(?P<name>I/O|[A-Za-z]+2?(?:'s\b|')?)|(?P<sign><=|>=|\.\.\.|\S)|(?P<space> )"
)
LETTER = re.compile(r"[A-Za-z]'?$")

GREEK_WORD = re.compile(rf"(?<![\w/.`-])({'|'.join(GREEK)})(?![a-z-])")
GREEK_SIGNS = "\u03b1-\u03c9\u0391-\u03a9"
MINUS_SIGN = "\u2212"
BASE = rf"(?<![\w`/.])((?:[A-Za-z]|[{GREEK_SIGNS}]|[a-z]{{3,}})'?)"
TAIL = rf"((?:\((?:[^()]|\([^()]*\))*\)|-?[A-Za-z0-9]+|[{GREEK_SIGNS}]))"
SUBSCRIPT = re.compile(rf"{BASE}_{TAIL}")
SUPERSCRIPT = re.compile(rf"(?<=[\w)\]>|{GREEK_SIGNS}])\^{TAIL}")
POWER = re.compile(r"\^([A-Za-z]_[A-Za-z0-9])(?![\w(])")  # a power that has an index of its own
MINUS = re.compile(rf"(?<=[\w)\]>|{GREEK_SIGNS}]) - (?=[\w(<|{GREEK_SIGNS}])")
VARIABLE = re.compile(  # a letter alone; "A" begins sentences, and points follow initials
    r"(?<![\w&;'.^-])(?:[b-z]|[B-HJ-Z](?!\. [A-Z]))(?![\w'-])"
    r"|(?:(?<=[a-z,=+/|] )|(?<=[(|]))[AI](?![\w'-])"
)
MARKUP = re.compile(
    r"(<(pre|code|math|script|style|h1|h2|h3|a)\b.*?</\2>|<p><em>Source.*?</p>|<[^>]*>)", re.DOTALL
)


def display(formula: str) -> str:
    r"""A line of plain characters as LaTeX.

    Examples
    --------
    >>> display("sum over t of beta(v_t) - v_(t-1) <= the least x")
    '\\sum_{t}\\beta (v_{t})-v_{t-1}\\le \\text{ the least }x'
    """
    formula = LARGE.sub(lambda match: f"{match[1]}_({match[2]}) ", formula)
    formula = INTEGRAL.sub(r"integral_(\1)^(\2) ", formula)
    return "".join(_parts(re.sub(r"\bN-\(", "N^(-)(", formula)))


def _parts(formula: str) -> list[str]:
    """The LaTeX of each part of a formula."""
    parts: list[str] = []
    place = 0
    while place < len(formula):
        if index := INDEX.match(formula, place):
            inner = index[2][1:-1] if index[2].startswith("(") else index[2]
            parts.append(f"{index[1]}{{{display(inner)}}}")
            place = index.end()
            continue
        token = TOKEN.match(formula, place)
        assert token is not None
        place = token.end()
        if token["gap"]:
            parts.append(r"\qquad ")
        elif (name := token["name"]) is None:
            if token["sign"]:
                parts.append(SIGNS.get(token["sign"], token["sign"]))
        elif name in FUNCTIONS:
            parts.append(FUNCTIONS[name] + ("" if formula[place : place + 1] in "_^" else " "))
        elif name in OVER and (name in ("sum", "prod") or formula[place : place + 1] == "_"):
            parts.append(f"{OVER[name]} " if formula[place : place + 1] != "_" else OVER[name])
            place += formula.startswith(" of ", place) * len(" of ")
        elif name == "integral":
            parts.append(r"\int")
        elif name.rstrip("'") in GREEK:
            parts.append(f"\\{name} ")
        elif LETTER.match(name):
            parts.append(name)
        else:
            place = _end_of_words(formula, place)
            before = " " if formula[: token.start()].endswith(" ") and parts else ""
            after = " " if formula[place : place + 1] == " " else ""
            parts.append(rf"\text{{{before}{formula[token.start() : place]}{after}}}")
    return parts


def _end_of_words(formula: str, place: int) -> int:
    """The end of a run of words that go on at a place."""
    while word := re.compile(r",? ([A-Za-z]{2,})(?![\w'])").match(formula, place):
        if word[1] in GREEK or word[1] in FUNCTIONS or word[1] in OVER:
            break
        place = word.end()
    return place


def in_sentences(html: str) -> str:
    """The HTML of a page with indices, Greek letters and signs of its sentences typeset.

    Examples
    --------
    >>> in_sentences("<p>at least beta(v_(t+1)) &lt;= x^2, <code>v_t</code></p>")
    '<p>at least β(<i>v</i><sub><i>t</i>+1</sub>) ≤ <i>x</i><sup>2</sup>, <code>v_t</code></p>'
    >>> in_sentences("<p>at most N_i^t_i</p>")
    '<p>at most <i>N</i><sub>i</sub><sup><i>t</i><sub>i</sub></sup></p>'
    """
    pieces = MARKUP.split(html)
    # a split by two groups: text, markup, name of the element, text, ...
    texts = (_sentence(text) for text in pieces[::3])
    marks = [*pieces[1::3], ""]
    return "".join(text + mark for text, mark in zip(texts, marks, strict=True))


def _sentence(text: str) -> str:
    """A text between the marks of a page."""
    text = POWER.sub(r"^(\1)", text)
    text = VARIABLE.sub(r"<i>\g<0></i>", text)
    text = GREEK_WORD.sub(lambda match: _greek(match[1]), text)
    text = _with_indices(text)
    text = MINUS.sub(f" {MINUS_SIGN} ", text)
    return text.replace("&lt;=", "≤").replace("&gt;=", "≥").replace("sqrt(", "√(")


def _bare(index: str) -> str:
    """An index without its parentheses, with indices of its own."""
    inner = index[1:-1] if index.startswith("(") else index
    return _with_indices(inner).replace("-", MINUS_SIGN)


def _with_indices(text: str) -> str:
    """A text with what stands below and above the line."""
    below = SUBSCRIPT.sub(
        lambda match: (
            f"{match[1] if match[1] in FUNCTIONS else f'<i>{match[1]}</i>'}"
            f"<sub>{_bare(match[2])}</sub>"
        ),
        text,
    )
    return SUPERSCRIPT.sub(lambda match: f"<sup>{_bare(match[1])}</sup>", below)


def _greek(name: str) -> str:
    """A Greek letter by its name."""
    from unicodedata import lookup

    case = "CAPITAL" if name[0].isupper() else "SMALL"
    spelled = {"lambda": "LAMDA"}.get(name.lower(), name.upper())
    return escape(lookup(f"GREEK {case} LETTER {spelled}"))
