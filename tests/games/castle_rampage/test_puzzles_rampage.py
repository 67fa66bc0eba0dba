"""Castle Rampage's puzzles: judged by playing alone, and harder level by level."""

from collections import Counter
from contextlib import suppress
from functools import cache
from itertools import pairwise, permutations
from statistics import fmean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tries import count_tries

from castlelab.chance import Chance
from castlelab.games.castle_rampage.attack import attack
from castlelab.games.castle_rampage.battle import Battle
from castlelab.games.castle_rampage.box import card, cards_named, house_box
from castlelab.games.castle_rampage.card import RULES, scheme_strength
from castlelab.games.castle_rampage.moves import END_TURN, Choose, Play, Strengthen
from castlelab.games.castle_rampage.puzzle_how_far import (
    FAR_GRADES,
    MISTAKES,
    TRUTH,
    believed_ending,
    ending,
)
from castlelab.games.castle_rampage.puzzle_lethal import (
    LETHAL_GRADES,
    AttackTurn,
    Lethal,
    outlook,
    play_turn,
    shortest_turn,
)
from castlelab.games.castle_rampage.puzzle_stack_well import (
    STACK_GRADES,
    Raid,
    Stacking,
    StackWell,
    defend,
    every_stacking,
    read_stacking,
)
from castlelab.games.castle_rampage.puzzles import KINDS
from castlelab.puzzles import LEVELS, Code
from castlelab.rules import NotationError

every_level = pytest.mark.parametrize("level", LEVELS)
SEEDS = range(20)
CARDS = house_box().cards


@cache
def made(kind, level, seed):
    kind = f"castle_rampage/{kind}"
    return KINDS[kind](Code(kind, level, seed), Chance.seeded(f"puzzle {kind}-{level}-{seed}"))


def all_of(kind, level, seeds=SEEDS):
    return [made(kind, level, seed) for seed in seeds]


def in_the_box(battle):
    return min(battle.left_in_box().values()) >= 0


# -- how far ---------------------------------------------------------------------------------


def strength_by_hand(onset):
    """The strength once more, from the cards alone."""
    attacker = card(onset.move.card)
    if attacker.is_scheme:
        strength = scheme_strength(attacker, [card(name) for name in onset.move.paid])
    else:
        strength = attacker.attack
    return strength + len(onset.battle.helpers) - len(onset.battle.guards)


@every_level
def test_one_ending_is_true_and_the_attack_says_which(level):
    for one in all_of("how-far", level):
        onset, battle = one.start, one.start.battle
        result = attack(
            strength_by_hand(onset),
            gate=battle.gate,
            castle=battle.castle,
            target="castle" if onset.move.card == "Digger" else "gate",
        )
        last = result.steps[-1]
        left = result.gate if last.stack == "gate" else result.castle
        before = battle.gate if last.stack == "gate" else battle.castle
        place = len(before) - len(left) + (last.rule == "castle_rampage/held")
        outcome = {"castle_rampage/held": "holds", "castle_rampage/even": "even"}.get(
            last.rule, "bomb"
        )
        truth = "castle falls" if result.castle_fell else f"{last.stack} {place} {outcome}"
        assert one.solution == truth
        assert one.par == len(result.steps)
        for value, words in one.ask.options:
            judgement = one.check(value)
            assert judgement == one.check(words)
            assert judgement.solved == (value == truth)
            assert f"[{last.rule}]" in judgement.message
            assert str(result.strength) in judgement.message
            assert one.picture(value) != one.picture()


@every_level
def test_an_onset_keeps_to_its_level(level):
    grade = FAR_GRADES[level]
    for one in all_of("how-far", level):
        battle = one.start.battle
        assert in_the_box(battle)
        assert (len(battle.gate), len(battle.castle)) == (grade.gate, grade.castle)
        assert len(one.ask.options) == len(set(one.ask.options)) == grade.options
        assert (
            sum(s.rule != "castle_rampage/purple" for s in one.start.after().steps) in grade.steps
        )
        astray = {believed_ending(one.start, slip) for slip in MISTAKES} - {one.solution}
        assert len(astray) >= grade.astray
        offered = {value for value, _ in one.ask.options}
        assert len(astray & offered) == min(len(astray), grade.options - 1)
        purple = {c.name for c in (*battle.gate, *battle.castle) if c.purple}
        assert purple <= set(grade.purple)


@every_level
def test_no_other_ending_is_true_as_well(level):
    """Even with the last Castle card is a Castle that falls; even with a Bomber is a blast."""
    for one in all_of("how-far", level, range(40)):
        battle = one.start.battle
        offered = {value for value, _ in one.ask.options}
        assert f"castle {len(battle.castle)} even" not in offered
        if one.solution.endswith("even"):
            assert one.solution.replace("even", "bomb") not in offered


@every_level
def test_the_picture_does_not_add_up_the_strength(level):
    for one in all_of("how-far", level):
        told = f"ttack with {strength_by_hand(one.start)}"
        plain = strength_by_hand(one.start) == card(one.start.move.card).attack
        assert plain or told not in one.picture().description


@every_level
def test_the_true_belief_ends_where_the_game_does(level):
    for one in all_of("how-far", level):
        assert believed_ending(one.start, TRUTH) == ending(one.start.after(), one.start.battle)


def test_every_mistake_leads_somebody_astray_and_is_named():
    named = Counter()
    for level in LEVELS:
        for one in all_of("how-far", level):
            for value, _ in one.ask.options:
                said = one.check(value).message
                named.update(slip.said for slip in MISTAKES if said.startswith(f"{slip.said} ["))
    assert set(named) == {slip.said for slip in MISTAKES}


def test_all_outcomes_are_asked_for():
    for level in LEVELS:
        outcomes = {one.solution.split()[-1] for one in all_of("how-far", level, range(40))}
        assert outcomes == set(FAR_GRADES[level].outcomes)


def test_how_far_grows_in_endings_and_mistakes():
    for easier, harder in pairwise(FAR_GRADES[level] for level in LEVELS):
        assert harder.options >= easier.options
        assert harder.astray >= easier.astray
        assert harder.gate + harder.castle >= easier.gate + easier.castle
        assert (harder.gate + harder.castle, harder.options, harder.permanents) > (
            *(easier.gate + easier.castle, easier.options, easier.permanents),
        )
    steps = {level: fmean(one.par for one in all_of("how-far", level)) for level in LEVELS}
    assert steps[1] < steps[2] < steps[3] < steps[5]


def test_a_strength_that_is_made_of_parts_is_told_in_parts():
    one = next(
        one
        for one in all_of("how-far", 5)
        if one.start.battle.guards
        and len(one.start.move.paid) > len(card(one.start.move.card).pays) > 0
    )
    said = one.check(one.solution).message
    assert "one more" in said
    assert "(Moat warden)" in said
    assert f"= {strength_by_hand(one.start)}." in said


# -- lethal ----------------------------------------------------------------------------------


@every_level
def test_a_castle_that_is_to_fall_can_be_felled(level):
    grade = LETHAL_GRADES[level]
    for one in all_of("lethal", level):
        state = one.ask.state
        assert state == one.start
        assert state.to_move == state.active == 0
        assert len(state.sides[0].hand) == grade.hand
        assert len(state.sides[1].gate.cards) == grade.gate
        assert len(state.sides[1].castle.cards) == grade.castle
        for move in one.solution.moves:
            state = state.play(move)
        assert state.winners == (0,)
        assert one.par == len(one.solution.moves) >= grade.moves
        low, high = grade.luck
        assert low < outlook(one.ask.state, {}).luck <= high
        # Nothing is left to anybody's choice but the attacker's, and nothing is unknown.
        defenders = (*one.start.sides[1].gate.cards, *one.start.sides[1].castle.cards)
        assert not {"Spy", "Saboteur"} & {CARDS[at].name for at in defenders}
        drawing = [at for at in one.start.sides[0].hand if CARDS[at].does("draw")]
        assert len(drawing) <= 1
        assert not drawing or f"The next card of the pile: {CARDS[one.start.pile[0]]}" in one.prompt


def every_turn(state, moves=()):
    """Every turn of played cards, to its end."""
    plays = [m for m in state.moves() if isinstance(m, Play | Choose)] if not state.over else []
    if not plays:
        yield moves, state
    for move in plays:
        yield from every_turn(state.play(move), (*moves, move))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_any_turn_that_fells_the_castle_is_accepted_and_no_other(level):
    for one in all_of("lethal", level, range(6)):
        shortest = None
        for moves, end in every_turn(one.ask.state):
            judgement = one.check(AttackTurn(moves))
            assert judgement.solved == (end.winners == (0,))
            assert not judgement.breaches
            if judgement:
                shortest = min(shortest or len(moves), len(moves))
            else:
                assert "The Castle still stands." in judgement.message
        assert shortest == one.par


@pytest.mark.parametrize("level", [1, 2, 3])
def test_luck_is_the_chance_of_a_careless_turn(level):
    """By listing every turn with its chance, instead of a table of positions."""

    def luck(state):
        if state.over:
            return float(state.winners == (0,))
        plays = [move for move in state.moves() if isinstance(move, Play | Choose)]
        return sum(luck(state.play(move)) for move in plays) / len(plays) if plays else 0.0

    for one in all_of("lethal", level, range(6)):
        assert outlook(one.ask.state, {}).luck == pytest.approx(luck(one.ask.state))


def test_no_shorter_turn_fells_the_castle():
    for level in LEVELS:
        one = made("lethal", level, 0)
        reached = {one.ask.state}
        for _ in range(one.par - 1):
            reached = {
                state.play(move)
                for state in reached
                for move in state.moves()
                if isinstance(move, Play | Choose)
            }
            assert not any(state.over and state.winners == (0,) for state in reached)
            reached = {state for state in reached if not state.over}


def test_lethal_shrinks_in_luck_and_grows_in_cards():
    for easier, harder in pairwise(LETHAL_GRADES[level] for level in LEVELS):
        assert harder.luck < easier.luck
        assert harder.hand >= easier.hand
        assert harder.gate + harder.castle >= easier.gate + easier.castle
    luck = [
        fmean(outlook(one.ask.state, {}).luck for one in all_of("lethal", level))
        for level in LEVELS
    ]
    assert luck == sorted(luck, reverse=True)
    assert luck[0] > 5 * luck[4]


TABLE = Battle(
    cards_named("Gatekeeper"),
    cards_named("Castellan, Ogre"),
    cards_named("Dragon, Knight, Priest, Spy"),
    own_castle=cards_named("Archer"),
)
ASK = Lethal(TABLE.state())


@pytest.mark.parametrize(
    ("turn", "rules", "moves"),
    [
        ("play Knight", set(), 1),
        ("play Dragon", {"castle_rampage/play"}, 0),
        ("play Knight; play Knight", {"castle_rampage/play"}, 1),
        ("play Spy", {"castle_rampage/purple"}, 0),
        ("play Knight; choose gate", {"castle_rampage/play"}, 1),
        ("play Knight; place gate Spy", {"castle_rampage/first-stacks"}, 1),
        ("strengthen gate Spy; strengthen gate Priest", {"castle_rampage/strengthen"}, 1),
        ("end; play Knight", set(), 0),
        ("play Knight; play Dragon for Spy, Priest; play Ogre", set(), 2),
    ],
)
def test_a_turn_is_played_as_far_as_it_goes(turn, rules, moves):
    played = play_turn(ASK, ASK.read(turn))
    assert set(played.verdict.rules) == rules
    assert played.moves == moves


def test_a_battle_is_a_moment_of_a_real_game():
    state = TABLE.state()
    everything = [*state.pile, *state.discards]
    for side in state.sides:
        everything += [*side.hand, *side.gate.cards, *side.castle.cards, *side.permanents]
    assert sorted(everything) == sorted(house_box().deck)
    assert shortest_turn(state) == ASK.read("play Knight; play Dragon for Priest, Spy")


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("play knight;play dragon for spy, priest", "play Knight; play Dragon for Priest, Spy"),
        (" PLAY Knight \n\n end;", "play Knight; end"),
        ("strengthen castle ogre for Spy, Knight", "strengthen castle Ogre for Knight, Spy"),
    ],
)
def test_turns_are_read_in_many_ways_and_printed_in_one(text, turn):
    assert str(ASK.read(text)) == turn
    assert ASK.read(turn) == ASK.read(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ";;", "Knight", "play", "play Nobody", "play Knight for", "x" * 2000),
        *("end; " * 21, None, 7, b"end", ["end"]),
    ],
)
def test_other_texts_are_no_turns(text):
    with pytest.raises(NotationError) as caught:
        ASK.read(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=50) | st.text("play end;Kngtfor,", max_size=40))
def test_no_text_crashes_the_reader_of_turns(text):
    with suppress(NotationError):
        turn = ASK.read(text)
        assert turn.moves
        assert ASK.read(str(turn)) == turn


def test_a_turn_of_something_else_is_no_answer():
    one = made("lethal", 1, 0)
    for wrong in (AttackTurn(("play Knight",)), Stacking(), END_TURN, None):
        with pytest.raises(NotationError, match="the answer is a turn"):
            one.check(wrong)


def test_ending_the_turn_or_strengthening_fells_nothing():
    one = made("lethal", 1, 0)
    held = CARDS[one.ask.state.sides[0].hand[0]].name
    for turn in (AttackTurn(), AttackTurn((END_TURN,)), AttackTurn((Strengthen("gate", held),))):
        assert one.check(turn).message.startswith("The Castle still stands.")


# -- stack well ------------------------------------------------------------------------------


def stands_after(stacking, attacks):
    """The attacks once more by the public function."""
    gate, castle = stacking.gate, stacking.castle
    for raid in attacks:
        result = attack(raid.strength, gate=gate, castle=castle, target=raid.target)
        if result.castle_fell:
            return False
        gate, castle = result.gate, result.castle
    return True


@every_level
def test_stacks_are_judged_by_the_attacks_and_the_share_is_that_of_the_level(level):
    grade = STACK_GRADES[level]
    for one in all_of("stack-well", level, range(10)):
        ask = one.ask
        assert (ask.gate, ask.castle, len(ask.attacks)) == (
            *(grade.gate, grade.castle, grade.attacks),
        )
        assert len(ask.cards) == ask.gate + ask.castle
        orders = set(permutations(ask.cards))
        held = 0
        for order in orders:
            stacking = Stacking(order[: ask.gate], order[ask.gate :])
            judgement = one.check(stacking)
            assert judgement.solved == stands_after(stacking, ask.attacks)
            held += judgement.solved
        low, high = grade.share
        assert low < held / len(orders) <= high
        assert not one.check(Stacking(ask.cards[: ask.gate], ask.cards[ask.gate :]))
        assert any(raid.target == "castle" for raid in ask.attacks) == grade.digger
        assert ("one after the other" in one.prompt) == (grade.attacks > 1)


def test_stacks_shrink_in_luck_and_grow_in_cards_and_attacks():
    for easier, harder in pairwise(STACK_GRADES[level] for level in LEVELS):
        assert harder.share < easier.share
        assert harder.gate + harder.castle >= easier.gate + easier.castle
        assert harder.attacks >= easier.attacks


def test_the_attack_that_gets_through_is_told_step_by_step():
    cards = cards_named("Gatekeeper, Castellan, Knight")
    stacking = read_stacking("gate Gatekeeper / castle Knight, Castellan")
    told = StackWell(cards, 1, 2, (Raid(4), Raid(6))).judge(stacking)
    assert told.message == (
        "Attack 1 with 4: At the Gate the Gatekeeper is even, 4 against 4: both fall "
        "[castle_rampage/even]. Attack 2 with 6: At the Castle the Knight falls, 2 against 6: "
        "4 left "
        "[castle_rampage/broken]. At the Castle the Castellan is even, 4 against 4: both fall "
        "[castle_rampage/even]. The Castle has fallen [castle_rampage/castle-falls]."
    )
    held = StackWell(cards, 1, 2, (Raid(4), Raid(5))).judge(stacking)
    assert held.solved
    assert held.message.endswith(
        "4 against 3 [castle_rampage/held]. The Castle stands, with the Castellan."
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gate Ogre / castle Knight, Castellan", "You have no Ogre, not 1"),
        ("gate Knight / castle Knight, Castellan", "You have 1 Knight, not 2"),
        ("gate Knight", "Still to be placed: Gatekeeper and Castellan"),
        (
            "gate Knight, Castellan / castle Gatekeeper",
            "Put 1 card at the Gate and 2 at the Castle, not 2",
        ),
        ("gate - / castle -", "Still to be placed"),
    ],
)
def test_other_cards_than_those_given_do_not_count(text, says):
    ask = StackWell(cards_named("Gatekeeper, Castellan, Knight"), 1, 2, (Raid(4),))
    judgement = ask.judge(read_stacking(text))
    assert not judgement
    assert says in judgement.message
    assert ask.draw(read_stacking(text)) == ask.draw(None)


def test_equal_cards_are_alike():
    ask = StackWell(cards_named("Knight, Knight, Ogre"), 1, 2, (Raid(4),))
    assert len(list(every_stacking(ask))) == 3


def test_a_defence_ends_when_the_castle_has_fallen():
    done = defend(read_stacking("gate - / castle Knight"), [Raid(9), Raid(9)])
    assert not done.stands
    assert len(done.assaults) == 1


@pytest.mark.parametrize(
    ("text", "stacking"),
    [
        ("gate Ogre, Knight / castle Archer", "gate Ogre, Knight / castle Archer"),
        ("castle archer; GATE ogre,knight", "gate Ogre, Knight / castle Archer"),
        ("gate\naxe man", None),
        ("gate Axe  man\ncastle - ", "gate Axe man / castle -"),
        ("castle Ogre,", "gate - / castle Ogre"),
    ],
)
def test_stacks_are_read_in_many_ways_and_printed_in_one(text, stacking):
    if stacking is None:
        with pytest.raises(NotationError):
            read_stacking(text)
    else:
        assert str(read_stacking(text)) == stacking
        assert read_stacking(stacking) == read_stacking(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "/", "Ogre", "gate Nobody", "gate Ogre / gate Knight", "moat Ogre"),
        *("gate Ogre castle Knight", "x" * 1000, "gate Ogre, - ", None, 7, b"gate Ogre"),
    ],
)
def test_other_texts_are_no_stacks(text):
    with pytest.raises(NotationError) as caught:
        read_stacking(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=50) | st.text("gate castle/;,-Ogre", max_size=40))
def test_no_text_crashes_the_reader_of_stacks(text):
    with suppress(NotationError):
        stacking = read_stacking(text)
        assert read_stacking(str(stacking)) == stacking


# -- all of them -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["how-far", "lethal", "stack-well"])
@every_level
def test_rules_are_those_of_the_game_and_words_are_short(kind, level):
    for one in all_of(kind, level):
        assert set(one.rules) <= set(RULES)
        assert all(len(hint) < 200 for hint in one.hints)
        assert len(one.prompt) < 420


@pytest.mark.parametrize("kind", ["how-far", "lethal", "stack-well"])
@every_level
def test_a_puzzle_is_found_in_a_few_tries(kind, level, monkeypatch):
    tries = count_tries(monkeypatch, KINDS[f"castle_rampage/{kind}"])
    name = f"castle_rampage/{kind}"
    for seed in range(100, 115):
        KINDS[name](Code(name, level, seed), Chance.seeded(f"puzzle {name}-{level}-{seed}"))
    assert median(tries) < 60
    assert max(tries) < 1_000
