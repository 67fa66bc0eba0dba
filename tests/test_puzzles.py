"""Puzzle codes, and what every kind of every game promises at every level."""

import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import castlelab
from castlelab.draw import svg, text
from castlelab.draw.scene import Scene
from castlelab.progress import Progress, way_on
from castlelab.puzzles import (
    LARGEST_SEED,
    LEVELS,
    Ask,
    ChooseOne,
    Judgement,
    kinds,
    lessons,
    puzzle,
    read_id,
)
from castlelab.rules import CastlelabError, NotationError, rulebook
from castlelab.testing.choices import whole

SEEDS = (0, 1, 7, LARGEST_SEED)
RULES = {rule for game in castlelab.GAMES for rule in rulebook(game)}
every_kind = pytest.mark.parametrize("kind", kinds())
every_level = pytest.mark.parametrize("level", LEVELS)


made = cache(puzzle)  # for tests that look at one puzzle in many ways


def codes(kind):
    return [f"{kind}-{level}-{seed}" for level in LEVELS for seed in (1, 2)]


@every_kind
@every_level
def test_the_solution_solves_it_as_an_object_and_as_text(kind, level):
    for seed in SEEDS:
        one = made(f"{kind}-{level}-{seed}")
        assert one.check(one.solution), one.code
        assert one.check(str(one.solution)), one.code
        assert one.check(one.solution).message


@every_kind
@every_level
def test_a_puzzle_says_what_to_do_and_gives_two_different_hints(kind, level):
    for seed in SEEDS:
        one = made(f"{kind}-{level}-{seed}")
        assert one.prompt.endswith((".", "?"))
        assert one.hint(1) != one.hint(2)
        assert all(hint.endswith((".", "?")) for hint in one.hints)
        assert one.par >= 1
        assert (one.kind, one.level, one.seed) == (kind, level, seed)


@every_kind
def test_the_first_hint_does_not_give_the_solution_away(kind):
    for code in codes(kind):
        one = made(code)
        assert str(one.solution).lower() not in one.hint(1).lower()


TO_TYPE = re.compile(
    r"\b(type|key|keys|keyboard|press|click|tap)\b"  # a way to do it that not everybody has
    r"|\d\*\d|\d\+\d|['‘](play|place|strengthen|choose|clear) ",  # what one would have to type
    re.IGNORECASE,
)


@pytest.mark.parametrize("names", [*map(codes, kinds()), *map(lessons, castlelab.GAMES)])
def test_what_is_asked_and_hinted_can_be_done_by_mouse_touch_and_keys(names):
    for name in names:
        one = made(name)
        for words in (one.prompt, *one.hints):
            assert not TO_TYPE.search(words), (name, words)


@every_kind
def test_the_rules_that_a_puzzle_practises_exist(kind):
    for code in codes(kind):
        assert made(code).rules
        assert set(made(code).rules) <= RULES


@every_kind
def test_a_code_leads_back_to_its_puzzle(kind):
    for code in codes(kind):
        one = puzzle(code)
        assert one.code == code
        assert puzzle(one.code) == one
        assert str(one).startswith(f"{code}: ")


@every_kind
def test_other_seeds_and_levels_give_other_puzzles(kind):
    starts = [whole(made(f"{kind}-{level}-{seed}").start) for level in LEVELS for seed in SEEDS]
    assert len(set(starts)) >= len(starts) - 1  # twins are possible, but rare


def test_the_same_code_gives_the_same_puzzle_in_another_process():
    wanted = [code for kind in kinds() for code in codes(kind)]
    script = (
        "import sys, castlelab\n"
        "from castlelab.testing.choices import whole\n"
        "for code in sys.argv[1:]:\n"
        "    one = castlelab.puzzle(code)\n"
        "    print(repr((one.prompt, whole(one.start), str(one.solution), one.par, one.hints)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", script, *wanted],
        env={"PYTHONHASHSEED": "123", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    here = [
        repr((one.prompt, whole(one.start), str(one.solution), one.par, one.hints))
        for one in map(made, wanted)
    ]
    assert said.splitlines() == here


@every_kind
def test_there_is_a_picture_before_and_after_an_answer(kind):
    for code in codes(kind):
        one = made(code)
        for scene in (one.picture(), one.picture(one.solution)):
            assert isinstance(scene, Scene)
            assert ElementTree.fromstring(svg.render(scene)).tag.endswith("svg")
            assert text.render(scene).strip()
            assert scene.description
        assert one.picture(one.solution) != one.picture()
        assert one.picture(str(one.solution)) == one.picture(one.solution)
        assert one._repr_svg_() == svg.still(one.picture())


@every_kind
@given(answer=st.text(max_size=30))
def test_no_text_crashes_the_judge(kind, answer):
    said = ""
    try:
        said = made(f"{kind}-1-1").check(answer).message
    except CastlelabError as error:
        said = str(error)
    assert said
    assert "\n" not in said


@every_kind
@pytest.mark.parametrize("answer", [None, 7, 1.5, [], {}, b"9", object(), ("9", 3), True])
def test_hostile_answers_are_refused_by_errors_of_ours(kind, answer):
    with pytest.raises(CastlelabError) as caught:
        made(f"{kind}-2-1").check(answer)
    assert "\n" not in str(caught.value)


@every_kind
@pytest.mark.parametrize("number", [0, 3, -1, "1", None])
def test_there_are_two_hints_and_no_more(kind, number):
    with pytest.raises(CastlelabError, match="hints 1 and 2"):
        made(f"{kind}-1-1").hint(number)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("", "kind-level-seed, such as castell/tallest-3-42"),
        ("castell", "kind-level-seed"),
        ("castell/tallest", "kind-level-seed"),
        ("castell/tallest-3", "kind-level-seed"),
        ("castell/tallest-3-", "kind-level-seed"),
        ("castell/tallest-3-x", "kind-level-seed"),
        ("castell/tallest-3--1", "kind-level-seed"),
        ("castell/tallest-3-1000000000", "kind-level-seed"),  # ten digits
        ("castell/tallest-٣-1", "kind-level-seed"),
        (" castell/tallest-3-42", "kind-level-seed"),
        ("castell/tallest-3-42\n", "kind-level-seed"),
        ("x" * 10_000, "kind-level-seed"),
        (None, "kind-level-seed"),
        (42, "kind-level-seed"),
        (b"castell/tallest-3-42", "kind-level-seed"),
        ("castell/tallest-0-1", "levels go from 1 to 5"),
        ("castell/tallest-6-1", "levels go from 1 to 5"),
        ("castell/tallest-999999999-1", "levels go from 1 to 5"),
        ("castell/smallest-3-42", "the kinds of castell are castell/spot-the-breach"),
        ("chess/mate-1-1", "the games that have puzzles are castell"),
    ],
)
def test_wrong_codes_are_explained(code, says):
    with pytest.raises(NotationError) as caught:
        puzzle(code)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@given(st.text(max_size=40))
def test_no_text_crashes_the_reader_of_codes(code):
    with pytest.raises(NotationError):
        puzzle(code)


def test_leading_noughts_mean_the_same_puzzle():
    assert puzzle("castell/tallest-03-0042") == puzzle("castell/tallest-3-42")


def test_a_choice_is_read_by_value_or_by_words_in_any_letters():
    choose = ChooseOne((("level 1", "Level 1"), ("all", "All of them")))
    assert choose.read(" LEVEL   1 ") == "level 1"
    assert choose.read("all of THEM") == "all"
    with pytest.raises(NotationError, match=r"'none' is not a choice; choose level 1, all"):
        choose.read("none")


def test_a_judgement_is_true_when_solved_and_prints_its_breaches():
    assert Judgement(True, "Yes.")
    assert not Judgement(False, "No.")
    breaches = castlelab.games.castell.check(castlelab.games.castell.Tower("9 9")).breaches
    assert str(Judgement(False, "No.", breaches)).splitlines()[0] == "No."
    assert len(str(Judgement(False, "No.", breaches)).splitlines()) == 1 + len(breaches)


@every_kind
@every_level
def test_the_steps_grow_into_the_solution(kind, level):
    one = made(f"{kind}-{level}-7")
    steps = one.steps()
    assert steps[-1] == one.solution
    assert len(steps) == len(set(map(str, steps)))
    assert (len(steps) == 1) if isinstance(one.ask, ChooseOne) else (len(steps) <= 20)
    if kind != "castle_rampage/stack-well":  # only whole stacks can be attacked
        pictures = [one.picture(), *map(one.picture, steps)]
        assert all(before != after for before, after in pairwise(pictures))
        assert not any(one.check(step) for step in steps[:-1])


OPENING = {
    "a puzzle": "castlelab.puzzle('castell/tallest-1-1')",
    "a code": "castlelab.puzzles.read_code('castell/tallest-1-1')",
    "a wrong code": "castlelab.puzzles.read_code('castell/smallest-1-1')",
    "a lesson": "castlelab.puzzles.read_id('castell/lesson-first-tower')",
    "the kinds of a game": "castlelab.puzzles.kinds('castell')",
    "a next puzzle": "castlelab.progress.way_on(castlelab.progress.Progress(), 'castell')",
}


@pytest.mark.parametrize("deed", OPENING.values(), ids=OPENING)
def test_what_needs_one_game_opens_one_room(deed):
    script = (
        "import sys, contextlib, castlelab, castlelab.progress\n"
        f"with contextlib.suppress(castlelab.rules.CastlelabError): {deed}\n"
        "rooms = [name.split('.') for name in sys.modules if name.startswith('castlelab.games.')]\n"
        "print(*{room[2] for room in rooms if room[3:]})"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True
    )
    assert found.stdout.split() == ["castell"]


@pytest.fixture
def bare_game(tmp_path, monkeypatch, add_game):
    """A game of another package that has neither puzzles nor lessons."""
    room = tmp_path / "bare_room"
    room.mkdir()
    (room / "__init__.py").touch()
    (room / "play.py").write_text(
        "from castlelab.games.castell.play import Castell\n"
        "class Bare(Castell):\n    name = 'bare'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    add_game("bare", "bare_room.play:Bare")
    return "bare"


def test_a_game_without_puzzles_has_none_and_is_in_nobody_s_way(bare_game):
    before = [kind for kind in kinds() if not kind.startswith("bare/")]
    assert kinds(bare_game) == lessons(bare_game) == ()
    assert list(kinds()) == before
    assert puzzle("castell/tallest-1-1")
    for code in ("bare/tower-1-1", "bare/lesson-tower"):
        with pytest.raises(NotationError, match=r"there (are no puzzles|is no lesson) 'bare/"):
            read_id(code)
    with pytest.raises(CastlelabError, match="there are no puzzles for 'bare'"):
        way_on(Progress(), bare_game)


def test_an_ask_without_notation_says_so():
    with pytest.raises(NotImplementedError, match="Ask has no notation"):
        Ask().read("9")
