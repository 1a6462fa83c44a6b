"""A page of exercises: small DAGs to pebble by hand, each before its best play."""

from dags import load
from redblue.show.player.page import player_fragment, whole_page

# A DAG, words of fast memory, and what there is to see.
EXERCISES = (
    ("chain:n=5", 2, "What is needed only once need never be stored."),
    ("tree:height=3", 4, "Which half of a tree do you finish first?"),
    ("pyramid:height=3", 3, "With three words something must wait in slow memory. What?"),
    ("diamond:n=3", 3, "Rows, columns or diagonals?"),
    ("matvec:n=2", 4, "Which of matrix, vector and result should stay?"),
    ("matmul:n=2", 5, "Keep a result while it grows, or an operand?"),
    ("fft:n=4", 4, "Two butterflies at a time."),
    ("prefix_scan:n=4", 4, "Partial sums that many need."),
)


def exercises_page() -> str:
    """An HTML page of `EXERCISES`, each with an optimal play; it fetches nothing."""
    from redblue.racing.solving import solve

    parts = ["<h1>Pebbles by hand</h1>"]
    for number, (spec, memory, question) in enumerate(EXERCISES, 1):
        dag = load(spec)
        best = solve(dag, memory)
        parts.append(
            player_fragment(
                dag,
                best.schedule,
                memory,
                title=f"{number}. {spec} with {memory} words: {question}",
                lower_bound=best.lower_bound,
                own_first=True,
            )
        )
    return whole_page("Pebbles by hand", "\n".join(parts))
