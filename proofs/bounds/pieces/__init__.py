"""Bounds from parts of a DAG: their finders, and how the parts are chosen and added up."""
