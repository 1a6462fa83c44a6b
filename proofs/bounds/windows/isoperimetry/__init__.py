"""Bounds from isoperimetric inequalities: `set_sizes` chooses sizes of windows."""
