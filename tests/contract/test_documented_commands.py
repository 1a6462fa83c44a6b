"""Every command and option that the documents name is there, in prose as in blocks."""

import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from redblue.cli import OPTIONS as OLD_OPTIONS
from redblue.cli import RENAMED, command

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "llms.txt", *sorted((ROOT / "docs").rglob("*.md"))]
SPAN = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")
LISTED = re.compile(r"[Ww]ith `(--[\w-]+)`((?:,? (?:and )?`[a-z ]+`,?)+)")
OTHERS = {  # which are no commands of ours: of a package that a page makes, and a format
    "redblue degrees ladder:n=20 --above 2",
    "redblue certificate 1",
}


@cache
def known():
    """The options of each command, by its words."""
    results = {}

    def walk(built, words):
        names = {
            option for param in built.params for option in (*param.opts, *param.secondary_opts)
        }
        results[words] = {name for name in names if name.startswith("-")} | {"--help", "--json"}
        for name, entry in getattr(built, "commands", {}).items():
            walk(entry, (*words, name))

    walk(command(), ())
    return results


def spans(page):
    """Pieces of code in prose, with their lines."""
    text = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), page.read_text(),
                  flags=re.DOTALL | re.MULTILINE)  # fmt: skip
    for span in SPAN.finditer(text):
        yield text.count("\n", 0, span.start()) + 1, " ".join(span[1].split())


def lines(page):
    """Command lines of blocks and of prose, with their lines."""
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("$ redblue "):
            yield from ((number, part) for part in line[2:].split("&&"))
    yield from ((number, span) for number, span in spans(page) if span.startswith("redblue "))


def fault(line):
    """What a command line names that is not there; None for nothing."""
    try:
        words = shlex.split(line, comments=True)[1:]
    except ValueError:  # a part of a line
        words = line.split()[1:]
    place, options = (), known()
    while words and (*place, words[0]) in options:
        place, words = (*place, words[0]), words[1:]
    has_commands = any(option[:-1] == place for option in options if option)
    bare = words[:1] and re.fullmatch(r"[a-z-]+", words[0])
    if has_commands and bare and not words[0].startswith("-"):
        return f"no command {words[0]!r} of 'redblue {' '.join(place)}'"
    named = {word.partition("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)}
    missing = named - options[place]
    return f"no option {sorted(missing)} of 'redblue {' '.join(place)}'" if missing else None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_documents_name_commands_and_options_that_are_there(page):
    named = [(number, line) for number, line in lines(page) if line not in OTHERS]
    assert not [f"line {number}: {line}: {why}" for number, line in named if (why := fault(line))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_options_in_prose_are_those_of_some_command(page):
    """Paragraphs on Python's own programs are left out: their options are those of these."""
    everything = set().union(*known().values()) | {old for _, old in OLD_OPTIONS}
    text = page.read_text()
    ours = [part for part in re.split(r"\n(?=\n|- )", text) if "`python " not in part]
    for number, span in spans(page):
        if not any(f"`{span}`" in part for part in ours):
            continue
        if re.fullmatch(r"--[a-z][\w-]*(?:[ =].*)?", span):
            assert re.split(r"[ =]", span)[0] in everything, (number, span)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_share_an_option_have_it(page):
    """ "With `--counted`, `curve` and `plan` ..." is no line that a test can run."""
    text = page.read_text()
    for sentence in LISTED.finditer(text):
        for name in re.findall(r"`([a-z ]+)`", sentence[2]):
            line = text.count("\n", 0, sentence.start()) + 1
            assert sentence[1] in known().get(tuple(name.split()), ()), (line, name, sentence[1])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_document_lists_a_thing_twice(page):
    assert not re.search(r"(`[^`\n]+`),? and \1", page.read_text())


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("redblue check fft:n=8 a.json --counted", "no option ['--counted']"),
        ("redblue chekc fft:n=8", "no command 'chekc'"),
        ("redblue papers gaps", "no command 'gaps'"),
        ("redblue curve fft:n=8 --memory 8 --json", ""),
        ("redblue machine balance --dag fft:n=8", ""),
    ],
)
def test_what_is_missing_is_found(line, missing):
    assert missing in (fault(line) or "")
    assert bool(missing) == (fault(line) is not None)


def test_old_names_are_not_documented_as_new_ones():
    assert not {tuple(new.split()[:1]) for new in RENAMED.values()} - {*known()}
