"""Teacher: what does the pebble game look like, and what is the best play?"""

from pathlib import Path

import redblue as rb
from redblue.show.player import exercises_page

# A DAG that fits the blackboard, and its picture.
pyramid = rb.load("pyramid:height=4").dag
pyramid.plot().figure.savefig("pyramid.svg")

# The referee is plain Python and is the definition of the game: it judges anybody's moves.
moves = rb.SCHEDULERS["natural+lru"](pyramid, 4)
print("natural order, LRU:", rb.verify(pyramid, moves, 4).io, "words")

# The best play of all, and a page on which a class can follow it move by move.
best = rb.solve(pyramid, 4)
print("the best play:     ", best.count.io, "words,", best.status)
rb.play(pyramid, best.schedule, 4, out="pyramid.html")

# Eight small DAGs on which the class plays itself, each beside its best play.
Path("exercises.html").write_text(exercises_page(), encoding="utf-8")

# An exercise: for which memory does the pyramid move its inputs and its output alone?
plan = rb.plan(pyramid)
print(
    "nothing is moved twice from M =", plan.end.choice.memory, "on;", plan.dag["inputs"], "inputs"
)
assert plan.end.known
