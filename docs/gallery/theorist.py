"""Theorist: what is proved, by which argument, and who can check it?"""

import redblue as rb

DAG = rb.load("fft:n=8").dag

# Several arguments side by side; each certificate is verified by code that knows no method.
for method in ("compulsory", "dominators", "segments", "wavefront", "exact-pieces"):
    bound = rb.check(DAG, rb.bound(DAG, 4, bounds=[method], time_limit=5))
    print(
        f"{method:12} proves {bound.io:3} words, by a certificate of kind {bound.certificate.kind}"
    )

# A schedule that meets a bound is optimal.
solution = rb.solve(DAG, 4)
print(solution)
assert solution.status == "optimal"
rb.check(DAG, solution.bound)

# Hong and Kung's game allows recomputation: that can move fewer words, and never more.
for memory in (4, 6, 9):
    once = rb.solve(DAG, memory, time_limit=5).count.io
    again = rb.solve(DAG, memory, rules=rb.RULES["recompute"], time_limit=5).count.io
    print(f"M = {memory}: {once} words if each value is computed once, {again} if not")
    assert again <= once
