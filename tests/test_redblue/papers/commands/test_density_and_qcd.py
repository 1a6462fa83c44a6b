"""``redblue papers density | qcd | split``."""

import json
from math import exp

import pytest

from dags import load
from proofs.laws import Law
from redblue.answers.curves.curve import io_curve
from redblue.answers.hardware import MACHINES
from redblue.papers.models import Die, best_measured_split, law_split, qcd_processor
from redblue.papers.models.density import ball_flux, endless_flux, largest_radius
from redblue.papers.models.density_integrals import central_flux
from tests.command_line import run_redblue

PUBLISHED = 1e-5  # the golden values have six significant digits


def ask(*arguments):
    ending = run_redblue("papers", *arguments)
    assert (ending.code, ending.err) == (0, "")
    return ending.out


def answer(*arguments):
    return json.loads(ask(*arguments, "--json"))


@pytest.fixture(scope="module")
def golden(shared):
    return json.loads((shared / "golden" / "seed_papers.json").read_text())


def test_help():
    assert all(name in ask("--help") for name in ("density", "qcd", "split"))
    for name in ("density", "qcd", "split"):
        assert f"redblue papers {name}" in ask(name, "--help")


def test_density_off_centre_and_of_wires():
    asked = ("density", "dimensions=2", "orders=0", "off_centre=0,0.5,1")
    result = answer(*asked, "wires=60")
    (row,) = result["off_centre"]
    assert row["flux"][0] == pytest.approx(result["balls"][0]["flux"])
    assert row["flux"][0] > row["flux"][1] > row["flux"][2] == 0
    assert result["wires"][0]["longer"] == pytest.approx(4 / 3.14159, rel=0.03)
    assert result["energy"]["energy_density"] > 0
    assert "0.5 R" in ask(*asked)


def test_density_as_published(golden):
    models, result = golden["models"], answer("density")
    for row in result["spaces"]:
        constant = models["C_K"][str(row["dimensions"])]
        assert row["sphere_constant"] == pytest.approx(constant, rel=PUBLISHED)
    flux = {(row["dimensions"], row["order"]): row["flux"] for row in result["balls"]}
    for k, order, near, radius, theirs in models["eq18_Phi0(I0=rho0=1)"]["rows"]:
        assert (result["near"], result["radius"]) == (near, radius)
        assert flux[k, order] == pytest.approx(theirs, rel=PUBLISHED)
    for k, count, theirs, bound in models["eq11_vs_eq14_rho=exp(-r),I0=1"]["rows"]:
        row = result["profiles"][k - 1]
        ours = (row["processors"], row["flux"], row["bound"])
        assert ours == pytest.approx((count, theirs, bound), rel=PUBLISHED)


def test_density_of_other_parameters_as_published(golden):
    models = golden["models"]
    result = answer("density", "orders=2.5,3,3.5,4,4.5,5,6", "radius=2")
    endless = {(row["dimensions"], row["order"]): row for row in result["endless"]}
    for k, order, reach, flux, bound in models["eq8_exact_and_eq9_bound(gamma=rho0=1)"]["rows"]:
        assert result["reach"] == reach
        row = endless[k, order]
        assert (row["flux"], row["bound"]) == pytest.approx((flux, bound), rel=PUBLISHED)
    for k, count, radius, flux, coefficient in models["eq19"]["rows"]:
        row = result["spaces"][k - 1]
        assert (result["processors"], result["radius"]) == (count, radius)
        ours = (row["uniform_flux"], row["uniform_coefficient"])
        assert ours == pytest.approx((flux, coefficient), rel=PUBLISHED)


def test_density_takes_parameters():
    options = ("dimensions=3", "orders=2,5", "rate=2", "density=3", "near=0.1")
    extra = ("reach=0.5", "limit=1000", "profile=gaussian", "scale=4", "growth=5")
    result = answer("density", *options, *extra)
    ball = {"near": 0.1, "rate": 2, "density": 3}
    for row in result["balls"]:
        assert row["flux"] == pytest.approx(ball_flux(3, row["order"], radius=3, **ball))
    radii = [row["largest_radius"] for row in result["balls"]]
    assert radii == [pytest.approx(largest_radius(3, 2, 1000, **ball)), 0.0]
    (endless,) = result["endless"]
    assert endless["flux"] == endless_flux(3, 5, reach=0.5, rate=2, density=3)
    flux = central_flux(3, lambda _: 2.0, lambda r: 3 * exp(-((r / 4) ** 2)), scale=4)
    assert result["profiles"][0]["flux"] == pytest.approx(flux)
    assert result["spaces"][0]["volume_growth"] == pytest.approx(125)


def test_density_tables():
    out = ask("density")
    assert all(text in out for text in ("0.835563", "1,187.52", "33.5103", "75.3982"))
    assert "largest R" not in out
    assert "largest R" in ask("density", "limit=1000")


def test_qcd_as_published(golden):
    result = answer("qcd")
    for die, (side, *row) in zip(
        result["dies"], golden["bilardi_table1_both_chi"]["rows"], strict=True
    ):
        assert die["side"] == side
        ours = [
            die[half][name]
            for half in ("large", "large_as_printed", "medium")
            for name in ("k", "sites", "memory_mibit", "flops", "unit_share")
        ]
        assert ours == pytest.approx(row, rel=PUBLISHED)
    printed = golden["bilardi"]
    assert result["crossover"] == pytest.approx(printed["bilardi_crossover_ell"], rel=PUBLISHED)
    for die, (_, *row) in zip(
        result["dies"], printed["bilardi_wordlength_F_ratio"]["rows"], strict=True
    ):
        ours = [gain for regime in die["half_words"].values() for gain in regime.values()]
        assert ours == pytest.approx(row, rel=PUBLISHED)
    layout, eta = result["layout"], printed["bilardi_chip_eta"]
    minimum = (eta["ell_min_for_0.9_correct"], eta["ell_min_for_0.9_tableF"])
    assert (layout["all_units"], layout["chip"]) == pytest.approx(minimum, rel=PUBLISHED)


def test_table_2_as_published(golden):
    names = {"BlueGeneL": "BG/L", "Itanium2": "ITANIUM2"}
    table = golden["bilardi"]["bilardi_table2"]
    rows = answer("qcd")["processors"]
    assert len(rows) == len(table)
    for row in rows:
        printed = table[f"{names.get(row['name'], row['name'])}/{row['word_bits']}"]
        pairs = [
            (row["k_large"], printed["k_LM"]),
            (row["xi_large"], printed["xi_LM"]),
            (row["xi_medium"], printed["xi_MM_96floor"]),
            (row["xi_medium_with_halo"], printed["xi_MM_432floor"]),
        ]
        for ours, theirs in pairs:
            assert ours == (None if theirs is None else pytest.approx(theirs, rel=PUBLISHED))


def test_qcd_takes_parameters():
    options = ("sides=3e5", "word_bits=32", "bit_area=20", "unit_area=3e7")
    result = answer("qcd", *options, "pins=1e-3", "usable=0.8", "n4=64")
    die, medium = result["dies"][0], result["dies"][0]["medium"]
    area = 3e7 * medium["flops"] + 20 * medium["memory"]
    assert area == pytest.approx(0.8 * 9e10)
    assert medium["sites"] == pytest.approx(64 * medium["k"] ** 3)
    assert die["bandwidth"] == pytest.approx(1200)
    assert answer("qcd", "pins=0.01")["layout"] == {"all_units": None, "chip": None}
    assert answer("qcd", "n4=1")["crossover"] is None


def test_qcd_of_a_machine():
    links = ("local=hbm", "neighbours=nvlink")
    result = answer("qcd", "machine=A100", *links, "word_bits=32", "rate=fp32")
    (row,) = result["processors"]
    processor = qcd_processor(MACHINES["A100"], 32, rate="fp32", local="hbm", neighbours="nvlink")
    assert (row["name"], row["xi_medium"]) == ("A100", processor.xi("medium"))


def test_qcd_tables():
    out = ask("qcd")
    texts = ("8,479.67", "67.8512", "40197.5", "175331", "2.92647", "n.a.", "2.19587", "120 words")
    assert all(text in out for text in texts)
    out = ask("qcd", "n4=1", "pins=0.01")
    assert "on every die that holds k = 1" in out
    assert "never" in out


def test_split_by_a_law():
    result = answer("split", "law=M^1/3", "coefficient=0.1", "sides=1e6,1e7")
    for row in result["splits"]:
        split = law_split(Die(row["side"]).budget, Law("power", 1 / 3, 0.1))
        assert (row["memory"], row["units"]) == (split.memory, split.units)
    assert "0.1 M^(1/3) operations a word" in ask("split", "law=M^1/3", "coefficient=0.1")


def test_split_by_plays():
    options = ("memory=8,16,32,64", "sides=12000")
    (row,) = answer("split", "dag=matmul:n=6", *options)["splits"]
    dag = load("matmul:n=6")
    memories, io = zip(*io_curve(dag, [8, 16, 32, 64], bounds=[]).envelope("upper"), strict=True)
    split = best_measured_split(Die(12000).budget, int(dag.work.sum()), memories, io)
    assert (row["memory"], row["transfer_cycles"]) == (split.memory, split.transfer_cycles)
    assert "matmul:n=6, one-shot" in ask("split", "dag=matmul:n=6", "sides=2e4")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["density", "near=4"], "near must be less than the radius, not 4 with the radius 3"),
        (["density", "radius=-1"], "radius must be positive"),
        (["density", "dimensions=0"], "dimensions must be a whole number of at least 1"),
        (["density", "dimensions=x"], "dimensions cannot be 'x'"),
        (["density", "dimensions=100000"], "100000 dimensions are too many"),
        (["density", "orders=-1"], "order must be finite and at least 0"),
        (["density", "processors=0"], "processors must be positive"),
        (["density", "profile=cone"], "no profile is called 'cone'"),
        (["density", "scale=0"], "scale must be positive"),
        (["density", "limit=0"], "flux must be positive"),
        (["density", "growth=1e200"], "1e+200^2 is beyond"),
        (["density", "radius=1e200"], "beyond what a floating-point number holds"),
        (["qcd", "sides=0"], "side must be positive"),
        (["qcd", "sides=1e300"], "leave no solution"),
        (["qcd", "pins=-1"], "pins must be positive"),
        (["qcd", "word_bits=0"], "word bits must be positive"),
        (["qcd", "n4=0"], "n4 must be positive"),
        (["qcd", "machine=H100"], "no link of H100 is called 'neighbours'"),
        (["qcd", "machine=Nothing"], "no machine is called 'Nothing'"),
        (["split", "sides=10"], "1 words take 3200 of an area of 100"),
        (["split", "law=cubic"], "is no law like"),
        (["split", "coefficient=-1"], "the coefficient must be positive"),
        (["split", "law=M", "dag=fft:n=8"], "is law=... or dag=..., not both"),
        (["split", "dag=fft:n=8", "sides=10"], "leaves arithmetic any of an area"),
        (["split", "bit_area=0"], "bit area must be positive"),
    ],
)
def test_nonsense(arguments, sentence):
    ending = run_redblue("papers", *arguments)
    assert ending.code == 2
    assert sentence in ending.sentence
