"""Parts of PyTorch's functions need what they read, by the functions' own results."""

import numpy as np
import pytest

from dags import load
from tests.test_dags.importers.part_checks import check_operator, result_shape

torch = pytest.importorskip("torch")
F = torch.nn.functional
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")

CASES = {
    "add": (lambda x, y: x + y, (4, 6), (6,)),
    "matmul": (lambda x, y: x @ y, (2, 4, 6), (6, 5)),
    "batched": (lambda x, y: torch.bmm(x, y.transpose(1, 2)), (2, 4, 3), (2, 5, 3)),
    "linear": (lambda x, w, b: F.linear(x, w, b), (2, 4, 6), (5, 6), (5,)),
    "addmm": (lambda b, x, w: torch.addmm(b, x, w.t()), (5,), (4, 6), (5, 6)),
    "einsum": (lambda x, y: torch.einsum("bik,kj->bij", x, y), (2, 4, 3), (3, 5)),
    "softmax": (lambda x: x.softmax(-1), (4, 6)),
    "sum": (lambda x: x.sum(dim=1, keepdim=True), (4, 6, 3)),
    "mean": (lambda x: x.mean(dim=(0, 2)), (4, 6, 3)),
    "cumsum": (lambda x: x.cumsum(1), (4, 5)),
    "layer norm": (lambda x, w, b: F.layer_norm(x, (6,), w, b), (2, 4, 6), (6,), (6,)),
    "convolution": (
        lambda x, w, b: F.conv2d(x, w, b, stride=(2, 1), padding=(1, 2), dilation=(1, 2)),
        (2, 3, 7, 8),
        (4, 3, 3, 2),
        (4,),
    ),
    "groups": (lambda x, w: F.conv2d(x, w, padding=1, groups=2), (1, 4, 5, 5), (6, 2, 3, 3)),
    "one dimension": (lambda x, w: F.conv1d(x, w, stride=2), (2, 3, 9), (4, 3, 3)),
    "average": (lambda x: F.avg_pool2d(x, (3, 2), stride=(2, 1)), (2, 3, 7, 5)),
    "global": (lambda x: F.adaptive_avg_pool2d(x, 1), (2, 3, 4, 4)),
    "attention": (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
        (2, 2, 4, 3),
        (2, 2, 5, 3),
        (2, 2, 5, 3),
    ),
    "slices": (lambda x: x[1:4, ::2] + x[2:5, 1::2], (5, 6)),
    "selected": (lambda x: x[:, 1] * x.select(0, 2).unsqueeze(0), (4, 4)),
    "split": (lambda x: torch.chunk(x, 3, dim=1)[1] + x.split([2, 2, 2], 1)[2], (4, 6)),
    "stacked": (lambda x, y: torch.stack([x, y], 1) * 2, (3, 4), (3, 4)),
    "joined": (lambda x, y: torch.cat([x, y.flip(0)]) * 2, (3, 4), (2, 4)),
    "padded": (lambda x: F.pad(x, (1, 2, 0, 1)) * 2, (4, 3)),
    "repeated": (lambda x: x.repeat(2, 3) * 2, (2, 3)),
    "expanded": (lambda x: x.unsqueeze(1).expand(2, 4, 3) + x.permute(1, 0).sum(), (2, 3)),
}


def program_shape(program):
    """The shape of what an exported program returns."""
    last = [*program.graph.nodes][-1]
    return tuple(last.args[0][0].meta["val"].shape)


@pytest.mark.parametrize("name", CASES)
def test_parts(name):
    function, *shapes = CASES[name]
    rng = np.random.default_rng(0)
    names = function.__code__.co_varnames[: len(shapes)]
    arrays = {
        key: rng.uniform(0.5, 1.5, shape).astype(np.float32)
        for key, shape in zip(names, shapes, strict=True)
    }

    class Module(torch.nn.Module):
        def forward(self, *arguments):
            return function(*arguments)

    arguments = tuple(torch.tensor(array) for array in arrays.values())
    program = torch.export.export(Module(), arguments)
    placeholders = [node.name for node in program.graph.nodes if node.op == "placeholder"]
    inputs = dict(zip(placeholders, arrays.values(), strict=True))
    for variant in (program, program.run_decompositions()):
        for tile in (2, (2, 2), (1, 2, 3)):
            dag = load(variant, tile=tile)
            if dag.level.max() > 1 or result_shape(dag) not in (None, program_shape(program)):
                continue  # several operators, or one of another shape
            check_operator(
                dag, inputs, lambda **entry: function(*map(torch.tensor, entry.values()))
            )
