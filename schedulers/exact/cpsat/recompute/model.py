"""CP-SAT model of a part of a game in which values may be computed again.

Time is counted in loads, not in computations: how often values are computed is bounded by nothing,
but every load is paid. A play falls into segments; see `normal_form` for what they are and for why
nothing is lost. The variables of each say what is red when it begins, what stays red from the one
before, what is loaded, and which values are computed in it, but neither in which order nor how
often. That computing them takes no more room than there is, is a constraint in part only: for each
computation there is room beside the values that are red throughout. So what is proved holds for all
plays, and what is found may be impossible: `free` decides, and `clauses` has the reason.
"""

from typing import Any

from schedulers.exact.cpsat.recompute.clauses import Clause
from schedulers.exact.cpsat.recompute.normal_form import add_normal_form
from schedulers.exact.cpsat.recompute.part import Part, bits
from schedulers.exact.cpsat.recompute.segments import Row, Segments

LARGEST = 1 << 18  # variables of a model, roughly: some seconds to build, and a gigabyte
A_SECOND = 1 << 16  # variables that are built and read by CP-SAT in a second, roughly


def most_segments(part: Part, most: int) -> int:
    """Return how many segments but the first a play of up to `most` words can have.

    Each has a load. What must be loaded at least once is loaded as often as there are such values;
    all other loads share the words that are not forced.
    """
    cheapest = min((part.words[v] for v in part.values), default=1)
    return part.fetched.bit_count() + (most - part.forced) // cheapest


def segments_within(part: Part, seconds: float | None) -> int:
    """Return how many segments but the first there is time and room for.

    A play may have as many as its dearest load has words, where others have one.
    """
    variables = LARGEST if seconds is None else min(LARGEST, int(A_SECOND * seconds))
    return max(variables // (3 * len(part.values) + 4 * len(part.operands) + 1), 1)


def build(part: Part, most: int, segments: int, clauses: list[Clause]) -> tuple[Any, Segments]:
    """Return the model of plays that move up to `most` words, and its variables.

    Parameters
    ----------
    part
        What is played.
    most
        Words that a play may move.
    segments
        How many it may have but the first; `most_segments` for all such plays.
    clauses
        What was found to be impossible.
    """
    builder = _Builder(part, segments + 1)
    builder.add_rules(most)
    for clause in clauses:
        builder.add_clause(clause)
    return builder.model, builder.segments


class _Builder:
    def __init__(self, part: Part, count: int) -> None:
        from ortools.sat.python import cp_model

        self.model = cp_model.CpModel()
        self.part, self.count = part, count
        self.false, self.true = self.model.new_constant(0), self.model.new_constant(1)
        values, vertices = part.values, list(part.operands)
        dirty = [v for v in bits(part.red & ~part.blue) if v not in part.operands]
        sources = [v for v in [*vertices, *dirty] if not part.blue >> v & 1]
        self.segments = Segments(
            used=[self.true, *self._row(range(1, count)).values()],
            opening=[dict.fromkeys(vertices, self.false), *self._rows(vertices, count - 1)],
            red=[self._constants(values, part.red), *self._rows(values, count - 1)],
            kept=[dict.fromkeys(values, self.false), *self._rows(values, count - 1), {}],
            loaded=[dict.fromkeys(values, self.false), *self._rows(values, count - 1), {}],
            computed=self._rows(vertices, count),
            known=self._rows(sources, count),
            fresh=self._rows(sources, count),
            stored=self._row(sources),
            slid=[{}, *self._rows(sorted(part.readers) if part.sliding else [], count - 1)],
        )
        for u in values:
            wanted = part.target >> u & 1
            self.segments.loaded[count][u] = self._new() if wanted else self.false
            self.segments.kept[count][u] = ~self.segments.loaded[count][u] if wanted else self.false

    def _new(self) -> Any:
        return self.model.new_bool_var("")

    def _row(self, members: Any) -> Row:
        return {v: self._new() for v in members}

    def _rows(self, members: list[int], count: int) -> list[Row]:
        return [self._row(members) for _ in range(count)]

    def _constants(self, members: list[int], chosen: int) -> Row:
        return {v: self.true if chosen >> v & 1 else self.false for v in members}

    def add_rules(self, most: int) -> None:
        """Add all constraints but clauses."""
        for s in range(self.count):
            self._add_computations(s)
            self._add_known(s)
        for s in range(1, self.count):
            self._add_beginning(s)
        for s in range(1, self.count + 1):
            self._add_passing(s)
        self._add_stores()
        self._add_price(most)
        add_normal_form(self.model, self.part, self.segments)

    def _add_beginning(self, s: int) -> None:
        """Ensure that all operands of its first computation are red when a segment begins."""
        x, part, model = self.segments, self.part, self.model
        if s > 1:
            model.add_implication(x.used[s], x.used[s - 1])
        model.add(sum(x.opening[s].values()) == x.used[s])
        for v, opens in x.opening[s].items():
            model.add_implication(opens, x.computed[s][v])
            if v in x.red[s]:
                model.add_bool_or([~opens, ~x.red[s][v]])
            for u in part.operands[v]:
                model.add_implication(opens, x.red[s][u])
        for u in part.values:
            model.add_bool_or([~x.red[s][u], x.kept[s][u], x.loaded[s][u]])
            model.add_implication(x.kept[s][u], x.red[s][u])
            model.add_implication(x.loaded[s][u], x.red[s][u])
            model.add_bool_or([~x.kept[s][u], ~x.loaded[s][u]])
        self._add_room_at_the_beginning(s)

    def _add_room_at_the_beginning(self, s: int) -> None:
        """Ensure that all that is red when a segment begins fits, the opening result with it."""
        x, part, model = self.segments, self.part, self.model
        there = sum(part.words[u] * red for u, red in x.red[s].items())
        result = sum(part.words[v] * opens for v, opens in x.opening[s].items())
        left = sum(part.words[u] * leaves for u, leaves in x.slid[s].items())
        model.add(there + result - left <= part.memory)
        if not part.sliding:
            return
        model.add(there <= part.memory)
        model.add_at_most_one(x.slid[s].values())
        for u, leaves in x.slid[s].items():
            model.add_bool_or([~leaves, *(x.opening[s][v] for v in part.readers[u])])
            again = [x.computed[s][u]] if u in part.operands else []
            model.add_bool_or([~leaves, ~x.kept[s + 1][u], *again])

    def _add_passing(self, s: int) -> None:
        """Ensure that what is kept was red before, and that what is loaded is blue."""
        x, part, model = self.segments, self.part, self.model
        for u in part.values:
            before = [x.red[s - 1][u], *([x.computed[s - 1][u]] if u in part.operands else [])]
            model.add_bool_or([~x.kept[s][u], *before])
            if u in x.stored:
                model.add_implication(x.loaded[s][u], x.known[s - 1][u])
                model.add_implication(x.loaded[s][u], x.stored[u])
            elif not part.blue >> u & 1:
                model.add(x.loaded[s][u] == 0)

    def _add_computations(self, s: int) -> None:
        """Ensure that computations have operands, and room beside what is red all the time."""
        x, part, model = self.segments, self.part, self.model
        throughout: Row = {}
        for u in part.values:
            throughout[u] = self._new()
            again = [x.computed[s][u]] if u in part.operands else []
            model.add_bool_or([throughout[u], ~x.red[s][u], ~x.kept[s + 1][u], *again])
        for v, computed in x.computed[s].items():
            model.add_implication(computed, x.used[s])
            row = part.operands[v]
            for u in row:
                again = [x.computed[s][u]] if u in part.operands else []
                model.add_bool_or([~computed, x.red[s][u], *again])
            others = [u for u in part.values if u != v and u not in row]
            room = part.memory - sum(part.words[u] for u in row)
            if part.sliding:
                room -= max(part.words[v] - max(part.words[u] for u in row), 0)
            else:
                room -= part.words[v]
            beside = sum(part.words[u] * throughout[u] for u in others)
            model.add(beside <= room).only_enforce_if(computed)

    def _add_known(self, s: int) -> None:
        """Ensure that a value is known from the segment on in which it is first computed."""
        x, model = self.segments, self.model
        for v, known in x.known[s].items():
            fresh, computed = x.fresh[s][v], x.computed[s].get(v, self.false)
            before: Any = x.known[s - 1][v] if s else self.false
            if s == 0 and self.part.red >> v & 1:
                before = self.true
            model.add_bool_or([~known, before, fresh])
            model.add_implication(before, known)
            model.add_implication(fresh, known)
            model.add_implication(fresh, computed)
            model.add_bool_or([~fresh, ~before])
            model.add_bool_or([~computed, before, fresh])

    def _add_stores(self) -> None:
        """Ensure that what must be blue is stored, and what is needed is computed, or loaded."""
        x, part, model = self.segments, self.part, self.model
        for v in bits(part.stored & ~part.blue):
            model.add(x.stored[v] == 1)
            model.add(x.known[-1][v] == 1)
        for v in bits(part.needed):
            model.add_bool_or([row[v] for row in x.computed])
        for u in bits(part.fetched):
            model.add_bool_or([row[u] for row in x.loaded])

    def _add_price(self, most: int) -> None:
        """Ensure that all loads and stores together move no more than `most` words."""
        x, words = self.segments, self.part.words
        loads = [words[u] * load for row in x.loaded for u, load in row.items()]
        self.model.add(sum(loads) + sum(words[v] * x.stored[v] for v in x.stored) <= most)

    def add_clause(self, clause: Clause) -> None:
        """Ensure that no segment does what has been found impossible."""
        x, part = self.segments, self.part
        for s in range(self.count):
            outside = [x.red[s][u] for u in part.values if not clause.red >> u & 1]
            carried = [~x.kept[s + 1][u] for u in bits(clause.target)]
            made = [y for v in bits(clause.fresh) for y in (~x.fresh[s][v], ~x.stored[v])]
            self.model.add_bool_or([*outside, *carried, *made])
