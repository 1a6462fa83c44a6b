"""Normal form of plays: constraints that exclude schedules which do something needless.

**Segments.** Of the plays from the beginning of a part to its end that move no more than some
number of words, take one that is least in, one after another: the words that it moves; its loads;
its computations and stores. Changes that leave all three as they are let it be assumed, too, that
a value is loaded immediately before the computation that reads it, or at the end if none does;
that it is stored, if it ever is, as soon as it is first red; and that it is deleted immediately
after its last use: the last computation that reads it before it is deleted, its store, or the end.
All of this only makes room. (Where sliding lets a result take the place of an operand, that operand
is deleted then anyhow.)

Loads that are made for the same computation form a batch. A segment is a batch, the computation
that follows, and all until the next batch; before the first batch lies a segment without one.
At the end are the loads for the end. Hence

- a segment opens with a computation that reads all of its loads, of which there is one at least;
  when the batch is complete, all that is red and the result fit together (with sliding, but for
  one operand);
- what is red then was red or computed in the segment before, or is loaded;
- what is computed in a segment has operands that are red at its beginning or computed in it.

For these, no condition is imposed on how often, or in which order, values are computed.

**What it does not do.** Each of these, where it is not so, makes a play that is less:

- `stored`: a value that need not be blue at the end is stored only if it is loaded;
- `kept`: a value that is red when a batch is complete, but was not loaded in it, is read in that
  segment or kept until the next batch; else it would have been deleted after its last use;
- `computed`: a value computed in a segment is read in it, or kept, or stored then; a computation
  without any such use would be left out;
- `returned`: a value that is red, or computed, in a segment and loaded in the next batch has left
  because something was computed besides the opening result. For if not, it could have stayed:
  nothing was red between the opening computation and the complete batch but what was red at
  one of these two moments, each time together with this value. That would have saved a load.
  With sliding it may have left for the result itself;
- `computable`: a value is not loaded in a batch that leaves all its operands red: it would be
  computed behind the other loads, and that would save its words.

A value that is *kept* while all its operands are red may not be taken for needless, though it
could be computed again later: a load that was made for it would then move behind other batches,
and the two may go on changing places for ever.
"""

from typing import Any

from schedulers.exact.cpsat.recompute.part import Part
from schedulers.exact.cpsat.recompute.segments import Segments


def add_normal_form(model: Any, part: Part, x: Segments) -> None:
    """Add constraints that exclude dominated schedules."""
    count = len(x.used)
    _add_stored(model, part, x)
    for s in range(count):
        _add_computed(model, part, x, s)
    for s in range(1, count):
        _add_loaded(model, part, x, s)
        _add_kept(model, part, x, s)
        _add_computable(model, part, x, s)
        _add_returned(model, part, x, s + 1)
    _add_returned(model, part, x, 1)


def _add_stored(model: Any, part: Part, x: Segments) -> None:
    """Ensure that a value that need not be blue at the end is stored only if it is loaded."""
    for v, stored in x.stored.items():
        if not part.stored >> v & 1:
            model.add_bool_or([~stored, *(row[v] for row in x.loaded if v in row)])


def _add_loaded(model: Any, part: Part, x: Segments, s: int) -> None:
    """Ensure that a batch is not empty, and that the opening computation reads all of it."""
    for u in part.values:
        opened = [x.opening[s][v] for v in part.readers.get(u, ())]
        model.add_bool_or([~x.loaded[s][u], *opened])
    model.add_bool_or([~x.used[s], *x.loaded[s].values()])


def _add_kept(model: Any, part: Part, x: Segments, s: int) -> None:
    """Ensure that what is kept is read before the next batch, or kept until then."""
    for u in part.values:
        read = [x.computed[s][v] for v in part.readers.get(u, ())]
        model.add_bool_or([~x.kept[s][u], x.kept[s + 1][u], *read])


def _add_computed(model: Any, part: Part, x: Segments, s: int) -> None:
    """Ensure that what is computed is read in the segment, or kept, or stored."""
    for v, computed in x.computed[s].items():
        uses = [x.computed[s][r] for r in part.readers.get(v, ())]
        if v in x.kept[s + 1]:
            uses.append(x.kept[s + 1][v])
        if v in x.stored:
            made = model.new_bool_var("")
            model.add_implication(made, x.fresh[s][v])
            model.add_implication(made, x.stored[v])
            uses.append(made)
        model.add_bool_or([~computed, *uses])


def _add_computable(model: Any, part: Part, x: Segments, s: int) -> None:
    """Ensure that a value is not loaded where all its operands are red."""
    for v, row in part.operands.items():
        if v not in x.red[s]:
            continue
        missing = [~x.red[s][u] for u in row]
        model.add_bool_or([~x.loaded[s][v], *missing])


def _add_returned(model: Any, part: Part, x: Segments, s: int) -> None:
    """Ensure that what was red in segment s - 1 and is loaded after it had to leave."""
    besides = []
    for v, computed in x.computed[s - 1].items():
        other = model.new_bool_var("")
        model.add_implication(other, computed)
        model.add_bool_or([~other, ~x.opening[s - 1][v]])
        besides.append(other)
    crowded = model.new_bool_var("")
    model.add_bool_or([~crowded, *besides])
    for u in part.values:
        leaves = [x.slid[s - 1][u]] if u in x.slid[s - 1] else []
        model.add_bool_or([~x.loaded[s][u], ~x.red[s - 1][u], crowded, *leaves])
        if u in part.operands:
            model.add_bool_or([~x.loaded[s][u], ~x.computed[s - 1][u], crowded, *leaves])
