"""Bounds for loop nests: windows of updates and the arrays that they read."""
