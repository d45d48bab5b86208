"""A class at one server, small: `make load` has the same with two hundred."""

import asyncio

import pytest

from benchmarks import load
from benchmarks.report import Report
from tests.browser.server import serve

PEOPLE = 6


@pytest.fixture(scope="module")
def server():
    with serve(**load.SETTINGS) as server:
        yield server


@pytest.fixture
def report(capsys):
    report = Report()
    yield report
    assert report.missed == []


def test_a_crowd_is_served_without_an_error(report, server):
    assert len(asyncio.run(load.arrivals(report, server.url, PEOPLE, "", "the front page"))) == PEOPLE


def test_the_same_picture_for_all_is_one_forward(report, server):
    asyncio.run(load.same_picture(report, server.url, PEOPLE))
    assert report.met == 2


def test_everybodys_own_picture_is_as_if_alone_and_survives_a_lost_connection(report, server):
    pictures = [load.photograph(seed) for seed in range(PEOPLE)]
    asyncio.run(load.own_pictures(report, server.url, pictures, [load.by_itself(picture) for picture in pictures]))
    assert report.met == 4


def test_one_in_a_hurry_costs_two_forwards_at_most(report, server):
    asyncio.run(load.one_in_a_hurry(report, server.url))
    assert report.met == 2
