"""The verified checker: the game and theorems about it in Coq, and a program extracted from them.

`build` compiles it where Coq and OCaml are, `verify` asks it of a bound. docs/reference/trust.md
says what has to be trusted.

- `Game.v` is the definition of the game, to be read beside `pebble.referee`.
- `Plays.v` has what legal plays have in common, `Compulsory.v` the words that all of them move and
  the account of the others, `Moments.v` values that wait (P2 to P4).
- `Maps.v`, `Dags.v`, `Pieces.v`, `Fronts.v`, `Ledger.v` and `Orders.v` are the checker, step by
  step, each with the proof that it is sound, `Renumber.v` does that for renumbered DAGs;
  `Verdict.v` reads certificates and puts all together.
- `Held.v` and `Searches.v` are complete search of small games where values are computed once (E1),
  `Repeats.v` where they may be computed again (E3); `Quick.v` plays by maps.
- `Windows.v` has windows of plays (W1, W2) and the partition of Hong and Kung, `Products.v` Loomis
  and Whitney's inequality with windows of updates of products (N1, N2), `OpenSums.v` such windows
  by the sums that are open at cuts (N16); `Reloads.v` has loads after fronts and `Chains.v` loads
  in stages of a chain (W7), for all rules.
- `Theorems.v` prints what each theorem rests on, `Extract.v` makes OCaml of the checker, and
  `redblue_check.ml`, written by hand, reads files for it.
"""

from proofs.verified.checker import (
    NotBuiltError,
    NotVerifiedError,
    build,
    judged_by_definition,
    program,
    verify,
)

__all__ = [
    "NotBuiltError",
    "NotVerifiedError",
    "build",
    "judged_by_definition",
    "program",
    "verify",
]
