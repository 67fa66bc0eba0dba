"""Work shared out: complete and in order, whatever happens to the workers."""

import os
import random
import signal
import sys
import threading
import time
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from functools import partial
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from castlelab.rules import CastlelabError
from castlelab.study import workers
from castlelab.study.workers import TRIES, LostWork, in_order


def squares(numbers):
    return [number * number for number in numbers]


def done(work, numbers, *arguments, **named):
    return [result for some in in_order(work, numbers, *arguments, **named) for result in some]


def die_once(folder, numbers):
    """Take the whole worker down, the first time that number 7 is met."""
    if 7 in numbers and not (folder / "died").exists():
        (folder / "died").touch()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    return squares(numbers)


def die(numbers):
    os._exit(3)


class Muddle(Executor):
    """Does what it was given in any order, and loses some of it."""

    def __init__(self, seed, losses=0, loss=ConnectionResetError):
        self._random = random.Random(seed)
        self._losses = losses
        self._loss = loss
        self._waiting = []
        self._news = threading.Condition()
        self._over = False
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        with self._news:
            self._waiting.append((future, partial(fn, *args, **kwargs)))
            self._news.notify()
        return future

    def _work(self):
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting or self._over)
                if self._over:
                    return
                at = self._random.randrange(len(self._waiting))
                future, call = self._waiting.pop(at)
            if not future.set_running_or_notify_cancel():
                continue
            if self._losses and self._random.random() < 0.5:
                self._losses -= 1
                future.set_exception(self._loss("gone"))
            else:
                try:
                    future.set_result(call())
                except Exception as error:
                    future.set_exception(error)

    def shutdown(self, wait=True, *, cancel_futures=False):
        with self._news:
            self._over = True
            self._news.notify()
        self._thread.join()


class Failing(Executor):
    """Every piece of work ends in the same error."""

    def __init__(self, error):
        self.error = error
        self.calls = 0

    def submit(self, fn, /, *args, **kwargs):
        self.calls += 1
        future = Future()
        future.set_exception(self.error)
        return future


@given(
    first=st.integers(0, 50),
    number=st.integers(0, 200),
    seed=st.integers(0, 1000),
    losses=st.integers(0, TRIES - 1),
    loss=st.sampled_from([ConnectionResetError, CancelledError, EOFError]),
)
@settings(max_examples=60)
def test_any_order_and_some_losses_change_nothing(first, number, seed, losses, loss):
    numbers = range(first, first + number)
    with Muddle(seed, losses, loss) as executor:
        assert done(squares, numbers, executor) == squares(numbers)


@pytest.mark.parametrize("workers", [None, 1])
def test_short_work_is_done_here(workers):
    assert (
        done(lambda numbers: [os.getpid() for _ in numbers], range(3), workers=workers)
        == [os.getpid()] * 3
    )


def test_long_work_moves_to_processes(monkeypatch):
    monkeypatch.setattr(workers, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(workers, "WORTH_SECONDS", 0.0)
    monkeypatch.setattr(workers, "cores", lambda: 2)
    places = done(where, range(10))
    assert places[0] == os.getpid()
    assert os.getpid() not in places[5:]


def where(numbers):
    time.sleep(0.01)
    return [os.getpid() for _ in numbers]


def test_work_that_is_lost_with_a_process_is_done_again(tmp_path):
    assert done(partial(die_once, tmp_path), range(30), workers=2) == squares(range(30))
    assert (tmp_path / "died").exists()


@pytest.mark.slow
def test_work_that_is_always_lost_is_an_error():
    with pytest.raises(LostWork, match=r"game \d+ was lost .* again and again"):
        done(die, range(30), workers=2)


def test_a_loss_is_tried_a_few_times():
    executor = Failing(ConnectionResetError("the line went dead"))
    with pytest.raises(LostWork, match=r"lost .* again and again: .*the line went dead"):
        done(squares, range(1), executor)
    assert executor.calls == TRIES


def test_a_broken_executor_of_somebody_else_is_not_mended():
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor,
        pytest.raises(LostWork, match="the executor is broken"),
    ):
        done(die, range(30), executor)
    with pytest.raises(LostWork, match="the executor is broken"):
        done(squares, range(1), Failing(BrokenExecutor()))


def test_an_executor_that_was_shut_down_is_told():
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(LostWork, match="takes no work: cannot schedule"):
        done(squares, range(3), executor)


@pytest.mark.parametrize("thing", [3, "threads", object()])
def test_other_things_are_no_executors(thing):
    with pytest.raises(CastlelabError, match="an executor is one of concurrent"):
        done(squares, range(3), thing)


def fail_at_20(numbers):
    if 20 in numbers:
        raise CastlelabError("20 is too much")
    return squares(numbers)


def test_an_error_comes_in_its_turn():
    results = []

    def collect(executor):
        for some in in_order(fail_at_20, range(50), executor):
            results.extend(some)

    with Muddle(1) as executor, pytest.raises(CastlelabError, match="20 is too much"):
        collect(executor)
    assert results == squares(range(len(results)))
    assert len(results) <= 20


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ModuleNotFoundError("No module named 'castlelab'"), "workers lack what they need: No mod"),
        (MemoryError(), "a worker failed: MemoryError"),
        (RuntimeError("Error during deserialization of …"), "install the module of your bot"),
        (TypeError("cannot pickle\nthat"), "a worker failed: TypeError: cannot pickle that"),
    ],
)
def test_other_errors_of_workers_are_told(error, says):
    executor = Failing(error)
    with pytest.raises(LostWork, match=says):
        done(squares, range(1), executor)
    assert executor.calls == 1


def test_whoever_stops_listening_calls_the_rest_off():
    futures = []

    class Slow(Executor):
        def submit(self, fn, /, *args, **kwargs):
            futures.append(Future())
            if len(futures) == 1:
                futures[0].set_result(fn(*args, **kwargs))
            return futures[-1]

    results = in_order(squares, range(100), Slow())
    assert next(results) == [0]
    results.close()
    assert len(futures) > 1
    assert all(future.cancelled() for future in futures[1:])


# Dask without a cluster


def test_without_dask_it_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(CastlelabError, match=r'pip install "castlelab\[distributed\]"'),
        workers.dask("localhost:8786"),
    ):
        pass


class Cluster:
    """As much of a Dask client as is asked: how many threads there are."""

    def __init__(self, *threads):
        self.threads = list(threads)

    def submit(self, *_):
        raise AssertionError("work goes to the executor")

    def nthreads(self):
        now = self.threads.pop(0) if len(self.threads) > 1 else self.threads[0]
        if now is None:
            raise OSError("no route")
        return {"tcp://worker": now} if now else {}

    def get_executor(self, pure):
        executor = Waiting()
        executor._client = self
        return executor


class Waiting(Executor):
    def submit(self, fn, /, *args, **kwargs):
        return Future()


@pytest.mark.parametrize(
    ("threads", "says"),
    [((2, 0), "has had no worker for 0 seconds"), ((2, 2, None), "does not answer: OSError: no r")],
)
def test_a_cluster_without_workers_is_given_up(monkeypatch, threads, says):
    monkeypatch.setattr(workers, "ASK_SECONDS", 0.01)
    monkeypatch.setattr(workers, "PATIENCE_SECONDS", 0.05)
    with pytest.raises(LostWork, match=says):
        done(squares, range(3), Cluster(*threads))
