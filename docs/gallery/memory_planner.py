"""Memory planner of a training step: how little memory, and what does recomputation save?"""

import networkx as nx

import redblue as rb

# Layers a = conv(r, w) and r = relu(a) forward; backward the gradient of a layer needs a, that of
# its weights r. `words` says how large a value is, `work` how many operations it takes.
LAYERS, ACTIVATION, WEIGHT = 4, 8, 2
step = nx.DiGraph()
step.add_node("r0", words=ACTIVATION)
for layer in range(1, LAYERS + 1):
    step.add_node(f"w{layer}", words=WEIGHT)
    step.add_node(f"a{layer}", words=ACTIVATION, work=8)
    step.add_node(f"r{layer}", words=ACTIVATION, work=1)
    step.add_edges_from([(f"r{layer - 1}", f"a{layer}"), (f"w{layer}", f"a{layer}")])
    step.add_edge(f"a{layer}", f"r{layer}")
step.add_node(f"g{LAYERS}", words=ACTIVATION, work=1)
step.add_edge(f"r{LAYERS}", f"g{LAYERS}")
for layer in range(LAYERS, 0, -1):
    step.add_node(f"d{layer}", words=WEIGHT, work=8, output=True)
    step.add_edges_from([(f"g{layer}", f"d{layer}"), (f"r{layer - 1}", f"d{layer}")])
    if layer > 1:
        step.add_node(f"g{layer - 1}", words=ACTIVATION, work=8)
        operands = (f"g{layer}", f"w{layer}", f"a{layer - 1}")
        step.add_edges_from((operand, f"g{layer - 1}") for operand in operands)

# What each memory size costs, from the smallest that works to where nothing moves twice.
plan = rb.plan(step, effort="quick")
print(
    f"{plan.dag['min_memory']} words are enough; with {plan.end.choice.memory} nothing moves twice"
)
print(plan.to_frame().to_string(index=False))
plan.plot().figure.savefig("memory_planner.svg")

# Recomputation pays if recomputed operations cost little in words.
for price in (0.0, 0.5, 16.0):
    asked = {"memory": 36, "rules": "recompute", "effort": "quick"}
    choice = rb.plan(step, price_of_work=price, **asked).choice
    print(
        f"an operation at {price} words: {choice.count.io} words moved, "
        f"{choice.count.recomputes} values recomputed"
    )
assert choice.cost >= choice.count.io
