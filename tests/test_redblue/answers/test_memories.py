import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import InvalidSpecError
from pebble import MOST_WORDS
from redblue import parse_memories
from redblue.answers.memories import is_range, memory_sizes, parse_memory


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("64", (64,)),
        ("1", (1,)),
        (str(MOST_WORDS), (MOST_WORDS,)),
        ("32,8,16,8", (8, 16, 32)),
        (" 8, 16", (8, 16)),
        ("8:8", (8,)),
        ("8:9", (8, 9)),
        ("8:512:7", (8, 16, 32, 64, 128, 256, 512)),
        ("8:512:2", (8, 512)),
        ("3:5:100", (3, 4, 5)),
        ("7:64", (7, 8, 10, 12, 14, 16, 19, 23, 27, 32, 38, 46, 54, 64)),
        ("4,8:16:2,9", (4, 8, 9, 16)),
        ("1e6", (10**6,)),
        ("1E+3,2K,2Ki", (1000, 2000, 2048)),
        ("64KB", (8000,)),
        ("2MiB", (2**18,)),
        ("100B", (12,)),
        ("0.5kb:1KiB:2", (62, 128)),
        ("1.5K", (1500,)),
    ],
)
def test_sizes_that_a_text_names(text, sizes):
    assert parse_memories(text) == sizes


@pytest.mark.parametrize(("octaves", "sizes"), [(2, 9), (4, 17), (8, 17), (12, 13)])
def test_a_wider_grid_is_sparser(octaves, sizes):
    assert len(parse_memories(f"64:{64 << octaves}")) == sizes


@given(st.integers(1, 10**6), st.integers(0, 10**9), st.none() | st.integers(2, 300))
def test_a_grid_is_geometric_with_both_ends(first, extra, count):
    last = first + extra
    sizes = parse_memories(f"{first}:{last}" + ("" if count is None else f":{count}"))
    assert (sizes[0], sizes[-1]) == (first, last)
    assert list(sizes) == sorted(set(sizes))
    assert count is None or len(sizes) <= count


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be like 64 or 8,16,32 or 8:512 or 8:512:10, not ''"),
        ("abc", "not 'abc'"),
        ("8,", "not '8,'"),
        ("8:", "not '8:'"),
        ("8.5", "not '8.5'"),
        ("8:16:x", "not '8:16:x'"),
        ("9" * 5000, "must be like 64"),
        ("0", "must be at least 1 word, not 0"),
        ("-3", "must be at least 1 word, not -3"),
        ("0:8", "must be at least 1 word, not 0"),
        (str(MOST_WORDS + 1), f"must be at most {MOST_WORDS} words, not {MOST_WORDS + 1}"),
        ("8:" + "9" * 400, "must be at most"),
        ("9:3", "9:3 ends before it begins"),
        ("8:16:0", "a:b:count takes 2 to 10000 sizes, not 0"),
        ("8:16:1", "takes 2 to 10000 sizes, not 1"),
        ("8:16:10001", "takes 2 to 10000 sizes, not 10001"),
        ("8:16:3:3", "'8:16:3:3' is none of a, a:b, a:b:count"),
        ("7B", "must be at least 1 word, not 7B"),
        ("0KB", "must be at least 1 word, not 0KB"),
        ("1e-3", "not '1e-3'"),
        ("1e999", "not '1e999'"),
        ("1e40", "must be at most"),
        ("1.0005K", "a whole number of words, not 1.0005K"),
        ("-3KB", "not '-3KB'"),
        ("3XB", "not '3XB'"),
        ("8:16:4KB", "not '8:16:4KB'"),
    ],
)
def test_texts_that_name_no_sizes(text, message):
    with pytest.raises(InvalidSpecError) as caught:
        parse_memories(text)
    assert message in str(caught.value)


def test_one_size():
    assert parse_memory("64") == 64
    for text in ("8,16", "8:16", "x", ""):
        with pytest.raises(InvalidSpecError, match=f"must be one size like 64, not '{text}'"):
            parse_memory(text)
    with pytest.raises(InvalidSpecError, match="at least 1 word, not 0"):
        parse_memory("0")


def test_bytes_of_a_word():
    assert parse_memories("64KB,7", word_bytes=4) == (7, 16000)
    assert parse_memory("64B", 1) == 64
    with pytest.raises(InvalidSpecError, match="a word has at least 1 byte, not 0"):
        parse_memory("64B", 0)


def test_ranges_are_told_from_lists():
    assert [is_range(text) for text in ("8:16", "4,8:16", "8:16:3", "8,16", None, (8, 16))] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    assert memory_sizes("8:9") == memory_sizes([9, 8, 9]) == (8, 9)
