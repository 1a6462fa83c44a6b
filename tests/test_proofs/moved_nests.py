"""Drawn texts of several statements that read each other across loops that are moved and turned."""

from contextlib import suppress
from typing import NamedTuple

from dags import CDAG
from dags.programs import ProgramError, instantiate
from dags.programs.instances import NotReadError
from dags.programs.nest import Program
from dags.programs.text import from_c
from tests.test_proofs.nest_graphs import nest_and_dag

VERTICES = 120
EDGE = 4  # no index falls below 0
MOST = 5  # values of a loop


class Drawn:
    """A text, statement by statement: what was made so far, and where.

    Parameters
    ----------
    rng
        Draws.
    """

    def __init__(self, rng):
        self.rng = rng
        self.made = []  # arrays, with the ends of each index where values were made
        self.inputs = [("x", 2), ("u", 1), ("w", 2), ("z", 1)]
        self.lines = []
        self.dims = dict(self.inputs)

    def text(self):
        for _ in range(self.rng.choice([1, 2, 2, 3, 3, 4])):
            ways = [*WAYS]
            self.rng.choices(ways, [WAYS[way] for way in ways])[0](self)
        arrays = ", ".join(f"double {name}" + "[40]" * rank for name, rank in self.dims.items())
        body = "\n".join(self.lines)
        if self.rng.random() < 0.15:
            times = self.rng.choice([1, 2])
            body = f"for (int t = 0; t < {times}; t++) {{\n{body} }}"
        return f"void f({arrays}) {{\n{body} }}"

    def ends(self, low=1):
        """The ends of a loop."""
        first = self.rng.choice([0, 0, 0, 1, 2])
        return first, first + self.rng.randint(low, self.rng.choice([3, 3, 4, MOST]))

    def loop(self, name, ends, *, steps=(1, 1, 1, 1, -1, 2)):
        """The head of a loop over an interval, up or down, or over every other value."""
        low, high = ends
        step = self.rng.choice(steps)
        if step == -1:
            return f"for (int {name} = {high - 1}; {name} >= {low}; {name}--) "
        return f"for (int {name} = {low}; {name} < {high}; {name} += {step}) "

    def new(self, ends):
        """A new array, whose indices have values in some ends."""
        name = f"{'abcdefghijk'[len(self.made) % 11]}{len(self.made)}"
        self.made.append((name, ends))
        self.dims[name] = len(ends)
        return name

    def shift(self, ends, inside):
        """How far a loop reads: within what was made, if that is long enough; mostly."""
        (low, high), (first, last) = ends, inside
        if self.rng.random() < 0.8 and last - first >= high - low:
            return self.rng.randint(first - low, last - high)
        return self.rng.choice([-1, 0, 0, 1])

    def cell(self, loops, rank, *, built=None):
        """A cell of an array with so many indices, each along a loop with its ends."""
        known = [entry for entry in self.made if len(entry[1]) == rank]
        if built is not None or (known and self.rng.random() < 0.6):
            name, ends = built or self.rng.choice(known)
            return name + "".join(
                f"[{loop} + {EDGE + self.shift(own_part, end)}]"
                for (loop, own_part), end in zip(loops, ends, strict=True)
            )
        name = self.rng.choice([name for name, width in self.inputs if width == rank])
        return name + "".join(
            f"[{loop} + {EDGE + self.rng.choice([0, 0, 0, 1, -1])}]" for loop, _ in loops
        )

    def value(self, loops):
        """A cell along some of the loops, in any order, or along a sum of two of them."""
        pick = self.rng.random()
        if len(loops) > 1 and pick < 0.08:
            (first, _), (two, _) = self.rng.sample(loops, 2)
            factor = self.rng.choice(["", "2 * "])
            return f"u[{factor}{first} + {two} + {EDGE}]"
        if pick < 0.12:
            return f"w[{self.rng.randint(0, 2)}][{loops[0][0]} + {EDGE}]"
        if pick < 0.15:
            return f"w[{loops[0][0]} + {EDGE}][{loops[0][0]} + {EDGE}]"
        rank = min(len(loops), self.rng.choice([1, 2, 2]))
        return self.cell(
            self.rng.sample(loops, rank) if self.rng.random() < 0.3 else loops[:rank], rank
        )

    def values(self, loops, limit=3):
        return [self.value(loops) for _ in range(self.rng.randint(1, limit))]

    def _heads(self, *loops, steps=(1, 1, 1, 1, -1, 2)):
        return "".join(self.loop(name, ends, steps=steps) for name, ends in loops)

    def _sum_up(self, outer, inner, cell, value):
        """A sum that begins at some point of outer loops and goes along inner ones."""
        begin = self.rng.choice([f"{cell} = 0;", f"{cell} = 0;", f"{cell} = z[{EDGE}];", ""])
        inner = self._heads(*inner)
        self.lines.append(f"{self._heads(*outer)}{{ {begin} {inner}{cell} += {value}; }}")

    def row_sums(self):
        i, j = ("i", self.ends()), ("j", self.ends(2))
        read = self.values([i, j], 2)
        name = self.new([i[1]])
        cell = f"{name}[i + {EDGE}]"
        if self.rng.random() < 0.6:
            self._sum_up([i], [j], cell, " * ".join(read))
        else:
            order = self.rng.sample([i, j], 2)
            self.lines.append(f"{self._heads(*order)}{cell} += {' * '.join(read)};")

    def sums_of_all(self):
        i, j = ("i", self.ends()), ("j", self.ends(2))
        read = self.values([i, j], 2)
        name = self.new([(0, 1)])
        self.lines.append(f"{self._heads(i, j)}{name}[{EDGE}] += {' * '.join(read)};")

    def of_rows(self):
        i = ("i", self.ends())
        read = self.values([i], 2)
        name = self.new([i[1]])
        self.lines.append(f"{self._heads(i)}{name}[i + {EDGE}] = g({', '.join(read)});")

    def map(self):
        i, j = ("i", self.ends()), ("j", self.ends())
        read = self.values([i, j])
        order = self.rng.sample([i, j], 2)
        name = self.new([i[1], j[1]])
        target = f"{name}[i + {EDGE}][j + {EDGE}]"
        self.lines.append(f"{self._heads(*order)}{target} = g({', '.join(read)});")

    def waits(self):
        """Sums of rows, what is made of each, and a sweep that needs it: of its own row, or not."""
        i, j = ("i", self.ends(self.rng.choice([1, 3]))), ("j", self.ends(3))
        several = [entry for entry in self.made if len(entry[1]) == 2]
        array = self.rng.choice([("x", [i[1], j[1]]), *several])
        order = self.rng.choice([(0, 1), (1, 0)])
        far = [
            self.shift(own_part, self.rng.choice([own_part, ends]))
            for own_part, ends in zip((i[1], j[1]), array[1], strict=True)
        ]

        def cell(moved):
            messages = [f"[i + {EDGE + far[0] + moved}]", f"[j + {EDGE + far[1]}]"]
            return array[0] + "".join(messages[position] for position in order)

        built = self.new([i[1]])
        sums, heads = f"{built}[i + {EDGE}]", (self._heads(i), self._heads(j, steps=(1, 1, -1)))
        self.lines.append(f"{heads[0]}{{ {sums} = 0; {heads[1]}{sums} += {cell(0)}; }}")
        moved = 0
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            (low, high), factor = i[1], self.rng.choice([-1, 0, 1])
            i = ("i", (low + 1, high)) if factor < 0 else ("i", (low, high - (factor > 0)))
            if i[1][0] >= i[1][1]:
                return
            row = f"{built}[i + {EDGE + factor}]"
            built = self.new([i[1]])
            self.lines.append(f"{self._heads(i)}{built}[i + {EDGE}] = g({row});")
            moved += factor
        row = f"{built}[i + {EDGE}]"
        own_values = cell(self.rng.choice([moved, moved, 0, 0, self.rng.choice([-1, 1])]))
        self.lines.append(
            self.rng.choice([self._swept, self._summed_again])(i, j, f"{own_values} * {row}")
        )

    def _swept(self, i, j, value):
        name = self.new([i[1], j[1]])
        return f"{self._heads(i, j)}{name}[i + {EDGE}][j + {EDGE}] = {value};"

    def _summed_again(self, i, j, value):
        name = self.new([i[1]])
        cell = f"{name}[i + {EDGE}]"
        return f"{self._heads(i)}{{ {cell} = 0; {self._heads(j)}{cell} += {value}; }}"

    def sweep(self):
        """Reads what a sum of rows read, and that sum or what was made of it."""
        i, j = ("i", self.ends()), ("j", self.ends(2))
        wide = ("w", [(0, 9), (0, 9)])
        several = [entry for entry in self.made if len(entry[1]) == 2]
        rows = [entry for entry in self.made if len(entry[1]) == 1]
        read = [self.cell([i, j], 2, built=self.rng.choice([wide, *several]))]
        if rows:
            read.append(self.cell([i], 1, built=self.rng.choice(rows)))
        if self.rng.random() < 0.4:
            name = self.new([i[1]])
            cell = f"{name}[i + {EDGE}]"
            self._sum_up([i], [j], cell, " * ".join(read))
            return
        name = self.new([i[1], j[1]])
        self.lines.append(
            f"{self._heads(i, j)}{name}[i + {EDGE}][j + {EDGE}] = g({', '.join(read)});"
        )

    def product(self):
        i, j, k = ("i", self.ends()), ("j", self.ends()), ("k", self.ends())
        first, second = self.cell([i, k], 2), self.cell([k, j], 2)
        if self.rng.random() < 0.2:
            first = f"w[i + k + {EDGE}][k + {EDGE}]"
        self._summed([i, j, k], f"{first} * {second}")

    def chain(self):
        """Two products, of which the second one reads what the first made, or an image of that."""
        i, j, k, n = (
            ("i", self.ends()),
            ("j", self.ends()),
            ("k", self.ends()),
            ("n", self.ends()),
        )
        first, second = self.cell([i, k], 2), self.cell([k, j], 2)
        built = self._summed([i, j, k], f"{first} * {second}")
        if self.rng.random() < 0.5:
            value = self.cell([i, j], 2, built=self.made[-1])
            order = self.rng.sample([i, j], 2)
            built = self.new([i[1], j[1]])
            self.lines.append(f"{self._heads(*order)}{built}[i + {EDGE}][j + {EDGE}] = g({value});")
        value = self.cell([("i", i[1]), ("k", j[1])], 2, built=self.made[-1])
        right = self.cell([("k", j[1]), ("j", n[1])], 2)
        if self.rng.random() < 0.2:
            right = self.cell([("k", j[1]), ("j", n[1])], 2, built=("x", [j[1], n[1]]))
        self._summed([i, ("j", n[1]), ("k", j[1])], f"{value} * {right}")

    def _summed(self, loops, value):
        i, j, k = loops
        name = self.new([i[1], j[1]])
        cell = f"{name}[i + {EDGE}][j + {EDGE}]"
        if self.rng.random() < 0.5:
            self._sum_up([i, j], [k], cell, value)
        else:
            self.lines.append(f"{self._heads(*self.rng.sample(loops, 3))}{cell} += {value};")
        return name

    def scattered(self):
        i, j = ("i", self.ends()), ("j", self.ends())
        factor, to = self.rng.choice([(1, 1), (1, 1), (2, 1), (1, 2), (2, 3), (1, -1)])
        name = self.new([(0, 3)])
        read = (
            [self.cell([entry], 1) for entry in (i, j)]
            if self.rng.random() < 0.6
            else self.values([i, j])
        )
        back = 2 * MOST if to < 0 else 0
        target = f"{name}[{factor} * i + {to} * j + {EDGE + back}]"
        self.lines.append(f"{self._heads(i, j)}{target} += {' * '.join(read)};")

    def recurrence(self):
        """Reads its own values of the step before."""
        t, i = ("s", self.ends()), ("i", self.ends())
        name = self.new([t[1], i[1]])
        reads = [
            f"{name}[s + {EDGE - 1}][i + {EDGE + far}]"
            for far in self.rng.sample([-1, 0, 1], self.rng.randint(1, 3))
        ]
        if self.rng.random() < 0.3:
            reads.append(f"{name}[s + {EDGE}][i + {EDGE - 1}]")
        reads += self.values([t, i], 1)
        target = f"{name}[s + {EDGE}][i + {EDGE}]"
        self.lines.append(f"{self._heads(t, i, steps=(1,))}{target} = g({', '.join(reads)});")

    def cut_off(self):
        """Is run where a condition holds, or reads other values there."""
        i, j = ("i", self.ends()), ("j", self.ends())
        test = self.rng.choice(["j <= i", "j > i", "i + j < 4", "j < 2", "i > 0 && j < 3"])
        read = self.values([i, j])
        name = self.new([i[1], j[1]] if self.rng.random() < 0.6 else [i[1]])
        cell = name + "".join(f"[{entry} + {EDGE}]" for entry in "ij"[: self.dims[name]])
        if self.dims[name] == 1:
            line = f"{cell} += {' * '.join(read)};"
        else:
            line = f"{cell} = g({', '.join(read)});"
        self.lines.append(f"{self._heads(i, j)}if ({test}) {line}")

    def diagonals(self):
        """Sums whose reads go along diagonals."""
        i, j = ("i", self.ends()), ("j", self.ends())
        name = self.new([i[1]])
        read = [f"{self.rng.choice('uz')}[i + j + {EDGE}]", *self.values([j], 1)]
        self.lines.append(f"{self._heads(i, j)}{name}[i + {EDGE}] += {' * '.join(read)};")


WAYS = {  # how often
    Drawn.row_sums: 2,
    Drawn.of_rows: 1,
    Drawn.map: 2,
    Drawn.product: 2,
    Drawn.sweep: 2,
    Drawn.scattered: 1,
    Drawn.recurrence: 1,
    Drawn.cut_off: 1,
    Drawn.diagonals: 1,
    Drawn.sums_of_all: 1,
    Drawn.chain: 1,
    Drawn.waits: 4,
}


class Moved(NamedTuple):
    """A drawn text that was read, the arrays that are live, and the DAG of both."""

    program: Program
    live: list | None
    dag: CDAG


def moved_program(rng):
    """A text whose DAG is small."""
    while True:
        drawn = Drawn(rng)
        program = from_c(drawn.text())
        built = [name for name, _ in drawn.made]
        live = rng.choice([None, None, built[-1:], rng.sample(built, rng.randint(1, len(built)))])
        with suppress(ProgramError):
            dag = instantiate(program, {}, live=live)
            if dag.n <= VERTICES:
                return Moved(program, live, dag)


def moved_nest(rng):
    """The nest of a text, with sums in any order at times, and the DAG."""
    while True:
        program, live, _ = moved_program(rng)
        with suppress(NotReadError):
            ways = {"any_order": rng.random() < 0.25, "as_written": rng.random() < 0.5}
            return nest_and_dag(program, {}, live=live, **ways)
