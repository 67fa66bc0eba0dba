"""Puzzles of one's own in Castle Keep: found, given, refused, and carried whole in a code."""

import inspect
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.games import castle_keep
from castlelab.games.castle_keep import SPOTS, TILES, Castle, Tile, finishes
from castlelab.games.castle_keep.lessons import LESSONS
from castlelab.games.castle_keep.puzzle_finish_it import BuildPlan
from castlelab.puzzles import is_own, lessons
from castlelab.rules import CastlelabError, NotationError
from castlelab.system.packing import pack

EMPTY = "-- -- -- / -- -- -- / -- -- --"
TOWER = "TRC -- -- / -- -- -- / -- -- --"
GAP = "TRC WRC TRZ / WRC KR WYZ / TBC -- --"  # a tower, and a wall that closes the ring
WHOLE = "TRC WRC TRC / WRC KR WRC / TRC WRC TRC"
FOE = "TRC WRZ TYZ / WRC KR WYZ / TBC -- --"  # three red tiles in a run, two yellow ones

LAY = {"castle": GAP, "hand": "WYZ TYS"}
FIT = {"castle": GAP, "spot": "se", "hand": "WYZ TYS TRS"}
BLAST = {"castles": FOE, "hand": "WYZ WRC"}


def made(**arguments):
    return castle_keep.puzzle("Do it.", **arguments)


def code_of(**table):
    return f"castle_keep/own-{pack(json.dumps(table))}"


# -- what is left out is found -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "solution", "par"),
    [
        (LAY, "TYS se, WYZ s", 2),  # in this order only
        ({"castle": TOWER, "hand": "KB KB WBC TRC", "wanted": "KB"}, "WBC n, KB c", 2),
        ({"castle": TOWER, "hand": "WYC", "tiles": 1}, None, 1),
        ({"castle": EMPTY, "hand": "KB TBC WBZ", "tiles": 3}, None, 3),
        (LAY | {"goal": lambda castle: castle["se"] is Tile("TYS")}, "TYS se", 1),
        (FIT, "TYS", 1),
        (FIT | {"castle": WHOLE.replace("KR", "--"), "spot": "c", "hand": "KB KR"}, "KR", 1),
        ({"castle": EMPTY, "spot": "n", "hand": "TRC WRC"}, "WRC", 1),
        (BLAST, "2.w", 3),
        (BLAST | {"falls": 2, "targets": "2.n 2.e 2.c"}, "2.e", 2),
        (BLAST | {"hand": "KR KR WBC"}, "2.c", 1),
        (BLAST | {"hand": "TBC", "attack_towers": True}, "2.sw", 1),
        (BLAST | {"castles": (FOE, GAP)}, "3.n", 4),
        (BLAST | {"goal": lambda castle: castle["e"] is None}, "2.e", 2),
    ],
)
def test_what_is_left_out_is_found(arguments, solution, par):
    one = made(**arguments)
    assert one.check(one.solution)
    assert one.check(str(one.solution))
    assert solution in (None, str(one.solution))
    assert one.par == par
    assert one.prompt == "Do it."
    assert all(one.hints)
    assert one.rules
    assert one.picture() != one.picture(one.solution)


def test_a_hint_is_in_words():
    one = made(**LAY)
    assert one.hint(2) == "Start with the yellow straight tower on the south-east corner."
    assert made(**BLAST | {"hand": "KR KR"}).hint(1) == "Count your keeps."
    assert made(castle=EMPTY, spot="n", hand="TRC WRC").hint(2) == "You need a wall."


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        (LAY, ("match", "last-tile", "win-build")),
        (LAY | {"hand": "WBS TYS", "last_matches_both": True}, ("match", "adv-last-both")),
        ({"castle": TOWER, "hand": "KB WBC", "wanted": "KB"}, ("match", "keep-colour")),
        ({"castle": "-- -- -- / -- KR -- / -- -- --", "hand": "WRC", "tiles": 1}, ("lone-keep",)),
        ({"castle": EMPTY, "spot": "n", "hand": "TRC WRC"}, ("first-tile", "spots")),
        (BLAST, ("attack-wall",)),
    ],
)
def test_it_practises_the_rules_that_its_answer_meets(arguments, rules):
    assert {f"castle_keep/{rule}" for rule in rules} <= {*made(**arguments).rules}


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(TILES), min_size=1, max_size=5),
    st.sampled_from([GAP, GAP.replace("KR", "--"), "TRC WRC TRZ / WRC KR -- / TBC -- --"]),
    st.booleans(),
)
def test_a_castle_is_found_to_be_finished_just_where_it_can_be(hand, castle, both):
    can = bool(finishes(Castle.parse(castle), hand, both))
    try:
        one = made(castle=castle, hand=hand, last_matches_both=both)
    except CastlelabError:
        assert not can
    else:
        assert can
        assert one.check(one.solution)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(TILES), min_size=2, max_size=6, unique=True))
def test_the_tile_that_is_found_fits_and_the_castle_judges_them_all(hand):
    right = [tile.text for tile in hand if Castle.parse(GAP).check(tile, "se")]
    try:
        one = made(castle=GAP, spot="se", hand=hand)
    except CastlelabError:
        assert len(right) in (0, len(hand))
    else:
        assert [tile.text for tile in hand if one.check(tile.text)] == right
        assert one.solution == right[0]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(TILES), min_size=1, max_size=6))
def test_no_attack_that_is_allowed_brings_down_more(hand):
    castle, needed = Castle.parse(FOE), {"wall": 1, "keep": 2, "tower": 99}
    hits = {
        f"2.{spot}": len(castle.blast(spot))
        for spot in SPOTS
        if (tile := castle[spot]) is not None
        if hand.count(tile) >= needed[tile.kind]
    }
    try:
        one = made(castles=castle, hand=hand)
    except CastlelabError:
        assert not hits
    else:
        best = max(hits.values())
        assert one.par == best
        for target, _ in one.ask.options:
            assert bool(one.check(target)) == (hits.get(target) == best)


def test_where_two_attacks_are_as_good_neither_is_called_the_best():
    one = made(castles="TRC WRZ -- / -- KY -- / -- WBZ TBC", hand="WRZ WBZ")
    for target in ("2.n", "2.s"):
        assert one.check(target)
        assert "No attack brings down more." in one.check(target).message


# -- what is given is kept ---------------------------------------------------------------------


def test_what_is_given_is_kept():
    one = made(
        **LAY | {"hand": "WYZ TYS TYC"},
        hints=["Look east.", "The tower first."],
        rules="castle_keep/last-tile",
        par=9,
        solution="TYC se, WYZ s",
    )
    assert one.hints == ("Look east.", "The tower first.")
    assert one.rules == ("castle_keep/last-tile",)
    assert (one.par, str(one.solution)) == (9, "TYC se, WYZ s")
    assert one.check("TYS se, WYZ s")
    fit = made(**FIT | {"hand": "TYZ TYS TRS"}, hints="Look east.", solution="tys", par=2)
    assert (fit.solution, fit.par, fit.hint(1)) == ("TYS", 2, "Look east.")
    assert fit.hint(2) == "The tower is yellow or zigzag."
    blast = made(**BLAST, solution="2.W", rules="castle_keep/attack-wall")
    assert blast.solution == "2.w"


def test_pieces_will_do_where_texts_do():
    plan = made(**LAY).solution
    assert isinstance(plan, BuildPlan)
    lay = made(castle=Castle.parse(GAP), hand=[Tile("WYZ"), Tile("TYS")], solution=plan)
    assert lay.ask == made(**LAY).ask
    assert made(castle=TOWER, hand=Tile("WRC"), wanted=Tile("WRC")).par == 1
    fit = made(castle=Castle.parse(GAP), spot="se", hand=map(Tile, ("TYS", "TRS")))
    assert fit.solution == "TYS"
    castles = [Castle.parse(FOE), GAP]
    blast = made(castles=castles, hand=(Tile("WYZ"),), targets=["2.e", "3.n"])
    assert blast.start == made(castles=(FOE, GAP), hand="WYZ", targets="2.e, 3.n").start
    assert made(castles=Castle.parse(FOE), hand="WYZ").start == made(castles=FOE, hand="WYZ").start


# -- what counts as solved ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "answer", "says"),
    [
        (LAY, "TYS se", "Still open: the south side"),
        (LAY, "WYZ s", "does not match the blue curvy tower"),
        ({"castle": TOWER, "hand": "KB WBC", "wanted": "KB"}, "WBC n", "blue keep is not laid yet"),
        (
            {"castle": TOWER, "hand": "KB WBC WRC", "wanted": "KB", "tiles": 3},
            "WBC n, KB c",
            "Lay 3, not 2",
        ),
        (LAY | {"goal": lambda castle: castle.complete}, "TYS se", "not what was asked for yet"),
        (LAY | {"goal": lambda castle: "" if castle["s"] else "South!"}, "TYS se", "South!"),
        (FIT, "TRS", "The red straight tower does not fit there."),
        (
            FIT | {"hand": "TYS TYZ", "goal": lambda castle: castle["se"].shape == "zigzag"},
            "TYS",
            "not what was asked for yet",
        ),
        (BLAST, "2.e", "2 tiles fall, a yellow run.* 3 are possible."),
        (BLAST, "2.n", "That attack is not allowed."),
        (BLAST | {"goal": lambda castle: castle["n"] or "Spare it."}, "2.w", "Spare it."),
    ],
)
def test_an_answer_that_falls_short_says_what_is_missing(arguments, answer, says):
    one = made(**arguments)
    judgement = one.check(answer)
    assert not judgement
    assert re.search(says, str(judgement))


def test_a_goal_is_handed_the_castle_that_the_answer_makes():
    seen = []

    def goal(castle):
        seen.append(castle)
        return len(castle) != 7

    for arguments, answer, spot in (
        (LAY, "TYS se", "se"),
        (FIT | {"hand": "TYS TRS"}, "TYS", "se"),
    ):
        assert made(**arguments, goal=goal).check(answer)
        assert seen[-1] == Castle.parse(GAP).place("TYS", spot)
    assert made(**BLAST, goal=goal, targets="2.w 2.n").check("2.w")
    assert seen[-1] == Castle.parse("-- -- TYZ / -- KR WYZ / TBC -- --")
    assert made(**LAY, goal=goal).code == ""


# -- what is wrong is said at once -------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"castle": GAP}, "tiles to lay needs hand; the tile that fits needs hand and spot"),
        ({"castle": GAP, "hand": "KR", "falls": 2}, "the best attack needs castles and takes no c"),
        (LAY | {"tile": 3}, "a puzzle has no 'tile'; did you mean tiles"),
        (LAY | {"tiles": "3"}, "tiles is '3'; it must be a whole number"),
        (LAY | {"tiles": -1}, "the tiles to lay go from 0 to 9, not -1"),
        (LAY | {"hand": None}, "hand is None; it must be a text"),
        (LAY | {"hand": [1, 2]}, "'1' is not a tile"),
        (LAY | {"hand": "WYZ " * 13}, "a hand of 13 tiles is too many"),
        (LAY | {"castle": "TRC"}, "a castle is three rows of three tiles"),
        (
            LAY | {"castle": "WRC -- -- / -- -- -- / -- -- --"},
            "cannot stand: A wall goes on a side, not on the north-west .*castle_keep/spots",
        ),
        (LAY | {"goal": "high"}, "a goal is a function of the answer, not 'high'"),
        (LAY | {"castle": WHOLE}, "solved before it begins: The castle is complete"),
        (LAY | {"castle": WHOLE, "solution": "WYZ s"}, "does not solve this"),
        (LAY | {"castle": WHOLE, "tiles": 1}, "none of these tiles can be laid"),
        (LAY | {"goal": lambda castle: len(castle) == 7}, "before it begins: It is so already"),
        (
            LAY | {"goal": lambda castle: castle["nw"], "solution": "TYS se"},
            "before it begins: It is so already",
        ),
        (LAY | {"hand": "WYZ WRC"}, "the castle lacks 1 tower, and the hand has none"),
        ({"castle": EMPTY, "hand": "WYZ TRC"}, "the castle lacks 4 towers, and the hand has 1"),
        (
            LAY | {"last_matches_both": True},
            "at most 1 of these tiles can be laid, and 2 are asked for; a yellow zigzag wall never",
        ),
        ({"castle": TOWER, "hand": "WYS WRC KB", "tiles": 3}, "at most 1 .*, and 3 are asked for"),
        ({"castle": TOWER, "hand": "WYS KB", "tiles": 1}, "none of these tiles can be laid"),
        (LAY | {"wanted": "KB"}, "there is no blue keep in the hand"),
        (LAY | {"wanted": "blue"}, "'blue' is not a tile"),
        ({"castle": TOWER, "hand": "KB WRC", "wanted": "KB"}, "the blue keep never fits"),
        (LAY | {"goal": lambda castle: False}, "no castle that these tiles make does all"),
        (LAY | {"solution": "TYS se"}, "solution TYS se does not solve this: .*Still open"),
        (LAY | {"solution": "fly"}, "'fly' is not a step"),
        (FIT | {"spot": "middle"}, "'middle' is not a spot"),
        (FIT | {"hand": "TYS TYS"}, "a choice needs two tiles or more, not 1"),
        (FIT | {"hand": "TYS TYZ"}, "solved before it begins: each of the tiles is right"),
        (
            FIT | {"hand": "WYZ TRS"},
            "none of these tiles is right. A wall goes on a side.* red is not yellow",
        ),
        (FIT | {"spot": "n"}, "The north side is taken by the red curvy wall"),
        (FIT | {"goal": lambda castle: False}, "Yellow straight tower: This is not what was asked"),
        (FIT | {"solution": "KR"}, "'KR' is not a choice"),
        (FIT | {"solution": "TRS"}, "solution TRS does not solve this"),
        (BLAST | {"castles": 7}, "castles is 7; it must be texts in a row"),
        (BLAST | {"castles": [7]}, "a castle is three rows of three tiles"),
        (BLAST | {"castles": [FOE] * 4}, "castles of opponents go from 1 to 3, not 4"),
        (BLAST | {"castles": EMPTY}, "castle 2 is empty"),
        (BLAST | {"castles": (FOE, WHOLE)}, "castle 3 is complete"),
        (BLAST | {"castles": TOWER}, "a choice needs two targets or more, not 0"),
        (BLAST | {"targets": "2.e 2.s"}, "nothing stands at 2.s; there is 2.nw, 2.n"),
        (BLAST | {"targets": "e n"}, "nothing stands at e"),
        (BLAST | {"targets": "2.e 2.w", "falls": 1}, "each of the targets is right"),
        (
            BLAST | {"hand": "KR TRC"},
            "nothing can be attacked without a red zigzag wall, .* or two red keeps",
        ),
        (BLAST | {"falls": 4}, "3 tiles fall to the best attack, and 4 are asked for"),
        (BLAST | {"falls": -1}, "the tiles that fall go from 0 to 9, not -1"),
        (BLAST | {"goal": lambda castle: False}, "no attack does what is asked for"),
        (BLAST | {"solution": "2.s"}, "nothing stands at 2.s"),
        (BLAST | {"solution": "2.nw"}, "'2.nw' is not a choice"),
        (BLAST | {"solution": "2.e"}, "solution 2.e does not solve this: .*3 are possible"),
    ],
)
def test_whatever_is_wrong_is_said_at_once(arguments, says):
    with pytest.raises(CastlelabError, match=says):
        made(**arguments)


def test_a_search_ends():
    hand = "TRC TRZ TRS TYC TYZ TYS WRC WRZ WRS WYC WYZ KR"
    with pytest.raises(
        CastlelabError, match="none of 50,000 castles is what is asked for; name one"
    ):
        made(castle=EMPTY, hand=hand, goal=lambda castle: False)


def test_help_and_tab_know_the_arguments():
    names = list(inspect.signature(castle_keep.puzzle).parameters)
    assert names[:3] == ["prompt", "castle", "hand"]
    assert {"spot", "castles", "targets", "falls", "tiles", "wanted", "goal"} <= {*names}
    assert "``targets``" in castle_keep.puzzle.__doc__
    assert "\n    " not in castle_keep.puzzle.__doc__.replace("\n...     ", "")
    every = inspect.signature(castle_keep.puzzle).parameters.values()
    # A hand is needed whatever is asked; a castle or a spot only for some questions.
    assert [each.name for each in every if each.default is each.empty] == ["hand"]
    assert "puzzle" in castle_keep.__all__
    with pytest.raises(AttributeError, match="no attribute 'puzzel'"):
        _ = castle_keep.puzzel


# -- a code holds all of it --------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        LAY,
        LAY | {"castle": Castle.parse(GAP), "hints": ("¿Sí?", "Then “the wall”.")},
        {"castle": TOWER, "hand": "KB KB WBC", "wanted": "KB", "par": 2},
        LAY | {"hand": "WYZ TYS WBS", "last_matches_both": True},
        FIT,
        BLAST,
        BLAST | {"castles": (FOE, GAP, FOE), "attack_towers": True, "falls": 3},
    ],
)
def test_a_code_holds_all_of_it_and_opens_the_same_puzzle(arguments):
    one = made(**arguments)
    again = castlelab.puzzle(one.code)
    assert again == one
    assert is_own(one.code)
    assert len(one.code) < 300
    for answer in [*one.steps(), *(value for value, _ in getattr(one.ask, "options", ()))]:
        assert str(again.check(answer)) == str(one.check(answer))


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (LAY, "it has no solution"),
        (LAY | {"solution": "WYZ s"}, "does not solve this"),
        (LAY | {"solution": "TYS 2.se"}, "'2.se' is not a spot"),
        (LAY | {"solution": "KR c, " * 40}, "a castle takes 9 tiles, not 40"),
        (LAY | {"solution": "TYS se", "tiles": 10**40}, "the tiles to lay go from 0 to 9"),
        (LAY | {"solution": "TYS se", "goal": "castle"}, "a goal is a function"),
        (LAY | {"castle": "-" * 300, "solution": "TYS se"}, "three rows of three tiles"),
        (LAY | {"hand": {"TYS": [[]]}, "solution": "WYZ s"}, "You hold no yellow zigzag wall"),
        (FIT | {"solution": "TRS"}, "does not solve this"),
        (FIT | {"solution": "TYS", "spot": "s" * 2_000}, "is not a spot"),
        (FIT | {"solution": "TYS", "hand": "TYS TYZ"}, "each of the tiles is right"),
        (BLAST | {"solution": "9.n"}, "'9.n' is not a spot"),
        (BLAST | {"solution": "3.n"}, "nothing stands at 3.n"),
        (BLAST | {"solution": "2.w", "castles": [None, {}]}, "three rows of three tiles"),
        (BLAST | {"solution": "2.w", "castles": []}, "castles of opponents go from 1 to 3, not 0"),
        (BLAST | {"solution": "2.w", "falls": True}, "falls is True; it must be a whole number"),
    ],
)
def test_a_hostile_code_is_refused_in_a_sentence(table, says):
    with pytest.raises(NotationError, match=f"(?s)holds no puzzle that can be solved: .*{says}"):
        castlelab.puzzle(code_of(prompt="Do it.", **table))


values = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.lists(st.text(max_size=3))
)
names = st.sampled_from(["castle", "spot", "hand", "castles", "targets", "tiles", "wanted", "goal"])


@settings(deadline=None)
@given(st.sampled_from([LAY, FIT, BLAST]), st.dictionaries(names, values, min_size=1))
def test_no_table_in_a_code_does_harm(form, table):
    with pytest.raises(NotationError):
        castlelab.puzzle(code_of(prompt="Do it.", solution="KB s", **form | table))


# -- the lessons are written in the same way ---------------------------------------------------


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_that_is_spelled_out_is_that_lesson_until_it_is_changed(name):
    ours = castlelab.puzzle(f"castle_keep/lesson-{name}")
    assert ours.id in lessons("castle_keep")
    asked = LESSONS[name]
    words = {word: part for word, part in asked.table.items() if word in asked.question}
    words |= {"hand": asked.hand.split()}
    if "castle" in words:
        words["castle"] = Castle.parse(asked.castle)
    del words["prompt"]
    assert castle_keep.puzzle(asked.prompt, **words) == ours
    hinted = castle_keep.puzzle(asked.prompt, **words, hints="Look.")
    assert (hinted.id, hinted.hint(1)) == (ours.id, "Look.")
    changed = castle_keep.puzzle(f"{asked.prompt} Now.", **words)
    assert is_own(changed.id)
    assert changed.ask == ours.ask


@pytest.mark.parametrize("name", LESSONS)
def test_our_own_lessons_could_do_without_their_solutions(name):
    asked = LESSONS[name]
    found = asked.find_solution()
    judgement = castlelab.puzzle(f"castle_keep/lesson-{name}").check(found)
    assert judgement
    assert found.count(",") == asked.solution.count(",")
