"""Castle Rampage in pictures: what can be picked, what is said, and that secrets are kept."""

from dataclasses import replace
from xml.etree import ElementTree

import castlelab
from castlelab.bots import Greedy
from castlelab.chance import Chance
from castlelab.draw import svg
from castlelab.draw.scene import Rect
from castlelab.games.castle_rampage import attack, card
from castlelab.games.castle_rampage.battle_picture import todo_words
from castlelab.games.castle_rampage.card import STACKS
from castlelab.games.castle_rampage.card_picture import stack_part
from castlelab.games.castle_rampage.picture import attack_scene, battle_scene, cover_scene

GAME = castlelab.load("castle_rampage")


def words_in(scene):
    return [shape.words for shape in scene.shapes if hasattr(shape, "words")]


def ids(scene):
    return [target.id for target in scene.targets]


def stack_scene(cards, stack):
    drawn = stack_part(cards, stack, 4, 4, key=stack, whose="", group="")
    return drawn.scene(stack, f"{drawn.targets[0].name}.")


def greedy_states(seed):
    state, chance = GAME.start(seed), Chance.seeded(seed)
    while True:
        yield state
        if state.over:
            return
        move, chance = Greedy().choose(state, chance)
        state = state.play(move)


def test_every_state_fits_and_names_stacks_hand_and_permanent_cards():
    for seed in (1, 2):
        for state in greedy_states(seed):
            scene = state.picture()
            ElementTree.fromstring(svg.render(scene))
            assert {"gate 1", "castle 1", "gate 2", "castle 2", "pile", "discards"} <= {*ids(scene)}
            assert len(set(ids(scene))) == len(ids(scene))
            for target in scene.targets:
                assert target.x >= 0
                assert target.x + target.width <= scene.width
                assert target.y + target.height <= scene.height
            if state.to_move is not None:
                spied = state.pause is not None and state.pause.verb == "spy"
                side = state.sides[state.active if spied else state.to_move]
                for name in state.game.names(side.dealt or side.hand):
                    assert f"hand {name}" in ids(scene)
            for seat, side in enumerate(state.sides):
                for name in state.game.names(side.permanents):
                    assert f"permanent {seat + 1} {name}" in ids(scene)


def test_a_breach_names_a_target_of_the_picture():
    state = next(s for s in greedy_states(1) if s.turn and s.sides[s.active].hand)
    name = state.game.names(state.sides[state.active].hand)[0]
    state = replace(state, strengthened=9)
    verdict = state.check(state.game.move(f"strengthen gate {name}"))
    assert set(verdict.where) <= set(ids(state.picture()))


def test_stack_cards_are_secret_even_in_the_picture_of_the_full_state():
    """castle_rampage/secret"""
    for state in greedy_states(3):
        if not state.turn or state.steps or state.discards:
            continue
        shown = " ".join(words_in(state.picture())) + state.describe()
        held = state.game.names(state.sides[state.to_move].hand)
        standing = state.game.names(sum((side.permanents for side in state.sides), ()))
        for side in state.sides:
            for name in state.game.names(side.gate.cards + side.castle.cards):
                if name not in held and name not in standing:
                    assert name not in shown


def test_a_known_top_card_is_shown_with_the_value_that_counts_there():
    scene = stack_scene([card("Dragon"), None, None], "castle")
    assert {"Dragon", "defends 3", "Castle: 3 cards"} <= set(words_in(scene))
    assert "defends 2" in words_in(stack_scene([card("Dragon")], "gate"))
    assert "Gate: no cards." in stack_scene([], "gate").description
    assert "+7" in words_in(stack_scene([None] * 20, "gate"))


def test_a_stack_that_is_face_up_shows_every_card():
    cards = [card("Dragon"), card("Ogre"), card("Knight")]
    scene = stack_scene(cards, "castle")
    assert {"Dragon", "Ogre", "Knight", "6"} <= set(words_in(scene))
    assert "from the top Dragon, defence 3; Ogre, defence 6" in scene.description
    assert "+4" in words_in(stack_scene(cards * 4, "gate"))


def test_an_attack_is_shown_step_by_step():
    gate, castle = [4], [6, 2]
    result = attack(9, gate=gate, castle=castle)
    before = attack_scene(result, gate, castle, 0)
    assert {"9", "9 left", "Gate: 1 card"} <= set(words_in(before))
    assert words_in(before).count("?") == 3
    half = attack_scene(result, gate, castle, 1)
    assert {"5 left", "Gate: fallen", "Castle: 2 cards"} <= set(words_in(half))
    assert "6" not in words_in(half)
    assert half.target("gate").name == "Gate: no cards. Fallen: defence 4"
    whole = attack_scene(result, gate, castle)
    assert {
        "1. Defence 4, strength 9",
        "→ broken, 5 left",
        "2. Defence 6, strength 5",
        "→ held, the attacker falls",
        "Stronger defence: held",
        "Held: the attacker is beaten off.",
    } <= set(words_in(whole))
    assert ids(whole) == ["gate", "castle"]
    assert {(s.width, s.height) for s in (before, half, whole)} == {(whole.width, whole.height)}
    fell = attack_scene(attack(9, castle=[2]), [], [2])
    assert fell.description.endswith("The Castle has fallen!")


def test_an_attack_on_known_cards_shows_them_from_the_start():
    gate, castle = [card("Knight")], [card("Bomber"), card("Ogre")]
    result = attack(9, gate=gate, castle=castle)
    before = attack_scene(result, gate, castle, 0, hidden=False)
    assert {"Knight", "Bomber", "Ogre"} <= set(words_in(before))
    whole = attack_scene(result, gate, castle)
    assert {"3. Bomber was destroyed", "→ it takes the attacker with it"} <= set(words_in(whole))
    assert "Purple cards strike back" in words_in(whole)
    assert whole.description.endswith("The attacker falls.")


def test_a_tall_stack_and_a_huge_strength_stay_in_the_picture():
    for strength, cards in ((500, [1] * 30), (0, [0] * 9), (20, [1] * 9)):
        result = attack(strength, gate=cards, castle=cards)
        sizes = set()
        for shown in range(len(result.steps) + 1):
            scene = attack_scene(result, cards, cards, shown)
            sizes.add((scene.width, scene.height))
            for shape in scene.shapes:
                if isinstance(shape, Rect):
                    assert shape.x + shape.width <= scene.width
                    assert shape.y + shape.height <= scene.height
        assert len(sizes) == 1
    assert "23 below" in words_in(attack_scene(attack(0, [1] * 30, [1]), [1] * 30, [1]))


def test_a_view_tells_no_more_than_it_may():
    state = next(s for s in greedy_states(1) if s.turn == 2)
    other = state.view(1 - state.to_move)
    assert other.picture().target(f"gate {state.to_move + 1}").name.endswith("cards face down")
    assert "that you cannot see" in other.describe()
    # Whoever waits sees the own hand meanwhile.
    own = other.game.names(other.sides[1 - state.to_move].hand)
    shown = [name for name in ids(other.picture()) if name.startswith("hand ")]
    assert shown == [f"hand {name}" for name in dict.fromkeys(own)]


def test_held_a_veteran_that_comes_home_did_not_fall():
    """castle_rampage/held"""
    result = attack(5, castle=[6])
    scene = attack_scene(result, [], [6], attacker=card("Veteran"))
    assert "→ held, the Veteran comes home" in words_in(scene)
    assert "falls" not in scene.description
    crosses = [
        len(attack_scene(result, [], [6], attacker=one).fitted(True).shapes)
        for one in (None, card("Veteran"))
    ]
    assert crosses[0] - crosses[1] == 2  # the pennant of one that fell is crossed out
    assert "falls" in attack_scene(result, [], [6], attacker=card("Knight")).description


def test_secret_a_view_shows_what_its_player_remembers():
    """castle_rampage/secret"""
    state = next(s for s in greedy_states(1) if s.turn)
    own = state.game.names(state.sides[0].gate.cards)
    seen, other = (state.view(seat).picture() for seat in (0, 1))
    assert "face down, you remember from the top " + own[0] in seen.target("gate 1").name
    assert set(own) <= set(words_in(seen))
    assert other.target("gate 1").name == "Blue's Gate: 4 cards face down"
    assert state.picture().target("gate 1").name == "Blue's Gate: 4 cards face down"


def test_secret_a_hand_tells_which_of_its_cards_everybody_has_seen():
    """castle_rampage/secret"""
    state = next(s for s in greedy_states(1) if s.turn)
    side = state.sides[0].with_shown(state.game.box.place("Veteran"))
    shown = replace(state, sides=(side, state.sides[1]))
    for seat in (0, 1):
        view = shown.view(seat)
        assert any("in hand: Veteran …" in words for words in words_in(view.picture()))
        assert "seen in that hand: Veteran" in str(view.tell())
    laid = replace(shown, sides=(side.strengthened("gate", side.hand[0], ()), state.sides[1]))
    assert "may have been laid since: Veteran" in laid.view(1).describe()
    many = replace(shown, sides=(side.opened(), state.sides[1]))
    number = len(side.hand)
    assert f"{number} in hand, {number} seen" in words_in(many.view(1).picture())


def test_the_table_is_told_side_by_side():
    state = next(s for s in greedy_states(1) if s.turn > 2)
    told = state.view(state.to_move).tell()
    name = ("Blue", "Orange")[state.to_move]
    groups = [part.words for part in told.parts]
    assert groups == ["Your turn", "Blue's side", "Orange's side", "Piles", f"{name}'s hand"]


def test_the_last_attack_is_told():
    state = next(s for s in greedy_states(2) if s.steps)
    assert "attacked with" in state.describe()
    assert any("attacked with" in words for words in words_in(state.picture()))


def test_the_cover_is_a_picture_of_its_own():
    assert cover_scene() == GAME.cover()
    ElementTree.fromstring(svg.render(cover_scene()))
    assert cover_scene().description


def test_a_seen_stack_says_so():
    state = next(s for s in greedy_states(1) if s.turn)
    side = state.sides[0]._replace(gate=state.sides[0].gate.revealed())
    shown = replace(state, sides=(side, state.sides[1]))
    top = state.game.names(side.gate.cards[:1])[0]
    assert f"on top {top}" in shown.picture().target("gate 1").name


def test_a_puzzle_may_show_the_stacks_of_one_player():
    """castle_rampage/secret holds for the others."""
    state = next(s for s in greedy_states(1) if s.turn)
    scene = battle_scene(state, face_up=(1,))
    for name in STACKS:
        cards = state.game.names(state.sides[1].stack(name).cards)
        assert all(card in scene.target(f"{name} 2").name for card in cards)
        assert "face down" in scene.target(f"{name} 1").name
        assert all(card in scene.description for card in cards)


def test_a_turn_has_buttons_and_nothing_else_has():
    states = list(greedy_states(2))
    for state in states:
        in_turn = state.turn > 0 and state.pause is None and not state.over
        assert ({"play", "end"} <= {*ids(state.picture())}) == in_turn
        assert ("end" in ids(state.picture())) == in_turn


def test_an_attack_is_seen_on_the_table_as_in_the_lessons():
    """The strength is paid off part by part, what fell lies above its stack, who holds sways."""
    attacks = [s for s in greedy_states(2) if s.steps]
    held = next(s for s in attacks if s.steps[-1].rule.endswith("held") and len(s.steps) > 2)
    for scene in (held.picture(), held.picture().fitted(True)):
        ways = {happening.way: happening.steps for happening in scene.happenings}
        assert set(ways) == {"pave", "wobble"}
        spots = {shape.piece.spot for shape in scene.shapes if shape.piece is not None}
        assert set(ways["wobble"][0]) <= spots
        assert {f"strength {at}" for at in range(len(held.steps))} <= spots
    fallen = [str(step.defender) for step in held.steps[:-1]]
    assert set(fallen) <= set(words_in(held.picture()))
    assert f"−{held.steps[0].defence}" in words_in(held.picture())
    castle_fell = next(s for s in attacks if s.over)
    assert "topple" in [happening.way for happening in castle_fell.picture().happenings]


def test_a_wide_table_fits_beside_its_column():
    """As wide as the window lets it be, and no higher: also where many cards are to choose."""
    for state in greedy_states(4):
        scene = state.picture()
        assert scene.width <= 900
        assert 1.33 <= scene.width / scene.height <= 1.5


def test_a_table_fits_into_a_terminal():
    """Enough to play by: stacks with what is known of them, the hand, what is to choose."""
    for state in greedy_states(4):
        for seen in (state, *map(state.view, (0, 1))):
            lines = seen.compact().splitlines()
            assert len(lines) <= 32
            assert max(map(len, lines)) <= 80
            assert f"Pile {len(state.pile)} " in seen.compact()
            assert todo_words(seen) in seen.compact()
        if state.pause is not None:
            assert all(option in state.compact() for option in state.options())
        elif state.to_move is not None:
            side, text = state.sides[state.to_move], state.view(state.to_move).compact()
            assert all(name in text for name in state.game.names(side.dealt or side.hand))


def test_a_terminal_tells_what_cards_do():
    state = next(s for s in greedy_states(2) if s.turn and len(s.sides[s.active].hand) > 2)
    side = state.sides[state.active]._replace(hand=(0, state.game.box.place("Arrow storm")))
    sides = (side, state.sides[1]) if state.active == 0 else (state.sides[0], side)
    text = replace(state, sides=sides).compact()
    assert "Gate 3 Castle 2  attack 4   knight" in text
    assert "attack 9   knight+archer, archer +5" in text
