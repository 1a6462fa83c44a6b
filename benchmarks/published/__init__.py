"""I/O of the schedules in the literature, by family: `PUBLISHED`."""

from benchmarks.published.forms import PUBLISHED, Published

__all__ = ["PUBLISHED", "Published"]
