"""Input made to do harm: a diagnostic, soon, and nothing else."""

from __future__ import annotations

import os
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from description.tiny_robots import BODY, CRAWLER
from grouser.description.read import check
from grouser.errors import Diagnostic

SECONDS = 5.0  # of this process, so that a busy machine does not count
CHAIN = 10_000


def chain(count: int) -> str:
    joints = "".join(
        f'<link name="l{k}"/><joint name="j{k}" type="fixed"><parent link="l{k - 1}"/><child link="l{k}"/></joint>'
        for k in range(1, count)
    )
    return f'<robot name="r"><link name="l0"/>{joints}</robot>'


def bomb() -> str:
    entities = "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 10))
    return f'<!DOCTYPE r [<!ENTITY a0 "aaaa">{entities}]><robot name="&a9;"><link name="a"/></robot>'


HOSTILE = {
    "entity bomb": bomb(),
    "external entity": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><robot name="&x;"/>',
    "parameter entity": '<!DOCTYPE r SYSTEM "http://example.invalid/x.dtd"><robot name="r"/>',
    "zero bytes": "<\x00\x01\x02",
    "surrogate": '<robot name="\ud800"/>',
    "deep": "<a>" * 20_000,
    "deep and closed": "<robot name='r'>" + "<a>" * 500 + "</a>" * 500 + "</robot>",
    "open comments": "<robot>" + "<!--" * 500_000,
    "open sections": "<robot>" + "<![CDATA[" * 200_000,
    "braces": "<robot>" + "{" * 2_000_000 + "@@",
    "parameters": "<robot a='" + "@@a" * 300_000 + "'/>",
    "many elements": "<robot name='r'>" + "<a/>" * 400_000 + "</robot>",
    "many errors": "<robot name='r'>" + "<link name='a'/>" * 100_000 + "</robot>",
    "many unknown names": "<robot name='r'>"
    + "".join(
        f"<link name='link_{k}'/><joint name='j{k}' type='fixed'><parent link='lonk'/><child link='lank'/></joint>"
        for k in range(4000)
    )
    + "</robot>",
    "chain with errors": chain(CHAIN).replace('"l0"', '"no"', 1),
    "circle of mimics": "<robot name='r'>"
    + "".join(
        f"<joint name='j{k}' type='continuous'><mimic joint='j{(k + 1) % 10_000}'/></joint>" for k in range(10_000)
    )
    + "</robot>",
    "many wheels": CRAWLER.replace("</track>", "<wheel joint='left' radius='1'/>" * 20_000 + "</track>"),
    "long number": CRAWLER.replace('"0.08"', '"' + "9" * 1_000_000 + '"'),
    "long vector": CRAWLER.replace('"-0.4 0.25 0"', '"' + "1 " * 1_000_000 + '"'),
    "long name": CRAWLER.replace('"left"', '"' + "x" * 1_000_000 + '"', 1),
    "too long": "<robot>" + " " * 17_000_000 + "</robot>",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_an_error_in_time(text):
    start = time.process_time()
    found = check(text)
    assert time.process_time() - start < SECONDS
    assert any(d.severity == "error" for d in found)
    assert len(found) <= 201
    assert all(len(str(d)) < 2000 for d in found)


def test_a_long_chain_is_read_in_time():
    start = time.process_time()
    found = check(chain(CHAIN))
    assert time.process_time() - start < SECONDS
    assert [d.severity for d in found] == ["warning"]


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "r.urdf")
    os.mkfifo(tmp_path / "part.stl")
    assert "not a regular file" in check(tmp_path / "r.urdf")[0].message
    mesh = '<collision><geometry><mesh filename="part.stl"/></geometry></collision>'
    text = f'<robot name="r"><link name="a">{BODY}{mesh}</link></robot>'
    assert "no such file" in check(text, resource_dir=tmp_path)[0].message


def test_a_large_file_is_refused(tmp_path):
    with (tmp_path / "r.urdf").open("wb") as file:
        file.truncate(2**40)
    assert "larger than 16 MiB" in check(tmp_path / "r.urdf")[0].message


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_damaged_robots_never_raise(seed):
    """Characters and whole stretches of a good robot are lost, doubled and mixed up."""
    rng = random.Random(seed)
    text = list(CRAWLER)
    for _ in range(rng.randint(1, 6)):
        at, length = rng.randrange(len(text)), rng.choice((1, 1, 5, 40))
        action = rng.randrange(3)
        if action == 0:
            del text[at : at + length]
        elif action == 1:
            text[at:at] = text[rng.randrange(len(text)) :][:length]
        else:
            text[at] = rng.choice("<>\"'&{}@-0e. \n\0ä")
    found = check("".join(text))
    assert all(isinstance(d, Diagnostic) for d in found)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_diagnostics(data):
    assert all(isinstance(d, Diagnostic) for d in check(data))
    assert any(d.severity == "error" for d in check(b"<robot>" + data))
