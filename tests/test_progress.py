"""Progress as a file: what is read, what is refused, and how two of them merge."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.game import GAMES
from castlelab.progress import (
    LARGEST_TEXT,
    MOST_ENTRIES,
    Attempt,
    Guesses,
    Progress,
    ProgressError,
    Solve,
    as_guess,
    as_question,
    now,
)
from castlelab.puzzles import kinds, lessons, puzzle, read_id
from castlelab.rules import CastlelabError

CODE, TIME = "castell/tallest-3-42", "2026-05-17T09:30:00Z"
ENTRY = {"at": TIME, "hints": 1, "wrong": 2, "gave_up": False}
GUESSED = {"at": TIME, "given": ["21", "22"], "solved": True}
LESSONS = [lesson for game in GAMES for lesson in lessons(game)]

# Few codes, so that two progresses often hold the same one.
codes = st.sampled_from([f"{kind}-{level}-7" for kind in kinds()[:3] for level in (1, 2)])
times = st.datetimes().map(lambda time: time.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0"))
solves = st.builds(
    Solve, codes | st.sampled_from(LESSONS[:3]), times, st.integers(0, 2), st.integers(0, 9),
    st.booleans(), st.integers(0, 9),
)  # fmt: skip
seconds = st.integers(0, 9)
attempts = st.builds(Attempt, codes, times, st.integers(0, 2), st.integers(0, 3), seconds)
guesses = st.builds(
    lambda hints, ending, *made: Guesses(*made, hints=hints, **ending),
    st.integers(0, 2),
    st.sampled_from([{}, {"solved": True}, {"gave_up": True}]),
    st.sampled_from(["How many?", "Which?"]),
    times,
    st.lists(st.sampled_from(["1", "7/9", "Ogre"]), max_size=3).map(tuple),
)
names = st.text(max_size=60).filter(str.isprintable)
progresses = st.builds(
    lambda found, name, tried, made: Progress(
        {one.code: one for one in found},
        name,
        {one.code: one for one in tried},
        {one.question: one for one in made},
    ),
    st.lists(solves),
    names,
    st.lists(attempts),
    st.lists(guesses),
)


def written(**changes: object) -> str:
    return json.dumps({"castlelab-progress": 1, "name": "", "solved": {CODE: ENTRY}, **changes})


def with_entry(**changes: object) -> str:
    return written(solved={CODE: {**ENTRY, **changes}})


# Reading and writing


@given(progresses)
def test_what_is_written_is_read_again(progress: Progress) -> None:
    assert Progress.loads(progress.dumps()) == progress


def test_the_file_is_what_it_promises_to_be() -> None:
    progress = Progress({CODE: Solve(CODE, TIME, 1, 2)}, "Ada")
    assert json.loads(progress.dumps()) == {
        "castlelab-progress": 1,
        "name": "Ada",
        "solved": {CODE: ENTRY},
    }
    assert Progress.loads(written(name="Ada")) == progress


def test_the_file_says_what_is_still_open_how_long_it_took_and_what_was_guessed() -> None:
    other = "castell/tallest-3-43"
    progress = Progress(
        {CODE: Solve(CODE, TIME, 1, 2, seconds=95)},
        "Ada",
        {other: Attempt(other, TIME, 0, 3, 60), CODE: Attempt(CODE, TIME, 0, 1)},
        {"Which?": Guesses("Which?", TIME, ("21", "22"), True)},
    )
    assert json.loads(progress.dumps()) == {
        "castlelab-progress": 1,
        "name": "Ada",
        "solved": {CODE: {**ENTRY, "seconds": 95}},
        "tried": {other: {"at": TIME, "hints": 0, "wrong": 3, "seconds": 60}},
        "guesses": {"Which?": GUESSED},
    }
    assert Progress.loads(progress.dumps()) == progress
    kept = progress.only([other])
    assert (kept.name, dict(kept.solved), kept.tried.keys(), kept.guesses) == (
        "Ada",
        {},
        {other},
        {},
    )


def test_what_has_ended_is_no_longer_open() -> None:
    begun = Progress(tried={CODE: Attempt(CODE, TIME, 0, 3)})
    ended = begun.add(Solve(CODE, TIME))
    assert not ended.tried
    assert not ended.merge(begun).tried
    further = begun.merge(Progress(tried={CODE: Attempt(CODE, TIME, 0, 4)}))
    assert further.tried[CODE].wrong == 4


def test_questions_and_guesses_are_lines_that_can_be_kept() -> None:
    made = Guesses(as_question("How\n many?" * 99), TIME, (as_guess("7\x00 " * 99),))
    assert len(made.question) == 300
    assert Progress.loads(Progress(guesses={made.question: made}).dumps()).guesses


def test_a_file_says_of_a_question_what_hints_and_giving_up_there_was() -> None:
    made = Guesses("Which?", TIME, ("21",), hints=1, gave_up=True)
    progress = Progress(guesses={made.question: made})
    entry = json.loads(progress.dumps())["guesses"]["Which?"]
    assert entry == {"at": TIME, "given": ["21"], "solved": False, "hints": 1, "gave_up": True}
    assert Progress.loads(progress.dumps()) == progress


def test_a_file_from_before_hints_were_noted_is_read() -> None:
    made = Progress.loads(written(guesses={"Which?": GUESSED})).guesses["Which?"]
    assert made == Guesses("Which?", TIME, ("21", "22"), True, hints=0, gave_up=False)


def test_a_name_may_be_missing() -> None:
    assert Progress.loads('{"castlelab-progress": 1, "solved": {}}') == Progress()


def test_the_same_puzzle_written_in_two_ways_counts_once() -> None:
    twice = {CODE: ENTRY, "castell/tallest-03-0042": {**ENTRY, "hints": 0}}
    assert dict(Progress.loads(written(solved=twice)).solved) == {CODE: Solve(CODE, TIME, 0, 2)}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("1" * 5_000, "not JSON"),
        ("[]", "this is not a progress"),
        ("{}", "this is not a progress"),
        ('"castlelab-progress"', "this is not a progress"),
        (written(**{"castlelab-progress": 2}), "version 2; this castlelab reads 1"),
        (written(**{"castlelab-progress": True}), "version True"),
        (written(extra=1), "has 'extra', which means nothing here"),
        (written(solved=[]), r"'solved' is \[\]; it must be an object"),
        ('{"castlelab-progress": 1}', "'solved' is None"),
        (written(name=7), "the name is 7"),
        (written(name="x" * 61), "one line of at most 60"),
        (written(name="a\nb"), "one line of at most 60"),
        (written(solved={"chess/mate-1-1": ENTRY}), "'chess/mate-1-1': there are no puzzles"),
        (written(solved={"castell/tallest-6-1": ENTRY}), "levels go from 1 to 5"),
        (written(solved={"castell/lesson-flying": ENTRY}), "there is no lesson"),
        (written(solved={"<script>": ENTRY}), "kind-level-seed, such as castell/tallest-3-42"),
        (written(solved={CODE: 1}), f"'{CODE}' is 1; it must be such as"),
        (written(solved={CODE: {}}), f"'{CODE}' has no 'at'"),
        (with_entry(score=9), f"'{CODE}' has 'score'"),
        (with_entry(at="yesterday"), f"{CODE}: 'at' is 'yesterday'; it must be a time such as"),
        (with_entry(at="2026-02-30T09:30:00Z"), "'at' is '2026-02-30T09:30:00Z'"),
        (with_entry(at=None), "'at' is None"),
        (with_entry(hints=3), "'hints' is 3; it must be 0, 1 or 2"),
        (with_entry(hints=True), "'hints' is True"),
        (with_entry(hints=1.0), "'hints' is 1.0"),
        (with_entry(wrong=-1), "'wrong' is -1; it must be a count"),
        (with_entry(wrong=10**30), "'wrong' is 1000"),
        (with_entry(wrong=float("nan")), "'wrong' is nan"),
        (with_entry(gave_up=0), "'gave_up' is 0; it must be true or false"),
        (with_entry(seconds=-1), "'seconds' is -1; it must be a count"),
        (written(tried=[]), r"'tried' is \[\]; it must be an object with codes"),
        (written(tried={CODE: ENTRY}), f"'{CODE}' has 'gave_up', which means nothing here"),
        (written(tried={CODE: {"at": TIME, "hints": 0}}), f"'{CODE}' has no 'wrong'"),
        (written(tried={"chess/mate-1-1": {}}), "has no 'at'"),
        (written(guesses=7), "'guesses' is 7; it must be an object with questions"),
        (written(guesses={"": GUESSED}), "'' is no question"),
        (written(guesses={"a\nb": GUESSED}), "is no question"),
        (written(guesses={"x" * 301: GUESSED}), "is no question"),
        (written(guesses={"Which?": {**GUESSED, "given": "21"}}), "'given' is '21'; it must be"),
        (written(guesses={"Which?": {**GUESSED, "given": [21]}}), r"'given' is \(21,\)"),
        (written(guesses={"Which?": {**GUESSED, "given": ["1"] * 51}}), "at most 50 guesses"),
        (written(guesses={"Which?": {**GUESSED, "solved": 1}}), "'solved' is 1; it must be true"),
        (written(guesses={"Which?": {**GUESSED, "hints": 3}}), "'hints' is 3; it must be"),
        (written(guesses={"Which?": {**GUESSED, "gave_up": True}}), "true or false, and"),
        (written(guesses={"Which?": {**GUESSED, "gave_up": 0}}), "'gave_up' is 0; it must"),
        (written(guesses={"Which?": {"at": TIME}}), "'Which\\?' has no 'given'"),
        (f'{{"castlelab-progress": 1, "solved": {{"{CODE}": 1, "{CODE}": 2}}}}', "stands twice"),
        (" " * (LARGEST_TEXT + 1), "at most a million characters"),
        (written(solved=dict.fromkeys(map(str, range(MOST_ENTRIES + 1)), 1)), "20001 puzzles"),
    ],
)
def test_a_damaged_progress_is_explained(text: str, says: str) -> None:
    with pytest.raises(ProgressError, match=says) as caught:
        Progress.loads(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@given(st.text(max_size=60) | st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
).map(json.dumps))  # fmt: skip
def test_no_text_crashes_the_reader(text: str) -> None:
    with pytest.raises(ProgressError):
        Progress.loads(text)


@pytest.mark.parametrize("text", [None, 7, b"{}"])
def test_only_text_is_read(text: object) -> None:
    with pytest.raises(ProgressError, match="a JSON text"):
        Progress.loads(text)  # type: ignore[arg-type]


def test_a_progress_that_could_not_be_read_again_is_not_written() -> None:
    many = {one.code: one for one in (Solve(f"castell/tallest-1-{n}", TIME) for n in range(20_001))}
    with pytest.raises(ProgressError, match="20001 puzzles are more"):
        Progress(many).dumps()


# Merging


@given(progresses)
def test_merging_with_itself_or_with_nothing_changes_nothing(one: Progress) -> None:
    assert one.merge(one) == one
    assert one.merge(Progress()) == one


@given(progresses, progresses)
def test_the_order_of_two_matters_to_the_name_alone(one: Progress, two: Progress) -> None:
    assert one.merge(two).solved == two.merge(one).solved


@pytest.mark.parametrize(
    ("mine", "theirs", "stays"), [("Zoe", "Ada", "Zoe"), ("", "Ada", "Ada"), ("Zoe", "", "Zoe")]
)
def test_a_corrected_name_stays_corrected(mine: str, theirs: str, stays: str) -> None:
    assert Progress(name=mine).merge(Progress(name=theirs)).name == stays


@given(progresses, progresses, progresses)
def test_three_may_be_merged_in_any_groups(one: Progress, two: Progress, three: Progress) -> None:
    assert one.merge(two).merge(three) == one.merge(two.merge(three))


@given(progresses, progresses)
def test_nothing_that_was_solved_is_lost(one: Progress, two: Progress) -> None:
    both = one.merge(two)
    for code in {*one.solved, *two.solved}:
        assert both.is_solved(code) == (one.is_solved(code) or two.is_solved(code))


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        (Solve(CODE, TIME, gave_up=True), Solve(CODE, TIME, hints=2, wrong=9)),
        (Solve(CODE, "2020-01-01T00:00:00Z", hints=1), Solve(CODE, TIME)),
        (Solve(CODE, TIME), Solve(CODE, "2020-01-01T00:00:00Z", wrong=3)),
    ],
)
def test_the_better_end_of_a_puzzle_stays(worse: Solve, better: Solve) -> None:
    assert Progress().add(worse).add(better).solved[CODE] == better
    assert Progress().add(better).add(worse).solved[CODE] == better


# Counting


def test_solved_puzzles_are_counted_by_game_kind_and_level() -> None:
    progress = Progress()
    for code in (CODE, "castell/tallest-3-1", "castell/tallest-1-1", "castell/festival-3-1"):
        progress = progress.add(Solve(code, TIME))
    progress = progress.add(Solve("castell/lesson-base", TIME))
    progress = progress.add(Solve("castle_keep/which-fits-1-1", TIME, gave_up=True))
    assert len(progress.solved_in("castell/tallest", 3)) == 2
    assert len(progress.solved_in("castell/tallest")) == 3
    assert len(progress.solved_in("castell")) == 5
    assert len(progress.solved_in("castell", 3)) == 3
    assert [solve.code for solve in progress.solved_in("castell", 0)] == ["castell/lesson-base"]
    assert not progress.solved_in("castle_keep")
    assert not progress.is_solved("castle_keep/which-fits-1-1")
    assert progress.counts() == {
        ("castell/tallest", 3): 2,
        ("castell/tallest", 1): 1,
        ("castell/festival", 3): 1,
        ("castell/lesson-base", 0): 1,
    }


def test_every_puzzle_and_lesson_can_be_remembered() -> None:
    assert len(LESSONS) == len(set(LESSONS)) > 50
    for name in [*LESSONS, *(f"{kind}-1-3" for kind in kinds())]:
        assert Solve(name, now()).code == name
        assert str(read_id(name)) == name
    assert puzzle(CODE).id == CODE


@pytest.mark.parametrize("name", ["", "castell/lesson-", "castell/lesson-base-1-1", None, 7])
def test_what_is_neither_a_code_nor_a_lesson_is_refused(name: object) -> None:
    with pytest.raises(CastlelabError):
        read_id(name)  # type: ignore[arg-type]


# Values


def test_a_progress_does_not_change() -> None:
    entries = {CODE: Solve(CODE, TIME)}
    progress = Progress(entries)
    entries.clear()
    assert list(progress.solved) == [CODE]
    with pytest.raises(TypeError):
        progress.solved["x"] = Solve(CODE, TIME)  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        progress.name = "Bob"  # type: ignore[misc]
    assert progress.called("  Ada \n L ").name == "Ada L"
    assert replace(progress, name="") == progress
