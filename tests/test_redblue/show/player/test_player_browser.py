"""The player in a browser: what it shows is what the rules say, and it asks nobody for anything."""

import pytest

from dags import fft, from_edges, pyramid
from pebble import ONE_SHOT, Move, Rules, Schedule, judge
from redblue.show.player import (
    exercises_page,
    player_fragment,
    player_page,
    player_script,
    player_style,
)
from redblue.show.player.names import names_of
from schedulers import scheduler_named
from tests.browsers import PATIENCE, console_errors, fetched, show
from tests.test_redblue.show.player.play_states import states_by_moves
from tests.training import MIB, training_step

NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
STEPS = """
const texts = (selector) => [...root.querySelectorAll(selector)].map((node) => node.textContent);
const marked = (mark) => [...root.querySelectorAll(".drawing .vertex")].flatMap(
  (node, vertex) => (node.classList.contains(mark) ? [vertex] : []));
const field = (name) => Number(texts(`[data-show=${name}]`)[0]);
const shown = () => [arguments[1].map(field), [marked("red"), marked("blue")],
  texts(".slots li:not(.empty, .free)"), texts("[aria-current]"), texts("[data-show=move]")[0]];
return [shown(), ...Array.from({length: arguments[2]}, () => {
  root.querySelector("[data-do=forward]").click();
  return shown();
})];
"""
FIELDS = ("step", "loads", "stores", "io", "occupancy")
PHONE, DESK = (360, 740), (1280, 900)


class Player:
    """A player on the page that the browser shows."""

    def __init__(self, browser, number=0):
        self.browser = browser
        self.root = browser.find_elements("css selector", ".player")[number]

    def run(self, code, *arguments):
        return self.browser.execute_script(
            f"const root = arguments[0]; {code}", self.root, *arguments
        )

    def find(self, selector):
        return self.root.find_element("css selector", selector)

    def click(self, action):
        self.find(f"[data-do={action}]").click()

    def press(self, *keys, on="body"):
        place = self.browser.find_element("css selector", on) if on == "body" else self.find(on)
        place.send_keys(*keys)

    def counters(self):
        """The numbers that are shown, by name."""
        texts = self.run(
            "return arguments[1].map(name => root.querySelector(name).textContent)",
            [f"[data-show={name}]" for name in FIELDS],
        )
        return {name: int(text.replace(",", "")) for name, text in zip(FIELDS, texts, strict=True)}

    def texts(self, selector):
        return self.run(
            "return [...root.querySelectorAll(arguments[1])].map(node => node.textContent)",
            selector,
        )

    @property
    def step(self):
        return self.counters()["step"]


@pytest.fixture
def keys():
    return pytest.importorskip("selenium.webdriver", reason="selenium is not installed").Keys


@pytest.fixture
def opened(browser, tmp_path):
    """Open a player of a DAG, and see at the end that it was quiet."""

    def opening(dag, schedule, memory, rules=ONE_SHOT, **extra):
        path = tmp_path / "player.html"
        path.write_text(player_page(dag, schedule, memory, rules=rules, **extra), encoding="utf-8")
        show(browser, path)
        return Player(browser)

    yield opening
    assert fetched(browser) == []
    assert console_errors(browser) == []


@pytest.fixture
def sized(browser):
    """Set the size of the screen and the colours asked for; undo both at the end."""

    def sizing(size, scheme="light"):
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    yield sizing
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def belady(dag, memory):
    return scheduler_named("belady")(dag, memory)


def weighted():
    """Values of several words; one is computed twice."""
    dag = from_edges(5, [(0, 2), (1, 2), (2, 3), (1, 4), (2, 4)], words=[1, 2, 2, 1, 3])
    load, store, compute, delete, _ = Move
    moves = [(load, 0), (load, 1), (compute, 2), (delete, 1), (compute, 3), (store, 3)]
    moves += [(delete, 3), (delete, 2), (load, 1), (compute, 2), (delete, 0), (compute, 4)]
    return dag, Schedule.from_moves([*moves, (store, 4)]), 7, Rules(recompute=True)


@pytest.mark.parametrize(
    "game",
    [(fft(4), belady(fft(4), 3), 3, ONE_SHOT), weighted()],
    ids=["words-of-one-size", "weighted"],
)
def test_every_step_shows_the_state_of_the_game(opened, game):
    dag, schedule, memory, rules = game
    count = judge(dag, schedule, memory, rules=rules)
    player = opened(dag, schedule, memory, rules)
    moves = [f"{move.name} {names_of(dag)[v]}" for move, v in schedule]
    begun = player.run(STEPS, FIELDS, 0)
    player.click("forward")  # as a hand does; the page clicks on for itself, several times as fast
    shown = begun + player.run(STEPS, FIELDS, len(schedule) - 1)
    states = zip(states_by_moves(dag, schedule), shown, strict=True)
    for step, ((red, blue, loads, stores), snapshot) in enumerate(states):
        counters, marked, slots, current, printed = snapshot
        occupied = sum(int(dag.sizes[v]) for v in red)
        assert counters == [step, loads, stores, loads + stores, occupied]
        assert marked == [sorted(red), sorted(blue)]
        assert sorted(text.split()[0] for text in slots) == sorted(names_of(dag)[v] for v in red)
        assert current == (moves[step - 1 : step] if step else [])
        assert printed == (moves[step - 1] if step else "Start")
    assert not player.find("[data-do=forward]").is_enabled()
    assert player.counters()["io"] == count.io
    assert "The play is over" in player.find(".move").text


def test_a_value_computed_twice_says_so(opened):
    dag, schedule, memory, rules = weighted()
    player = opened(dag, schedule, memory, rules)
    player.click("last")
    assert [text for text in player.texts(".drawing .again") if text] == ["2\u00d7"]
    assert "2: in fast memory, computed 2 times" in player.texts(".drawing title")
    assert "2\u00d7computed twice" in player.texts(".legend li")


def test_keys_play(opened, keys):
    dag = fft(4)
    schedule = belady(dag, 4)
    player = opened(dag, schedule, 4)
    player.press(keys.ARROW_RIGHT, keys.ARROW_RIGHT, keys.ARROW_RIGHT, keys.ARROW_LEFT)
    assert player.step == 2
    player.press(keys.END)
    assert player.step == len(schedule)
    player.press(keys.ARROW_RIGHT)
    assert player.step == len(schedule)
    player.press(keys.HOME)
    assert player.step == 0
    player.press(keys.ARROW_LEFT)
    assert player.step == 0


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_reader_plays(opened, sized, keys, size):
    """The best play made by hand is legal and counted alike; other moves are told why not."""
    sized(size)
    dag = from_edges(3, [(0, 2), (1, 2)])
    player = opened(dag, belady(dag, 3), 3, lower_bound=3)
    player.click("own")

    def tried(vertex, key):
        player.find(f".vertex:nth-of-type({vertex + 2})").click()
        player.press(key)
        return player.texts("[data-show=why]")[0]

    assert "Click on a value" in player.texts("[data-show=why]")[0]
    assert tried(2, "c") == "Not in fast memory: x0, x1."
    assert tried(0, "c") == "x0 is an input: it is loaded, never computed."
    assert tried(0, "s") == "x0 is not in fast memory."
    assert tried(2, "l") == f"{names_of(dag)[2]} is not in slow memory."
    assert player.step == 0
    tried(0, "l")
    assert tried(0, "l") == "x0 is in fast memory already."
    tried(1, "l")
    tried(2, "c")
    assert player.counters() == {"step": 3, "loads": 2, "stores": 0, "io": 2, "occupancy": 3}
    tried(0, "d")
    player.press(keys.ARROW_LEFT)  # takes a move back, and another takes its place
    assert "No play moves fewer than 3." in tried(2, "s")
    assert player.texts(".moves button") == [
        "LOAD x0",
        "LOAD x1",
        *(f"{move} {names_of(dag)[2]}" for move in ("COMPUTE", "STORE")),
    ]
    tried(0, "d")
    tried(2, "d")
    assert tried(2, "c") == f"{names_of(dag)[2]} has been computed: one-shot rules allow that once."
    player.click("own")
    assert player.texts(".moves button") == [
        f"{move.name} {names_of(dag)[v]}" for move, v in belady(dag, 3)
    ]
    assert player.step == 0


def test_memory_is_full_for_a_reader(opened):
    dag, schedule, memory, _ = weighted()
    player = opened(dag, schedule, memory, Rules(recompute=True))
    player.click("own")
    for vertex, key in [(0, "l"), (1, "l"), (2, "c"), (3, "c"), (4, "c")]:
        player.find(f".vertex:nth-of-type({vertex + 2})").click()
        player.press(key)
    assert player.texts("[data-show=why]") == ["It takes 3 of 7 words, and 1 are free."]


def test_other_rules_are_shown_alone(opened):
    dag = fft(4)
    built = scheduler_named("belady")(dag, 3, rules=Rules(sliding=True))
    player = opened(dag, built, 3, Rules(sliding=True))
    assert player.texts("[data-do=own]") == []


def test_a_link_names_a_step(opened):
    from selenium.webdriver.support.ui import WebDriverWait

    dag = fft(4)
    player = opened(dag, belady(dag, 4), 4)
    for name, step in (("#step-7", 7), ("#step-99999", len(belady(dag, 4)))):
        player.run("location.hash = arguments[1]", name)
        WebDriverWait(player.browser, PATIENCE).until(lambda _, step=step: player.step == step)


def test_it_plays_to_the_end_and_stops(opened, keys):
    from selenium.webdriver.support.ui import Select, WebDriverWait

    dag = fft(4)
    schedule = belady(dag, 4)
    player = opened(dag, schedule, 4)
    Select(player.find("[data-do=speed]")).select_by_value("32")
    player.press(" ")
    WebDriverWait(player.browser, PATIENCE).until(lambda _: player.step == len(schedule))
    play = player.find("[data-do=play]")
    assert play.get_attribute("aria-label") == "Play"
    Select(player.find("[data-do=speed]")).select_by_value("0.5")
    play.click()  # from the start again
    assert play.get_attribute("aria-label") == "Pause"
    assert player.find(".move").get_attribute("aria-live") == "off"
    player.press(" ")
    assert play.get_attribute("aria-label") == "Play"
    assert player.find(".move").get_attribute("aria-live") == "polite"
    assert player.step < len(schedule)


def test_the_slider_keeps_its_own_keys(opened, keys):
    dag = fft(4)
    schedule = belady(dag, 4)
    player = opened(dag, schedule, 4)
    player.press(keys.ARROW_RIGHT, keys.ARROW_RIGHT, on="[data-do=seek]")
    assert player.step == 2
    player.press(keys.END, on="[data-do=seek]")
    assert player.step == len(schedule)
    message = player.find("[data-do=seek]").get_attribute("aria-valuetext")
    assert message.startswith(f"{len(schedule)} of {len(schedule)}: ")


def test_a_move_can_be_chosen(opened, keys):
    dag = fft(8)
    schedule = belady(dag, 4)
    player = opened(dag, schedule, 4)
    player.run("root.querySelectorAll('.moves button')[50].click()")
    assert player.step == 51
    inside = player.run(
        "const [box, node] = [root.querySelector('.moves'), root.querySelector('[aria-current]')]"
        ".map(one => one.getBoundingClientRect()); "
        "return box.top <= node.top && node.bottom <= box.bottom"
    )
    assert inside
    player.press(keys.ARROW_DOWN, on=".moves [aria-current]")
    assert player.step == 52
    player.press(keys.ARROW_UP, keys.ARROW_UP, on=".moves [aria-current]")
    assert player.step == 50
    focused = player.run("return document.activeElement.getAttribute('aria-current')")
    assert focused == "step"
    player.find(".charts svg").click()  # in the middle
    assert abs(player.step - len(schedule) / 2) <= 2


def test_sliding_values_take_the_place_of_others(opened):
    dag, rules = pyramid(3), Rules(sliding=True)
    schedule = scheduler_named("search")(dag, 3, rules=rules, time_limit=0)
    player = opened(dag, schedule, 3, rules)
    peak = 0
    _, *shown = player.run(STEPS, FIELDS, len(player.texts(".moves li")))
    for counters, (red, _), *_ in shown:
        assert counters[FIELDS.index("occupancy")] == len(red)
        peak = max(peak, len(red))
    assert peak == judge(dag, schedule, 3, rules=rules).peak == 3


def test_names_do_not_run(opened):
    dag = from_edges(3, [(0, 2), (1, 2)], labels=[NASTY, "b", "{{ c }}"])
    player = opened(dag, belady(dag, 3), 3, title=NASTY, source=NASTY)
    player.click("forward")
    assert player.find("h1").text == NASTY
    assert player.texts("[data-show=move]") == [f"LOAD {NASTY}"]
    assert player.texts(".slots li:not(.empty)") == [NASTY]
    assert player.run("return document.images.length") == 0


def test_two_players_do_not_meddle(browser, tmp_path, keys):
    dag = fft(4)
    parts = [player_fragment(dag, belady(dag, memory), memory) for memory in (3, 4)]
    path = tmp_path / "two.html"
    head = f"<!DOCTYPE html><meta charset=utf-8><title>two</title><style>{player_style()}</style>"
    path.write_text(head + "".join(parts) + f"<script>{player_script()}</script>")
    show(browser, path)
    first, second = Player(browser), Player(browser, 1)
    first.click("forward")
    second.press(keys.ARROW_RIGHT, keys.ARROW_RIGHT, on="[data-do=play]")
    assert (first.step, second.step) == (1, 2)
    assert fetched(browser) == []
    assert console_errors(browser) == []


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_the_screen(opened, sized, size, scheme):
    sized(size, scheme)
    dag = fft(16)
    player = opened(dag, belady(dag, 6), 6, lower_bound=30, title="a" * 80)
    player.click("last")
    assert player.run("return document.documentElement.scrollWidth") <= size[0]
    back = player.run("return getComputedStyle(root).backgroundColor")
    assert (back == "rgb(255, 255, 255)") == (scheme == "light")
    boxes = player.run(
        "return [...root.querySelectorAll('.controls button')].filter(node => node.offsetParent)"
        ".map(node => node.getBoundingClientRect()).map(box => [box.left, box.right, box.width])"
    )
    assert all(left >= 0 and right <= size[0] and wide >= 36 for left, right, wide in boxes)


def test_paper_shows_the_end_and_the_screen_what_it_showed(opened):
    dag = fft(4)
    player = opened(dag, belady(dag, 4), 4)
    player.click("forward")
    player.run(
        "addEventListener('beforeprint', () => window.printed = "
        "root.querySelector('[data-show=step]').textContent)"
    )
    assert player.browser.print_page()
    assert int(player.run("return window.printed")) == len(belady(dag, 4))
    assert player.step == 1


OVERLAPS = """
const box = (node) => node.getBoundingClientRect();
const drawn = box(root.querySelector(".drawing svg"));
const vertices = [...root.querySelectorAll(".drawing .vertex")];
const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top
  || b.bottom <= a.top;
const cut = [...root.querySelectorAll(".counters dd")].filter(
  (node) => node.scrollWidth > node.clientWidth + 1
    || [...node.children].some((part) => box(part).right > box(node.parentNode).right));
const labels = vertices.map((node) => node.querySelector(".words"));
const outside = labels.filter((label) => box(label).right > drawn.right + 1);
const covered = labels.filter((label, place) => vertices.some((other, own) => own !== place
  && !(apart(box(label), box(other.querySelector(".disc")))
       && apart(box(label), box(labels[own])))));
return [cut, outside, covered].map((nodes) => nodes.map((node) => node.textContent));
"""


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("memory", [20 * MIB, 2**40], ids=["megabytes", "terabytes"])
def test_bytes_are_neither_cut_nor_cover_each_other(opened, sized, size, memory):
    sized(size)
    dag = training_step(4, weights=2)
    player = opened(dag, belady(dag, memory), memory, lower_bound=2**40 - 1)
    player.click("last")
    assert player.run(OVERLAPS) == [[], [], []]


def test_exercises_are_played_one_by_one(browser, tmp_path):
    path = tmp_path / "exercises.html"
    path.write_text(exercises_page(), encoding="utf-8")
    show(browser, path)
    first, second = Player(browser), Player(browser, 1)
    first.click("own")
    assert "own" not in first.run("return root.className").split()
    assert "own" in second.run("return root.className").split()
    assert "Click on a value" in second.texts("[data-show=why]")[0]
    optimal = browser.execute_script(
        "return [...document.querySelectorAll('.player header p')].map(node => node.textContent)"
    )
    assert len(optimal) == 8
    assert all("this one is optimal" in text for text in optimal)
    assert console_errors(browser) == []
