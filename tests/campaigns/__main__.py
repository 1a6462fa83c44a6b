"""Run a campaign: `python -m tests.campaigns NAME --cases N --seed S`; exit code 1 if it finds."""

import argparse
import faulthandler
import sys

from tests.campaigns import (
    agreement,
    certificates,
    chains,
    emission,
    families,
    files,
    games,
    labels,
    levels,
    nest_sizes,
    nests,
    partial,
    processors,
    programs,
    recognition,
    schedules,
    stores,
    sweeps,
    verified,
)

CAMPAIGNS = {
    "agreement": agreement.run,
    "certificates": certificates.run,
    "chains": chains.run,
    "emission": emission.run,
    "families": families.run,
    "files": files.run,
    "games": games.run,
    "labels": labels.run,
    "levels": levels.run,
    "partial": partial.run,
    "nest-sizes": nest_sizes.run,
    "nests": nests.run,
    "processors": processors.run,
    "programs": programs.run,
    "recognition": recognition.run,
    "schedules": schedules.run,
    "stores": stores.run,
    "sweeps": sweeps.run,
    "verified": verified.run,
}


def main() -> int:
    """Run the campaign that the arguments name, and print its counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns", description=__doc__)
    parser.add_argument("name", choices=sorted(CAMPAIGNS))
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    faulthandler.enable()
    outcomes = CAMPAIGNS[arguments.name](arguments.cases, arguments.seed)
    sys.stdout.write(outcomes.table() + "\n")
    return 1 if outcomes.failures else 0


if __name__ == "__main__":
    sys.exit(main())
