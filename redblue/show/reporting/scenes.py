"""Plays of experiments as step-by-step players of the page."""

from markupsafe import Markup

from dags import load
from pebble import Schedule, rules_named
from redblue.show.model import PlayerScene
from redblue.show.player import player_fragment


def scene_player(scene: PlayerScene) -> Markup:
    """The player of a play, which the referee replays first.

    Raises
    ------
    IllegalMoveError
        If the play is not legal.
    TooLargeToShowError
        If nobody could follow it.
    """
    return Markup(
        player_fragment(
            load(scene.spec) if scene.dag is None else scene.dag,
            Schedule(scene.op, scene.vertex),
            scene.memory,
            rules=rules_named(scene.rules),
            title=scene.title,
            lower_bound=scene.lower_bound,
        )
    )
