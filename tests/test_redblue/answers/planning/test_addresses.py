"""Placed plans: schedules with addresses, their files, and what `redblue check` says of them."""

import csv
import json

import networkx as nx
import numpy as np
import pytest

import redblue as rb
from dags import InvalidSpecError, fft, random_layered
from dags.cdag.demands import Demands
from dags.formats import save
from pebble import ONE_SHOT, RULES, Move, Schedule, judge
from pebble.placement import (
    buffers_of,
    in_place_pairs,
    judge_placement,
    judge_stays,
    live_load,
    stays,
)
from redblue.answers.planning import addresses
from redblue.answers.planning.addresses import NoAddressesError, placed_plan, shortened
from redblue.answers.planning.placed import stay_rows
from redblue.answers.planning.plan_files import judge_plan, read_plan
from redblue.answers.planning.plan_page import plan_report
from redblue.show.reporting import report_page
from schedulers import SCHEDULERS
from tests.command_line import run_redblue

SPEC = "random_layered:n=30,max_words=9,seed=4"


@pytest.mark.parametrize("rules", ["one-shot", "recompute"])
@pytest.mark.parametrize("seed", range(8))
def test_shorter_stays_move_no_more_and_take_no_more(rules, seed):
    dag = random_layered(n=40, max_words=5, seed=seed)
    memory = rb.min_memory(dag) + seed
    for name in ("natural+belady", "depth-first+lru"):
        schedule = SCHEDULERS[name](dag, memory, rules=RULES[rules])
        before = judge(dag, schedule, memory, rules=RULES[rules])
        short = shortened(dag, schedule, RULES[rules])
        after = judge(dag, short, memory, rules=RULES[rules])
        assert after.io <= before.io
        assert after.computes == before.computes
        assert after.peak <= before.peak
        held = [
            sum(b.size * (b.upper - b.lower) for b in buffers_of(dag, stays(dag, moves)))
            for moves in (short, shortened(dag, short, RULES[rules]))
        ]
        assert held[0] == held[1]


def test_a_useless_load_goes_and_a_late_deletion_comes_early():
    dag = fft(4)
    schedule = SCHEDULERS["natural+belady"](dag, 6)
    moves = [move for move, _ in shortened(dag, schedule, ONE_SHOT)]
    assert moves.count(Move.DELETE) == moves.count(Move.LOAD) + moves.count(Move.COMPUTE)


@pytest.fixture(scope="module")
def plan():
    dag = rb.load(SPEC)
    return placed_plan(dag, rb.min_memory(dag) + 6, time_limit=4, spec=SPEC)


def test_a_plan_is_a_schedule_with_addresses_and_a_bound(plan):
    assert judge(plan.dag, plan.schedule, plan.memory).io == plan.count.io
    assert judge_placement(plan.buffers, plan.offsets, plan.memory) == plan.height
    assert rb.check(plan.dag, plan.bound).io == plan.bound.io
    assert plan.bound.io <= plan.count.io
    assert plan.ratio == plan.count.io / plan.bound.io


def test_alignment_and_bytes_of_words_hold(plan):
    aligned = placed_plan(plan.dag.with_word_bytes(4), 3 * plan.memory, alignment=16, time_limit=2)
    assert (aligned.unit, aligned.in_bytes) == (4, True)
    assert not np.array(aligned.offsets).astype(int).__mod__(16).any()
    assert aligned.height <= 3 * plan.memory * 4


def test_less_memory_is_tried_where_the_best_schedule_has_no_addresses(monkeypatch, plan):
    """The search for addresses is made to refuse all schedules with as many words in use."""
    peak = plan.memory
    find = addresses.place

    def refusing(buffers, capacity, **options):
        loaded = live_load(buffers)
        return find(buffers, capacity if loaded < peak - 1 else 1, **options)

    monkeypatch.setattr(addresses, "place", refusing)
    result = placed_plan(plan.dag, plan.memory, time_limit=4)
    assert result.count.peak < peak - 1
    assert result.count.io >= plan.bound.io
    monkeypatch.setattr(
        addresses, "place", lambda buffers, _, **options: find(buffers, 1, **options)
    )
    with pytest.raises(NoAddressesError, match="no schedule that was found has addresses in"):
        placed_plan(plan.dag, plan.memory, time_limit=1)


def test_rows_tell_how_each_stay_begins_and_ends(plan):
    rows, moves = stay_rows(plan), list(plan.schedule)
    loads = sum(row.enters in ("load", "reload") for row in rows)
    assert loads == sum(move is Move.LOAD for move, _ in moves)
    assert sum(row.leaves == "spill" for row in rows) == sum(row.enters == "reload" for row in rows)
    for row in rows:
        later = [
            second for second in rows if second.vertex == row.vertex and second.begin > row.begin
        ]
        assert (row.leaves == "end") == (not later)
    table = list(csv.DictReader(plan.to_csv().splitlines()))
    assert [int(row["offset"]) for row in table] == [row.offset for row in rows]


@pytest.fixture
def file(plan, tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan.to_dict()))
    return path


def test_a_plan_is_written_and_judged(plan, file):
    count, height = judge_plan(plan.dag, read_plan(file))
    assert (count.io, height) == (plan.count.io, plan.height)
    for arguments in ((file,), (SPEC, file)):
        ending = run_redblue("check", *arguments, "--json")
        verdict = json.loads(ending.out)
        assert ending.code == 0
        assert verdict["legal"]
        assert verdict["io"] == plan.count.io
        assert verdict["bound"] == plan.bound.io


def changed(record, subject):
    move = next(entry for entry in record["moves"] if entry.get("offset") == 0)
    match subject:
        case "overlap":
            second = next(entry for entry in record["moves"] if entry.get("offset", 0) > 0)
            second["offset"] = 0
        case "outside":
            move["offset"] = record["memory"] * record["word"]
        case "totals":
            record["totals"]["io"] -= 1
        case "moves":
            del record["moves"][0]
        case "bound":
            record["bound"]["io"] += 1
        case "memory":
            record["memory"] = 1
    return record


@pytest.mark.parametrize("what", ["overlap", "outside", "totals", "moves", "bound", "memory"])
def test_a_plan_that_is_changed_is_refused(plan, file, what):
    file.write_text(json.dumps(changed(plan.to_dict(), what)))
    ending = run_redblue("check", file)
    assert ending.code == 4
    assert ending.out.startswith("refused: ")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rules": "none"}, "has rules 'none'"),
        ({"moves": 3}, "has no list of moves"),
        ({"moves": [{"move": "JUMP"}]}, "move 0 is 'JUMP'"),
        ({"moves": [{"move": "LOAD", "vertex": 0}]}, "move 0 has offset None"),
        ({"memory": -1}, "the plan has memory -1"),
        ({"word": True}, "the plan has word True"),
        ({"spec": 3}, "names no computation"),
    ],
)
def test_a_file_that_is_no_plan_is_refused_in_a_sentence(plan, file, change, sentence):
    file.write_text(json.dumps({**plan.to_dict(), **change}))
    ending = run_redblue("check", file)
    assert ending.code == 2
    assert sentence in ending.sentence


def test_the_commands_write_all_that_a_compiler_reads(tmp_path):
    out = tmp_path / "plan"
    ending = run_redblue("plan", "fft:n=8", "--memory", "6", "--addresses", "--time-limit", "3",
                         "--out", out, "--json")  # fmt: skip
    assert ending.code == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "plan.csv", "plan.html", "plan.json", "plan.npz", "plan.png", "plan.svg"
    ]  # fmt: skip
    record = json.loads(ending.out)
    assert record["ratio"] >= 1
    assert record["totals"]["io"] == judge(fft(8), read_plan(out / "plan.json").schedule, 6).io
    assert run_redblue("check", out / "plan.json").code == 0
    assert run_redblue("check", "fft:n=8", out / "plan.npz", "--memory", "6").code == 0
    output = run_redblue("solve", "fft:n=8", "--memory", "6", "--addresses", "--time-limit", "3")
    assert output.out.startswith("placed: ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("plan", "fft:n=8", "--addresses"), "--addresses needs a --memory"),
        (("plan", "fft:n=8", "--memory", "2", "--addresses"), "too few"),
        (("plan", "fft:n=8", "--memory", "6", "--addresses", "--out", "a.doc"), "ends in none of"),
        (("plan", "fft:n=8", "--memory", "6", "--addresses", "--alignment", "0"), "alignment"),
        (("check", "fft:n=8"), "is no plan"),
    ],
)
def test_what_cannot_be_placed_is_refused_in_a_sentence(arguments, sentence):
    ending = run_redblue(*arguments)
    assert ending.code == 2
    assert sentence in ending.sentence


def training(**attributes):
    """A step of training, as in the docs, with attributes of its tensors."""
    graph = nx.DiGraph()
    sizes = {"image": 24, "w1": 4, "w2": 8, "c1": 48, "r1": 48, "c2": 32, "r2": 32, "g": 1}
    sizes |= {"d_r2": 32, "d_c2": 32, "d_w2": 8, "d_r1": 48, "d_c1": 48, "d_w1": 4}
    for name, size in sizes.items():
        graph.add_node(name, words=size, **attributes.get(name, {}))
    reads = {"c1": "image w1", "r1": "c1", "c2": "r1 w2", "r2": "c2", "g": "r2", "d_r2": "g r2"}
    reads |= {"d_c2": "d_r2 r2", "d_w2": "d_c2 r1", "d_r1": "d_c2 w2", "d_c1": "d_r1 r1"}
    reads |= {"d_w1": "d_c1 image"}
    for name, operands in reads.items():
        graph.add_edges_from((operand, name) for operand in operands.split())
    return rb.load(graph).dag


IN_PLACE = {name: {"in_place": True} for name in ("r1", "r2", "d_r2", "d_c2", "d_c1")}


def test_results_in_place_lie_where_their_operands_were():
    dag = training(**IN_PLACE)
    rules = RULES["one-shot-sliding"]
    smallest = rb.min_memory(dag, rules=rules)
    assert smallest == 96 < rb.min_memory(dag) == 144  # r1 and d_r1, and d_c1 in place of one
    plan = placed_plan(dag, smallest, rules=rules, time_limit=2)
    assert judge(dag, plan.schedule, smallest, rules=rules) == plan.count
    height = judge_stays(dag, plan.spans, plan.offsets, smallest)
    assert height == plan.height <= smallest
    pairs = in_place_pairs(dag, plan.spans)
    assert any(plan.offsets[before] == plan.offsets[after] for before, after in pairs)


def test_demands_of_tensors_are_done(tmp_path):
    own_part = {"w1": {"pinned": 0}, "image": {"never_spilled": True}, "c2": {"alignment": 16}}
    dag = training(**own_part)
    plan = placed_plan(dag, 176, time_limit=2)
    names = [dag.labels[stay.vertex] for stay in plan.spans]
    offsets = dict(zip(names, plan.offsets, strict=True))
    assert names.count("image") == 1
    assert (offsets["w1"], offsets["c2"] % 16) == (0, 0)
    free = placed_plan(training(), 176, time_limit=2)
    assert free.bound.io == plan.bound.io <= free.count.io <= plan.count.io
    save(dag, tmp_path / "net.graphml")
    (tmp_path / "plan.json").write_text(json.dumps(plan.to_dict()))
    assert run_redblue("check", tmp_path / "net.graphml", tmp_path / "plan.json").code == 0
    spilled = tmp_path / "free.json"
    twice = Schedule.from_moves([*free.schedule, (Move.LOAD, 0), (Move.DELETE, 0)])
    record = free.to_dict()
    record["moves"] += [{"move": "LOAD", "vertex": 0, "offset": 0}, {"move": "DELETE", "vertex": 0}]
    record |= {"totals": {}, "bound": {}}
    spilled.write_text(json.dumps(record))
    assert judge(dag, twice, 176).io == free.count.io + 24
    refused = run_redblue("check", tmp_path / "net.graphml", spilled)
    assert refused.code == 4


@pytest.mark.parametrize(
    ("own", "memory", "sentence"),
    [
        ({"w1": {"pinned": 157}}, 160, "w1 is pinned at 157 and ends at 161, in memory of 160"),
        (
            {"image": {"pinned": 0}, "w1": {"pinned": 20}},
            160,
            "image, pinned at 0 to 24, and w1, pinned at 20, overlap, and computing c1 takes both",
        ),
    ],
)
def test_addresses_that_no_plan_can_have_are_refused(own, memory, sentence):
    with pytest.raises(InvalidSpecError, match=sentence):
        placed_plan(training(**own), memory, time_limit=1)


def test_a_plan_without_spills_needs_memory_for_that():
    dag = training(**{name: {"never_spilled": True} for name in ("image", "r1", "r2", "w2")})
    with pytest.raises(NoAddressesError, match="and 4 values are never to be spilled"):
        placed_plan(dag, rb.min_memory(dag), time_limit=1)


def test_views_are_named_beside_their_tensors():
    graph = nx.DiGraph([("x", "a"), ("a", "flat"), ("flat", "b")])
    graph.nodes["flat"]["alias"] = "a"
    record = placed_plan(graph, 2, time_limit=1).to_dict()
    assert [row.get("aliases") for row in record["tensors"]] == [None, ["flat"], None]


@pytest.mark.parametrize("stage", ["quick", "solving", "less"])
def test_ctrl_c_leaves_the_best_plan_so_far(monkeypatch, stage):
    """Also where the first schedules alone are placed, whose bound is that of compulsory words."""
    dag = rb.load(SPEC).dag
    memory = rb.min_memory(dag) + 6

    def interrupted(*args, **options):
        raise KeyboardInterrupt

    if stage == "quick":
        monkeypatch.setattr(addresses, "kept_schedule", interrupted)
        marked = dag.with_demands(Demands([1] * dag.n, [-1] * dag.n, [True] * dag.n))
        with pytest.raises(KeyboardInterrupt):
            placed_plan(marked, memory, time_limit=1)
        return
    if stage == "solving":
        monkeypatch.setattr(addresses, "solve", interrupted)
        plan = placed_plan(dag, memory, time_limit=1)
        assert plan.bound.method == "compulsory"
    else:
        monkeypatch.setattr(addresses.PlanSearch, "_with_less", interrupted)
        plan = placed_plan(dag, memory, time_limit=1)
    assert judge_stays(dag, plan.spans, plan.offsets, memory) == plan.height
    assert plan.bound.io <= plan.count.io


def test_plans_of_bytes_speak_of_bytes(tmp_path):
    graph = nx.DiGraph([("x", "a"), ("a", "b")])
    nx.set_node_attributes(graph, dict.fromkeys("xab", 8), "bytes")
    nx.write_graphml(graph, tmp_path / "net.graphml")
    spec = f"{tmp_path / 'net.graphml'}:words=bytes"
    plan = placed_plan(spec, 16, time_limit=1, spec=spec)
    assert "16 bytes of I/O" in str(plan)
    assert " words" not in str(plan)
    assert "16 bytes of I/O" in report_page(plan_report(plan, "today"))
    (tmp_path / "plan.json").write_text(json.dumps(plan.to_dict()))
    assert "16 bytes of I/O" in run_redblue("check", tmp_path / "plan.json").out
