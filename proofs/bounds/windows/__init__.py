"""Bounds from windows of a play: how much can be computed between two cuts of memory."""
