"""The deck: what the rulebook prints, what the house adds, and how mistakes are told."""

import json
import tomllib
from contextlib import suppress
from dataclasses import replace
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

import castlelab
from castlelab.bots import Greedy, Random, play_out
from castlelab.chance import Chance
from castlelab.edition import Edition, EditionError
from castlelab.games import castle_rampage
from castlelab.games.castle_rampage import Card, Effect, counted_as, scheme_strength
from castlelab.games.castle_rampage.box import FAMILIES, house_box, read_box
from castlelab.games.castle_rampage.card import UNITS, VERBS
from castlelab.games.castle_rampage.table import Side, Stack
from castlelab.rules import CastlelabError, NotationError

HOUSE = tomllib.loads(
    (files("castlelab") / "games" / "castle_rampage" / "edition.toml").read_text(encoding="utf-8")
)
BOX = house_box()


def test_the_deck_has_118_cards_and_every_name_of_the_rulebook():
    assert len(BOX.deck) == 118
    wanted = "Dragon,Axe man,Giant,Mercenary,Knight,Archer,Bomber,Saboteur,Spy,Ogre,Digger,"
    wanted += "Veteran,Jester,Summoner"
    for name in wanted.split(","):
        assert BOX.card(name).name == name
    assert sum(card.is_scheme for card in BOX.cards) >= 3


def test_the_printed_values_are_kept():
    dragon, axe_man, ogre = map(BOX.card, ("Dragon", "Axe man", "Ogre"))
    assert (dragon.gate, dragon.castle) == (2, 3)
    assert (axe_man.attack, axe_man.effects) == (2, (Effect("draw", 1),))
    assert (ogre.castle, ogre.place_cost, ogre.purple) == (6, 2, True)
    storm = BOX.card("Arrow storm")
    assert (storm.attack, storm.pays, storm.extra, storm.bonus) == (
        9,
        ("knight", "archer"),
        "archer",
        5,
    )
    assert [card.name for card in BOX.cards if card.purple] == ["Bomber", "Saboteur", "Spy", "Ogre"]
    assert Edition.load("castle_rampage").sources()["printed"] == "rulebook"


def test_the_house_uses_every_effect_and_every_symbol():
    assert {effect.verb for card in BOX.cards for effect in card.effects} == set(VERBS)
    assert {unit for card in BOX.cards for unit in card.units} == set(UNITS)
    assert any(len(card.units) > 1 for card in BOX.cards)


def test_some_cards_are_strong_at_the_gate_and_some_at_the_castle():
    assert max(card.gate - card.castle for card in BOX.cards) >= 2
    assert max(card.castle - card.gate for card in BOX.cards) >= 2


def test_cards_are_found_by_name_and_tell_what_they_do():
    assert castle_rampage.card("  axe   MAN ").name == "Axe man"
    words = castle_rampage.card("Arrow storm").describe()
    assert "Costs knight + archer. One more archer: +5." in words
    assert "costs 2 cards" in castle_rampage.card("Ogre").describe()
    with pytest.raises(NotationError, match="did you mean Ogre"):
        castle_rampage.card("Ogr")
    with pytest.raises(CastlelabError, match="not 7"):
        castle_rampage.card(7)


@pytest.mark.parametrize("verb", VERBS)
def test_every_effect_reads_back_and_has_words(verb):
    numbers = VERBS[verb].numbers
    for number in numbers or [0]:
        effect = Effect(verb, number)
        assert Effect.parse(str(effect)) == effect
        assert effect.words.endswith(".")
        assert "{" not in effect.words


@given(st.text(max_size=40))
def test_no_text_crashes_the_effects(text):
    with suppress(NotationError):
        assert str(Effect.parse(text)).split() == text.split()


def test_units_count_as_one_symbol_each():
    """castle_rampage/unit"""
    both = Card("Both", 1, 1, units=("knight", "archer"))
    knight = Card("Knight", 1, 1, units=("knight",))
    assert counted_as([both, knight], ("knight", "archer")) == ("archer", "knight")
    assert counted_as([both], ("knight", "archer")) is None
    assert counted_as([knight, knight], ("knight", "archer")) is None
    storm = BOX.card("Arrow storm")
    assert scheme_strength(storm, [both, knight]) == 9
    assert scheme_strength(storm, [both, both, knight]) == 14
    assert scheme_strength(storm, [knight]) is None
    assert scheme_strength(knight, []) is None


# -- an owner's file -------------------------------------------------------------------------


def toml(value):
    match value:
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            return f"{{ {', '.join(f'{k} = {toml(v)}' for k, v in value.items())} }}"
        case _:
            return json.dumps(value)


@pytest.fixture
def own(tmp_path):
    """Load the game with some cards of a family changed: name → changes (None: left out)."""

    def load(family, changes=None, more=(), **keys):
        cards = []
        for card in HOUSE[family]["card"]:
            change = (changes or {}).get(card["name"], {})
            if change is not None:
                merged = {**card, **change}
                cards.append({k: v for k, v in merged.items() if v is not None})
        text = f'game = "castle_rampage"\nname = "Mine"\n[{family}]\n'
        table = {"card": [*cards, *more], **keys}
        text += "\n".join(f"{key} = {toml(value)}" for key, value in table.items())
        path = tmp_path / "own.toml"
        path.write_text(text + "\n", encoding="utf-8")
        return castlelab.load("castle_rampage", edition=path)

    return load


def test_an_owners_table_replaces_that_table_and_changes_the_play(own):
    game = own("units", {"Knight": {"attack": 7}})
    assert game.box.card("Knight").attack == 7
    assert game.edition.sources()["units"] == "box"
    assert game.edition.sources()["fighters"] == "house"
    assert game.box.card("Dragon") == BOX.card("Dragon")


@pytest.mark.parametrize(
    ("family", "changes", "says"),
    [
        ("units", {"Knight": {"copies": 7}}, "117 cards together; there must be 118"),
        ("units", {"Knight": {"copies": 0}}, r"copies is 0; .* 1 to 118"),
        ("units", {"Knight": {"gate": 99}}, r"card\[1\].gate is 99; .* 0 to 20"),
        ("units", {"Knight": {"gate": None}}, "gate is missing"),
        ("units", {"Knight": {"attack": -1}}, "attack is -1"),
        ("units", {"Knight": {"units": ["wizard"]}}, "one of knight, archer, pikeman"),
        ("units", {"Knight": {"units": ["knight", "knight"]}}, "each symbol stands once"),
        ("units", {"Knight": {"units": []}}, "each of those has some"),
        ("units", {"Knight": {"name": "Gate guard"}}, "cannot be in a name"),
        ("units", {"Knight": {"name": "Kn1ght!"}}, "words of letters"),
        ("units", {"Knight": {"name": "archer"}}, "for the second time"),
        ("units", {"Knight": {"name": "Rider"}}, "have no Knight"),
        ("units", {"Knight": {"speed": 3}}, "speed is not known here"),
        ("units", {"Knight": {"pays": ["knight"]}}, "belongs to the cards in .schemes."),
        ("fighters", {"Ram": {"effects": ["fly"]}}, "'fly'.* the effects are draw 1–3"),
        ("fighters", {"Ram": {"effects": ["draw 9"]}}, "number from 1 to 3"),
        ("fighters", {"Ram": {"effects": ["target-castle 2"]}}, "takes no number"),
        ("fighters", {"Ram": {"effects": ["draw 1", "draw 2"]}}, "draw twice"),
        ("fighters", {"Ram": {"effects": ["rally 1"]}}, "only for permanent cards"),
        ("fighters", {"Ram": {"effects": ["spy"]}}, "only for purple cards"),
        ("fighters", {"Scout": {"effects": ["charge 1"]}}, "only for cards with an attack"),
        ("fighters", {"Scout": {"effects": ["take-castle"]}}, "only for cards with an attack"),
        ("fighters", {"Dragon": {"gate": 5}}, "gate is 5; the rulebook prints 2"),
        ("fighters", {"Axe man": {"effects": ["draw 2"]}}, "draw 2; the rulebook prints draw 1"),
        ("fighters", {"Herald": {"effects": None}}, "needs an attack or an effect"),
        ("schemes", {"Pike wall": {"extra": None}}, "extra and bonus come together"),
        ("schemes", {"Pike wall": {"attack": None}}, "is what a Scheme needs"),
        ("schemes", {"Pike wall": {"cost": 1}}, "is what a Scheme needs"),
        ("schemes", {"Pike wall": {"pays": ["archer"] * 4}}, "asks for 5 units; 4 at most"),
        ("permanents", {"Moat warden": {"effects": ["draw 1"]}}, "must have one of rally"),
        ("purple", {"Spy": {"cost": 2}}, "needs an attack or an effect"),
        ("purple", {"Spy": {"effects": ["spy", "bomb"]}}, "one at most"),
        ("purple", {"Spy": {"name": "Sneak"}}, "the purple cards are"),
    ],
)
def test_a_mistake_names_the_file_the_key_and_what_is_allowed(own, tmp_path, family, changes, says):
    with pytest.raises(EditionError, match=says) as caught:
        own(family, changes)
    file = tmp_path / "own.toml"
    assert str(caught.value).startswith((f"{file}: ", "castle_rampage/edition.toml: "))


def test_a_deck_needs_no_priest(own):
    game = own("fighters", {"Priest": None, "Axe man": {"copies": 12}})
    assert "Priest" not in game.box.places
    assert play_out(game.start(1), (Greedy(), Greedy()), Chance.seeded(1))[0].over


def of(game, names):
    return tuple(map(game.box.place, names.split(","))) if names else ()


def at(game, hand, gate, castle="Knight,Knight"):
    """A turn of seat 0 with this hand against these stacks."""
    mine = Side(tuple(sorted(of(game, hand))), castle=Stack.of(of(game, "Knight,Archer")))
    foe = Side(gate=Stack.of(of(game, gate)), castle=Stack.of(of(game, castle)))
    start = game.start(1)
    return replace(start, sides=(mine, foe), starter=0, active=0, deals=2, turn=3)


def test_purple_an_owners_purple_card_with_an_attack_is_played_and_still_strikes_back(own):
    """castle_rampage/purple"""
    game = own("purple", {"Spy": {"attack": 4, "cost": 1}})
    state = at(game, "Spy,Knight,Ram", "Archer,Archer")
    after = state.play(game.move("play Spy for Ram"))
    assert [step.rule for step in after.steps] == ["castle_rampage/broken", "castle_rampage/even"]
    assert after.pause is None  # it strikes back where it defends, not where it attacks
    state = at(game, "Knight,Ram,Dragon", "Spy,Ogre")
    assert state.play(game.move("play Knight")).pause.verb == "spy"


def test_held_a_veteran_that_costs_nothing_rests_when_it_has_come_home(own):
    """castle_rampage/held"""
    game = own("fighters", {"Veteran": {"cost": None}})
    play = game.move("play Veteran")
    state = at(game, "Veteran,Veteran", "", "Ogre,Knight").play(play)
    assert [game.box.cards[card].name for card in state.sides[0].hand] == ["Veteran", "Veteran"]
    state = state.play(play)  # the other one
    assert play not in state.moves()
    (breach,) = state.check(play).breaches
    assert breach.rule == "castle_rampage/held"
    assert breach.mends == tuple(game.move(f"strengthen {s} Veteran") for s in ("gate", "castle"))
    state = state.play(game.move("end")).play(game.move("end"))
    assert play in state.moves()
    for seed in range(4):
        assert play_out(game.start(seed), (Greedy(), Greedy()), Chance.seeded(seed))[0].over


@pytest.mark.parametrize(
    ("attack", "gate", "stays"),
    [
        (4, "Ogre,Ogre", True),
        (4, "Archer,Archer", True),
        (4, "Bomber,Archer", False),
        (2, "Bomber,Archer", False),
    ],
)
def test_permanent_an_owners_card_that_attacks_stays_unless_an_effect_destroys_it(
    own, attack, gate, stays
):
    """castle_rampage/permanent"""
    game = own("permanents", {"Moat warden": {"attack": attack}})
    state = at(game, "Moat warden", gate).play(game.move("play Moat warden"))
    assert state.steps
    warden = of(game, "Moat warden")
    assert state.sides[0].permanents == (warden if stays else ())
    assert (warden[0] in state.discards) is not stays
    assert ("stays" in state.describe()) is stays
    for seed in range(4):
        assert play_out(game.start(seed), (Random(), Random()), Chance.seeded(seed))[0].over


def test_a_scheme_that_no_deck_can_pay_is_refused(own):
    few = {
        "Archer": {"copies": 1},
        "Knight": {"copies": 17},
        "Mercenary": {"units": ["knight"]},
    }
    with pytest.raises(EditionError, match="Arrow storm, which wants 2 × archer"):
        own("units", few)


def test_a_deck_that_is_mostly_purple_is_refused():
    """There must be enough others to deal from."""
    few = ("Axe man", "Priest", "Digger", "Banner bearer", "Quartermaster")
    copies = dict.fromkeys(few, 1) | {"Bomber": 56}
    copies |= {card["name"]: 1 for card in HOUSE["units"]["card"]}
    house = Edition.load("castle_rampage")
    tables = dict(house.tables)
    for family in FAMILIES:
        cards = [
            {**card, "copies": copies.get(card["name"], card["copies"])}
            for card in HOUSE[family]["card"]
        ]
        tables[family] = {"source": "box", "card": cards}
    with pytest.raises(EditionError, match="at least half of the cards must not be purple"):
        read_box(Edition("castle_rampage", "purple", tables, house.files))


def test_decks_without_schemes_and_unknown_keys_are_refused(own):
    with pytest.raises(EditionError, match="there must be an Attack Scheme"):
        own("schemes", {card["name"]: None for card in HOUSE["schemes"]["card"]})
    with pytest.raises(EditionError, match="is not known here"):
        own("purple", size=3)


@given(st.sampled_from(FAMILIES), st.data())
def test_no_table_crashes_the_box(family, data):
    """Whatever stands in a card: a box or an EditionError, nothing else."""
    junk = st.none() | st.booleans() | st.integers(-9, 99) | st.text(max_size=5)
    junk |= st.lists(st.sampled_from([*UNITS, *VERBS, "draw 1", 7]), max_size=3)
    cards = [dict(card) for card in HOUSE[family]["card"]]
    card = data.draw(st.sampled_from(cards))
    card[data.draw(st.sampled_from([*card, "attack", "cost", "pays", "extra"]))] = data.draw(junk)
    house = Edition.load("castle_rampage")
    tables = {**house.tables, family: {"source": "box", "card": cards}}
    with suppress(EditionError):
        assert len(read_box(Edition("castle_rampage", "junk", tables, house.files)).deck) == 118
