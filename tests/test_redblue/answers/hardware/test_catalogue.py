import re

import pytest

from dags import UnknownNameError
from redblue.answers.hardware import (
    MACHINES,
    InvalidMachineError,
    Machine,
    ProcessingElement,
    machine_named,
)
from redblue.answers.hardware.catalogue import SECTIONS
from redblue.answers.hardware.units import words_per_cycle
from redblue.papers.models import most_cores

OF_THE_PAPERS = ["Warp", "C64", "Godson-T", "Merrimac", "Itanium2", "apeNEXT", "BlueGeneL", "Cell"]
OF_THE_PAPERS += ["CSX600", "QCDOC", "T3E", "XT4", "BlueGeneP"]
CURRENT = ["A100", "H100", "H200", "MI300X", "TPUv4", "EPYC9654"]


def numbers(machine):
    return [number for section in SECTIONS for number in getattr(machine, section).values()]


def test_every_machine_is_there():
    assert set(OF_THE_PAPERS + CURRENT) <= set(MACHINES)


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_every_number_has_a_unit_a_source_and_a_date(machine):
    assert numbers(machine)
    for number in numbers(machine):
        assert number.base > 0
        assert number.source.title
        assert re.fullmatch(r"(19|20)\d\d", number.source.date)
        assert number.fed_by is None or number.fed_by in machine.bandwidth


@pytest.mark.parametrize("name", CURRENT)
def test_current_machines_are_complete(name):
    machine = MACHINES[name]
    element = machine.element()
    assert element.balance == machine.flops_per_word() > 1
    halves = machine.element(machine.word_bytes / 2)
    assert halves.balance == element.balance / 2
    assert halves.memory == 2 * element.memory


def test_bilardi_table_2():
    printed = {  # flop/cycle, Mbit of 2^20, b_lc and b_nb in bit/cycle, MHz
        "apeNEXT": (8, 32 / 1024, 128, 48, 200),
        "BlueGeneL": (4, 32, 62.85, 24, 700),
        "Cell": (8, 20, 64, 192, 3200),
        "CSX600": (192, 4.5, 102.4, 256, 250),
        "QCDOC": (2, 32, 41.6, 21.8, 500),
    }
    for name, (flops, megabits, local, neighbours, megahertz) in printed.items():
        machine = MACHINES[name]
        clock = megahertz * 1e6
        assert machine.clock.base == clock
        assert machine.rate() == flops * clock
        assert machine.number("memory").base * 8 == megabits * 2**20
        assert machine.number("bandwidth", "local").base * 8 == pytest.approx(local * clock)
        assert machine.number("bandwidth", "neighbours").base * 8 == pytest.approx(
            neighbours * clock
        )


def test_the_many_core_paper():
    assert [MACHINES[name].flops_per_word() for name in ("Merrimac", "C64", "Godson-T")] == [
        50,
        20,
        24,
    ]
    for name, bandwidth, cores in (("C64", 4, 1024), ("Itanium2", 0.5, 242.863)):
        element, clock = MACHINES[name].element(), MACHINES[name].clock.base
        words = words_per_cycle(element.bandwidth * 8, clock)
        assert words == pytest.approx(bandwidth, rel=1e-12)
        assert most_cores(words, element.memory) == pytest.approx(cores, rel=1e-6)


def test_two_papers_agree_on_blue_gene():
    """24 bits a cycle are six links in both directions, which carry 175 MB/s each."""
    machine = MACHINES["BlueGeneL"]
    link = machine.number("bandwidth", "torus-link").base
    assert 12 * link == pytest.approx(machine.number("bandwidth", "neighbours").base)


def test_choices():
    h100 = MACHINES["H100"]
    tensor = h100.element(rate="fp64-tensor", memory="registers", link="hbm", word_bytes=4)
    assert tensor == ProcessingElement(67e12, 3.35e12 / 4, 33 * 2**20 / 4)
    with pytest.raises(UnknownNameError, match=r"no memory of H100 is called 'L9'; known: L2"):
        h100.element(memory="L9")
    with pytest.raises(InvalidMachineError, match=r"choose one of hbm, nvlink"):
        h100.element(memory="registers")


def test_what_the_papers_do_not_give():
    with pytest.raises(InvalidMachineError, match="has no memory of Merrimac"):
        MACHINES["Merrimac"].element()
    with pytest.raises(InvalidMachineError, match="has no compute of Merrimac"):
        MACHINES["Merrimac"].rate("fp64")


def test_names():
    assert machine_named("h100") is machine_named("H100") is MACHINES["H100"]
    with pytest.raises(UnknownNameError, match="no machine is called 'H999'; known: Warp"):
        machine_named("H999")


def test_a_machine_of_your_own():
    own_values = Machine("mine", "of my own", word_bytes=8)
    with pytest.raises(InvalidMachineError, match="no balance of mine"):
        own_values.flops_per_word()
    with pytest.raises(InvalidMachineError, match="word bytes must be positive"):
        MACHINES["H100"].element(word_bytes=0)
