"""Bounds from isoperimetric inequalities: `set_sums` makes them, `set_sizes` chooses sizes."""
