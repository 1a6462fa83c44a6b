"""Beam search on the states of a play."""

from schedulers.search.beam.beam import beam_order
from schedulers.search.beam.rounds import beam_rounds

__all__ = ["beam_order", "beam_rounds"]
