"""Prose of the pages that are written by hand, without tables and code: words, long sentences, fog.

python benchmarks/words.py              each page: words, sentences above 30 words, fog words
python benchmarks/words.py 6ddb6420     the same beside what the pages had at that commit
python benchmarks/words.py --long curves.md     the long sentences of a page
"""

import argparse
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
THEORY = ("docs/theory/", "docs/bounds.md", "docs/dirac.md")  # as `mkdocs.yml` has them
CODE = re.compile(r"^```.*?^```$|(?<=\n\n)(?: {4}[^\n]*\n+)+", re.DOTALL | re.MULTILINE)
LONGEST = 30  # words of a sentence that is read once
FOG = (  # constructions that readers stumbled over, and words that the field does not use
    "of which",
    "so many",
    "some",
    "those",
    "in the place of",
    "tell|tells|told",
    "laid out|lays out|lay out",
    "lean|leans|leaning|slant|slanted",
    "goes on|go on",
    "verdict|verdicts|judged|judges",
    "house|room",
    "play|plays",
)
SENTENCE_END = re.compile(r"(?<=[.?!])[)*\"]*\s+(?=[\"(*`A-Z0-9\[$<])")
ABBREVIATED = re.compile(r"\b(e\.g|i\.e|et al|cf|vs|Sec|Eq|Thm|pp)\.(?=\s)")
BEGINNINGS = (
    "All|An?|And|Any|As|At|Both|But|By|Cut|Each|Every|For|From|Hence|Here|If|In|Its?|Let|No"
)
BEGINNINGS += (
    "|Now|Of|On|One|Only|Otherwise|So|Such|Suppose|Take|That|The|Then|There|These|They|This"
)
BEGINNINGS += "|To|Two|What|When|Where|While|With"
INITIAL = re.compile(rf"(?<!<= )\b([A-Z])\.(?=\s(?!(?:{BEGINNINGS})\b)[A-Z])")  # of a name, mostly


def paragraphs(text: str) -> Iterator[str]:
    """Paragraphs and list items of a page, without headings, tables and blocks of code."""
    block: list[str] = []
    for line in [*CODE.sub("\n", text).splitlines(), ""]:
        bare = line.strip()
        separate = not bare or bare.startswith(("|", "#", "<", "!["))
        if (separate or re.match(r"(?:[-*]|\d+\.) ", bare)) and block:
            yield " ".join(block)
            block = []
        if not separate:
            block.append(re.sub(r"^(?:[-*]|\d+\.) ", "", bare))


def sentences(text: str) -> Iterator[str]:
    """Sentences of a page but for its references; code and links count as they are read."""
    for paragraph in paragraphs(text):
        if paragraph.startswith("*Source"):
            continue
        plain = re.sub(r"`[^`]*`|\$\$?[^$]+\$\$?", "`code`", paragraph)
        plain = re.sub(r"\]\([^)]*\)", "]", plain)
        plain = INITIAL.sub(r"\1", ABBREVIATED.sub(r"\1", plain))
        yield from SENTENCE_END.split(plain)


def measures(text: str) -> Counter[str]:
    """Number of words, of sentences above 30 words, and of each piece of fog."""
    prose = list(sentences(text))
    full = " ".join(prose)
    counts = Counter(
        {
            "words": sum(len(sentence.split()) for sentence in prose),
            "long": sum(len(sentence.split()) > LONGEST for sentence in prose),
        }
    )
    for fog in FOG:
        counts[fog] = len(re.findall(rf"\b(?:{fog})\b", full, re.IGNORECASE))
        counts["fog"] += counts[fog]
    return counts


def pages() -> list[str]:
    """The pages, as paths inside the repository."""
    listed = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "llms.txt")
    docs = sorted((ROOT / "docs").rglob("*.md"))
    return [*listed, *(str(page.relative_to(ROOT)) for page in docs)]


def here(page: str) -> str:
    """The text of a page in the tree of files."""
    return (ROOT / page).read_text()


def at_commit(commit: str) -> Callable[[str], str]:
    """Reader of pages as they were at a commit; a page that was not there is empty."""

    def read(page: str) -> str:
        command = ["git", "-C", str(ROOT), "show", f"{commit}:{page}"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    return read


def main() -> None:
    """Print one line a page and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", nargs="?", help="measure the pages of this commit, too")
    parser.add_argument("--long", metavar="PAGE", help="print the long sentences of this page")
    arguments = parser.parse_args()
    if arguments.long:
        for page in (page for page in pages() if page.endswith(arguments.long)):
            for sentence in sentences(here(page)):
                if len(sentence.split()) > LONGEST:
                    print(f"{page}: {len(sentence.split())} words: {sentence}\n")
        return
    readers = [at_commit(arguments.commit)] if arguments.commit else []
    readers.append(here)
    sums = [Counter[str]() for _ in readers]
    theory = 0
    print("  " + "".join(f"{'words':>9}{'long':>6}{'fog':>6}" for _ in readers))
    for page in pages():
        line = ""
        for read, total in zip(readers, sums, strict=True):
            result = measures(read(page))
            total.update(result)
            line += f"{result['words']:9,}{result['long']:6,}{result['fog']:6,}"
        theory += result["words"] * page.startswith(THEORY)
        print(f"  {line}  {page}")
    for name in ("words", "long", "fog", *FOG):
        print(f"  {name:38}" + "".join(f"{total[name]:9,}" for total in sums))
    print(f"{sums[-1]['words'] - theory:,} words beside theory")


if __name__ == "__main__":
    main()
