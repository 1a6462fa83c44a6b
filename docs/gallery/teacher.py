"""Teacher: what does the pebble game look like, and what is an optimal schedule?"""

from pathlib import Path

import redblue as rb
from redblue.show.player import exercises_page

# A DAG that fits the blackboard, and its picture.
pyramid = rb.load("pyramid:height=4").dag
pyramid.plot().figure.savefig("pyramid.svg")

# The referee is plain Python and defines the game: it checks moves from any source.
moves = rb.SCHEDULERS["natural+lru"](pyramid, 4)
print("program order, LRU:", rb.verify(pyramid, moves, 4).io, "words")

# An optimal schedule, and a page on which a class can follow it move by move.
best = rb.solve(pyramid, 4)
print("an optimal schedule:", best.count.io, "words,", best.status)
rb.play(pyramid, best.schedule, 4, out="pyramid.html")

# Eight small DAGs to pebble by hand, each with an optimal schedule.
Path("exercises.html").write_text(exercises_page(), encoding="utf-8")

# An exercise: with which memory does the pyramid move only its inputs and its output?
plan = rb.plan(pyramid)
print(
    "nothing is moved twice from M =", plan.end.choice.memory, "on;", plan.dag["inputs"], "inputs"
)
assert plan.end.known
