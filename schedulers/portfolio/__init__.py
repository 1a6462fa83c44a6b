"""The best play of a DAG: all schedulers side by side, and search from where they end.

- `portfolio` counts every generic order with every eviction, and the structured play of the family;
  `counted_plays` yields them one by one.
- `best` makes the best of them better by search; `search_schedule` is that as a scheduler.
"""

from schedulers.portfolio.best_play import TIME_LIMIT, best, search_schedule
from schedulers.portfolio.members import counted_plays, portfolio

__all__ = ["TIME_LIMIT", "best", "counted_plays", "portfolio", "search_schedule"]
