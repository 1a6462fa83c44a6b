"""Findings to show: `model` has them as data, which pages, figures and files draw."""
