"""Pairs of steps that read the same operands, and what the search leaves out for them.

The two steps of a *pair* have the same operands, two or more, which no other step reads, and need
the same steps before them; all sizes are 1, and no result takes the place of an operand. A pair is
*half done* while one step of it, the first, has been computed and the other, the *late* one, has
not. Its operands that are absent then have left since, for a word or more each, and come back for
the late step alone.

From a state on, a play *keeps to its pairs* if of the operands of each late step no more is paid
than one word, for those that are absent and those that leave until the late step is computed: so
at most one leaves, once, and it is clean, that is, not dirty. A state is *sound* if some play that
keeps to its pairs goes on from it to the least excess of all plays. The state before the first step
is sound. So a search finds the least excess if after each sound state that it opens it enters
another one, or has one that is as good and sound.

Let s be sound, and v' the late step, if there is any, that has all of its operands there. (There is
one at most: an absent operand comes back for its late step alone, and by item 2 v' loses an operand
when another pair is begun.) Take a play from s to the least excess that keeps to the pairs of s,
with the most pairs *together*: begun after s, and computed one right after the other; let it count
as one more if v' comes next. By items 1 to 4 of `pebble.small.one_shot` values may leave later than
they do, or not at all, and steps stay in their order: what keeps to its pairs still does.

1. *The next state is sound.* If not, it comes by the first step u of a pair, the late step u' comes
   after other steps, and two words or more are paid for its operands meanwhile. Let u' be computed
   just before u, in the word that is free for the result of u, and its result leave, for two words
   or less; then come u and all else as before. The operands are not needed any more after u, so
   nothing is paid for them, and where they were there for u', its result comes back. That is no
   dearer, and one more pair is together.
2. *What may come before v'.* Fast memory is full: if v' fitted, it would have come at once, as it
   has two operands there that pay for its result. Let z come next instead. It needs a word, so some
   values leave for it. If one of them is no operand of v', let only those leave that are none, then
   compute v', and then z. It fits, as no more than one operand of v' left for it, and two or more
   die now. They are not needed any more; the result of v' sits in the place of one of them that was
   there until then, as all but one are. That is no dearer, and v' comes next. So it is one clean
   operand of v' that leaves for z, and nothing else: z has all of its own operands there, and takes
   room for its result alone.
3. *Steps that come at once.* They leave the operands of late steps alone, and take no room from
   what follows. One that begins a pair frees no operand, so nobody reads its result; so the other
   step of the pair comes at once, too.
4. *States as good.* Let a state turn into a sound one that has the same steps done, for no more
   words than the other has spent in addition. It goes on as that one does, but for the operands of
   late steps, of which both have one absent at most, as no others leave in this search. Where one
   of these is absent, the others stay. Where all are there, a clean one leaves, for a word, when
   the sound state's play lets one leave, or at once if that has one absent. So it takes no more
   room than that, pays no more, and is sound as well, unless all operands of a late step are dirty,
   and in the other state they are not.
5. *Symmetries* take pairs to pairs, and so does the exchange of twins.

So the search leaves out plays in which an operand of a late step leaves, but for a clean one of v';
where there is such a v', all steps but v' for which anything but one of these would have to leave;
and it does not let a state beat another one in the case that item 4 excepts.
"""

import numpy as np

from dags.arrays import Int64Array, lock
from pebble.small.game import SmallGame, members


def pairs(game: SmallGame) -> Int64Array:
    """(c,) the other step of the pair of each step, or -1."""
    other = np.full(game.steps.size, -1, np.int64)
    if game.rules.sliding or (game.sizes != 1).any() or (game.own != 1).any():
        return lock(other)
    for operands in {int(each) for each in game.operands if each & each - np.uint64(1)}:
        readers = {int(game.readers[r]) for r in members(operands)}
        steps = members(readers.pop())
        alike = {(int(game.operands[c]), int(game.before[c]), int(game.outside[c])) for c in steps}
        if not readers and len(steps) == 2 and len(alike) == 1 and not game.outside[steps].any():
            other[steps] = steps[::-1]
    return lock(other)
