"""The contract on one envelope (`tests/contract/test_envelope.py`), of more games."""

import pytest

import redblue as rb
from redblue.answers.counted.curves import counted_curve
from tests.contract.test_envelope import FEW, GAMES, test_no_door_is_worse_than_another

__all__ = ["spec", "test_no_door_is_worse_than_another"]


pytestmark = pytest.mark.slow


@pytest.fixture(params=[name for name in GAMES if name not in FEW])
def spec(request):
    return request.param


JACOBI = """void jacobi(int n, int steps, double a[n]) { int i, t; double b[n];
for (t = 0; t < steps / 2; t++) {
  for (i = 0; i < n; i++) b[i] = a[i] + (i > 0 ? a[i-1] : 0) + (i < n-1 ? a[i+1] : 0);
  for (i = 0; i < n; i++) a[i] = b[i] + (i > 0 ? b[i-1] : 0) + (i < n-1 ? b[i+1] : 0); } }"""


@pytest.mark.parametrize(("n", "steps"), [(12, 8), (10**7, 10**6)])
def test_a_stencil_as_text_is_no_worse_than_as_a_family(tmp_path, n, steps):
    (tmp_path / "jacobi.c").write_text(JACOBI)
    text, family = f"{tmp_path}/jacobi.c:n={n},steps={steps}", f"stencil:shape={n},steps={steps}"
    memories = [6, 100]
    ask = rb.curve if n < 10**7 else counted_curve
    best, proved = (dict(ask(text, memories).envelope(kind)) for kind in ("upper", "lower"))
    of_family = ask(family, memories)
    assert all(best[memory] <= words for memory, words in of_family.envelope("upper"))
    assert all(proved[memory] >= words for memory, words in of_family.envelope("lower"))
