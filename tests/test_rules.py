"""Rules, verdicts and errors, whatever the game."""

import pickle
from importlib.resources import files

import pytest

import castlelab
from castlelab.rules import (
    LEGAL,
    Breach,
    CastlelabError,
    IllegalMove,
    NotationError,
    Rule,
    Rulebook,
    Verdict,
    rulebook,
)

ONE = Rule("toy/one", "One", "There is one.", "Counting")
TWO = Rule("toy/two", "Two", "There are two.", "Counting", ruling="Or a pair.")
END = Rule("toy/end", "End", "It ends.", "Ending")
TOY = Rulebook("toy", (ONE, TWO, END))


def test_a_rule_equals_its_id_and_nothing_else():
    assert ONE == "toy/one"
    assert ONE != "toy/two"
    assert Rule("toy/one", "Other", "words", "here") == ONE
    assert ONE != 1
    assert {ONE, "toy/one"} == {"toy/one"}
    assert str(TWO) == "toy/two"


def test_a_rulebook_keeps_the_order_and_the_sections():
    assert list(TOY) == ["toy/one", "toy/two", "toy/end"]
    assert len(TOY) == 3
    assert TOY.sections() == {"Counting": (ONE, TWO), "Ending": (END,)}


def test_an_unknown_id_names_the_nearest_ones():
    with pytest.raises(KeyError, match=r"did you mean toy/two"):
        TOY["toy/too"]
    with pytest.raises(KeyError, match="the first is toy/one"):
        TOY["zzzzzzzz"]


@pytest.mark.parametrize(
    ("old", "now"),
    [
        ("keep/match", "castle_keep/match"),
        ("rampage/held", "castle_rampage/held"),
        ("scape/bailey", "castlescape/bailey"),
        ("once/wall", "once_upon_a_castle/wall"),
    ],
)
def test_old_ids_still_lead_to_their_rules(old, now):
    rules = rulebook(now.partition("/")[0])
    assert rules[old].id == now
    assert old in rules
    assert old not in list(rules)


@pytest.mark.parametrize("game", castlelab.GAMES)
def test_ids_begin_with_the_load_name(game):
    assert all(rule.startswith(f"{game}/") for rule in rulebook(game))


def test_an_unknown_game_has_no_rules():
    with pytest.raises(CastlelabError, match="'chess'"):
        rulebook("chess")


def test_a_verdict_is_true_without_breaches_and_false_with_one():
    assert LEGAL
    assert str(LEGAL) == "Legal."
    assert not Verdict((Breach(ONE, "No."),))


def test_a_verdict_gathers_rules_and_places_once_each_in_order():
    verdict = Verdict(
        (
            Breach(TWO, "Not two.", ("b", "a"), "Take one."),
            Breach(ONE, "Not one.", ("a",)),
            Breach(TWO, "Still not two.", ("c",)),
        )
    )
    assert verdict.rules == ("toy/two", "toy/one")
    assert verdict.where == ("b", "a", "c")
    assert str(verdict).splitlines() == [
        "Not two. Take one. [toy/two]",
        "Not one. [toy/one]",
        "Still not two. [toy/two]",
    ]


def test_every_error_of_ours_is_a_value_error():
    assert issubclass(CastlelabError, ValueError)
    assert issubclass(NotationError, CastlelabError)
    assert issubclass(IllegalMove, CastlelabError)


def test_an_illegal_move_travels_between_processes_with_its_verdict():
    state = castlelab.load("castell").start(1)
    move = state.game.move("recruit 9")
    with pytest.raises(IllegalMove) as caught:
        state.play(move)
    home = pickle.loads(pickle.dumps(caught.value))
    assert home.move == move
    assert home.verdict == caught.value.verdict
    assert str(home) == str(caught.value)
    assert "\n" not in str(home)


def test_several_breaches_are_one_line_of_an_illegal_move():
    error = IllegalMove("jump", Verdict((Breach(ONE, "No."), Breach(TWO, "No, no."))))
    assert str(error) == "jump: No. [toy/one]; No, no. [toy/two]"


@pytest.mark.parametrize("game", castlelab.GAMES)
def test_every_rule_has_an_id_of_its_own_a_title_and_a_sentence(game):
    rules = rulebook(game)
    source = (files("castlelab") / "games" / game / "rules.toml").read_text(encoding="utf-8")
    assert len(rules) == source.count("\nid = ")  # none hides another of the same id
    for rule in rules.values():
        assert rule.id.count("/") == 1
        assert rule.title.strip()
        assert rule.text.endswith(".")
        assert not rule.ruling or rule.ruling.endswith(".")
