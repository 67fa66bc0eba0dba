"""The box of CastleScape: what the rulebook prints, what the house adds, how mistakes are told."""

import json
import re
import tomllib
from contextlib import suppress
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

import castlelab
from castlelab.edition import Edition, EditionError
from castlelab.games.castlescape.box import card, house_box, read_box
from castlelab.games.castlescape.card import VERBS, Card, Effect
from castlelab.games.castlescape.quests import MEASURES, Quest
from castlelab.rules import CastlelabError, NotationError

HOUSE = tomllib.loads(
    (files("castlelab") / "games" / "castlescape" / "edition.toml").read_text(encoding="utf-8")
)
BOX = house_box()


def copies(family):
    return {
        one.name: number
        for one, number in zip(BOX.cards, BOX.copies, strict=True)
        if one.family == family
    }


def edition(tmp_path, text):
    path = tmp_path / "box.toml"
    path.write_text(f'game = "castlescape"\nname = "mine"\n{text}', encoding="utf-8")
    return Edition.load("castlescape", path)


def changed_table(name, key, change):
    """A house table as TOML, its list of entries changed."""
    entries = change([dict(entry) for entry in HOUSE[name][key]])
    return f"[{name}]\n{key} = {toml(entries)}\n"


def toml(value):
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {toml(v)}" for k, v in value.items()) + " }"
    return json.dumps(value)


def with_card(table, card_name, /, **changes):
    """A house table with one card changed; None takes a key away."""

    def change(entries):
        for entry in entries:
            if entry["name"] == card_name:
                entry.update(changes)
                for key in [key for key, value in entry.items() if value is None]:
                    del entry[key]
        return entries

    return changed_table(table, "card", change)


# -- the house edition -----------------------------------------------------------------------


def test_starter_deck_of_ten():
    """castlescape/starter-deck"""
    assert copies("starter") == {
        "Market Stall": 4,
        "Train Apprentice": 2,
        "Stone Walls": 2,
        "Clumsy Thief": 2,
    }
    assert BOX.card("Clumsy Thief").shady
    assert not BOX.card("Market Stall").shady


def test_the_standard_market_of_forty_five():
    """castlescape/market"""
    assert copies("standard") == {
        "Back Alley Bribes": 10,
        "Craftsman's Shop": 12,
        "Hire a Fence": 12,
        "Ramparts": 10,
        "New Contract": 1,
    }
    assert Effect("walls", 3) in BOX.card("Ramparts").effects


def test_fifty_rotating_cards_in_many_kinds():
    """castlescape/market"""
    rotating = copies("rotating")
    assert sum(rotating.values()) == 50
    assert len(rotating) >= 15
    assert "Shift the Blame" in rotating


def test_ten_goals_and_twenty_contracts():
    assert len(BOX.goals) == 10
    assert len(BOX.contracts) == 20
    assert len({quest.name for quest in BOX.contracts}) == 20
    assert BOX.quarry == BOX.quarry_of(13) == (18, 24, 30)
    assert BOX.inspections == (4, 3, 3)  # castlescape/quarry-setup


def test_the_house_uses_almost_every_effect_and_condition():
    effects = {effect.verb for one in BOX.cards for way in one.ways for effect in way}
    effects |= {effect.verb for one in BOX.cards for effect in one.on_purchase}
    assert set(VERBS) - effects <= {"more-infamy"}
    conditions = {quest.measure for quest in (*BOX.goals, *BOX.contracts)}
    assert len(conditions) >= 15


def test_tables_say_where_they_come_from():
    sources = Edition.load("castlescape").sources()
    assert {name for name, source in sources.items() if source == "rulebook"} == {
        "printed",
        "track",
    }
    assert set(sources.values()) == {"rulebook", "house"}


@pytest.mark.parametrize("one", BOX.cards, ids=str)
def test_every_card_speaks(one):
    words = one.describe()
    assert words.startswith(one.name)
    assert words.endswith(".")
    assert "{" not in words


@pytest.mark.parametrize("quest", [*BOX.goals, *BOX.contracts], ids=str)
def test_every_quest_speaks(quest):
    assert quest.words.endswith(".")
    assert "{" not in quest.words
    assert quest.describe().startswith(f"{quest.name} ({quest.renown} Renown): ")


@pytest.mark.parametrize("name", MEASURES)
def test_every_condition_speaks_for_each_of_its_numbers(name):
    for number in MEASURES[name].numbers:
        words = Quest.of("Test", f"{name} {number}", 1).words
        assert words.endswith(".")
        assert not re.search(r"\b1 (cards|recruits|squares|baileys|goals|claims|quarters)", words)


def test_a_card_with_or_has_ways():
    """castlescape/or"""
    one = Card(
        "Both",
        "rotating",
        3,
        (Effect("gold", 1),),
        ((Effect("walls", 2),), (Effect("recruits", 1),)),
    )
    assert one.ways == (
        (Effect("gold", 1), Effect("walls", 2)),
        (Effect("gold", 1), Effect("recruits", 1)),
    )
    assert "Build 2 walls. OR Position 1 recruit." in one.describe()


def test_cards_are_found_by_name():
    assert card(" hire  A fence").name == "Hire a Fence"
    assert card("craftsman’s shop").name == "Craftsman's Shop"
    with pytest.raises(NotationError, match="did you mean Ramparts"):
        card("Rampart")
    with pytest.raises(NotationError, match="no goal is called 'xyz'"):
        BOX.goal("xyz")
    with pytest.raises(NotationError, match="did you mean Wall Guard"):
        BOX.contract("wall gard")
    with pytest.raises(CastlelabError, match="named by a text"):
        card(7)


# -- the vocabulary --------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_effects_round_trip(verb):
    numbers = VERBS[verb].numbers
    for number in numbers or (0,):
        effect = Effect(verb, number)
        assert Effect.parse(str(effect)) == effect
        assert effect.words.endswith(".")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fly 2", "no effect is called 'fly 2'; the effects are gold 1–9, walls 1–6"),
        ("", "no effect is called ''"),
        ("gold", "gold takes a number from 1 to 9, not ''"),
        ("gold 0", "gold takes a number from 1 to 9, not '0'"),
        ("gold ²", "gold takes a number"),
        ("gold -1", "gold takes a number"),
        ("trigger 2", "trigger takes no number, but there is '2'"),
    ],
)
def test_unknown_effects_are_told(text, says):
    with pytest.raises(NotationError, match=says):
        Effect.parse(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("towers 2", "no condition is called 'towers 2'; the conditions are claims 1–7"),
        ("claims", "claims takes a number from 1 to 7, not ''"),
        ("claims 99", "claims takes a number from 1 to 7, not '99'"),
    ],
)
def test_unknown_conditions_are_told(text, says):
    with pytest.raises(NotationError, match=says):
        Quest.of("Test", text, 3)


@given(st.text(max_size=30))
def test_no_text_crashes_the_vocabularies(text):
    with suppress(NotationError):
        Effect.parse(text)
    with suppress(NotationError):
        Quest.of("Test", text, 1)


# -- boxes of others -------------------------------------------------------------------------


def test_a_box_with_other_values(tmp_path):
    text = with_card("rotating", "Watchtower", cost=2, effects=["sentries 2", "gold 1"])
    box = read_box(edition(tmp_path, text))
    assert box.card("Watchtower").cost == 2
    assert box.card("Watchtower").effects == (Effect("sentries", 2), Effect("gold", 1))


def test_a_box_may_be_played(tmp_path):
    path = tmp_path / "box.toml"
    path.write_text(
        'game = "castlescape"\nname = "mine"\n[quarry]\nwalls = [5, 6, 7]\n', encoding="utf-8"
    )
    assert castlelab.load("castlescape", players=3, edition=path).start(1).quarry == 6


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_site_has_a_quarry_that_fits(players):
    """castlescape/quarry-setup: room for all walls on small sites, enough for the box on large
    ones.
    """
    walls = []
    for side in range(7, 26, 2):
        game = castlelab.load("castlescape", players=players, side=side)
        state = game.start(1)
        assert state.quarry == game.quarry == BOX.quarry_of(side)[players - 2]
        walls.append(game.quarry * game.inspections)
        assert walls[-1] <= 100
        assert walls[-1] <= side * side * 0.55  # denser sites are full before
    assert walls == sorted(walls)


def test_the_quarry_of_an_edition_without_sites_is_the_same_everywhere(tmp_path):
    """castlescape/quarry-setup"""
    path = tmp_path / "box.toml"
    text = 'game = "castlescape"\nname = "mine"\n[quarry]\nwalls = [5, 6, 7]\n'
    path.write_text(text, encoding="utf-8")
    for side in (7, 13, 25):
        assert castlelab.load("castlescape", side=side, edition=path).start(1).quarry == 5


WRONG = [
    (with_card("rotating", "Watchtower", effects=["fly 1"]), "Watchtower has 'fly 1': no effect"),
    (with_card("rotating", "Watchtower", effects=["gold 1", "gold 2"]), "has gold twice"),
    (with_card("rotating", "Watchtower", effects=None), "effects of Watchtower are missing"),
    (with_card("rotating", "Watchtower", choices=[["gold 1"]]), "two lists of effects or more"),
    (with_card("rotating", "Watchtower", choices=[["gold 1"], []]), "none empty"),
    (with_card("rotating", "Watchtower", choices=[[3], ["gold 1"]]), "an effect is a text"),
    (
        with_card("rotating", "Watchtower", choices=[["sentries 2"], ["gold 1"]]),
        "repeat one of its effects",
    ),
    (with_card("rotating", "Watchtower", effects=["walls 1", "late-walls 1"]), "one is enough"),
    (with_card("rotating", "Watchtower", cost=0), "cost is 0; it must be"),
    (with_card("rotating", "Watchtower", infamy=9), "infamy is 9"),
    (with_card("rotating", "Watchtower", copies=4), "has 51 cards; there must be 50"),
    (with_card("rotating", "Watchtower", name="Bonfire"), "for the second time"),
    (with_card("rotating", "Watchtower", name="Tower 2"), "words of letters"),
    (with_card("rotating", "Watchtower", colour="red"), "colour is not known here"),
    (with_card("rotating", "Shift the Blame", name="Blame"), "has no Shift the Blame"),
    (with_card("standard", "Ramparts", effects=["walls 2"]), "Ramparts must have walls 3"),
    (with_card("standard", "Ramparts", copies=9), "copies is 9; the rulebook has 10 Ramparts"),
    (with_card("standard", "Ramparts", name="Bulwark"), "have no Ramparts; the rulebook has one"),
    (with_card("standard", "New Contract", on_purchase=["gold 1"]), "must have contract"),
    (with_card("standard", "New Contract", effects=["gold 1"]), "never played"),
    (with_card("starter", "Market Stall", cost=1), "cost is not known here"),
    (changed_table("goals", "goal", lambda goals: goals[:-1]), "has 9 entries; there must be 10"),
    (
        changed_table("goals", "goal", lambda g: [{**g[0], "condition": "fly 1"}, *g[1:]]),
        "condition of First Stones: no condition",
    ),
    (
        changed_table("contracts", "contract", lambda c: [c[1], *c[1:]]),
        "for the second time",
    ),
    ("[quarry]\nwalls = [18, 24]\n", "has 2 entries"),
    (
        "[quarry]\nwalls = [18, 24, 30]\nsite = [{ side = 8, walls = [1, 2, 3] }]\n",
        "is 8, and not odd",
    ),
    (
        "[quarry]\nwalls = [18, 24, 30]\nsite = [{ side = 5, walls = [1, 2, 3] }]\n",
        r"quarry.site\[1\].side",
    ),
    (
        "[quarry]\nwalls = [9, 9, 9]\nsite = ["
        + ", ".join(["{ side = 7, walls = [1, 2, 3] }"] * 2)
        + "]\n",
        "is 7, for the second time",
    ),
    (
        "[quarry]\nwalls = [9, 9, 9]\nsite = [{ side = 7, walls = [1, 2, 3], depth = 2 }]\n",
        "depth is not known here",
    ),
    ("[track]\ninspections = [4, 3, 0]\n", "has 0 in place 3"),
]


@pytest.mark.parametrize(("text", "says"), WRONG, ids=range(len(WRONG)))
def test_wrong_boxes_are_refused_by_name(tmp_path, text, says):
    with pytest.raises(EditionError, match=says):
        read_box(edition(tmp_path, text))


def test_too_few_kinds_of_rotating_cards(tmp_path):
    def change(entries):
        few = entries[:10]
        few[0]["copies"] += 50 - sum(entry["copies"] for entry in few)
        return few

    with pytest.raises(EditionError, match="has 10 kinds of cards; there must be 15 or more"):
        read_box(edition(tmp_path, changed_table("rotating", "card", change)))
