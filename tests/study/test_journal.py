"""Files of finished games: whole, or cut off at the end, or refused; never wrong, never lost."""

import errno
import os
import subprocess
import sys
import warnings
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.study import journal
from castlelab.study.journal import Journal, JournalError, JournalWarning, read

RUN = {"game": "toy", "bots": ("a", "b"), "seed": 1}
ROWS = [{"number": number, "scores": [number, 7]} for number in range(4)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


@pytest.fixture
def no_sync(monkeypatch):
    """Tests that open thousands of files do not wait for the disk."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def whole(path):
    """The bytes of a finished file."""
    write(path, *[[row] for row in ROWS])
    return path.read_bytes()


def write(path, *batches, resume=False, run=RUN):
    with Journal.open(path, run, resume) as book:
        for batch in batches:
            book.append(batch)


def finish(path):
    """Go on with a file until it holds all rows."""
    with Journal.open(path, RUN, resume=True) as book:
        assert book.rows == ROWS[: len(book.rows)]
        book.append(ROWS[len(book.rows) :])


def test_what_is_written_is_read(path, whole):
    header, rows = read(path)
    assert rows == ROWS
    assert header == {"castlelab": journal.JOURNAL_FORMAT, **RUN, "bots": ["a", "b"]}
    assert whole.count(b"\n") == 1 + len(ROWS)


@given(cuts=st.sets(st.integers(0, len(ROWS))), stops=st.sets(st.integers(0, len(ROWS))))
def test_the_bytes_do_not_depend_on_batches_or_stops(tmp_path_factory, cuts, stops):
    folder = tmp_path_factory.mktemp("journal")
    write(folder / "at-once.jsonl", ROWS)
    marks = sorted(cuts | stops | {0, len(ROWS)})
    book = Journal.open(folder / "run.jsonl", RUN)
    for first, last in pairwise(marks):
        if first in stops:
            book.close()
            book = Journal.open(folder / "run.jsonl", RUN, resume=True)
        book.append(ROWS[first:last])
    book.close()
    assert (folder / "run.jsonl").read_bytes() == (folder / "at-once.jsonl").read_bytes()


def test_a_file_cut_off_anywhere_is_finished_to_the_same_bytes(path, whole, no_sync):
    header = whole.index(b"\n") + 1
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            finish(path)
        assert path.read_bytes() == whole
        torn = length > header and not whole[:length].endswith(b"\n")
        assert len(told) == torn
        if torn:
            game = whole[:length].count(b"\n") - 1
            assert issubclass(told[0].category, JournalWarning)
            assert f"cut off; game {game} is played again" in str(told[0].message)


def test_a_flipped_bit_is_an_error_or_changes_nothing(path, whole, no_sync):
    for place in range(len(whole)):
        for bit in (place % 8, (place + 3) % 8):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << bit
            path.write_bytes(damaged)
            if place < len(whole) - 1:
                with pytest.raises(JournalError, match="left alone"):
                    finish(path)
                assert path.read_bytes() == damaged
            else:  # without its end of line the last game is torn
                with pytest.warns(JournalWarning, match="game 3 is played again"):
                    finish(path)
                assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("mangle", "line"),
    [
        (lambda lines: [*lines[:2], *lines[3:]], 3),
        (lambda lines: [*lines[:2], lines[1], *lines[2:]], 3),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], 2),
        (lambda lines: [*lines[:3], b"\n", *lines[3:]], 4),
        (lambda lines: [*lines, b"\0" * 50 + b"\n"], 6),
        (lambda lines: [*lines, b"x" * 1_000_001], 6),
    ],
    ids=["missing", "twice", "swapped", "empty", "zeros", "endless"],
)
def test_lines_that_are_out_of_place_are_damage(path, whole, mangle, line):
    damaged = b"".join(mangle(whole.splitlines(keepends=True)))
    path.write_bytes(damaged)
    for use in (finish, read):
        with pytest.raises(JournalError, match=rf"run\.jsonl is damaged in line {line}; .* alone"):
            use(path)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize(
    "text", [b"my novel", b"my novel\n", b"[1, 2]\n", b"\xff\xfe\n", b'{"game": "toy"}\n', b"\n"]
)
def test_a_file_of_something_else_is_left_alone(path, text):
    path.write_bytes(text)
    with pytest.raises(JournalError, match="is not a file of games; it is left alone"):
        finish(path)
    assert path.read_bytes() == text


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seed": 2}, "seed 1 instead of 2"),
        ({"seed": "1"}, "seed 1 instead of '1'"),
        ({"game": "chess", "seed": 2}, "game 'toy' instead of 'chess', seed 1 instead of 2"),
        ({"bots": ("a",)}, r"bots \['a', 'b'\] instead of \['a'\]"),
        ({"edition": "f00"}, "edition None instead of 'f00'"),
    ],
)
def test_the_file_of_another_run_says_what_differs(path, whole, change, says):
    with pytest.raises(JournalError, match=f"holds another run: {says}"):
        write(path, resume=True, run=RUN | change)
    assert path.read_bytes() == whole


def test_another_format_is_told(path, monkeypatch):
    with monkeypatch.context() as later:
        later.setattr(journal, "JOURNAL_FORMAT", 99)
        write(path)
    with pytest.raises(JournalError, match="format 99; this castlelab reads 1"):
        finish(path)


def test_a_file_that_is_there_is_not_overwritten(path, whole):
    with pytest.raises(JournalError, match="is there already; resume goes on with it"):
        write(path, ROWS)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("there", [True, False])
def test_resume_begins_where_there_is_nothing(path, there):
    if there:
        path.touch()
    finish(path)
    assert read(path)[1] == ROWS


@pytest.mark.parametrize("name", ["run.json", "run.csv", "run"])
def test_only_jsonl_is_written_as_it_goes(tmp_path, name):
    with pytest.raises(JournalError, match=r"to a \.jsonl file"):
        Journal.open(tmp_path / name, RUN)
    assert not list(tmp_path.iterdir())


def test_files_that_cannot_be_are_told_in_one_line(tmp_path):
    (tmp_path / "folder.jsonl").mkdir()
    for name, says in (
        ("missing/run.jsonl", "No such file"),
        ("folder.jsonl", "Is a directory|Permission"),
        ("nul\0.jsonl", "cannot be written"),
    ):
        with pytest.raises(JournalError, match=says) as caught:
            Journal.open(tmp_path / name, RUN, resume=True)
        assert "\n" not in str(caught.value)
    with pytest.raises(JournalError, match="cannot be read"):
        read(tmp_path / "missing.jsonl")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")  # noqa: PTH110
def test_a_device_is_no_file(path):
    path.symlink_to("/dev/full")
    with pytest.raises(JournalError, match="not a regular file"):
        finish(path)


# Two writers


def test_a_second_writer_is_refused(path):
    with Journal.open(path, RUN) as book:
        book.append(ROWS[:2])
        with pytest.raises(JournalError, match="being written to by somebody else"):
            finish(path)
        book.append(ROWS[2:])
    assert read(path)[1] == ROWS
    finish(path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_a_forked_worker_does_not_keep_the_file(path):
    """Else a run that was killed could not go on before its orphans are gone."""
    code = f"""
import os, sys, time
from castlelab.study.journal import Journal
book = Journal.open({str(path)!r}, {RUN!r})
reading, writing = os.pipe()
hearing, telling = os.pipe()
if not (child := os.fork()):
    os.close(writing)
    os.write(telling, b"!")
    os.read(reading, 1)  # lives until the end of its parent
    os._exit(0)
os.read(hearing, 1)  # the child runs
book.close()
Journal.open({str(path)!r}, {RUN!r}, resume=True).close()
os.close(writing)
os.waitpid(child, 0)
print("free")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("free\n", "")


# Full disks


def full_after(monkeypatch, room):
    """A disk with room for so many bytes: the last write is cut short, the next one fails."""
    really = os.write

    def limited(descriptor, data):
        nonlocal room
        if not room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = really(descriptor, data[:room])
        room -= written
        return written

    monkeypatch.setattr(os, "write", limited)


def test_a_full_disk_leaves_whole_lines(path, whole, no_sync):
    for room in range(len(whole)):
        path.unlink()
        with pytest.MonkeyPatch.context() as patch:
            full_after(patch, room)
            with pytest.raises(JournalError, match="cannot be written: No space left"):
                write(path, ROWS[:1], ROWS[1:3], ROWS[3:])
        if not path.exists():  # not even its first line
            write(path, ROWS)
            assert room <= whole.index(b"\n")
            continue
        left = path.read_bytes()
        assert whole.startswith(left)
        assert left.endswith(b"\n")
        finish(path)  # without a warning
        assert path.read_bytes() == whole


def test_a_disk_that_fails_late_is_told(path, monkeypatch):
    book = Journal.open(path, RUN)
    book.append(ROWS)

    def fail(descriptor):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(JournalError, match="Input/output error; the 4 games in it are kept"):
        book.close()
    book.close()  # again, and nothing happens
