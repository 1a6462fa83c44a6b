"""Tilings of loop nests that are counted without a DAG."""
