"""Random loop nests, as C text and as Python text."""

import re
from dataclasses import dataclass, field

ARRAYS = {"A": 1, "B": 2, "C": 1, "D": 2}
SCALARS = ("s", "t", "u")
CONSTANT = "c"
SIZES = {"N": 4, "M": 3}
SHIFT = 60  # no index falls below 0
OPERATORS = ("+", "-", "*", "/")


@dataclass
class Text:
    """A nest in both languages, line by line."""

    c: list = field(default_factory=list)
    python: list = field(default_factory=list)

    @property
    def in_c(self):
        return "\n".join(self.c) + "\n"

    @property
    def in_python(self):
        head = f"def f({', '.join([*ARRAYS, *SCALARS, CONSTANT, *SIZES])}):"
        return "\n".join([head, *self.python, f"    return {', '.join(SCALARS)}"]) + "\n"


class Nest:
    """Writes a random nest; loops have small bounds, so that it runs a few hundred statements."""

    def __init__(self, rng):
        self.rng = rng
        self.text = Text()
        self.left = int(rng.integers(2, 6))  # loops
        self.integers = 0
        self.block([], [], 1)

    def below(self, n):
        return int(self.rng.integers(n))

    def one_of(self, entries):
        return entries[self.below(len(entries))]

    def line(self, depth, c, python):
        self.text.c.append("  " * depth + c)
        self.text.python.append("    " * depth + python)

    def block(self, loops, names, depth):
        """Write some statements; `names` are integers that hold here."""
        names = list(names)
        for _ in range(1 + self.below(3)):
            kind = self.below(8)
            if (kind < 3 or not loops) and self.left and len(loops) < 4:
                self.loop(loops, names, depth)
            elif kind == 3 and depth < 7:
                self.condition(loops, names, depth)
            elif kind == 4 and loops:
                self.integers += 1
                name, form = f"m{self.integers}", self.form(loops, names)
                self.line(depth, f"int {name} = {form};", f"{name} = {form}")
                names.append(name)
            elif kind == 5:
                self.chain(loops, names, depth)
            else:
                self.assign(loops, names, depth)

    def form(self, loops, names):
        parts = [self.one_of(["0", "1", "2", "N", "M", *loops, *names])]
        for _ in range(self.below(3)):
            factor = self.one_of(["", "", "2*", "-1 * ", "(1 - 2)*"])
            parts.append(self.one_of("+-") + " " + factor + self.one_of(["1", *loops, *names]))
        form = " ".join(parts)
        return self.one_of([form, form, f"({form})", f"-(1 - ({form}))"])

    def loop(self, loops, names, depth):
        self.left -= 1
        var = "ijkl"[len(loops)]
        low = self.one_of(["0", "0", "1", "-1", *loops])
        high = self.one_of(["N", "M", "N - 1", "3", *(f"{v} + 1" for v in loops)])
        step = self.one_of([1, 1, 1, 2, 3])
        extra = self.one_of(["M", "2", f"{self.one_of(loops)} + 2" if loops else "N"])
        bounded = self.below(3) == 0
        if self.below(3) == 0:
            stops = f"{var} >= {low}" + (f" && {var} > {extra} - 4" if bounded else "")
            change = self.one_of(
                [f"{var} -= {step}", f"{var} = {var} - {step}", f"{var} += -{step}"]
            )
            change = f"--{var}" if step == 1 and self.below(2) else change
            c = f"for (int {var} = {high}; {stops}; {change})"
            stop = f"max({low} - 1, {extra} - 4)" if bounded else f"{low} - 1"
            python = f"for {var} in range({high}, {stop}, -{step}):"
        else:
            stops = self.one_of([f"{var} < {high}", f"{high} > {var}", f"{var} <= {high} - 1"])
            stops += f" && {var} < {extra}" if bounded else ""
            change = self.one_of([f"{var} += {step}", f"{var} = {var} + {step}"])
            change = f"{var}++" if step == 1 and self.below(2) else change
            c = f"for (int {var} = {low}; {stops}; {change})"
            stop = f"min({high}, {extra})" if bounded else high
            python = f"for {var} in range({low}, {stop}, {step}):"
        self.line(depth, c + " {", python)
        self.block([*loops, var], names, depth + 1)
        self.text.c.append("  " * depth + "}")

    def condition(self, loops, names, depth):
        c, python = self.test(loops, names, 2)
        self.line(depth, f"if ({c}) {{", f"if {python}:")
        self.block(loops, names, depth + 1)
        if self.below(2):
            self.line(depth, "} else {", "else:")
            self.block(loops, names, depth + 1)
        self.text.c.append("  " * depth + "}")

    def test(self, loops, names, depth):
        if depth and self.below(3) == 0:
            (c, python), (d, second) = (self.test(loops, names, depth - 1) for _ in range(2))
            return self.one_of(
                [
                    (f"{c} && {d}", f"{python} and {second}"),
                    (f"({c} || {d})", f"({python} or {second})"),
                ]
            )
        if depth and self.below(5) == 0:
            c, python = self.test(loops, names, depth - 1)
            return f"!({c})", f"not ({python})"
        sign = self.one_of(["<", "<=", ">", ">=", "==", "!="])
        pair = f"{self.form(loops, names)} {sign} {self.form(loops, names)}"
        return pair, pair

    def cell(self, loops, names):
        """A cell or a scalar in C and in Python."""
        if self.below(4) == 0:
            return (self.one_of(SCALARS),) * 2
        array = self.one_of([*ARRAYS])
        indices = [f"{self.form(loops, names)} + {SHIFT}" for _ in range(ARRAYS[array])]
        inside = self.one_of([", ", "]["]).join(indices)
        return array + "".join(f"[{index}]" for index in indices), f"{array}[{inside}]"

    def value(self, loops, names, depth):
        """An expression in C and in Python."""
        kind = self.below(10)
        if depth == 0 or kind < 3:
            number = self.one_of([CONSTANT, "2.0", "3", "N", *loops])
            return self.cell(loops, names) if self.below(4) else (number,) * 2
        parts = [self.value(loops, names, depth - 1) for _ in range(4)]
        (a, p), (b, q), (c, r), (d, w) = parts
        sign = self.one_of(OPERATORS)
        return self.one_of(
            [
                (f"({a} {sign} {b})", f"({p} {sign} {q})"),
                (f"{a} * {b}", f"{p} * {q}"),
                (f"({a}) {sign} ({b})", f"({p}) {sign} ({q})"),
                (f"-({a})", f"-({p})"),
                (f"g({a}, {b})", f"g({p}, {q})"),
                (f"({a} < {b} ? {c} : {d})", f"({r} if {p} < {q} else {w})"),
                (f"(double) ({a})", f"float({p})"),
                (f"+({a})", f"({p})"),
            ]
        )

    def assign(self, loops, names, depth):
        c, python = self.cell(loops, names)
        value, second = self.value(loops, names, 3)
        sign = self.one_of(["=", "=", "+=", "*="])
        self.line(depth, f"{c} {sign} {value};", f"{python} {sign} {second}")

    def chain(self, loops, names, depth):
        (c, p), (d, q) = self.cell(loops, names), self.cell(loops, names)
        value, second = self.value(loops, names, 2)
        self.line(depth, f"{c} = {d} = {value};", f"{p} = {q} = {second}")


def random_nest(rng):
    return Nest(rng).text


WORDS = [
    *"()[]{};,?:+-*/%<>=!&|^~.'\"\\#@$0123ijkNMABst\n ",
    *("++", "--", "+=", "-=", "<=", ">=", "==", "!=", "&&", "||", "<<", "->", "//", "/*", "*/"),
    *("for", "if", "else", "int ", "double ", "return", "while", "unsigned ", "float(", "range("),
    *(
        "i = 0;",
        "i++",
        "i = i + 1",
        "j = i",
        "m1 = 2",
        "A[i]",
        "s = 1",
        "N = 2",
        "0x1F",
        "1e3",
        "08",
    ),
    *(
        "#if 0\n",
        "#define N 3\n",
        "\n#endif\n",
        "break",
        "not ",
        " and ",
        "lambda: ",
        "np.zeros(N)",
    ),
    *("*i", "/2", "%2", "//2", "**2", "9" * 40, "\0", "é", "\r\n", "\t", "max(", ":=", "await "),
]


def mutated(rng, text):
    """Return `text` with some words deleted, doubled, swapped, or put in."""
    words = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(1 + int(rng.integers(3))):
        if not words:
            break
        position, second = (int(rng.integers(len(words))) for _ in range(2))
        kind = int(rng.integers(6))
        if kind == 0:
            del words[position]
        elif kind == 1:
            words[position], words[second] = words[second], words[position]
        elif kind == 2:
            words.insert(position, words[second])
        elif kind == 3:
            words[position] = words[second]
        elif kind == 4:
            words.insert(position, WORDS[int(rng.integers(len(WORDS)))])
        elif words[position]:
            place = int(rng.integers(len(words[position])))
            words[position] = words[position][:place] + words[position][place + 1 :]
    return "".join(words)
