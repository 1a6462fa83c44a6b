"""``redblue machine list | balance | many-core | mesh``."""

import json
import re
from itertools import pairwise

import pytest

from dags import load
from proofs.laws import CONSTANT, LOGARITHM, Law
from redblue.answers.hardware import MACHINES
from redblue.papers.models import ManyCore, matmul_emcr
from tests.command_line import run_redblue


def run(*arguments):
    of_papers = arguments[:1] in (("many-core",), ("mesh",))
    return run_redblue("papers" if of_papers else "machine", *arguments)


def ask(*arguments):
    ending = run(*arguments)
    assert (ending.code, ending.err) == (0, "")
    return ending.out


def answer(*arguments):
    return json.loads(ask(*arguments, "--json"))


def refused(*arguments):
    ending = run(*arguments)
    assert ending.code == 2
    return ending.sentence


def test_help():
    for arguments in ([], ["--help"]):
        listed = ask(*arguments)
        assert all(name in listed for name in ("balance", "list"))
    assert "redblue machine balance" in ask("balance", "--help")


def test_list():
    out = ask("list")
    assert all(machine.title in out for machine in MACHINES.values())
    (h100,) = answer("list", "h100")["machines"]
    assert h100["name"] == "H100"
    for entry in h100["numbers"]:
        number = MACHINES["H100"].number(entry["section"], entry["name"])
        assert (entry["base"], entry["source"]) == (number.base, number.source.title)
        assert f"{entry['value']:g}" in ask("list", "H100")
    assert "known: Warp" in refused("list", "H999")


def test_the_memory_that_balances_as_published(golden_models):
    for alpha, row in golden_models["kung_Mnew"].items():
        result = answer("balance", "--alpha", alpha)["laws"]
        memory = {entry["computation"]: entry["memory"] for entry in result}
        assert memory["matrix product, LU, QR"] == row["matmul/triang M=1024"]
        assert memory["FFT, sorting"] == row["fft/sort M=1024"]
        for d in (1, 2, 3, 4):
            grid = next(words for name, words in memory.items() if name.startswith(f"grid, {d}"))
            assert grid == pytest.approx(row[f"grid d={d} M=1024"])
        assert memory["matrix times vector, triangular solve"] is None


def test_arrays_and_warp_as_published(golden_models):
    result = answer("balance", "--side", 10)
    for name, factor in golden_models["kung_arrays"]["examples p=10"].items():
        d, j = (int(part[2:]) for part in name.split(","))
        (row,) = (
            row
            for row in result["arrays"]
            if row["computation"].startswith(f"grid, {d}") and row["dimensions"] == j
        )
        assert row["factor_per_element"] == pytest.approx(factor)
    printed, warp = golden_models["kung_warp"], result["machine"]
    assert warp["balance"] == printed["C/IO one cell"]
    assert warp["array_balance"] == printed["C/IO 10-cell array"]
    assert warp["array_memory"][0]["per_cell"] == printed["per cell"]


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("M^(1/2)", Law("power", 0.5)),
        ("m^1/3", Law("power", 1 / 3)),
        ("0.4", Law("power", 0.4)),
        ("M", Law("power", 1.0)),
        ("log M", LOGARITHM),
        ("Constant", CONSTANT),
    ],
)
def test_laws_by_name(text, law):
    (row,) = answer("balance", "--law", text, "--alpha", 1.5, "--memory", 100)["laws"]
    grown = law.rebalance(1.5, 100)
    assert row["memory"] == (pytest.approx(grown) if grown < float("inf") else None)


def test_every_published_law_has_a_name_that_is_read():
    for law in (Law("power", 1 / d) for d in range(1, 9)):
        (row,) = answer("balance", "--law", law.name, "--alpha", 2)["laws"]
        assert row["memory"] == pytest.approx(1024 * 2 ** (1 / law.exponent))


@pytest.mark.parametrize("machine", ["H100", "Cell", "EPYC9654"])
def test_a_machine_in_the_tables(machine):
    result = answer("balance", "--machine", machine)
    element = MACHINES[machine].element()
    assert result["memory"] == element.memory
    assert result["machine"]["balance"] == element.balance
    narrow = answer("balance", "--machine", f"{machine}:word=4")["machine"]
    assert narrow["balance"] == element.balance / 2


def test_a_dag_on_a_machine():
    result = answer("balance", "--dag", "matmul:n=8", "--machine", "compute=2.4e10,bandwidth=8e10")
    verdict = result["balance"]
    assert verdict["work"] == 2 * 8**3
    assert verdict["machine_balance"] == pytest.approx(2.4)
    by_memory = {point["memory"]: point for point in verdict["points"]}
    position = by_memory[verdict["balanced_at"]]
    assert position["bound"] == "compute"
    assert verdict["work"] >= 2.4 * position["io"] * (1 - 1e-12)
    below = by_memory[max(memory for memory in by_memory if memory < position["memory"])]
    assert verdict["work"] < 2.4 * below["io"]
    assert verdict["law"] == "M^(1/2)"
    expected = Law("power", 0.5).rebalance(2 * 2.4 / position["ratio"], position["memory"])
    assert verdict["grown_by_law"] == pytest.approx(expected)
    rows = {(row["kind"], row["memory"]): row for row in result["rows"] if row["method"] == "best"}
    for memory, point in by_memory.items():
        assert rows["upper", memory]["io"] == point["io"]
        assert rows["lower", memory]["io"] == point["least_io"]


def test_the_machines_own_memory_is_played():
    result = answer("balance", "--dag", "fft:n=16", "--machine", "apeNEXT", "--memory", "4,8")
    assert [point["memory"] for point in result["balance"]["points"]] == [4, 8, 512]
    assert result["balance"]["verdict"] in ("compute", "I/O", "undecided")
    assert result["balance"]["points"][-1]["io"] == 32


@pytest.mark.parametrize(
    ("spec", "machine", "words"),
    [
        ("matvec:n=16", "H100", "I/O-bound with every schedule"),
        ("matmul:n=8", "Warp", "compute-bound"),
    ],
)
def test_sentences(spec, machine, words):
    out = ask("balance", "--dag", spec, "--machine", machine)
    assert words in out
    assert f"{spec}, one-shot on {machine}" in out


def test_sizes_alike_share_a_line():
    asked = ("balance", "--dag", "matmul:n=6", "--machine", "H100")
    table = [line for line in ask(*asked).splitlines() if re.match(r" *\d[\d,:]* ", line)]
    sizes, cells = zip(*(line.split(maxsplit=1) for line in table), strict=True)
    assert all(first != second for first, second in pairwise(cells))
    assert re.fullmatch(r"[\d,]+:6,553,600", sizes[-1])
    points = answer(*asked)["balance"]["points"]
    first = {f"{point['memory']:,}" for point in points}
    assert {end for size in sizes for end in size.split(":")} <= first
    assert len(table) < len(points)


def test_sentences_where_nothing_is_proved():
    options = ("--machine", "compute=5e10,bandwidth=8e10", "--memory", "8,16")
    options = (*options, "--bounds", "compulsory")
    out = ask("balance", "--dag", "matmul:n=16", *options)
    assert "not proved for every schedule" in out
    assert "No memory size in the table balances it." in out


def test_a_dag_without_a_law(tmp_path):
    path = tmp_path / "a.edges"
    path.write_text("a c\nb c\nc d\n")
    out = ask("balance", "--dag", path, "--machine", "Warp")
    assert "no law is known for this DAG" in out
    out = ask("balance", "--dag", path, "--machine", "Warp", "--law", "log M")
    assert "by the law log M" in out


def test_the_roofline_is_written(tmp_path):
    folder = tmp_path / "new"
    ending = run_redblue(
        "machine", "balance", "--dag", "fft:n=16", "--machine", "Warp", "--out", folder
    )
    assert ending.code == 0
    names = ["roofline.pdf", "roofline.png", "roofline.svg"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert sorted(ending.err.splitlines()) == [f"wrote {folder / name}" for name in names]


def test_work_without_recomputation_under_all_rules(tmp_path):
    for rules in ("one-shot", "recompute", "one-shot-sliding"):
        options = ("--machine", "Warp", "--memory", "8,16", "--rules", rules)
        result = answer("balance", "--dag", "fft:n=16", *options)
        assert (result["rules"], result["balance"]["work"]) == (
            rules,
            load("fft:n=16").computed.size,
        )


@pytest.fixture(scope="module")
def golden_models(shared):
    return json.loads((shared / "golden" / "seed_papers.json").read_text())["models"]


def test_many_core_as_published(golden_models):
    result = answer("many-core", "blocks=2,4,16")
    assert result["most_cores"] == golden_models["manycore_Pmax"]["C64 B=4 C=327680 words"]
    names = {"Tc,blk": "Tcblk", "Tm,blk": "Tmblk_plus", "Tc,lu": "Tclu", "Tm,lu": "Tmlu"}
    for chip in result["chips"]:
        row = golden_models["manycore_terms_M256_B4_W1"][f"{chip['cores']:.0f}"]
        for name, theirs in names.items():
            assert chip["cycles"][name] == pytest.approx(row[theirs], rel=5e-6)
        key = "manycore_MCR_lu_M256_B4_W1 (q=2,4,16,64,256,1024,4096)"
        ratios = golden_models[key][f"{chip['cores']:.0f}"]
        assert [row["mcr_lu"] for row in chip["blocks"]] == pytest.approx(ratios[:3], rel=5e-6)


def test_many_core_takes_parameters():
    options = ("bandwidth=2", "memory=50000", "cores=100", "width=2", "blocks=3")
    result = answer("many-core", *options)
    chip = ManyCore(2, 100, 100, 2)
    (only,) = result["chips"]
    assert (result["block"], result["most_cores"]) == (100, 200)
    assert only["cycles"]["Tm,u"] == chip.triangle_transfer
    assert only["blocks"][0]["emcr_matmul"] == matmul_emcr(chip, 3)
    assert answer("many-core", *options, "block=80")["block"] == 80


def test_many_core_of_a_machine():
    result = answer("many-core", "machine=Itanium2", "cores=1")
    assert result["bandwidth"] == pytest.approx(0.5)
    assert result["most_cores"] == pytest.approx(242.863, rel=1e-5)
    assert "no clock of H100" in refused("many-core", "machine=H100")


def test_many_core_tables():
    out = ask("many-core")
    assert "P_max = B sqrt(C / 5) = 1,024 cores" in out
    assert all(text in out for text in ("0.140625", "0.998708", "25.0%", "0.5 / q^1"))
    assert "Cholesky" not in ask("many-core", "blocks=1,2")


def test_mesh_as_published(golden_models):
    table = golden_models["moreira"]
    result = answer("mesh")
    for mesh, row in zip(result["meshes"], table["rows"], strict=True):
        keys = ("side", "time", "time_overlapped", "speedup", "efficiency")
        assert [mesh[key] for key in keys] == pytest.approx(row, rel=5e-6)
    crossover = golden_models["moreira_overlap_crossover_n"]
    assert result["overlap_crossover"] == pytest.approx(crossover, rel=5e-6)
    assert result["qualities"]["M^(1/3)"] == pytest.approx(102.4)
    assert {round(row["phi_3"], 9) for row in result["equivalents"]} == {102.4}
    assert "8.21283" in ask("mesh")


def test_mesh_takes_parameters():
    options = ("rate=1e12", "bandwidth=1e10", f"memory={2**33}", "latency=0")
    grid = ("points=60", "bytes_per_point=16", "flops_per_point=10", "depth=2")
    result = answer("mesh", *options, *grid, "sides=3,6", "scales=2", "law=M^1/2")
    assert [mesh["local_points"] for mesh in result["meshes"]] == [20, 10]
    assert result["meshes"][0]["communication"] == pytest.approx(2 * 16 * 400 / 1e10)
    assert result["meshes"][0]["calculation"] == pytest.approx(10 * 8000 / 1e12)
    assert result["overlap_crossover"] == pytest.approx(2 * 16 / 1e10 / (10 / 1e12))
    assert result["qualities"] == {"M^(1/2)": pytest.approx(0.01 * 2**16.5)}


@pytest.mark.parametrize("name", ["T3E", "XT4", "BlueGeneL", "BlueGeneP", "TPUv4"])
def test_mesh_of_a_machine(name):
    element = answer("mesh", f"machine={name}")["element"]
    machine = MACHINES[name]
    assert element["bandwidth"] == machine.number("bandwidth", "torus-link").base
    assert element["memory"] == max(number.base for number in machine.memory.values())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["balance", "--dag", "fft:n=8"], "name a machine (--machine H100), or its numbers"),
        (["balance", "--dag", "fft:n=8", "--machine", "H1"], "no machine is called 'H1'"),
        (["balance", "--dag", "fft:n=7", "--machine", "H100"], "power"),
        (["balance", "--machine", "Merrimac"], "the catalogue has no memory of Merrimac"),
        (["balance", "--machine", "H100:level=L9"], "no memory of H100 is called 'L9'"),
        (["balance", "--machine", "H100:word=0"], "word bytes must be positive"),
        (["balance", "--machine", "H100:compute=-1"], "compute must be positive"),
        (["balance", "--machine", "H100:bandwidth=0"], "bandwidth must be positive"),
        (["balance", "--machine", "bandwidth=5"], "compute=1e12,bandwidth=2e9"),
        (["balance", "--alpha", "x"], "expected numbers with commas between them, not 'x'"),
        (["balance", "--alpha", "-2"], "alpha must be positive and finite, not -2"),
        (["balance", "--alpha", ""], "expected numbers"),
        (["balance", "--memory", "0"], "at least 1 word"),
        (["balance", "--side", "0"], "side must be a whole number of at least 1"),
        (["balance", "--law", "cubic"], "is no law like"),
        (["balance", "--law", "M^-1"], "is no law like"),
        (["balance", "--law", "1/0"], "is no law like"),
        (["balance", "--dag", "fft:n=8", "--machine", "Warp", "--alpha", "0"], "alpha must be"),
        (["balance", "--dag", "fft:n=8", "--machine", "Warp", "--bounds", "no"], "no bound is"),
        (["many-core", "bandwidth=-1"], "bandwidth must be positive and finite, not -1"),
        (["many-core", "memory=0"], "memory must be positive"),
        (["many-core", "cores=70000"], "70000 cores cannot share blocks of 256 x 256"),
        (["many-core", "blocks=0"], "blocks must be a whole number of at least 1"),
        (["mesh", "rate=0"], "rate must be positive"),
        (["mesh", "sides=2000"], "fewer than the depth 1"),
        (["mesh", "scales=-1"], "q must be positive"),
        (["mesh", "machine=Merrimac"], "the catalogue has no memory of Merrimac"),
        (["nothing"], "see 'redblue machine --help'"),
    ],
)
def test_nonsense(arguments, sentence):
    assert sentence in refused(*arguments)


def test_the_rate_and_the_link_in_use_have_names():
    game = ("balance", "--dag", "matmul:n=4", "--memory", "8")
    printed = ask(*game, "--machine", "A100")
    assert "Its rate (fp64) is 9.7e+12 flop/s; its link (hbm) to the memory (L2)" in printed
    assert "2.549e+11 words of 8 bytes" in printed
    result = answer(*game, "--machine", "A100")["balance"]
    assert (result["rate"], result["memory"], result["link"]) == ("fp64", "L2", "hbm")
    arguments = answer(*game, "--machine", "A100:compute=1e12,bandwidth=1e12")["balance"]
    assert (arguments["rate"], arguments["link"]) == (None, None)
    assert "Its rate is 1e+12 flop/s; its link to" in ask(
        *game, "--machine", "compute=1e12,bandwidth=1e12"
    )
