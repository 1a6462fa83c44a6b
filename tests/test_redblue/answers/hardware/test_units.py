import pytest

from redblue.answers.hardware import InvalidMachineError
from redblue.answers.hardware.units import dimension, in_base_units, words_per_cycle


@pytest.mark.parametrize(
    ("value", "unit", "base", "measures"),
    [
        (2, "GB/s", 2e9, "byte/s"),
        (1.5, "Tflop/s", 1.5e12, "flop/s"),
        (4, "flop/cycle", 4 * 5e8, "flop/s"),
        (32, "bit/cycle", 4 * 5e8, "byte/s"),
        (20, "Mword/s", 8e7, "byte/s"),
        (3, "MiB", 3 * 2**20, "byte"),
        (3, "MB", 3e6, "byte"),
        (72, "Mibit", 9 * 2**20, "byte"),
        (64, "Kiword", 2**18, "byte"),
        (200, "MHz", 2e8, "hertz"),
        (50, "flop/word", 50, "flop/word"),
    ],
)
def test_a_unit(value, unit, base, measures):
    assert in_base_units(value, unit, clock=5e8, word_bytes=4) == base
    assert dimension(unit) == measures


@pytest.mark.parametrize("unit", ["", "furlong", "GGB", "kib/s", "Xflop/s"])
def test_no_unit(unit):
    with pytest.raises(InvalidMachineError, match="no unit is called"):
        in_base_units(1, unit)


@pytest.mark.parametrize(("unit", "lacks"), [("flop/cycle", "a clock"), ("word", "a word")])
def test_what_a_unit_needs(unit, lacks):
    with pytest.raises(InvalidMachineError, match=lacks):
        in_base_units(1, unit)


def test_words_per_cycle():
    assert words_per_cycle(16e9, clock=0.5e9) == 4  # C64, as the many-core paper has it
    assert words_per_cycle(6.4e9, clock=1.6e9) == 0.5  # Itanium 2
