"""The player's page: the play that the referee accepts, all of it, and nothing that could run."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import CDAG, chain, fft, from_edges, load, matmul, pyramid, tree
from pebble import RULES, IllegalMoveError, Move, Schedule, judge, min_memory
from redblue.show.player import (
    MOST_EDGES,
    MOST_MOVES,
    MOST_VERTICES,
    TooLargeToShowError,
    player_fragment,
    player_page,
    player_script,
    player_style,
)
from redblue.show.player.layout import SPACING, crossings, layers_of, layout_of
from redblue.show.player.page import chart
from schedulers import scheduler_named
from tests.strategies import dags, legal_schedules, memories
from tests.test_redblue.show.player.play_states import data_of, states_by_moves

VOID = {"meta", "input", "link", "img", "br"}
NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&\"'"


class Page(HTMLParser):
    """The tags and attributes of a page; tags must be closed in the order they were opened."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.texts = [], [], {}
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), "an attribute stands twice"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def play(dag, memory, scheduler="belady"):
    return scheduler_named(scheduler)(dag, memory)


def states_by_page(data):
    """The same, from what the page holds."""
    red, blue = set(), set(data["inputs"])
    yield frozenset(red), frozenset(blue), data["loads"][0], data["stores"][0]
    for number, (move, v, *replaced) in enumerate(data["steps"], 1):
        {0: red.add, 1: blue.add, 2: red.add, 3: red.remove}[move](v)
        red.difference_update(replaced)
        yield frozenset(red), frozenset(blue), data["loads"][number], data["stores"][number]


@given(st.data(), st.sampled_from(sorted(RULES)))
def test_the_states_of_the_page_are_those_of_the_play(data, name):
    rules = RULES[name]
    dag = data.draw(dags())
    memory = data.draw(memories(dag, rules))
    schedule = data.draw(legal_schedules(dag, memory, rules))
    page = data_of(player_fragment(dag, schedule, memory, rules=rules))
    shown, played = list(states_by_page(page)), list(states_by_moves(dag, schedule))
    fits = [sum(page["words"][v] for v in red) <= memory for red, *_ in played]
    assert shown == [state for state, legal in zip(played, fits, strict=True) if legal]
    assert page["occupancy"] == [sum(page["words"][v] for v in red) for red, *_ in shown]
    assert max(page["occupancy"]) == judge(dag, schedule, memory, rules=rules).peak
    assert page["memory"] == memory
    assert sum(len(step) == 3 for step in page["steps"]) == fits.count(False)


def test_operands_and_outputs_are_shown():
    dag = from_edges(
        5, [(0, 2), (1, 2), (1, 3), (2, 4), (3, 4)], words=[1, 1, 2, 1, 1], outputs=[3]
    )
    text = player_fragment(dag, play(dag, 6), 6)
    assert data_of(text)["operands"] == [[], [], [0, 1], [1], [2, 3]]
    page = Page(text)
    drawn = [attrs["class"] for attrs in page.all("g")[1:6]]  # behind the group of edges
    assert drawn == ["vertex input blue"] * 2 + ["vertex", "vertex output", "vertex output"]
    assert [text for text in page.texts["text"] if "w" in text] == ["2w"]


def test_an_illegal_schedule_is_refused():
    with pytest.raises(IllegalMoveError, match="step 0, COMPUTE 4"):
        player_page(fft(4), Schedule([Move.COMPUTE], [4]), 4)


def test_names_are_text_and_nothing_else():
    labels = [NASTY, "a\nb\x00\u202e", "\ud800", "{{ 7 * 7 }}"]
    dag = CDAG([0, 0, 0, 1, 3], [0, 1, 2], labels=labels)
    text = player_page(dag, play(dag, 3), 3, title=NASTY, source=NASTY)
    page = Page(text)
    assert len(page.all("script")) == 2
    assert not page.all("img")
    assert data_of(text)["names"] == [NASTY, "a b\ufffd\ufffd", "\ufffd", "{{ 7 * 7 }}"]
    assert NASTY in page.texts["h1"]
    assert page.texts["title"][0] == f"{NASTY} - pebbling player"
    assert any(f"LOAD {NASTY}" == shown for shown in page.texts["button"])
    assert "LOAD {{ 7 * 7 }}" not in text  # no input
    text.encode("utf-8")


def test_no_handlers_and_no_addresses():
    dag = fft(8)
    page = Page(player_page(dag, play(dag, 5), 5, lower_bound=20))
    for tag, attrs in page.tags:
        assert not {name for name in attrs if name.startswith("on")} | attrs.keys() & {"style"}
        assert not attrs.keys() & {"src", "href", "srcset", "action"}, tag
    assert "http" not in player_style() + player_script()
    assert "url(" not in player_style()
    assert "innerHTML" not in player_script()


def test_the_policy_allows_our_style_and_script_alone():
    dag = chain(4)
    page = Page(player_page(dag, play(dag, 3), 3))
    policies = (attrs for attrs in page.all("meta") if "http-equiv" in attrs)
    policy = next(policies)["content"]
    assert policy.startswith("default-src 'none'; ")
    for text in (page.texts["style"][0], page.texts["script"][-1]):
        assert b64encode(sha256(text.encode()).digest()).decode() in policy


def test_ids_are_of_one_player_alone():
    dag = fft(4)
    parts = [player_fragment(dag, play(dag, memory), memory) for memory in (3, 4, 5)]
    page = Page("".join(parts))
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids)) == 12
    for _, attrs in page.tags:
        assert attrs.get("aria-labelledby", ids[0]) in ids
    assert player_fragment(dag, play(dag, 3), 3) == parts[0]


def test_all_that_can_be_used_has_a_name():
    dag = fft(4)
    page = Page(player_page(dag, play(dag, 3), 3))
    controls = [attrs for attrs in page.all("button") if "data-do" in attrs]
    texts = ["own", "load", "store", "compute", "delete"]  # buttons that have a text of their own
    assert [attrs["data-do"] for attrs in controls if "aria-label" not in attrs] == texts
    assert len(controls) == 5 + len(texts)
    for attrs in (*page.all("select"), *page.all("input")):
        assert attrs["aria-label"]
    assert page.all("html") == [{"lang": "en"}]
    assert [attrs["aria-live"] for _, attrs in page.tags if "aria-live" in attrs] == ["polite"]


@pytest.mark.parametrize(
    ("memory", "bound", "sentence"),
    [
        (4, None, "(a name).</p>"),
        (4, 11, "Every schedule moves at least <b>11</b>."),
        (12, 8, "No schedule moves fewer words: this one is <b>optimal</b>."),
    ],
)
def test_what_is_proved_is_said(memory, bound, sentence):
    dag = fft(4)
    text = player_fragment(dag, play(dag, memory), memory, lower_bound=bound, source="a name")
    assert sentence in text
    assert text.count("Lower bound") == (bound is not None)


@pytest.mark.parametrize(
    ("dag", "numbers"),
    [
        (chain(401), ["400", "401"]),
        (from_edges(70, [*combinations(range(70), 2)]), ["2000", "2415"]),
    ],
)
def test_a_dag_may_be_too_large(dag, numbers):
    with pytest.raises(TooLargeToShowError) as error:
        player_page(dag, Schedule([], []), 1)
    assert all(number in str(error.value) for number in numbers)


def test_a_schedule_may_be_too_long():
    moves = [(Move.LOAD, 0), (Move.DELETE, 0)] * 2501
    with pytest.raises(TooLargeToShowError, match="up to 5000 moves; this schedule has 5002"):
        player_page(chain(3), Schedule.from_moves(moves), 3)
    assert (MOST_VERTICES, MOST_EDGES, MOST_MOVES) == (400, 2000, 5000)


def naive_crossings(order, below):
    count = 0
    for upper, lower in pairwise(order):
        place = {node: i for i, node in enumerate(lower)}
        links = [(i, place[b]) for i, a in enumerate(upper) for b in below[a]]
        count += sum(a < c and b > d for a, b in links for c, d in links)
    return count


@given(dags(max_vertices=20))
def test_layers_lead_down(dag):
    layers = layers_of(dag)
    number = {node: i for i, layer in enumerate(layers.order) for node in layer}
    assert len(number) == sum(map(len, layers.order))
    assert set(range(dag.n)) <= number.keys()
    for (u, v), bends in layers.bends.items():
        assert [number[node] for node in (u, *bends, v)] == [*range(number[u], number[v] + 1)]
    assert len(layers.bends) == dag.m
    assert crossings(layers.order, layers.below) == naive_crossings(layers.order, layers.below)


@given(dags(max_vertices=20))
def test_vertices_keep_their_distance(dag):
    layout = layout_of(dag)
    for v, (x, y) in enumerate(layout.places):
        assert 0 < x < layout.width
        assert 0 < y < layout.height
        for a, b in layout.places[:v]:
            assert max(abs(x - a), abs(y - b)) > SPACING - 0.2
    axis = 1 if layout.downward else 0
    for u, v, path in layout.edges:
        assert layout.places[u][axis] < layout.places[v][axis]
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
        assert numbers[:2] == pytest.approx(layout.places[u], abs=0.1)
        assert numbers[-2:] == pytest.approx(layout.places[v], abs=0.1)


@pytest.mark.parametrize("dag", [tree(5), pyramid(6), load("grid:shape=6x6"), chain(9)])
def test_planar_families_have_no_crossings(dag):
    layers = layers_of(dag)
    assert crossings(layers.order, layers.below) == 0


def test_sweeps_untangle():
    """A ladder whose numbers run against each other in every other layer."""
    width, depth = 8, 5
    edges = [
        (i + width * j, width * (j + 1) + width - 1 - i) for j in range(depth) for i in range(width)
    ]
    layers = layers_of(from_edges(width * (depth + 1), edges))
    assert crossings(layers.order, layers.below) == 0


def test_a_deep_dag_runs_to_the_right():
    assert not layout_of(chain(20)).downward
    assert layout_of(matmul(2)).downward


def test_charts_are_stairs():
    drawn = chart("words", [0, 2, 2, 1], limit=4)
    assert drawn.line == "M0 100H1V50H3V75H3"
    assert drawn.area.endswith("V100H0Z")
    assert (drawn.limit, drawn.top) == (0, 4)
    assert chart("nothing", [0]).limit is None


def test_a_memory_far_from_full_is_no_line():
    dag = chain(4)
    near, far = (player_fragment(dag, play(dag, memory), memory) for memory in (3, 2**62))
    assert (near.count('class="limit"'), far.count('class="limit"')) == (1, 0)


def test_nothing_to_compute():
    dag = CDAG([0, 0, 0], [])
    page = data_of(player_page(dag, Schedule([], []), 1))
    assert (page["steps"], page["loads"]) == ([], [0])


@pytest.mark.parametrize("name", RULES)
def test_all_rules_have_a_page(name):
    rules = RULES[name]
    dag = pyramid(3)
    memory = min_memory(dag, rules=rules) + 1
    schedule = scheduler_named("search")(dag, memory, rules=rules, time_limit=0)
    assert f"{name}, {memory} words" in player_page(dag, schedule, memory, rules=rules)
