"""The examples of the page on the format of certificates hold, and there is one of each kind."""

import json
import re
import shlex

import pytest

from benchmarks.certificate_examples import BEGIN, END, PAGE, RUNS
from pebble import rules_named
from proofs import CertificateError
from proofs.certificates import CHECKERS, OF_NESTS, Certificate, proven_io

EXAMPLE = re.compile(
    r"^`(redblue bound [^`]*)` proves (\d+) words:\n\n```json\n(.*?)\n```$", re.M | re.S
)
SHOWN_IN_PYTHON = {  # above the examples, where pages' code is run
    "compulsory",
    "forest",
    "kept-orders",
    "nest-processors",
    "optimum",
    "partial-search",
    "parts",
    "rounded",
    "thinned",
}
WRITTEN = EXAMPLE.findall(PAGE.read_text().partition(BEGIN)[2].partition(END)[0])


def test_there_is_an_example_of_each_kind():
    assert [command for command, _, _ in WRITTEN] == [run.command for run in RUNS]
    kinds = {run.kind for run in RUNS} | {run.inner for run in RUNS if run.inner}
    assert kinds == CHECKERS.keys() - SHOWN_IN_PYTHON
    before = PAGE.read_text().partition(BEGIN)[0]
    assert all(f"`{kind}`" in before for kind in CHECKERS.keys() - OF_NESTS)
    assert all(f'"{kind}"' in before for kind in SHOWN_IN_PYTHON)


@pytest.mark.parametrize(
    ("run", "example"),
    list(zip(RUNS, WRITTEN, strict=False)),
    ids=[run.inner or run.kind for run in RUNS],
)
def test_examples_prove_what_they_say(run, example):
    command, words, written = example
    arguments = shlex.split(command)
    record = json.loads(written)
    dag = run.judged
    memory = int(arguments[arguments.index("--memory") + 1])
    rules = rules_named(
        arguments[arguments.index("--rules") + 1] if "--rules" in arguments else "one-shot"
    )
    certificate = Certificate(record["kind"], record["data"])
    assert record["kind"] == run.kind
    assert not run.inner or record["data"]["kind"] == run.inner
    assert proven_io(dag, memory, rules, certificate) == int(words)
    for name in record["data"]:
        smaller = {key: value for key, value in record["data"].items() if key != name}
        extra = record["data"] | {f"{name}-again": 0}
        with pytest.raises(CertificateError):
            proven_io(dag, memory, rules, Certificate(run.kind, extra))
        if name not in ("layers", "member", "ordered", "peeled", "twins"):  # which may be absent
            with pytest.raises(CertificateError):
                proven_io(dag, memory, rules, Certificate(run.kind, smaller))


def objects(value):
    """The objects in data, at any depth; of lists, those of the first two entries."""
    inside = value.values() if isinstance(value, dict) else value[:2]
    nested = [entry for part in inside if isinstance(part, dict | list) for entry in objects(part)]
    return [value, *nested] if isinstance(value, dict) else nested


@pytest.mark.parametrize(
    ("run", "example"),
    list(zip(RUNS, WRITTEN, strict=False)),
    ids=[run.inner or run.kind for run in RUNS],
)
def test_fields_that_are_not_known_are_refused_at_every_level(run, example):
    command, _, written = example
    arguments = shlex.split(command)
    memory = int(arguments[arguments.index("--memory") + 1])
    data = json.loads(written)["data"]
    dag, rules = run.judged, rules_named(run.rules)
    for place in objects(data):
        place["more"] = 1
        with pytest.raises(CertificateError):
            proven_io(dag, memory, rules, Certificate(run.kind, data))
        del place["more"]
    assert proven_io(dag, memory, rules, Certificate(run.kind, data)) > 0
