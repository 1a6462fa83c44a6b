"""Texts and options that `emit` refuses, and specifications of programs, with their sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dags import load
from dags.programs.text import from_c, from_python
from redblue.emission.emission import emit

MEMORY: Final = 64


@dataclass(frozen=True)
class Refused:
    """A text that is not emitted.

    Parameters
    ----------
    text
        C or Python of a function f, or a specification.
    message
        What is said, or its beginning.
    options
        Of `emit`; sizes are n = 8 and memory 64 words where they say nothing else.
    """

    text: str
    message: str
    options: Mapping[str, Any] = field(default_factory=dict)


def in_c(statement: str, kind: str = "double") -> str:
    """A loop over i, with a statement on arrays a and b."""
    head = f"void f(int n, {kind} a[n], double b[n])"
    return f"{head} {{ for (int i = 0; i < n; i++) {statement} }}"


def in_python(value: str) -> str:
    """A loop over i that assigns a value to b[i]."""
    return f"def f(a, b, n):\n for i in range(n):\n  b[i] = {value}"


PLAIN: Final = in_c("b[i] = 2 * a[i];")
PRODUCT: Final = (
    "void f(int n, double A[n][n], double B[n][n], double C[n][n]) {"
    " for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)"
    " C[i][j] += A[i][k] * B[k][j]; }"
)
EMITTED: Final = (
    Refused(
        in_c("b[i] = g(a[i]);"),
        "line 1: g is no function or operator that is emitted: write + - * / and functions of "
        "math.h, with as many operands as they have there",
    ),
    Refused(in_c("b[i] = sqrt(a[i], 2);"), "line 1: sqrt is no function or operator that is"),
    Refused(in_python("a[i] % 3"), "line 3: Mod is no function or operator that is emitted: write"),
    Refused(
        in_c("b[i] = 2u * a[i];"),
        "line 1: a constant without a sign, like 2u, is not emitted: write 2",
    ),
    Refused(in_python("a[i] * 2j"), "line 3: the constant 2j is no real number: write one like"),
    Refused(in_python("a[i] * 1e999"), "line 3: a constant is no finite number: write one like"),
    Refused(
        in_c("b[i] = a[i] * 99999999999999999999;"),
        "line 1: a whole number is too large for C: write it with a point, like 1e20",
    ),
    Refused(
        in_python("a[i] and 2"),
        "line 3: 'and' of numbers is not C's: write a selection, y if x else x",
    ),
    Refused(
        in_python("1 if a[i] is n else 2"),
        "line 3: a comparison is none of C: write <, <=, >, >=, == or != of two values",
    ),
    Refused(
        in_c("b[i] = 2 * a[i];", "char"),
        "'a' has the type 'char', of which no C is made: declare it double, float, int or long",
    ),
    Refused(
        in_c("b[i] = (float) a[i] * 2;"),
        "line 1: a value is converted to float, which is not emitted: leave out the cast",
    ),
    Refused(
        "def f(a, n):\n b = np.zeros_like(a)\n for i in range(n):\n  b[i] = 2 * a[i]\n return b",
        "line 2: 'b' is made without extents: write them, as in np.zeros(n)",
    ),
    Refused(
        "void f(int n, int m, double **a) { for (int i = 0; i < n; i++) {"
        " for (int j = 0; j < n; j++) a[0][j] *= 2; for (int j = 0; j < m; j++) a[1][j] *= 2; } }",
        "'a' has no declared extents, and its indices tell none: declare it with them",
        {"sizes": {"n": 8, "m": 9}},
    ),
    Refused(
        in_c("b[i] = 2 * a[i + 1];"),
        "an index of 'a' leaves it at these sizes: declare more cells",
    ),
    Refused(
        "void f(double a[4]) { for (int i = 3; i < 3; i++) a[i] *= 2; }",
        "f: nothing is computed, whatever the sizes",
        {"sizes": {}},
    ),
    Refused(PLAIN, "the program: n has no value; add n=...", {"sizes": {}}),
    Refused(PLAIN, "code is emitted for sizes of at least 1", {"sizes": {"n": 0}}),
    Refused(PLAIN, "n is 8 and cannot be fixed to 9", {"fix": {"n": 9}}),
    Refused(PLAIN, "no loop is over 'k': there are i", {"tiles": {"k": 2}}),
    Refused(PLAIN, "a tile has 1 to 2,147,483,647 values of i, not 0", {"tiles": {"i": 0}}),
    Refused(PLAIN, "no policy is called 'lru'; known: scratchpad, cache", {"policy": "lru"}),
    Refused(PLAIN, "no order of the program has buffers within 1 words", {"memory": 1}),
    Refused(
        PRODUCT,
        "8,000,000,000,000,000,000 runs of statements are too many: words of code are counted up",
        {"sizes": {"n": 2_000_000}},
    ),
    Refused(
        "polybench/trisolv:N=8",
        "sizes are for a program that was read: polybench/trisolv:N=8 has its own",
        {"sizes": {"N": 8}},
    ),
    Refused(
        "polybench/trisolv:N=8,level=operation",
        "code moves the values of statements: leave out level=operation",
        {"sizes": {}},
    ),
    Refused("fft:n=8", "fft:n=8 is no loop nest; --straight takes any small DAG", {"sizes": {}}),
)
MANY: Final = ",".join("abcdefghijklmnopqrstuvwxyzA")
SPECIFIED: Final = {
    "polybench/trisolv:N=8,N=9": "polybench/trisolv:N=8,N=9: N is given twice",
    "polybench/trisolv:N=x": "polybench/trisolv:N=x: N must be a whole number, not 'x'",
    "polybench/trisolv:N": "polybench/trisolv is one function; 'N' is not read",
    "polybench/trisolv:N=8,half": "polybench/trisolv:N=8,half: 'half' is no size, like N=24, and",
    "polybench/trisolv:N=8,sums=all": "polybench/trisolv:N=8,sums=all: sums is text or any, not",
    "polybench/trisolv:N=8,sums=any": "polybench/trisolv: a DAG has its sums in the order of the",
    "polybench/nothing:N=8": "no PolyBench kernel is called 'nothing'",
    "ij,jk->ik:f:i=2,j=2,k=2": "ij,jk->ik is an einsum; 'f' is not read",
    "ij,jk->il:i=2,j=2,k=2": "ij,jk->il: index l of the result is in no operand",
    "a\0b.c": "a NUL character is in the name of the file",
    f"{MANY}->a": f"{MANY}->a: an einsum string has up to 26 operands, not 27",
    "ij,jk->ii:i=2,j=2,k=2": "ij,jk->ii: the result ii has an index twice",
}


def emitted(case: Refused) -> object:
    """What `emit` makes of a case."""
    options: dict[str, Any] = {"memory": MEMORY, "sizes": {"n": 8}, **case.options}
    memory = options.pop("memory")
    if case.text.startswith("def "):
        return emit(from_python(case.text, "f"), memory, **options)
    if case.text.startswith("void "):
        return emit(from_c(case.text), memory, **options)
    return emit(case.text, memory, **{**options, "sizes": options["sizes"] or None})


def specified(spec: str) -> object:
    """The DAG of a specification."""
    return load(spec)
