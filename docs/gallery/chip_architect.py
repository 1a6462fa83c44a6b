"""Chip architect: arithmetic doubles; how much more memory keeps the link as busy as before?"""

import redblue as rb

# The curve of schedules shows which law a computation follows.
for spec in ("matmul:n=48", "matvec:n=64"):
    law = rb.law(spec).law
    print(
        f"{spec}: operations per word follow a law of kind {law.kind!r}, "
        f"exponent {law.exponent:.2f}"
    )
    for growth in (2, 4):
        words = law.rebalance(growth, 1 << 20)
        need = (
            "no memory is enough"
            if words == float("inf")
            else f"{words / (1 << 20):.1f} x the memory"
        )
        print(f"  {growth} x the arithmetic: {need}")

# Named machines, with a source for every number.
print(", ".join(list(rb.MACHINES)[:5]), "and", len(rb.MACHINES) - 5, "more")

# A curve in bytes: what a scratchpad of 1 to 16 KB does for a product of 4-byte numbers.
sizes = rb.parse_memories("128B:2KB", word_bytes=4)
curve = rb.curve(
    "matmul:n=12", sizes, schedulers=["natural+lru", "structured"], bounds=["projections"]
)
print(curve)
curve.plot().figure.savefig("chip_architect.svg")
