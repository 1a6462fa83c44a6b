"""Exhaustive search of a small piece where values may be computed again.

The game on a piece is what `piece` says. What counts is loads, and stores of values that are no
outputs: the first store of an output is compulsory, and it is made when the output is first
computed. A state is what is in fast memory, what is in slow memory, and which goals are done. The
least words from a state on do not grow if more is in fast memory, since letting go is free, or if
more goals are done. The search keeps to plays of one form; each item is a change that makes no
play dearer and keeps it legal.

1. *Goals.* All is done when each step that makes nothing for others in the piece, a goal, has been
   computed: its ancestors have been before it. A value that leads to no goal still to be done
   leaves at once, and nothing is computed that leads to none.
2. *Free sources come late.* A source that is no input is computed just before a step that reads
   it, and leaves after it. So it only takes room at that step.
3. *Pairs of a store and a load.* Between a store of a value that is no output and its next load it
   is not computed: otherwise it could as well be stored when it leaves after that. If it is never
   loaded, it need not be stored. So a store pays for the load that follows, too; from then until
   that load the value is **owed**: it is not computed, and loading it costs nothing. (Where a
   change below takes away that load because the value is not read before it leaves again, a
   computation that follows is replaced by it, and so is a later load that was paid for.)
4. *Loads come late,* just before a step that reads the value. One that is not read before the value
   leaves again is not needed.
5. *Nothing leaves early.* A value leaves only where a step needs its room, and no set leaves of
   which one value could stay: it stays until its room is needed. If it comes back before that, this
   load or computation is left out, and a store is put off until it leaves, or is left out with the
   load that it paid for. Under sliding rules a value may also leave because the result of a step
   takes its place; not if there is room for both.
6. *Some things come at once.* A step whose operands are in fast memory, and whose result fits
   beside all that is there, is computed (unless it is owed): more in fast memory costs no more. So
   is a goal that fits, too, if the operands that are missing are inputs that lead to no other goal
   still to be done: whenever it is computed they are loaded for it, and for nothing else. (It may
   take the place of an operand that leads to no other goal.)
7. *What is still due.* Every way from an input to an operand of a goal still to be done meets a
   value that is in fast memory, or owed, or will be loaded, and paid for, from slow memory. So
   at least the words of a minimum cut are still to be paid, in which inputs and values in slow
   memory count their words, those in fast memory and owed ones nothing, and no others can be cut.
   Values of which no set leaves, or is stored, without costing the limit are not tried.
8. *Symmetry.* A permutation of values and steps that keeps operands, words, and what is an input
   or an output takes plays to plays.

All states that need not cost `limit` are visited, the cheapest first, by paying and adding what is
still due; so if no play is among them, each costs at least the least of what was left out.

- `board` has the game as sets of bits, `loads` the minimum cut, `search` runs the search.
"""

from proofs.certificates.recompute.search import again

__all__ = ["again"]
