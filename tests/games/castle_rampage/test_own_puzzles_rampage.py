"""Puzzles of one's own in Castle Rampage: what is found, what is refused, what a code holds."""

import inspect
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.classroom import worksheet
from castlelab.games import castle_rampage
from castlelab.games.castle_rampage import card
from castlelab.games.castle_rampage.puzzle_how_far import FAR_GRADES
from castlelab.games.castle_rampage.puzzle_stack_well import Raid, Stacking, read_raids
from castlelab.puzzles import is_own
from castlelab.rules import CastlelabError, NotationError
from castlelab.system.packing import pack
from castlelab.widgets import PuzzleCard

ENDS = "How does the attack end?"
ATTACK = {"play": "Giant for Priest", "gate": "Ogre, Knight", "castle": "Archer, Archer"}
TURN = {
    "hand": "Dragon, Knight, Priest, Spy",
    "gate": "Gatekeeper",
    "castle": "Castellan, Ogre",
}
STACK = {"cards": "Castellan, Gatekeeper, Knight", "at_gate": 1, "attacks": 8}
QUESTION = {"options": ("The Gate", "The Castle"), "castle": "Ogre", "solution": "the gate"}
FORMS = (ATTACK, TURN, STACK, QUESTION)
SOLVED = (
    ATTACK | {"solution": "gate 2 holds"},
    TURN | {"solution": "play Knight; play Dragon for Priest, Spy"},
    STACK | {"solution": "gate Gatekeeper / castle Knight, Castellan"},
    QUESTION,
)


def code_of(**table):
    return f"castle_rampage/own-{pack(json.dumps(table))}"


# -- what is found, what is kept ---------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_every_form_makes_a_puzzle_that_a_code_holds_whole(form):
    made = castle_rampage.puzzle("Do it: “¿sí?”", **form)
    assert made.check(made.solution)
    assert made.par
    assert all(made.hints)
    again = castlelab.puzzle(made.code)
    assert again == made
    assert is_own(made.code)
    assert len(made.code) < 300
    assert again.picture() == made.picture()
    answers = [made.solution, *made.steps()]
    answers += [value for value, _ in getattr(made.ask, "options", ())]
    for answer in answers:
        assert str(again.check(answer)) == str(made.check(answer))
        assert again.picture(answer) == made.picture(answer)


def test_how_an_attack_ends_is_found_with_likely_endings_to_choose_from():
    made = castle_rampage.puzzle(ENDS, **ATTACK)
    assert made.prompt == f"You play Giant for Priest. {ENDS}"
    assert made.solution == "gate 2 holds"
    offered = [value for value, _ in made.ask.options]
    assert len(offered) == 4
    assert "castle falls" in offered  # who forgets to subtract ends there
    assert "takes its value off" in made.check("castle falls").message


def test_the_words_say_what_a_card_adds_by_itself():
    ram = castle_rampage.puzzle(ENDS, play="Ram", castle="Archer, Ogre")
    assert "4 + 2 (no Gate) = 6" in ram.check(ram.solution).message
    jester = castle_rampage.puzzle(ENDS, play="Jester", castle="Archer, Ogre")
    assert "Your own Castle: Knight 2, Archer 3." in jester.prompt
    assert "2 + 2 (Knight) = 4" in jester.check(jester.solution).message
    assert "castle_rampage/jester" in jester.rules
    arsonist = castle_rampage.puzzle(
        ENDS, play="Arsonist for Spy", castle="Ogre", guards="Moat warden", helpers="Quartermaster"
    )
    assert "Arsonist attacks with 3." in arsonist.check(arsonist.solution).message


def test_even_with_a_bomber_is_not_offered_as_two_answers():
    made = castle_rampage.puzzle(ENDS, play="Gatekeeper", gate="Bomber", castle="Ogre")
    assert made.solution == "gate 1 even"
    assert "gate 1 bomb" not in dict(made.ask.options)


def test_the_endings_that_are_given_are_kept():
    made = castle_rampage.puzzle(ENDS, **ATTACK, options=("Gate 2  holds", "castle falls"))
    assert [value for value, _ in made.ask.options] == ["gate 2 holds", "castle falls"]


def test_the_shortest_turn_is_found():
    made = castle_rampage.puzzle("Fell it.", **TURN)
    assert str(made.solution) == "play Knight; play Dragon for Priest, Spy"
    assert made.par == 2
    assert "The Gate defends 4" in made.hint(1)
    assert "castle_rampage/castle-falls" in made.rules
    assert "The Castle still stands." in made.check("play Knight").message


def test_a_turn_knows_what_the_pile_brings():
    made = castle_rampage.puzzle(
        "Fell it.", hand="Axe man, Knight", castle="Castellan, Ogre", coming="Ram"
    )
    assert made.prompt == "Fell it. The next card of the pile: Ram."
    assert "play Ram" in str(made.solution)


def test_the_goals_of_a_turn():
    opened = castle_rampage.puzzle(
        *("Open the Gate.",),
        hand="Giant, Knight, Archer",
        gate="Archer, Knight",
        castle="Ogre",
        opens=True,
        keeps="Knight",
    )
    assert str(opened.solution) == "play Giant for Archer"
    assert "your Knight has gone" in opened.check("play Giant for Knight").message
    assert opened.check("strengthen gate Giant").message == "The Gate still stands."
    twice = castle_rampage.puzzle(
        *("Build both.",),
        hand="Master mason, Giant, Knight",
        castle="Ogre",
        coming="Spy",
        lays="gate giant / castle knight",
    )
    assert "play Master mason" in str(twice.solution)
    assert twice.check("strengthen gate Giant").message == "The Knight is not in your Castle yet."
    strong = castle_rampage.puzzle("Five!", hand="Ogre, Spy, Spy", castle="Ogre", strengthens=5)
    assert strong.check("strengthen gate Ogre for Spy, Spy").message == "That does it."
    assert strong.check("strengthen gate Spy").message == "The new card defends only 2 there."


def test_a_turn_with_a_choice_that_is_due_is_not_done():
    made = castle_rampage.puzzle(
        "Play the Scout.",
        hand="Scout, Knight",
        gate="Knight",
        castle="Ogre",
        coming="Spy",
        goal=lambda state: "Scout" not in state.game.names(state.sides[0].hand),
    )
    assert str(made.solution) != "play Scout"
    assert "still to be chosen: gate and castle" in made.check("play Scout").message
    assert made.check("play Scout; choose gate")


def test_stacks_are_found_and_judged_by_what_is_left():
    made = castle_rampage.puzzle("Hold.", **STACK | {"attacks": 5}, standing=2)
    assert made.check(made.solution)
    assert made.ask.attacks == (Raid(5),)
    fewer = made.check("gate Castellan / castle Knight, Gatekeeper")
    assert not fewer
    assert "Only 1 card of the Castle is left. Keep 2." in fewer.message
    past = castle_rampage.puzzle("Hold.", **STACK | {"attacks": "4, 3 past the gate"})
    assert past.ask.attacks == (Raid(4), Raid(3, "castle"))


def test_a_question_is_judged_by_its_solution():
    made = castle_rampage.puzzle("Where is the Ogre best?", **QUESTION, point="Look at G and C.")
    assert made.solution == "The Gate"
    assert made.check("The Gate").message == "Yes: The Gate. Look at G and C."
    assert made.check("the castle").message == "It is not “The Castle”. Look at G and C."


def test_what_is_given_is_kept():
    made = castle_rampage.puzzle(
        "Fell it.",
        **TURN,
        hints=["Look at the Gate.", "Begin with the Knight."],
        rules="castle_rampage/even",
        par=3,
        solution="PLAY knight; play dragon for spy, priest",
    )
    assert made.hints == ("Look at the Gate.", "Begin with the Knight.")
    assert (made.rules, made.par) == (("castle_rampage/even",), 3)
    assert str(made.solution) == "play Knight; play Dragon for Priest, Spy"


def test_cards_may_be_given_as_names_as_cards_and_in_rows():
    as_text = castle_rampage.puzzle(ENDS, **ATTACK)
    as_cards = castle_rampage.puzzle(
        ENDS,
        play="play giant for PRIEST",
        gate=["ogre", card("Knight")],
        castle=[card("Archer")] * 2,
    )
    assert as_cards == as_text
    one = castle_rampage.puzzle(ENDS, play=card("Knight"), castle=card("Archer"))
    assert one == castle_rampage.puzzle(ENDS, play="Knight", castle="Archer")
    raids = castle_rampage.puzzle("Hold.", **STACK | {"attacks": [3, Raid(2, "castle"), "1"]})
    assert raids.ask.attacks == (Raid(3), Raid(2, "castle"), Raid(1))
    laid = castle_rampage.puzzle(
        "Lay it.", hand="Knight", castle="Ogre", lays=Stacking((card("Knight"),))
    )
    assert str(laid.solution) == "strengthen gate Knight"


# -- goals that are functions ------------------------------------------------------------------


def test_a_goal_of_a_turn_is_handed_the_game_after_it():
    made = castle_rampage.puzzle(
        "Hold nothing at the end.",
        hand="Knight, Archer",
        castle="Ogre",
        goal=lambda state: "" if not state.sides[0].hand else "You still hold something.",
    )
    assert made.code == ""
    assert made.par == 2
    assert made.check("play Knight").message == "You still hold something."


def test_a_goal_of_stacks_is_handed_the_defence():
    made = castle_rampage.puzzle(
        "Lose the whole Gate.", **STACK, goal=lambda done: not done.stacking.gate
    )
    assert made.check(made.solution)
    assert made.code == ""
    said = castle_rampage.puzzle(
        "Turn up one card.",
        **STACK | {"attacks": 3},
        goal=lambda done: "" if len(done.assaults[0].steps) == 1 else "One card, I said.",
    )
    assert said.solution.gate == (card("Gatekeeper"),)
    assert "One card, I said." in said.check("gate Castellan / castle Knight, Gatekeeper").message


def test_a_goal_of_a_question_is_handed_the_option():
    options = ("3", "4", "5")
    made = castle_rampage.puzzle("How much?", options=options, castle="Ogre", goal="4".__eq__)
    assert made.solution == "4"
    assert not made.check("5")


# -- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"castle": "Ogre"}, "how an attack ends needs play; a turn to find needs hand; a quest"),
        ({"cards": "Ogre"}, "cards to stack needs at_gate and attacks"),
        ({**ATTACK, "hand": "Ogre"}, "how an attack ends takes no hand"),
        ({**TURN, "kastle": "Ogre"}, "a puzzle has no 'kastle'; did you mean castle"),
        ({**ATTACK, "castle": "Ogre, Knigt"}, "castle: no card is called 'Knigt'; did you mean Kn"),
        ({**ATTACK, "castle": 7}, "castle: no card is called '7'"),
        ({**ATTACK, "castle": None}, "castle is None; it must be a text"),
        ({**ATTACK, "castle": ""}, "castle has no cards: such a Castle has fallen already"),
        ({**TURN, "own_castle": ""}, "own_castle has no cards"),
        ({**ATTACK, "gate": ["Spy"] * 9}, "gate: 9 cards are too many to show; 8 will do"),
        ({**ATTACK, "guards": "Ogre"}, "guards are permanent cards, .*; the Ogre is none"),
        ({**ATTACK, "play": ""}, "play: which card"),
        ({**ATTACK, "play": "Giant"}, "'Giant': The Giant costs 1 card.*castle_rampage/play"),
        ({**ATTACK, "play": "Ogre"}, "The Ogre only defends"),
        ({**ATTACK, "play": "Scout"}, "the Scout does not attack"),
        ({**ATTACK, "play": "Jester", "own_castle": "Ogre"}, "fells your own Castle; put more"),
        ({**ATTACK, "gate": "Saboteur", "own_gate": "Knight"}, "waits for somebody's choice"),
        ({**ATTACK, "goal": bool}, "how an attack ends is no matter of a goal"),
        ({**ATTACK, "point": "x"}, "how an attack ends takes no point"),
        ({**ATTACK, "options": ("gate 3 holds",)}, "no ending of this attack; .* 2 cards at the G"),
        ({**ATTACK, "options": ("gate 1 holds", "castle falls")}, "cannot be solved: 'gate 2 hol"),
        ({**ATTACK, "options": "gate 2 holds"}, "one ending alone is no choice"),
        ({**ATTACK, "solution": "castle falls"}, "castle falls does not solve this: "),
        ({**TURN, "castle": "Ogre, Ogre"}, "whatever this hand plays, 1 card of the Castle or mo"),
        ({**TURN, "keeps": "Spy, Priest"}, "no turn with this hand does all that is asked for"),
        ({**TURN, "strengthens": 6}, "no turn with this hand does all"),
        ({**TURN, "strengthens": -1}, "strengthens is -1; a defence is no less than 0"),
        ({**TURN, "lays": "under Ogre"}, "lays: write the cards of the gate"),
        ({**TURN, "gate": "Spy"}, "the Spy lets the enemy choose something in your turn"),
        ({**TURN, "hand": "Axe man, Knight"}, "1 card may be drawn in this turn, and 0 are known"),
        ({**TURN, "solution": "play Knight"}, "play Knight does not solve this: The Castle still"),
        ({**TURN, "solution": "play Ogre"}, "'play Ogre' is not allowed"),
        ({**TURN, "gate": "", "opens": True}, "solved before it begins: That does it"),
        ({**TURN, "goal": lambda state: True}, "solved before it begins"),
        ({**TURN, "point": "x" * 301}, "a point has at most 300 letters"),
        (
            {"hand": "Priest, Priest, Priest, Giant, Veteran, Dragon, Spy", "castle": ["Ogre"] * 8}
            | {"goal": lambda state: False},
            "none of 50,000 moves leads to what is asked for; name a turn",
        ),
        ({**STACK, "attacks": 99}, "cannot be solved: the Castle falls, however"),
        ({**STACK, "attacks": 5, "standing": 3}, "2 cards of the Castle are left at best, and 3"),
        ({**STACK, "standing": 2}, "1 card of the Castle is left at best, and 2 are asked for"),
        ({**STACK, "goal": lambda done: False}, "no stacks of these cards reach the goal"),
        ({**STACK, "attacks": "nine"}, "attacks: an attack is '9' or '3 past the Gate', not 'nine"),
        ({**STACK, "attacks": 1001}, "attacks: the strength of an attack is a whole number"),
        ({**STACK, "attacks": 10**5_000}, "attacks: an attack is '9'"),
        ({**STACK, "attacks": ()}, "attacks: there are 1 to 8 attacks, not 0"),
        ({**STACK, "at_gate": 3}, "at_gate is 3; of 3 cards at least one goes to the Castle"),
        ({**STACK, "standing": 0}, "standing is 0; a Castle has at least one card"),
        ({**STACK, "standing": 10**5_000}, "at best, and something endlessly long"),
        ({**STACK, "solution": "gate Ogre / castle Spy"}, "does not solve this: You have no Ogre"),
        ({**QUESTION, "solution": ""}, "say which of the options is right, with solution="),
        ({**QUESTION, "solution": "Both"}, "'Both' is not a choice"),
        ({**QUESTION, "options": ("a", "A")}, "2 to 8 different options"),
        ({**QUESTION, "options": ("a", " ")}, "an option has 1 to 80 letters"),
        ({**QUESTION, "solution": "", "goal": lambda option: False}, "the goal accepts none of"),
        ({**TURN, "rules": "castle_rampage/fly"}, "no rule 'castle_rampage/fly'"),
    ],
)
def test_whatever_is_wrong_is_said_at_once(arguments, says):
    with pytest.raises(CastlelabError, match=says):
        castle_rampage.puzzle("Do it.", **arguments)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({}, "these do not make a puzzle"),
        ({**TURN, "prompt": "Fell it."}, "it has no solution"),
        ({**TURN, "solution": "play Knight"}, "say in a sentence"),
        ({**TURN, "prompt": "Fell it.", "solution": "fly"}, "no puzzle that can be solved"),
        ({**TURN, "prompt": "Fell it.", "solution": "play Knight"}, "does not solve this"),
        ({**TURN, "prompt": "Fell it.", "solution": "end", "goal": "x"}, "a goal is a function"),
        ({**STACK, "prompt": "Hold.", "solution": "gate -"}, "leaves the Castle without a card"),
        ({**ATTACK, "prompt": ENDS, "gate": [[["Ogre"]]], "solution": "x"}, "gate: no card is"),
        ({**QUESTION, "prompt": "?", "options": [7, 8]}, "options is .*; it must be texts"),
    ],
)
def test_a_damaged_code_is_refused_in_a_sentence(table, says):
    with pytest.raises(NotationError, match=says):
        castlelab.puzzle(code_of(**table))


values = (
    st.none()
    | st.integers()
    | st.booleans()
    | st.text(max_size=20)
    | st.lists(st.integers() | st.sampled_from(["Ogre", "Spy", "Herald"]), max_size=9)
    | st.recursive(st.just("Ogre"), lambda inner: st.lists(inner, max_size=2), max_leaves=4)
)
fields = st.sampled_from([*inspect.signature(castle_rampage.puzzle).parameters, "x"])


@settings(deadline=None)
@given(st.sampled_from(SOLVED), st.dictionaries(fields, values, max_size=4))
def test_no_table_in_a_code_does_harm(form, table):
    try:
        made = castlelab.puzzle(code_of(**{"prompt": "Do it.", **form, **table}))
    except CastlelabError:
        return
    assert made.check(made.solution)
    assert made.picture()


# -- where it goes -----------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_it_shows_as_a_card_and_goes_on_a_worksheet(form):
    made = castle_rampage.puzzle("Do it, please.", **form)
    shown = made.card()
    assert isinstance(shown, PuzzleCard)
    shown.answer(made.solution)
    assert shown.solved
    sheet = worksheet([made], address="http://castle/")
    assert sheet.codes == (made.code,)
    assert "Do it, please." in sheet.html()


def test_help_and_tab_know_the_arguments():
    names = {*inspect.signature(castle_rampage.puzzle).parameters}
    assert {"play", "hand", "cards", "options", "goal", "hints", "par", "solution"} <= names
    for word in ("play", "keeps", "at_gate", "options", "goal"):
        assert f"``{word}``" in castle_rampage.puzzle.__doc__


def test_a_lesson_that_is_spelled_out_is_that_lesson_until_it_is_changed():
    said = {
        "castle": "giant, giant",
        "hand": [card("Jester"), "Knight"],
        "own_castle": card("Castellan"),
    }
    asked = "Bring the Castle down this turn."
    spelled = castle_rampage.puzzle(asked, **said)
    assert spelled == castlelab.puzzle("castle_rampage/lesson-jester")
    assert spelled.id == "castle_rampage/lesson-jester"
    assert spelled.prompt == f"{asked} Your own Castle: Castellan 4."
    assert "Somebody must stay" in spelled.check(spelled.read("play Jester")).message
    hinted = castle_rampage.puzzle(asked, **said, hints="Look.")
    assert hinted.hint(1) == "Look."
    assert hinted.id == spelled.id
    changed = castle_rampage.puzzle(asked, **said | {"castle": "Giant"})
    assert is_own(changed.id)


def test_what_an_attack_to_come_prints_can_be_read_again():
    raids = (Raid(9), Raid(0), Raid(3, "castle"))
    assert read_raids(", ".join(map(str, raids))) == raids


@pytest.mark.parametrize("level", FAR_GRADES)
def test_a_puzzle_from_a_seed_can_be_asked_as_one_of_ones_own(level):
    made = castlelab.puzzle(f"castle_rampage/how-far-{level}-7")
    battle, move = made.start.battle, made.start.move
    again = castle_rampage.puzzle(
        ENDS,
        play=move,
        gate=battle.gate,
        castle=battle.castle,
        helpers=battle.helpers,
        guards=battle.guards,
        own_castle=battle.own_castle,
        options=[value for value, _ in made.ask.options],
    )
    assert again.prompt == made.prompt
    assert (again.ask, again.solution, again.par) == (made.ask, made.solution, made.par)
    assert (again.hints, again.rules) == (made.hints, made.rules)
    assert again.picture() == made.picture()
