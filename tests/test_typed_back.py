"""Text is welcome where a thing is, and what is shown can be typed back or makes sense."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import castlelab
from castlelab import games
from castlelab.bots import Greedy, MonteCarlo, Random, play_out
from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.game import Game, Move, load
from castlelab.games.castell.box import Performance
from castlelab.games.castle_rampage.box import house_box as rampage_box
from castlelab.games.castlescape.box import house_box as scape_box
from castlelab.games.once_upon_a_castle.box import house_guests, house_layouts
from castlelab.puzzles import kinds
from castlelab.record import Record
from castlelab.rules import CastlelabError, IllegalMove, NotationError, Rule, Verdict

castell, keep, rampage = games.castell, games.castle_keep, games.castle_rampage
scape, once = games.castlescape, games.once_upon_a_castle

every_game = pytest.mark.parametrize("game", castlelab.GAMES)


# -- moves as text ---------------------------------------------------------------------------


@every_game
def test_a_state_takes_a_move_as_text(game: str) -> None:
    state, chance = load(game).start(7), Chance.seeded(7)
    for _ in range(12):
        move, chance = chance.choice(state.moves())
        assert state.check(str(move)) == state.check(move)
        assert state.check(str(move))
        assert state.play(str(move)) == state.play(move)
        state = state.play(str(move))


@every_game
def test_text_that_is_no_move_says_what_one_looks_like(game: str) -> None:
    state = load(game).start(7)
    for ask in (state.play, state.check):
        with pytest.raises(NotationError, match="no move starts with 'dance'"):
            ask("dance")


def test_an_illegal_move_in_text_is_refused_with_its_rule() -> None:
    state = load("castell", first="blue").start(seed=7)
    assert state.check("train base").rules == ("castell/move",)
    with pytest.raises(IllegalMove, match=r"\[castell/move\]") as caught:
        state.play("train base")
    assert isinstance(caught.value.move, Move)


def test_a_game_of_another_package_need_not_care_about_text() -> None:
    class Counting(type(load("castle_keep").start(1))):  # type: ignore[misc]
        def check(self, move: Move) -> Verdict:
            assert isinstance(move, Move)
            return super().check(move)

    start = load("castle_keep").start(1)
    state = Counting(**{name: getattr(start, name) for name in start.__dataclass_fields__})
    assert state.check("end")
    assert state.play("end").moves() == start.play("end").moves()


def test_a_record_begins_with_the_name_of_a_game() -> None:
    assert Record.start("castell", 7) == Record.start(load("castell"), 7)
    with pytest.raises(CastlelabError, match="there is no game 'chess'"):
        Record.start("chess")


# -- pieces as text --------------------------------------------------------------------------


def test_castell_takes_towers_teams_and_skills_as_text() -> None:
    tower, skills, team = castell.Tower("9*3 8*3"), castell.Skills(balance=1), castell.Team("9*3")
    assert castell.check("9*3 8*3") == castell.check(tower)
    assert castell.check("9*3 8*3", skills="balance 1")
    assert castell.check("9*3 8*3", "balance 1", "9*3") == castell.check(tower, skills, team)
    assert castell.festival_score("9*4 8*2", wanted=(9,)) == 6
    assert castell.skill_uses("9*4 8*2 7") == castell.skill_uses(castell.Tower("9*4 8*2 7"))
    assert castell.count_towers(skills="balance 1", team="10*2 9*2") == 7
    assert castell.best_tower("9*4 8*2 7*3 6 3*2 2", "width 1, balance 1", (9, 3)) == castell.Tower(
        "9*4 7*2 3*2 2"
    )
    assert castell.Skills("balance 1, width 2") == castell.Skills(balance=1, width=2)
    assert castell.Level("9*2+10") == castell.Tower("10+9*2").levels[0]


def test_castle_keep_takes_castles_as_text() -> None:
    text, hand = "TRC WRC TRC / WRC -- WRC / TRC -- TRC", "WYC WRZ KR"
    castle = keep.Castle(text)
    assert castle == keep.Castle.parse(text)
    assert castle.place("WRZ", "s") == castle.place(keep.Tile("WRZ"), "s")
    assert not castle.check("WRZ", "n")
    assert keep.count_finishes(text, hand) == keep.count_finishes(castle, hand) == 2
    assert keep.finishes(text, hand) == keep.finishes(castle, hand)
    odds = [keep.chance_to_finish(start, hand, 2, games=5) for start in (text, castle)]
    assert odds[0] == odds[1]


def test_castlescape_takes_boards_and_squares_as_text() -> None:
    board = scape.Board("..... / .##.. / .#... / ..... / .....")
    assert board == scape.Board.parse(str(board))
    assert board.check_walls("c3") == board.check_walls(["c3"]) == board.check_walls([(2, 2)])
    assert board.build("c1, d1") == board.build([(0, 2), (0, 3)])
    assert scape.walls_round("c3 d4") == scape.walls_round([(2, 2), "d4"])
    assert scape.can_be_walled("a1 b1")


def test_castle_rampage_takes_cards_by_name() -> None:
    ogre, knight = rampage.card("Ogre"), rampage.card("Knight")
    assert rampage.attack(9, gate="Ogre, Knight", castle="4") == rampage.attack(
        9, gate=[ogre, knight], castle=[4]
    )
    assert rampage.attack(9, gate=["ogre", 3], castle=[knight]).steps[0].defender == ogre
    assert rampage.counted_as("Giant, Archer", ["archer", "knight"]) == ("knight", "archer")
    scheme = next(card for card in rampage_box().cards if card.is_scheme)
    units = [card for card in rampage_box().cards if scheme.pays[0] in card.units]
    names = ", ".join([units[0].name] * len(scheme.pays))
    given_units = rampage.scheme_strength(scheme, units[:1] * len(scheme.pays))
    assert rampage.scheme_strength(scheme.name, names) == given_units
    with pytest.raises(CastlelabError, match="the Castle is a list of cards"):
        rampage.attack(9, castle=7)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="no card is called 'Ogr'; did you mean Ogre"):
        rampage.attack(9, gate="Ogr", castle=[4])


def test_once_upon_a_castle_takes_boards_and_castles_as_text() -> None:
    text = "WSg.. / fgwS. / ..FSg / ...fw"
    board = once.Board(text)
    assert board == once.Board.parse(text) == board.layout.board(board.filled)
    assert once.line_table(text) == once.line_table(board)
    castle = once.Castle("towers 5 2; walls 1; guests king 3")
    assert castle == once.Castle.parse(str(castle))


@pytest.mark.parametrize(
    "ask",
    [
        lambda: castell.check(7),
        lambda: castell.check("9", skills=7),
        lambda: castell.check("9", team=7),
        lambda: castell.check("9", skills="grace 1"),
        lambda: castell.count_towers(team=9),
        lambda: castell.best_tower(None),
        lambda: castell.festival_score([9]),
        lambda: castell.Skills("balance 9"),
        lambda: castell.Skills("balance 1", base=1),
        lambda: castell.Level("11"),
        lambda: castell.Level(""),
        lambda: keep.Castle("TRC"),
        lambda: keep.count_finishes(7, "TRC"),
        lambda: scape.Board("x"),
        lambda: scape.walls_round("z9 9"),
        lambda: once.Board("x"),
        lambda: once.Castle("moat 3"),
        lambda: once.line_table(None),
    ],
)
def test_wrong_text_is_one_clear_sentence(ask: Any) -> None:
    with pytest.raises(CastlelabError) as caught:
        ask()
    assert "\n" not in str(caught.value)


# -- what is shown can be typed back -----------------------------------------------------------

sizes = st.integers(1, 10)
levels = st.dictionaries(sizes, st.integers(1, 3), min_size=1, max_size=2)
level_texts = levels.map(lambda parts: "+".join(f"{s}*{n}" for s, n in parts.items()))
skills = st.builds(castell.Skills, *[st.integers(0, 5)] * 5)
worths = st.lists(st.integers(1, 9), max_size=4).map(tuple)
PIECES = {
    "Level": (castell, level_texts.map(castell.Level)),
    "Tower": (castell, st.lists(level_texts, max_size=6).map(" ".join).map(castell.Tower)),
    "Team": (castell, st.lists(st.integers(0, 9), min_size=10, max_size=10).map(castell.Team.of)),
    "Skills": (castell, skills),
    "Tile": (keep, st.sampled_from(keep.TILES)),
    "Castle Keep's castle": (
        keep,
        st.tuples(*[st.none() | st.sampled_from(keep.TILES)] * 9).map(keep.Castle),
    ),
    "Castle Rampage's card": (rampage, st.sampled_from(rampage_box().cards)),
    "a card of one's own": (
        rampage,
        st.builds(rampage.Card, st.text(max_size=9), sizes, sizes, permanent=st.booleans()),
    ),
    "Castle Rampage's effect": (
        rampage,
        st.sampled_from([effect for card in rampage_box().cards for effect in card.effects]),
    ),
    "attack": (
        rampage,
        st.builds(
            rampage.attack,
            st.integers(0, 30),
            gate=st.lists(st.sampled_from(rampage_box().cards), max_size=3),
            castle=st.lists(sizes, min_size=1, max_size=3),
        ),
    ),
    "site": (
        scape,
        st.integers(1, 7).flatmap(
            lambda columns: st.lists(
                st.text(".#abcdABCD", min_size=columns, max_size=columns), min_size=1, max_size=7
            ).map(lambda rows: scape.Board("\n".join(rows)))
        ),
    ),
    "CastleScape's card": (scape, st.sampled_from(scape_box().cards)),
    "goal": (scape, st.sampled_from((*scape_box().goals, *scape_box().contracts))),
    "token board": (
        once,
        st.sampled_from([layout.board(bits) for layout in house_layouts() for bits in range(900)]),
    ),
    "gift": (
        once,
        st.sampled_from([line.gift for layout in house_layouts() for line in layout.lines]),
    ),
    "guest": (once, st.sampled_from(list(house_guests().values()))),
    "drawn castle": (
        once,
        st.builds(
            once.Castle,
            floors=st.integers(0, 4),
            towers=worths,
            walls=st.integers(0, 4),
            flags=worths,
            residents=st.integers(0, 60),
            guests=st.lists(st.sampled_from(list(house_guests().values())), unique=True).map(tuple),
            sun=st.booleans(),
            small_clouds=st.integers(0, 5),
        ),
    ),
}


@pytest.mark.parametrize("piece", PIECES)
@given(data=st.data())
def test_a_piece_is_shown_as_it_is_typed(piece: str, data: st.DataObject) -> None:
    room, things = PIECES[piece]
    thing = data.draw(things)
    assert "\n" not in repr(thing)
    assert eval(repr(thing), vars(room).copy()) == thing


def test_pieces_are_short() -> None:
    assert repr(castell.Tower("9*3 8*2 7")) == "Tower('9*3 8*2 7')"
    assert repr(castell.Skills(base=2)) == "Skills(base=2)"
    assert repr(keep.Castle("TRC -- -- / -- KR -- / -- -- --")) == (
        "Castle('TRC -- -- / -- KR -- / -- -- --')"
    )
    assert repr(scape.Board("... / .#. / ...")) == "Board('... / .#. / ...')"
    assert repr(rampage.card("ogre")) == "card('Ogre')"
    assert repr(Performance(3, (3, 2, 1))) == "Performance(3, widths=(3, 2, 1))"
    tile = Performance(6, shown=castell.Skills(mix=2))
    assert eval(repr(tile), {"Performance": Performance, "Skills": castell.Skills}) == tile


def test_what_the_house_does_not_have_is_told_whole() -> None:
    guest = once.Guest("aunt", 3, "per-flag", "crown")
    castle = once.Castle(guests=(guest,))
    assert eval(repr(castle), vars(once).copy()) == castle


# -- what else is shown makes sense ------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [
        load("castell", players=3),
        load("castell", players=3, variant="advanced", first="green"),
        load("castle_keep", players=2, way="empire", attack_towers=True),
        load("castlescape"),
    ],
    ids=repr,
)
def test_a_game_is_shown_as_it_is_loaded(game: Game) -> None:
    again = eval(repr(game), {"load": load})
    assert (again.name, again.players, again.options) == (game.name, game.players, game.options)


def test_a_game_shows_only_what_is_not_as_usual() -> None:
    assert repr(load("castell", players=3)) == "load('castell', players=3)"
    assert repr(load("castle_keep", way="king")) == "load('castle_keep', players=2, way='king')"


@every_game
def test_a_state_is_one_line_of_sense(game: str) -> None:
    state = load(game).start(1)
    assert repr(state).startswith(f"<{state.game.title}, 2 players, ")
    assert repr(state).endswith((": Blue to move>", ": Orange to move>"))
    end, _ = play_out(state, (Random(),) * 2, Chance.seeded(1))
    assert ": over, " in repr(end)
    assert repr(end).endswith(f" won, {' to '.join(map(str, end.scores))}>")
    assert all("\n" not in repr(one) and len(repr(one)) < 100 for one in (state, end))


def test_a_state_says_how_far_it_is() -> None:
    state = load("castell", first="blue").start(1)
    assert repr(state) == "<Castell, 2 players, round 1: Blue to move>"
    for _ in range(4):
        state = state.play("end")
    assert repr(state) == "<Castell, 2 players, round 3: Blue to move>"
    lost, _ = play_out(load("castle_keep", way="solitaire").start(1), (Random(),), Chance.seeded(1))
    assert repr(lost) == "<Castle Keep, 1 player: over, nobody won, 0>"


def test_puzzles_are_a_line_of_sense() -> None:
    shown = repr(castlelab.puzzle("castell/tallest-3-42"))
    assert shown == (
        "<Puzzle castell/tallest-3-42: Build the tallest tower you can with this team.>"
    )
    for kind in kinds():
        shown = repr(castlelab.puzzle(f"{kind}-2-3"))
        assert shown.startswith(f"<Puzzle {kind}-2-3: ")
        assert len(shown) < 100
    own = castell.puzzle("Build three levels.", team="9*3 8*2 7", levels=3)
    assert repr(own) == "<Puzzle castell/own: Build three levels.>"


def test_the_rest_is_a_line_of_sense_too() -> None:
    game = load("castell", first="blue")
    rule = game.rules["castell/max-width"]
    verdict = castell.check("9*3 8*3 7*3")
    record = Record.start(game, seed=7).play("move Valls")
    assert repr(rule) == "<Rule castell/max-width: Three at most>"
    assert repr(game.rules) == f"<Rulebook of castell: {len(game.rules)} rules>"
    assert repr(verdict.breaches[0]) == f"<Breach: {verdict.breaches[0]}>"
    assert repr(Verdict()) == "<Verdict: Legal.>"
    assert all(str(breach) in repr(verdict) for breach in verdict.breaches)
    assert repr(record) == ("<Record of load('castell', players=2, first='blue'), seed 7, 1 move>")
    assert "from a position" in repr(Record.begin_at(record.state))
    assert [repr(bot) for bot in (Random(), Greedy(), MonteCarlo(), MonteCarlo(50))] == [
        "Random()",
        "Greedy()",
        "MonteCarlo()",
        "MonteCarlo(rollouts=50)",
    ]
    chance = Chance.seeded(3)
    assert eval(repr(chance), {"Chance": Chance}) == chance
    assert repr(Edition.load("castell")).startswith("<Edition ")
    things: list[Any] = [rule, verdict, record, verdict.breaches[0], once.house_layouts()[0]]
    assert not [thing for thing in things if "\n" in repr(thing)]
    assert isinstance(rule, Rule)


# -- kinds -------------------------------------------------------------------------------------


def test_kinds_are_of_a_game_by_name_or_as_such() -> None:
    assert kinds("castell") == kinds(load("castell"))
    assert kinds("castell") == tuple(kind for kind in kinds() if kind.startswith("castell/"))
    with pytest.raises(CastlelabError, match="there is no game 'chess'; the games are castell"):
        kinds("chess")
