"""Golden optima of sibling games, where the shared folder is beside the project."""

import json


def golden_games(shared, game):
    """(spec, entry) for every golden optimum of a game."""
    record = json.loads((shared / "golden" / "sibling_games.json").read_text())
    return [
        (instance["spec"], entry) for instance in record["instances"] for entry in instance[game]
    ]
