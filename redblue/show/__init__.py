"""Findings to show: data in `model`, made of rows in `rows`; pages, figures and files draw them."""
