"""The page of a report in a browser."""

import pytest

from redblue.papers.experiments import Bench, run_experiments
from redblue.show.reporting import Report, report_page
from tests import fake_experiments as fakes
from tests.browsers import PATIENCE, console_errors, fetched, show

CSS = "css selector"
RIGHT, SPACE, ENTER = "\ue014", "\ue00d", "\ue007"  # as WebDriver writes keys
DRAWN = "return document.documentElement.dataset.charts === 'drawn'"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    names = ("good", "refuting", "failing", "hostile")
    runs = run_experiments({name: getattr(fakes, name) for name in names}, Bench())
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(report_page(Report(tuple(runs), "today")), encoding="utf-8")
    return path


@pytest.fixture
def shown(browser, path):
    show(browser, path)
    until(browser, lambda browser: browser.execute_script(DRAWN))
    yield browser
    assert console_errors(browser) == []
    assert fetched(browser) == []
    assert browser.execute_script("return window.hurt") is None


@pytest.fixture
def width(browser):
    """What sets the width of the page; it is as before at the end."""

    def set_width(pixels):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": pixels, "height": 800, "deviceScaleFactor": 1, "mobile": False},
        )

    yield set_width
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def until(browser, true):
    """Wait for what the page does by itself; it is not asked how long that takes."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, PATIENCE).until(true)


def visible(browser, selector):
    result = browser.find_elements(CSS, selector)
    return [element for element in result if element.is_displayed()]


def colour_of_first_line(browser):
    line = browser.find_element(CSS, "#figure-1 .moving .js-line")
    return line.value_of_css_property("stroke")


def test_every_chart_is_drawn(shown):
    figures = visible(shown, "figure.chart")
    assert len(figures) == 3
    for figure in figures:
        assert figure.find_elements(CSS, ".moving .js-line")
        assert not figure.find_element(CSS, ".still").is_displayed()
    points = shown.find_elements(CSS, "#figure-1 .moving .scatterlayer .point")
    assert len(points) == 5
    ticks = shown.find_elements(CSS, "#figure-1 .moving .xtick text")
    assert [tick.text for tick in ticks] == ["4", "16", "64", "256", "1,024", "4,096"]


def test_claims_are_filtered_with_the_keyboard(shown):
    rows = "#claims tr.claim"
    assert len(visible(shown, rows)) == 7
    shown.find_element(CSS, "#show-all").send_keys(RIGHT)
    assert len(visible(shown, rows)) == len(visible(shown, f"{rows}.confirmed")) == 4
    shown.find_element(CSS, "#show-refuted").click()
    (row,) = visible(shown, rows)
    assert row.text.startswith("✗ refuted")
    assert len(visible(shown, "#claims tr.group")) == 1


def test_a_series_is_hidden_with_the_keyboard(shown):
    button = shown.find_element(CSS, "#figure-1 .legend button")
    lines = "#figure-1 .moving .scatterlayer .js-line"
    before = len(shown.find_elements(CSS, lines))
    button.send_keys(SPACE)
    assert button.get_attribute("aria-pressed") == "false"
    assert len(shown.find_elements(CSS, lines)) == before - 1
    button.send_keys(ENTER)
    assert button.get_attribute("aria-pressed") == "true"
    assert len(shown.find_elements(CSS, lines)) == before


def test_links_lead_somewhere(shown):
    shown.find_element("link text", "A doubtful one").click()
    assert shown.current_url.endswith("#exp-refuting")


def test_the_player_plays(shown):
    player = shown.find_element(CSS, "#exp-good .player")
    player.find_element(CSS, ".moves button").click()
    assert player.find_element(CSS, ".move b").text.startswith("LOAD")


def test_dark_mode_has_colours_of_its_own(browser, shown):
    light = colour_of_first_line(shown)
    try:
        emulate(browser, "dark")
        until(browser, lambda page: colour_of_first_line(page) != light)
    finally:
        emulate(browser, "light")
    until(browser, lambda page: colour_of_first_line(page) == light)


def emulate(browser, scheme):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def test_on_paper_the_still_figures_are_shown(browser, shown):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert len(visible(browser, ".still svg")) == 3
        assert visible(browser, ".moving, .filter, details, .skip") == []
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("pixels", [360, 1280])
def test_nothing_is_wider_than_the_screen(shown, width, pixels):
    width(pixels)
    assert shown.execute_script("return document.documentElement.scrollWidth") <= pixels
    fits = "return [...document.querySelectorAll('.moving svg')].every(e => e.clientWidth <= %d)"
    until(shown, lambda page: page.execute_script(fits % pixels))


def test_without_script_the_still_figures_are_shown(browser, path):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(browser, path)
        assert len(visible(browser, ".still svg")) == 3
        assert len(visible(browser, "#claims tr.claim")) == 7
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
