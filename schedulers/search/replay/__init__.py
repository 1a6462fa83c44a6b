"""Plays that are kept up to date while their order changes."""

from schedulers.search.replay.replays import Replay, new_replay

__all__ = ["Replay", "new_replay"]
