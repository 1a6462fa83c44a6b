"""What holds for every format: round trips, and one clear error for anything malformed."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dags as dags_package
from dags import CDAG, FormatError, RedBlueError, UnknownNameError, from_edges
from dags.formats import FORMATS, lost, read, save
from tests.strategies import dags

SUFFIXES = sorted(FORMATS)
NAMES = st.integers(-3, 40) | st.text("ab1\u00e9_", min_size=1, max_size=4).filter(
    lambda name: not name.isdecimal()
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("formats")


def example():
    edges = [(0, 2), (1, 2), (2, 3), (1, 4), (4, 5), (3, 5)]
    return from_edges(
        7,
        edges,
        words=[1, 2, 1, 1, 3, 2, 4],
        work=[0, 0, 1, 2, 3, 4, 0],
        outputs=[2],
        channel=[0, 1, 0, 0, 0, 1, 2],
        labels=["a", "b_b", "c", 14, 5, "xy", "alone"],
    )


def kept(dag, keeps):
    """`dag` with only what a format keeps."""
    return CDAG(
        dag.pred_indptr,
        dag.pred_indices,
        **{name: getattr(dag, name) for name in keeps},
    )


def by_label(dag):
    """Everything about `dag` in terms of its labels."""
    return set(dag.labels or range(dag.n)), set(dags_package.to_networkx(dag).edges)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(dag=dags())
def test_what_is_written_reads_back_equal(suffix, folder, dag):
    path = folder / f"plain{suffix}"
    save(dag, path)
    back = read(path)
    assert back == kept(dag, FORMATS[suffix].keeps)
    assert back.labels is None


@pytest.mark.parametrize("suffix", [s for s in SUFFIXES if "labels" in FORMATS[s].keeps])
@given(dag=dags(labels=NAMES))
def test_labels_read_back(suffix, folder, dag):
    path = folder / f"named{suffix}"
    save(dag, path)
    back = read(path)
    assert by_label(back) == by_label(dag)
    # an edge list of nothing but integers is numbered by them, not by the order of its lines
    renumbers = suffix in (".edges", ".csv") and dag.labels is not None
    if not (renumbers and all(isinstance(label, int) for label in dag.labels)):
        assert back == kept(dag, FORMATS[suffix].keeps)
        assert back.labels == dag.labels


@pytest.mark.parametrize("suffix", [s for s in SUFFIXES if "labels" in FORMATS[s].keeps])
@given(dag=dags(max_vertices=4, labels=st.text(max_size=4) | st.integers()))
def test_any_label_reads_back_or_is_refused(suffix, folder, dag):
    path = folder / f"any{suffix}"
    refusal = None
    try:
        save(dag, path)
    except FormatError as error:
        refusal = str(error)
    if refusal is None:
        assert by_label(read(path)) == by_label(dag)
    else:
        assert refusal.startswith(f"{path}: ")
        assert " label " in refusal


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(dag=dags() | dags(labels=st.text("ab_", min_size=1, max_size=5)))
def test_lost_names_what_does_not_read_back(suffix, folder, dag):
    path = folder / f"lost{suffix}"
    save(dag, path)
    back = read(path)
    fields = ("words", "work", "outputs", "channel", "labels")
    assert set(lost(dag, path)) == {
        name for name in fields if not np.array_equal(getattr(dag, name), getattr(back, name))
    }


def test_lost_of_an_example():
    assert lost(example(), "a.npz") == ()
    assert lost(example(), "a.hdag") == ("channel", "labels", "outputs")
    assert lost(example(), "a.MTX") == ("channel", "labels", "outputs", "words", "work")
    assert lost(dags_package.fft(4), "a.mtx") == ("work",)


def read_or_refuse(path, data):
    """Read `data` as a file; any error must be ours and name the file."""
    path.write_bytes(data)
    refusal = str(path)
    try:
        read(path)
    except RedBlueError as error:
        refusal = str(error)
    assert refusal.startswith(str(path))
    assert "\n" not in refusal


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_truncated_files_are_read_or_refused(suffix, folder):
    path = folder / f"short{suffix}"
    save(example(), path)
    data = path.read_bytes()
    for length in range(len(data)):
        read_or_refuse(path, data[:length])


@pytest.mark.parametrize("suffix", [".dot", ".graphml", ".hdag", ".json", ".mtx", ".npz"])
def test_half_a_file_is_refused(suffix, folder):
    path = folder / f"half{suffix}"
    save(example(), path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(FormatError, match="half"):
        read(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_damaged_files_are_read_or_refused(suffix, folder):
    path = folder / f"damaged{suffix}"
    save(example(), path)
    data = path.read_bytes()
    chooser = random.Random(0)
    snippets = [b"99999999999999999999", b"-1", b"{", b"\xff", b"\0", b"\n\n", b"NaN", b"1e9", b'"']
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(chooser.randint(1, 3)):
            position = chooser.randrange(len(damaged))
            if chooser.random() < 0.4:
                damaged[position] = chooser.randrange(256)
            elif chooser.random() < 0.5:
                del damaged[position : position + chooser.randint(1, 6)]
            else:
                damaged[position:position] = chooser.choice(snippets)
        read_or_refuse(path, bytes(damaged))


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(text=st.text() | st.text('0123 \n->{}[];"%#,ab', max_size=60), data=st.binary())
def test_any_text_and_bytes_are_read_or_refused(suffix, folder, text, data):
    read_or_refuse(folder / f"any{suffix}", text.encode("utf-8", "replace"))
    read_or_refuse(folder / f"any{suffix}", data)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_empty_binary_missing_and_folder_are_refused(suffix, tmp_path):
    path = tmp_path / f"a{suffix}"
    with pytest.raises(FormatError, match="cannot be read: No such file or directory"):
        read(path)
    for data in (b"", b"\xff\xfe\x00garbage\x80"):
        path.write_bytes(data)
        with pytest.raises(RedBlueError, match=f"a{suffix}"):
            read(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(FormatError, match="cannot be read: Is a directory"):
        read(path)
    with pytest.raises(FormatError, match="cannot be written: it is no plain file"):
        save(example(), path)


@pytest.mark.parametrize("name", ["a.xyz", "a", ".hdag"])
def test_unknown_suffixes_are_refused(name, tmp_path):
    for call in (lambda: read(tmp_path / name), lambda: save(example(), tmp_path / name)):
        with pytest.raises(UnknownNameError, match=r"file format is called .*known: \.cdag, "):
            call()


def test_suffixes_may_be_upper_case(tmp_path):
    save(example(), tmp_path / "a.DOT")
    assert read(str(tmp_path / "a.DOT")) == example()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_is_left_behind_by_a_failed_save(suffix, tmp_path, monkeypatch):
    def fail(dag, path):
        path.write_text("half")
        raise OSError(28, "No space left on device")

    broken = dags_package.formats.Format(FORMATS[suffix].read, fail, frozenset())
    monkeypatch.setitem(FORMATS, suffix, broken)
    with pytest.raises(FormatError, match="cannot be written: No space left"):
        save(example(), tmp_path / f"a{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_no_file_claims_a_family(tmp_path):
    for suffix in SUFFIXES:
        save(dags_package.fft(4), tmp_path / f"a{suffix}")
        back = read(tmp_path / f"a{suffix}")
        assert (back.family, back.params) == (None, {})
