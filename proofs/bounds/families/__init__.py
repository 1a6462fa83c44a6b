"""Bounds for single families of DAGs: closed forms, the Dirac operator."""
