"""The page of a report, and what it draws."""

import re

import pytest

from redblue.papers.experiments import Bench, run_experiments
from redblue.show.axes import TIMES, gap_outline, log_ticks, tick_text
from redblue.show.drawing import draw
from redblue.show.looks import COLOURS
from redblue.show.model import Axis, Experiment, Figure, Series
from redblue.show.reporting import Report, Run, looks, report_page
from redblue.show.reporting.charts import chart
from redblue.show.reporting.colours import GROUNDS
from redblue.show.rows import cell_text
from tests import fake_experiments as fakes
from tests.html_pages import Page

NAMES = ("good", "refuting", "failing", "hostile")


def report_of(*names, **options):
    runs = run_experiments({name: getattr(fakes, name) for name in names}, Bench())
    return Report(tuple(runs), "the first of May", **options)


@pytest.fixture(scope="module")
def text():
    return report_page(report_of(*NAMES, seed=3, quick=True))


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


def test_the_page_is_whole(page):
    assert len(page.ids) == len(set(page.ids))
    assert page.handlers == []
    local = {reference[1:] for reference in page.references if reference.startswith("#")}
    assert local <= set(page.ids)
    assert all(reference.startswith(("#", "data:,")) for reference in page.references)
    headings = [tag for tag in page.tags if re.fullmatch(r"h\d", tag)]
    assert headings[0] == "h1"
    assert headings.count("h1") == 1
    assert page.tags.count("style") == 1  # none of a figure's, which would hold for the page


def test_the_page_fetches_nothing(text):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    assert policy.startswith("default-src 'none'")
    script = re.search(r"script-src ([^;]*)", policy).group(1).split()
    assert len(script) == 3  # the page's, Plotly's and the player's
    assert all(source.startswith("'sha256-") for source in script)
    assert not re.search(r"@import|url\((?!#)", text)


def test_the_page_says_all(page):
    data = report_of("good").experiments[0]
    for claim in data.claims:
        assert claim.statement in page.text
        assert claim.source in page.text
        assert claim.note in page.text
    for paragraph in data.summary.split("\n\n"):
        assert paragraph in page.text
    for message in (
        "the first of May",
        "Figure 1. I/O falls.",
        "Table 1. Counted words.",
        "redblue report good --effort quick --seed 3 --out good.html",
        "with seed 3",
        "confirmed 4",
        "failed ValueError: 4 words are too few <b>",
        "Python",
        "numba",
        "cores",
        "65,536",
        "0.333333",
        "blocked: 4,096 words",  # what one sees when one points at a point stands in a table too
    ):
        assert message in page.text, message


def test_nothing_that_is_written_is_mark_up(text):
    assert "<script>window" not in text
    assert "\x07" not in text
    assert text.count("<script") == text.count("</script>")
    assert fakes.EVIL.rstrip("\x07 ") in Page(text).text


def test_without_figures_there_is_no_library():
    text = report_page(report_of("refuting", "failing"))
    assert "plotly.js" not in text
    assert len(text) < 60_000
    assert "no claims" not in text.lower()
    Page(text)


def test_with_figures_the_page_has_two_megabytes(text):
    assert 1.5e6 < len(text) < 3e6


def test_an_empty_report():
    page = Page(report_page(Report((), "today")))
    assert "No claims." in page.text


def test_a_report_counts():
    report = report_of("good", "refuting", "failing")
    assert report.verdicts == {"confirmed": 3, "corrected": 1, "refuted": 1, "undecided": 1}
    assert not report.sound
    assert report_of("good").sound
    assert not report_of("refuting").sound
    assert not Report((Run("a", None, "broke", 1.0),), "").sound


def test_the_summary_tells_the_weightiest_claim_of_each_experiment():
    verdicts = [("confirmed", "proved"), ("recomputed",), ("undecided", "corrected", "refuted")]
    runs = tuple(
        Run(
            str(place), Experiment(str(place), "title", "", tuple(map(fakes.claim, verdict))), "", 0
        )
        for place, verdict in enumerate(verdicts)
    )
    texts = [(name, claim.verdict) for name, claim in Report(runs, "today").summary]
    assert texts == [("0", "proved"), ("1", "recomputed"), ("2", "refuted")]
    count = tuple(
        Run(str(place), Experiment(str(place), "", "", (fakes.claim("proved"),)), "", 0)
        for place in range(11)
    )
    summary = Report((*count, runs[2]), "today").summary
    assert len(summary) == 10
    assert summary[-1][1].verdict == "refuted"


def figure_of(upper, lower, x=None, y=None, gap=("upper", "lower")):
    series = tuple(
        Series(label, tuple(a for a, _ in points), tuple(b for _, b in points), label)
        for label, points in (("upper", upper), ("lower", lower))
    )
    return Figure("f", "", x or Axis("x"), y or Axis("y"), series, gap)


def test_the_gap_is_where_both_are():
    figure = figure_of([(0.0, 10.0), (4.0, 2.0)], [(3.0, 1.0), (1.0, 3.0), (9.0, 0.0)])
    corners = [(1, 8), (4, 2), (4, 1 - 1 / 6), (3, 1), (1, 3)]
    assert gap_outline(figure) == [pytest.approx(corner) for corner in corners]


def test_the_gap_is_straight_on_logarithms():
    axes = {"x": Axis("x", 2), "y": Axis("y", 10)}
    figure = figure_of([(1.0, 1000.0), (16.0, 10.0)], [(4.0, 1.0), (16.0, 1.0)], **axes)
    assert gap_outline(figure)[0] == pytest.approx((4, 100))


@pytest.mark.parametrize(
    ("upper", "lower", "gap"),
    [
        ([(1.0, 1.0)], [(2.0, 1.0)], ("upper", "lower")),
        ([], [(2.0, 1.0)], ("upper", "lower")),
        ([(1.0, 2.0), (2.0, 2.0)], [(1.0, 1.0), (2.0, 1.0)], None),
    ],
)
def test_no_gap(upper, lower, gap):
    assert gap_outline(figure_of(upper, lower, gap=gap)) == []


@pytest.mark.parametrize(
    ("low", "high", "base"),
    [(1, 1, 2), (3, 5, 2), (100, 101, 10), (1, 2**40, 2), (0.01, 1e12, 10), (7, 9, 4), (5, 5.5, 2)],
)
def test_ticks_are_inside_and_not_too_many(low, high, base):
    ticks = log_ticks(low, high, base)
    assert 1 <= len(ticks) <= 9
    assert ticks == sorted(set(ticks))
    assert low * (1 - 1e-6) <= ticks[0]
    assert ticks[-1] <= high * (1 + 1e-6)
    texts = [tick_text(tick, base) for tick in ticks]
    assert len(set(texts)) == len(texts)


def test_ticks_are_in_words():
    assert [tick_text(value, 2) for value in (0.5, 4096.0, 2.0**29, 2.0**31)] == [
        "0.5",
        "4,096",
        "536,870,912",
        "2³¹",
    ]
    assert tick_text(2.5e12) == f"2.5 {TIMES} 10¹²"
    assert tick_text(1e-7) == "10⁻⁷"
    assert tick_text(0.002) == "0.002"
    assert tick_text(1e12) == "10¹²"


def test_methods_keep_their_colours():
    def figure(*labels):
        series = tuple(Series(label, (1.0,), (1.0,), "upper") for label in labels)
        return Figure("f", "", Axis("x"), Axis("y"), series)

    first, second, third = looks([figure("lru", "belady"), figure("best", "lru"), figure("belady")])
    assert second[1] == first[0]
    assert third == first[1:]
    assert second[0] != second[1]
    count = looks([figure(*map(str, range(14)))])[0]
    assert len(set(count)) == 14


def test_roles_look_alike_everywhere():
    figures = [fakes.curve_figure(), fakes.curve_figure()]
    first, second = looks(figures)
    assert first == second
    assert len({look.colour for look in first}) == 3


def test_many_theorems_are_told_apart():
    roles = ("theorem", "theorem", "theorem", "fit", "fit", "lower", "lower", "lower", "upper")
    series = tuple(Series(str(n), (1.0,), (1.0,), role) for n, role in enumerate(roles))
    (result,) = looks([Figure("f", "", Axis("x"), Axis("y"), series)])
    assert len({look.colour for look in result}) == len(roles)
    assert [look.symbol == "" for look in result] == [True] * 8 + [False]


def test_several_fits_have_the_colours_of_their_methods():
    roles = ("upper", "fit", "upper", "fit", "lower")
    series = tuple(Series(str(n), (1.0,), (1.0,), role) for n, role in enumerate(roles))
    (result,) = looks([Figure("f", "", Axis("x"), Axis("y"), series)])
    colours = [look.colour.name for look in result]
    assert colours == ["blue", "blue", "orange", "orange", "bound"]
    assert len(set(result)) == len(roles)
    (single,) = looks([Figure("f", "", Axis("x"), Axis("y"), series[:2])])
    assert [look.colour.name for look in single] == ["blue", "fit"]


def test_plotly_gets_every_point():
    figure = fakes.curve_figure()
    (styles,) = looks([figure])
    drawn = chart(figure, styles)
    gap, *traces = drawn["data"]
    assert gap["fill"] == "toself"
    for series, trace in zip(figure.series, traces, strict=True):
        assert list(trace["x"]) == list(series.x)
        assert list(trace["y"]) == list(series.y)
        assert len(trace["customdata"]) == len(series.x)
    assert "I/O (words): 400,000" in traces[0]["customdata"][0]
    assert drawn["layout"]["xaxis"]["ticktext"] == ["4", "16", "64", "256", "1,024", "4,096"]


def test_points_that_a_logarithm_has_not_are_left_out():
    series = Series("a", (0.0, 1.0, 2.0), (1.0, 0.0, 3.0), "upper", ("a", "b", "c"))
    figure = Figure("f", "", Axis("x", 2), Axis("y", 10), (series,))
    styles = looks([figure])[0]
    (trace,) = chart(figure, styles)["data"]
    assert list(trace["x"]) == [2.0]
    (line,) = draw(figure, styles).axes[0].lines
    assert list(line.get_xdata()) == [2.0]


def test_a_figure_without_points_is_drawn():
    figure = Figure("f", "", Axis("x", 2), Axis("y", 10), ())
    assert list(chart(figure, ())["data"]) == []
    draw(figure, ()).draw_without_rendering()


def test_matplotlib_draws_the_same():
    figure = fakes.curve_figure()
    drawing = draw(figure, looks([figure])[0])
    (axes,) = drawing.axes
    for series, line in zip(figure.series, axes.lines, strict=True):
        assert tuple(line.get_xdata()) == series.x
        assert tuple(line.get_ydata()) == series.y
    drawing.draw_without_rendering()
    texts = [text.get_text() for text in axes.get_xticklabels()]
    assert texts == ["4", "16", "64", "256", "1,024", "4,096"]


def luminance(colour):
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    bright, dim = sorted((luminance(first), luminance(second)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_texts_and_lines_can_be_seen(dark):
    ground = GROUNDS["ground"][dark]
    for name in ("ink", "soft", "link", "confirmed", "corrected", "refuted", "undecided"):
        assert contrast(GROUNDS[name][dark], ground) >= 4.5, name
    for colour in COLOURS:
        assert contrast(colour.dark if dark else colour.light, ground) >= 3, colour.name


def test_cells_keep_every_digit_of_counts():
    assert cell_text(12345678901) == "12,345,678,901"
    assert cell_text(0) == "0"
    assert cell_text(0.0) == "0"
