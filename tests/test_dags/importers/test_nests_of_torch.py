"""Blocks of PyTorch as nests: slices of one product, and attention as one operator."""

import numpy as np
import pytest

from dags.importers import graph_of
from dags.importers.nests import graph_nest
from pebble import judge
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings
from tests.test_dags.importers.nest_layout import laid_out

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


class Block(torch.nn.Module):
    """A transformer block whose queries, keys and values are slices of one product."""

    def __init__(self, width, heads, hidden):
        super().__init__()
        self.heads = heads
        self.first, self.second = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.three, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.up, self.down = torch.nn.Linear(width, hidden), torch.nn.Linear(hidden, width)

    def forward(self, x, fused=False):
        batch, tokens, width = x.shape
        shape = (batch, tokens, 3, self.heads, width // self.heads)
        q, k, v = self.three(self.first(x)).view(shape).permute(2, 0, 3, 1, 4).unbind(0)
        if fused:
            mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        else:
            mixed = torch.softmax(q @ k.transpose(-1, -2), -1) @ v
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.down(torch.nn.functional.gelu(self.up(self.second(x))))


@pytest.mark.parametrize("fused", [False, True])
def test_queries_keys_and_values_are_made_apart(fused):
    program = torch.export.export(Block(4, 2, 6).eval(), (torch.zeros(1, 3, 4), fused))
    nest = graph_nest(graph_of(program))
    assert [assignment.target for assignment in nest.assignments].count("linear") == 3
    dag = laid_out(nest)
    for play in best_tilings(nest, [10, 30, 90, 400], seconds=4):
        count = judge(dag, moves(dag, Counts(nest), play.tiling), play.moved.words)
        assert (count.loads, count.stores) == (play.moved.loads, play.moved.stores)


def test_attention_as_one_operator_is_its_parts():
    programs = [
        torch.export.export(Block(4, 2, 6).eval(), (torch.zeros(1, 3, 4), entry))
        for entry in (False, True)
    ]
    first, second = (laid_out(graph_nest(graph_of(program))) for program in programs)
    assert np.array_equal(first.pred_indptr, second.pred_indptr)
    assert np.array_equal(first.pred_indices, second.pred_indices)
