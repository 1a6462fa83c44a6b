"""Run a campaign: `python -m tests.campaigns NAME --cases N --seed S`; exit code 1 if it finds.

Forgeries are of the kind of certificates that follows their name, or of each kind as many.
"""

import argparse
import faulthandler
import sys
from collections.abc import Callable

from proofs.lemmas.loops.nests import NESTS
from tests.campaigns import (
    agreement,
    certificates,
    chains,
    emission,
    families,
    files,
    forgeries,
    games,
    interpreted,
    labels,
    levels,
    nest_lemmas,
    nest_sizes,
    nests,
    odd_nests,
    partial,
    processors,
    programs,
    recognition,
    rewriting,
    schedules,
    stores,
    sweeps,
    verified,
)
from tests.campaigns.outcomes import Outcomes

CAMPAIGNS: dict[str, Callable[..., Outcomes]] = {
    "agreement": agreement.run,
    "certificates": certificates.run,
    "chains": chains.run,
    "emission": emission.run,
    "families": families.run,
    "files": files.run,
    "forgeries": forgeries.run,
    "games": games.run,
    "interpreted": interpreted.run,
    "labels": labels.run,
    "levels": levels.run,
    "partial": partial.run,
    "nest-lemmas": nest_lemmas.run,
    "nest-sizes": nest_sizes.run,
    "nests": nests.run,
    "odd-nests": odd_nests.run,
    "processors": processors.run,
    "programs": programs.run,
    "recognition": recognition.run,
    "rewriting": rewriting.run,
    "schedules": schedules.run,
    "stores": stores.run,
    "sweeps": sweeps.run,
    "verified": verified.run,
}


def main() -> int:
    """Run the campaign that the arguments name, and print its counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns", description=__doc__)
    parser.add_argument("name", choices=sorted(CAMPAIGNS))
    parser.add_argument("kind", nargs="?", choices=NESTS, help="of forgeries")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    faulthandler.enable()
    if arguments.kind and arguments.name != "forgeries":
        parser.error(f"{arguments.name} has no kinds")
    kinds = {"kind": arguments.kind} if arguments.kind else {}
    outcomes = CAMPAIGNS[arguments.name](arguments.cases, arguments.seed, **kinds)
    sys.stdout.write(outcomes.table() + "\n")
    return 1 if outcomes.failures else 0


if __name__ == "__main__":
    sys.exit(main())
