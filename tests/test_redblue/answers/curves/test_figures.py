import warnings

import pytest

from dags import FormatError, fft, load
from pebble import Rules
from redblue import curve_figure, io_curve, save_figure
from redblue.show.drawing import METADATA

SIGNATURES = {".png": b"\x89PNG\r\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}


@pytest.fixture(scope="module")
def curve():
    return io_curve(fft(16), [2, 4, 8, 16, 32], bounds=["compulsory"], spec="fft:n=16")


def nothing(dag, memory, *, rules):
    return 0


def labels(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def ticks(axis):
    low, high = sorted(axis.get_view_interval())
    shown = [label.get_text() for label in axis.get_ticklabels()]
    return [
        text
        for text, get_tickloc in zip(shown, axis.get_ticklocs(), strict=True)
        if low <= get_tickloc <= high
    ]


def test_three_files_that_are_what_they_say(curve, tmp_path):
    paths = save_figure(curve_figure(curve), tmp_path / "a")
    assert [path.name for path in paths] == ["a.png", "a.svg", "a.pdf"]
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    for path in paths:
        assert path.read_bytes().startswith(SIGNATURES[path.suffix])


def test_one_curve_gives_the_same_files_again(curve, tmp_path):
    first, second = (
        [path.read_bytes() for path in save_figure(curve_figure(curve), tmp_path / stem)]
        for stem in "ab"
    )
    assert first == second


def test_what_is_drawn(curve):
    figure = curve_figure(curve)
    (axes,) = figure.axes
    assert axes.get_title() == "fft:n=16, one-shot"
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert labels(figure) == [*curve.methods("upper"), "compulsory"]
    drawn = {line.get_label(): line for line in axes.lines}
    for method in curve.methods("upper"):
        points = zip(*drawn[method].get_data(), strict=True)
        assert tuple(points) == curve.points("upper", method)
    assert tuple(zip(*drawn["compulsory"].get_data(), strict=True)) == curve.envelope("lower")
    assert ticks(axes.xaxis) == ["2", "4", "8", "16", "32"]


def test_several_bounds_are_drawn_as_the_best():
    figure = curve_figure(io_curve(fft(8), [4, 8], bounds=["compulsory", "segments"]))
    assert labels(figure)[-1] == "best bound"


@pytest.mark.parametrize(
    ("spec", "memories"),
    [("fft:n=64", [20, 22]), ("matmul:n=8", [8]), ("chain:n=4", [2, 3]), ("fft:n=8", [4, 2**40])],
)
def test_every_axis_has_numbers_on_it(spec, memories):
    figure = curve_figure(io_curve(load(spec), memories))
    figure.draw_without_rendering()
    (axes,) = figure.axes
    assert ticks(axes.xaxis)
    assert len(ticks(axes.yaxis)) >= 2


@pytest.mark.parametrize(
    "asked",
    [
        {"memories": [4], "schedulers": []},
        {"memories": [4, 8], "bounds": []},
        {"memories": [4, 8], "bounds": [nothing]},
        {"memories": [2], "bounds": [], "rules": Rules(sliding=True)},
    ],
)
def test_figures_with_little_on_them(asked, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(save_figure(curve_figure(io_curve(fft(8), **asked)), tmp_path / "a")) == 3


@pytest.mark.parametrize("kind", METADATA)
def test_nothing_is_left_where_a_folder_is_in_the_way(curve, tmp_path, kind):
    (tmp_path / f"a.{kind}").mkdir()
    with pytest.raises(FormatError, match=rf"a\.{kind}: cannot be written"):
        save_figure(curve_figure(curve), tmp_path / "a")
    assert [path.name for path in tmp_path.iterdir()] == [f"a.{kind}"]


@pytest.mark.parametrize("kind", METADATA)
def test_nothing_is_left_and_nothing_lost_where_writing_fails(curve, tmp_path, kind, monkeypatch):
    old = {tmp_path / f"a.{suffix}": suffix for suffix in METADATA}
    for path, text in old.items():
        path.write_text(text)
    figure = curve_figure(curve)
    write = figure.savefig

    def fail(path, **options):
        write(path, **options)
        if path.suffix == f".{kind}":
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(figure, "savefig", fail)
    with pytest.raises(FormatError, match="No space left on device"):
        save_figure(figure, tmp_path / "a")
    assert {path: path.read_text() for path in tmp_path.iterdir()} == old
