"""Work in slices: at once where it is quick or no loop runs, else bit by bit."""

import asyncio

import pytest

from castlelab.widgets.table import thinking
from castlelab.widgets.table.thinking import InSlices


@pytest.fixture(autouse=True)
def _one_step_each(monkeypatch):
    monkeypatch.setattr(thinking, "SLICE", 0)
    monkeypatch.setattr(thinking, "PAUSE", 0)


def work(steps, told):
    return InSlices(
        iter(steps),
        between=lambda: told.append("between"),
        at_end=lambda: told.append("end"),
        at_failure=lambda error: told.append(str(error)),
    )


def failing():
    yield 1
    raise ValueError("no more")


def test_without_a_loop_it_is_all_done_at_once():
    told = []
    job = work(range(5), told)
    job.start()
    assert told == ["end"]
    assert job.ended


def test_in_a_loop_others_get_their_turn_after_each_slice():
    told = []

    async def page():
        work(range(3), told).start()
        for number in range(8):
            told.append(number)
            await asyncio.sleep(0)

    asyncio.run(page())
    assert told[:2] == ["between", 0]
    assert told.count("between") == 3
    assert told.count("end") == 1
    assert told.index("end") > told.index(1)


def test_what_ends_in_the_first_slice_needs_no_loop(monkeypatch):
    monkeypatch.setattr(thinking, "SLICE", 60)
    told = []

    async def page():
        job = work(range(3), told)
        job.start()
        assert job.ended

    asyncio.run(page())
    assert told == ["end"]


def test_given_up_work_calls_nobody():
    told = []

    async def page():
        job = work(range(9), told)
        job.start()
        job.cancel()
        for _ in range(5):
            await asyncio.sleep(0)

    asyncio.run(page())
    assert told == ["between"]


def test_a_step_that_fails_is_told():
    told = []
    work(failing(), told).start()
    assert told == ["no more"]


def test_a_failing_end_is_told_too():
    told = []

    def broken():
        raise RuntimeError("the end")

    InSlices(
        iter([1]), between=print, at_end=broken, at_failure=lambda e: told.append(str(e))
    ).start()
    assert told == ["the end"]
