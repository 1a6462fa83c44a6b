"""Hostile programs made to C: names, functions, literals and comments that would get out.

Whatever is made is tokenised against a fixed grammar: the words of C that are ever printed, names
of a fixed form, numbers, and signs; comments in the form of ours. Nothing else may be in a file.
"""

import random
import re
import time

from dags import RedBlueError
from dags.programs.text import from_c, from_python
from redblue.emission.buffers import NoBufferError, Plan
from redblue.emission.candidates import Depths
from redblue.emission.checks import PLAIN
from redblue.emission.emission import emit
from redblue.emission.names import TAKEN, is_safe
from redblue.emission.orders import text_tree
from redblue.emission.original import Original
from redblue.emission.source import Interface, assembled, code_of, text_lines
from redblue.emission.statements import Nest
from redblue.emission.tiles import Tiles, tiled
from tests.campaigns.outcomes import Failure, Outcomes

BUFFERED = 0.1  # share of the cases that have buffers, which takes longer
SUMMED = 0.08  # of those that are products in tiles, with sums in registers
KEYWORDS = {
    "void",
    "long",
    "double",
    "float",
    "int",
    "for",
    "if",
    "else",
    "static",
    "ifdef",
    "endif",
    "define",
    "include",
    "restrict",
    "math",
    "h",
}
OURS = {"MIN", "MAX", "FLOORD", "MOD", "SELECT", "LOAD", "STORE", "COUNT", "loads", "stores"}
FUNCTIONS = {"sqrt", "exp", "pow", "fabs"}
TOKEN = re.compile(
    r"/\* [A-Za-z0-9_ =.,;:<+\n*-]*? \*/"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?:0x[0-9a-f.]+p[+-]\d+f?|\d+\.\d+|\d+L?)"
    r"|[-+*/%<>=!?:;,.(){}\[\]&|#]|\s+"
)
NAMES = [
    "double",
    "register",
    "main",
    "LOAD",
    "loads",
    "é",
    "ﬁ",
    "system",
    "__import__",
    "printf",
    "_x",
    "x__y",
    "asm",
    "a" * 60,
    "lambda",
    "C",
    "A",
    "n",
    "i0",
    "stdin",
    "unix",
    "errno",
]
PLAIN_NAMES = ["x", "y", "k", "m", "j", "u", "v", "q"] * 2
CALLS = [
    "system({})",
    "exit({})",
    "__import__({})",
    "sqrt({})",
    "exp({})",
    "printf({})",
    "abort({})",
    "getenv({})",
    "{}",
    "fabs({})",
    "math.sqrt({})",
    "np.exp({})",
    "open({})",
]
LITERALS = [
    "0.1",
    "1e308",
    "1e-320",
    "0x10",
    "017",
    "1.5f",
    "3",
    "99999999999999999999",
    "0.5",
    "1e400",
    "7u",
    "2L",
    "1.0",
]
TRAPS = ["", " /* */ system(1); /* */", " // ??/", " \\\n", "/*??/*/", '"*/ system(1); /*"']


def hostile_c(draw):
    a, b, n, i, f = draw.sample([*NAMES, *PLAIN_NAMES], 5)
    value = draw.choice([*CALLS, *["{}"] * 12]).format(f"{b}[{i}]") + draw.choice(
        [" + ", " * ", " / ", " - "]
    )
    value += draw.choice(LITERALS)
    trap = draw.choice(TRAPS)
    return (
        f"void {f}(int {n}, double {a}[{n}], double {b}[{n}]) {{{trap}\n"
        f" for (int {i} = 0; {i} < {n}; {i}++)\n  {a}[{i}] = {value};{trap}\n}}\n"
    )


def hostile_python(draw):
    a, b, n, i, f = draw.sample([*NAMES, *PLAIN_NAMES], 5)
    value = draw.choice([*CALLS, *["{}"] * 12]).format(f"{b}[{i}]") + draw.choice(
        [" + ", " * ", " ** "]
    )
    value += draw.choice(LITERALS)
    trap = draw.choice(["", " # */ system(1); /*", "  # ??/"])
    return f"def {f}({a}, {b}, {n}):{trap}\n for {i} in range({n}):\n  {a}[{i}] = {value}{trap}\n"


def hostile_product(draw):
    names = ["j0", "k0", "p", "q0", "r", "c", "C_r", "C_t_w", *NAMES, *PLAIN_NAMES[:8]]
    a, b, c, n, i, j, k, f = draw.sample(names, 8)
    literal, trap = draw.choice(LITERALS), draw.choice(TRAPS)
    loops = "".join(f"for (int {x} = 0; {x} < {n}; {x}++) " for x in (i, j, k))
    return (
        f"void {f}(int {n}, double {a}[{n}][{n}], double {b}[{n}][{n}], "
        f"double {c}[{n}][{n}]) {{{trap}\n"
        f" {loops}\n  {a}[{i}][{j}] += {b}[{i}][{k}] * {literal} * {c}[{k}][{j}];{trap}\n}}\n"
    )


def hostile_sum(draw):
    """A sum in a scalar, of flat arrays, in tiles by hand: its nest is not the text's."""
    names = ["j0", "k0", "s_t", "s_0", "size_12", "A_0", "C_t_w", *NAMES, *PLAIN_NAMES[:8]]
    a, b, c, s, n, i, j, k, t, f = draw.sample(names, 10)
    literal, trap = draw.choice(LITERALS), draw.choice(TRAPS)
    tiled = draw.random() < 0.5
    outer = f"for (int {t} = 0; {t} < {n}; {t} += 4) for (int {i} = {t}; {i} < {t} + 4; {i}++) "
    rows = outer if tiled else f"for (int {i} = 0; {i} < {n}; {i}++) "
    return (
        f"void {f}(int {n}, double {a}[144], double {b}[144], double {c}[144]) {{{trap}\n"
        f" {rows} for (int {j} = 0; {j} < {n}; {j}++) {{\n  double {s} = {literal};{trap}\n"
        f"  for (int {k} = 0; {k} < {n}; {k}++) "
        f"{s} += {b}[12 * {i} + {k}] * {literal} * {c}[12 * {k} + {j}];\n"
        f"  {a}[12 * {i} + {j}] = {s};{trap}\n }}\n}}\n"
    )


def problem_of(text):
    """What a file has that none may have, or nothing."""
    position = 0
    known = KEYWORDS | OURS | FUNCTIONS
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            return f"{text[position : position + 20]!r} is no token"
        name = match.group("name")
        ours = (
            name is None
            or name in known
            or re.fullmatch(r"[a-z]\w*_(t|s|out|[trs]\d*_w|r)\d*", name)
        )
        if not ours and not is_safe(name):
            return f"{name!r} is a name of C"
        if name in TAKEN - known and not ours:
            return f"{name!r} is taken"
        position = match.end()
    return ""


def made_of(program, *, buffered):
    """The C of a program in the order of its text, with buffers or without."""
    nest = Nest(program)
    face = Interface(nest, program.live_by_default())
    comment = [f"{face.function}, program sha256 {program.digest[:8]}."]
    if not buffered:
        return assembled(face, comment, [], Original(face).lines(), counters=PLAIN)
    order = tiled(text_tree(nest), Tiles({}, {}, sunk=False))
    nodes, declarations = code_of(Plan(nest, order, Depths(), face.live), face)
    return assembled(face, comment, declarations, text_lines(nodes))


def summed(program):
    """The C of a product with its sums in registers."""
    (size,) = program.sizes
    emission = emit(program, 100, sizes={size: 12}, registers=8, work=0.3, effort=0)
    assert emission.plan.sums
    return emission.source


def formed(program):
    """The C of a sum whose nest is another one than that of its text."""
    (size,) = program.sizes
    return emit(program, 100, sizes={size: 12}, work=0.3, effort=0).source


def run(cases, seed):
    """What making C of `cases` hostile programs came to."""
    outcomes = Outcomes()
    for case in range(cases):
        draw = random.Random(f"{seed} {case}")
        kind, reader, text = draw.choice(
            [("C", from_c, hostile_c(draw)), ("Python", from_python, hostile_python(draw))]
        )
        is_sum = draw.random() < SUMMED
        if is_sum:
            kind, reader, text = "product", from_c, hostile_product(draw)
        is_formed = not is_sum and draw.random() < SUMMED
        if is_formed:
            kind, reader, text = "sum", from_c, hostile_sum(draw)
        began = time.process_time()
        outcome, problem = "made", ""
        try:
            program = reader(text)
            buffered = draw.random() < BUFFERED
            if is_sum or is_formed:
                problem = problem_of((summed if is_sum else formed)(program))
            else:
                problem = problem_of(made_of(program, buffered=buffered))
        except (RedBlueError, NoBufferError) as error:
            outcome, problem = "refused", "" if "\n" not in str(error) else "no sentence"
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"[:300]
        outcomes.counts[kind, outcome] += 1
        if problem:
            outcomes.failures.append(Failure(case, kind, f"{problem}\n{text}"))
        outcomes.slowest = max(outcomes.slowest, time.process_time() - began)
    return outcomes
