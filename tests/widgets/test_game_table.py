"""The game table, worked through Python: lists, notation, undo past bots, whole games."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar

import ipywidgets
import pytest
from keys import walk
from tables import click, shows

import castlelab
from castlelab.chance import Chance
from castlelab.draw.scene import Scene, Target
from castlelab.game import GAMES, Game, Move, Pointing, State
from castlelab.record import Record
from castlelab.rules import Breach, CastlelabError, IllegalMove, Rule, Verdict
from castlelab.widgets.table.game_table import GameTable


@pytest.fixture
def table():
    return GameTable("castell", seed=3)


def choose(table, move):
    table.moves.choice.value = move
    click(table, "Play this move")


def finished(seed=1):
    record, chance = Record.start(castlelab.load("castell"), seed), Chance.seeded(seed)
    while not record.state.over:
        move, chance = chance.choice(record.state.moves())
        record = record.play(move)
    return record


def test_a_table_lists_every_legal_move_and_describes_the_start(table):
    state = castlelab.load("castell").start(3)
    assert table.record.state == state
    assert table.moves.listed == tuple(map(str, state.moves()))
    assert table.board.said == ""  # nothing has happened
    assert state.point(()).words in table.turn.children[0].value
    assert table.board.offered == state.point(()).offers
    assert table.board.scene == state.picture()
    assert not table.board.can_undo


def test_play_by_the_list(table):
    choose(table, "move Valls")
    assert table.record.moves == ("move Valls",)
    assert table.happened.words == [table.record.told(0)]
    assert shows(table, table.record.state.picture())
    assert "end" in table.moves.listed


def test_play_by_notation(table):
    table.board.write("MOVE valls")
    assert table.record.moves == ("move Valls",)
    assert table.board.draft == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("recruit 9", "[castell/move]"),
        ("stay out", "[castell/turn-order]"),
        ("jump", "no move starts with 'jump'"),
        ("move Paris", "is not a region"),
        ("", "write a move"),
    ],
)
def test_what_cannot_be_played_is_explained_and_nothing_changes(table, text, says):
    table.board.write(text)
    assert says in table.board.said
    assert not table.board.ok
    assert table.record.moves == ()


def test_an_illegal_move_lights_the_place(table):
    table.board.write("move Valls")
    table.board.write("end")
    table.board.write("end")
    table.board.write("end")
    table.board.write("move Mataró")
    assert "does not touch Valls" in table.board.said
    assert table.board.lit == ("Mataró",)


def test_play_from_python_raises(table):
    with pytest.raises(IllegalMove):
        table.play("recruit 9")
    assert table.record.moves == ()


def test_picking_a_place_says_what_is_there_and_filters_the_list(unpointed):
    unpointed.board.pick("hill")
    assert unpointed.moves.listed == ("blow hill",)
    assert unpointed.board.said == "Hill"
    click(unpointed, "All moves")
    assert len(unpointed.moves.listed) == 2


def test_picking_what_no_move_names_lists_all(table):
    table.board.pick("Blue")
    assert len(table.moves.listed) == 8
    assert table.board.said.startswith("Blue, first player: 0 points")


def test_without_a_choice_nothing_is_played(table):
    table.moves.choice.value = None
    click(table, "Play this move")
    assert table.record.moves == ()
    assert "Choose a move" in table.board.said
    assert not table.board.ok


def test_undo_and_redo(table):
    for move in ("move Valls", "end", "move Mataró"):
        table.play(move)
    table.board.undo()
    table.board.press("u")
    assert table.record.moves == ("move Valls",)
    assert shows(table, table.record.state.picture())
    table.board.redo()
    table.board.press("r")
    assert table.record.moves == ("move Valls", "end", "move Mataró")
    assert not table.board.can_redo
    for _ in range(3):
        table.board.undo()
    assert not table.board.can_undo
    table.board.undo()
    assert "nothing to undo" in table.board.said


def test_a_bot_answers_at_once_and_is_quoted():
    table = GameTable("castell", seed=3, bots={1: "random"})
    table.play("move Valls")
    assert table.record.state.to_move == 0
    table.play("end")
    assert table.record.state.to_move == 0
    theirs = len(table.record.moves) - 2
    assert theirs >= 1
    assert sum(line.seat == 1 for line in table.happened.lines) == theirs


def test_undo_goes_back_past_what_bots_played_and_redo_forth():
    table = GameTable("castell", seed=3, bots={1: "random"})
    table.play("move Valls")
    before = table.record
    table.play("end")
    after = table.record
    table.board.undo()
    assert table.record.moves == before.moves
    table.board.redo()
    assert table.record.moves == after.moves
    assert table.record.state == after.state


def test_a_bot_that_opens_is_not_undone_into_its_own_turn():
    table = GameTable("castell", seed=3, bots={0: "random"})
    assert table.record.state.to_move == 1
    opening = table.record.moves
    assert opening
    assert not table.board.can_undo
    table.board.undo()
    assert table.record.moves == opening
    table.play("move Valls")
    table.board.undo()
    assert table.record.moves == opening
    assert table.record.state.to_move == 1
    table.board.redo()
    assert table.record.moves == (*opening, "move Valls")


def test_the_same_seed_gives_the_same_bots():
    tables = [GameTable("castell", seed=9, bots={0: "random"}) for _ in range(2)]
    assert tables[0].record.moves == tables[1].record.moves


def test_bots_alone_play_to_the_end():
    table = GameTable("castell", seed=2, bots={0: "random", 1: "random"})
    assert table.record.state.over
    assert table.moves.listed == ()
    assert table.headline.endswith(("won.", "."))
    assert "Where the points came from" in table.stage.children[0].value
    assert not table.board.can_undo


def test_a_whole_game_of_random_moves_by_the_list():
    table, chance = GameTable(castlelab.load("castell", players=3), seed=5), Chance.seeded(5)
    while not table.record.state.over:
        move, chance = chance.choice(table.moves.listed)
        choose(table, move)
        assert table.board.ok
    assert table.moves.listed == ()
    assert "won." in table.headline
    assert Record.loads(table.record.dumps()) == table.record
    click(table, "Play this move")
    assert "Choose a move" in table.board.said
    table.board.write("end")
    assert "[castell/turn-order]" in table.board.said


def test_a_record_can_be_put_on_the_table_even_a_finished_one():
    record = finished()
    half = GameTable(record=record.at(20))
    assert half.record.moves == record.moves[:20]
    done = GameTable(record=record)
    assert done.moves.listed == ()
    assert done.headline == done.seats.outcome(record.state)
    done.board.undo()
    assert done.record.moves == record.moves[:-1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"bots": {1: "genius"}}, "there is no bot 'genius'"),
        ({"bots": {2: "random"}}, "no seat 2 for a bot"),
        ({"bots": {"1": "random"}}, "no seat '1' for a bot"),
        ({"seed": 1.5}, "a seed is"),
    ],
)
def test_wrong_tables_are_refused(arguments, says):
    with pytest.raises(CastlelabError, match=says):
        GameTable(**{"game": "castell"} | arguments)


def test_moves_of_a_place_and_of_nothing_are_listed_after_each_move(unpointed):
    unpointed.board.pick("hill")
    unpointed.play("blow hill")
    assert unpointed.moves.listed == tuple(map(str, unpointed.record.state.moves()))


def test_the_state_on_the_table_is_immutable(table):
    before = table.record.state
    table.play("move Valls")
    assert before == replace(before)
    assert before.players[0].pawn is None


# -- pointing, with a game that is nothing but pointing ----------------------------------------


@dataclass(frozen=True, slots=True)
class Say(Move):
    """Blow a horn, softly or loudly."""

    kind: ClassVar[str] = "say"
    text: str

    def __str__(self):
        return self.text


class Horns(Game):
    """Take the horn up, then blow it at a hill. Each seat blows twice; the first one wins."""

    name, title, about, seats = "horns", "Horns", "Blow.", range(1, 5)
    LOUD = Rule("castell/move", "Loud", "Nobody blows at the sea.", "Test")

    def start(self, seed=0):
        return Blowing(self)

    def move(self, text):
        return Say(" ".join(text.split()))

    @classmethod
    def cover(cls):
        return Scene(1, 1)


@dataclass(frozen=True)
class Blowing(State):
    game: Horns
    blown: tuple[str, ...] = ()
    seen_by: int | None = None

    @property
    def to_move(self):
        done = len(self.blown) >= 2 * self.game.players
        return None if done else len(self.blown) % self.game.players

    def moves(self):
        return () if self.over else (Say("blow hill"), Say("blow town"))

    def check(self, move):
        if move in self.moves():
            return Verdict()
        return Verdict((Breach(self.game.LOUD, "Not at the sea.", ("sea",)),))

    def after(self, move):
        return replace(self, blown=(*self.blown, move.text))

    @property
    def scores(self):
        return (1,) + (0,) * (self.game.players - 1)

    def view(self, player):
        return replace(self, seen_by=player)

    def guess(self, player, chance):
        return self

    def estimate(self, player):
        return 0.0

    def point(self, picks):
        if self.over:
            return Pointing()
        match picks:
            case ():
                return Pointing(offers=("horn",), words="Take the horn.")
            case ("horn",):
                return Pointing(offers=("hill", "town"), picks=picks, words="At what?")
            case ("horn", "horn"):
                return Pointing(offers=("horn",), words="Put back.")
            case ("horn", "town"):
                return Pointing(Say("blow town"), asks=True, falling=("town",), words="Really?")
            case ("horn", where):
                return Pointing(Say(f"blow {where}"))
            case ("town",):
                return Pointing(words="Take the horn first.")
        return Pointing()

    def picture(self):
        names = ("horn", "hill", "town", "sea")
        targets = [Target(n, n.title(), 40 * at, 0, 40, 40) for at, n in enumerate(names)]
        return Scene(160, 40, (), tuple(targets), "Horns", f"Seen by {self.seen_by}.")

    def describe(self):
        return f"{len(self.blown)} blown, seen by {self.seen_by}."


class Plain(Horns):
    """The same, but nothing of it is pointed at."""

    def start(self, seed=0):
        return Unpointed(self)


class Unpointed(Blowing):
    def point(self, picks):
        return Pointing()


@pytest.fixture
def horns():
    return GameTable(Horns(2, None))


@pytest.fixture
def unpointed():
    return GameTable(Plain(2, None))


def question(table):
    """What can be answered with yes now."""
    return [b.description for b in table.picker.question.children]


def test_what_one_may_begin_with_is_offered(horns):
    assert horns.board.offered == ("horn",)
    assert horns.picker.picks == ()


def test_pointing_leads_to_a_move(horns):
    horns.board.pick("horn")
    assert horns.picker.picks == ("horn",)
    assert horns.board.offered == ("hill", "town")
    assert horns.board.said == "At what?"
    horns.board.pick("hill")
    assert horns.record.moves == ("blow hill",)
    assert horns.picker.picks == ()
    assert horns.board.offered == ("horn",)
    assert horns.happened.words == ["Blue played blow hill."]


def test_the_same_thing_picked_again_is_put_back(horns):
    horns.board.pick("horn")
    horns.board.pick("horn")
    assert horns.picker.picks == ()
    assert horns.board.said == "Put back."
    assert horns.board.offered == ("horn",)


def test_a_refused_move_is_explained_lit_and_forgotten(horns):
    horns.board.pick("horn")
    horns.board.pick("sea")
    assert "Not at the sea. [castell/move]" in horns.board.said
    assert not horns.board.ok
    assert horns.board.lit == ("sea",)
    assert horns.picker.picks == ()
    assert horns.board.offered == ("horn",)
    assert horns.record.moves == ()


def test_a_grave_move_is_asked_about_first(horns):
    horns.board.pick("horn")
    assert question(horns) == []
    horns.board.pick("town")
    assert horns.record.moves == ()
    assert horns.board.said == "Really?"
    assert horns.board.lit == ("town",)
    assert question(horns) == ["Yes, do it"]
    horns.picker.question.children[0].click()
    assert horns.record.moves == ("blow town",)
    assert question(horns) == []
    assert horns.board.lit == ()


def test_picking_the_same_target_again_means_yes(horns):
    for target in ("horn", "town", "town"):
        horns.board.pick(target)
    assert horns.record.moves == ("blow town",)


@pytest.mark.parametrize("other", ["horn", "sea"])
def test_anything_else_means_no(horns, other):
    for target in ("horn", "town", other):
        horns.board.pick(target)
    assert horns.record.moves == ()
    assert question(horns) == []
    horns.board.pick("town")  # not a late yes
    assert horns.record.moves == ()


def test_another_target_instead_of_the_grave_one(horns):
    for target in ("horn", "town", "hill"):
        horns.board.pick(target)
    assert horns.record.moves == ("blow hill",)


@pytest.mark.parametrize("act", ["undo", "redo", "list", "text"])
def test_whatever_else_is_done_puts_back_what_was_picked(horns, act):
    horns.play("blow hill")
    horns.play("blow hill")
    horns.board.undo()
    horns.board.pick("horn")
    horns.board.pick("town")
    match act:
        case "undo":
            horns.board.undo()
        case "redo":
            horns.board.redo()
        case "list":
            choose(horns, "blow hill")
        case "text":
            horns.board.write("blow hill")
    assert horns.picker.picks == ()
    assert question(horns) == []
    assert horns.board.offered == ("horn",)


def test_words_without_offers_leave_the_first_offers(horns):
    horns.board.pick("town")
    assert horns.board.said == "Take the horn first."
    assert horns.board.offered == ("horn",)


def test_what_means_nothing_lists_the_moves_that_name_it(horns):
    horns.board.pick("hill")
    assert horns.moves.listed == ("blow hill",)
    assert horns.board.said == "Hill"


def test_the_list_is_compact_where_the_picture_is_played(horns, unpointed):
    assert isinstance(horns.moves.choice, ipywidgets.Dropdown)
    assert isinstance(unpointed.moves.choice, ipywidgets.Select)
    choose(horns, "blow town")
    assert horns.record.moves == ("blow town",)


def test_people_take_turns_to_see(horns):
    assert horns.board.scene.description == "Seen by 0."
    assert "Take the horn." in horns.turn.children[0].value
    horns.play("blow hill")
    assert horns.board.scene.description == "Seen by 1."


def test_somebody_alone_among_bots_sees_only_the_own_side():
    table = GameTable(Horns(2, None), bots={0: "random"})
    assert table.board.scene.description == "Seen by 1."
    table.play("blow hill")
    table.play("blow hill")
    assert table.record.state.over
    assert table.board.scene.description == "Seen by 1."
    assert table.headline == "You lost."
    assert table.board.offered == ()


@pytest.mark.parametrize(
    ("players", "bots", "says"),
    [(1, {}, "You won!"), (2, {1: "random"}, "You won!"), (2, {}, "Blue won.")],
)
def test_the_end_says_who_won(players, bots, says):
    table = GameTable(Horns(players, None), bots=bots)
    while not table.record.state.over:
        table.board.pick("horn")
        table.board.pick("hill")
    assert table.headline == says


# -- pointing, with Castle Keep ----------------------------------------------------------------


def test_keys_alone_play_a_whole_solitaire():
    """Nothing but arrows, F6 and Enter, always for the next thing on offer."""
    table = GameTable(castlelab.load("castle_keep", way="solitaire"), seed=2)
    board = table.board
    for _ in range(500):
        if table.record.state.over:
            break
        target = next((offer for offer in board.offered if offer != "end"), "end")
        walk(board, target)
        board.press("Enter")
        assert board.ok, board.said
    assert table.record.state.over
    assert table.headline in ("You won!", "You lost.")


def next_target(table, chance):
    """A tile that can do something, then one of its spots; else the end of the turn."""
    if table.picker.asked is not None:
        return table.picker.asked, chance
    if table.picker.picks:
        return chance.choice(table.board.offered)
    tiles = [offer for offer in table.board.offered if offer.startswith(("hand", "won"))]
    return chance.choice(tiles or ["end"])


@pytest.mark.parametrize(
    ("way", "players"), [("classic", 3), ("takeover", 2), ("empire", 2), ("king", 2)]
)
def test_a_whole_game_by_pointing_alone(way, players):
    table = GameTable(castlelab.load("castle_keep", players, way=way), seed=4)
    chance = Chance.seeded(way)
    for _ in range(3000):
        if table.record.state.over:
            break
        target, chance = next_target(table, chance)
        assert table.board.scene.target(target) is not None
        table.board.pick(target)
        assert table.board.ok, table.board.said
    assert table.record.state.over
    assert " won." in table.headline


def test_the_hands_of_bots_are_not_shown():
    table = GameTable(castlelab.load("castle_keep"), seed=1, bots={1: "greedy"})
    state = table.record.state
    assert state.to_move == 0
    assert table.board.scene == state.view(0).picture()
    held = [t.name for t in table.board.scene.targets if t.id.startswith("hand")]
    assert held == [f"Hand {n}: {tile.words}" for n, tile in enumerate(state.hands[0], 1)]


def test_a_refused_tile_is_explained_by_its_rule():
    table = GameTable(castlelab.load("castle_keep"), seed=1)
    seat = table.record.state.seat
    kinds = [tile.kind for tile in table.record.state.hands[seat]]
    number = next(n for n, kind in enumerate(kinds, 1) if kind != "keep")
    table.board.pick(f"hand {number}")
    table.board.pick(f"{seat + 1}.c")
    assert "[castle_keep/spots]" in table.board.said
    assert table.board.lit == (f"{seat + 1}.c",)
    assert table.picker.picks == ()


# CastleScape: a turn by pointing alone


def test_a_turn_of_castlescape_is_pointed_at():
    table = GameTable(castlelab.load("castlescape", side=7), seed=3)
    board = table.board
    while not table.record.state.round:
        board.pick(board.offered[0])  # contracts
    for _ in range(30):
        state = table.record.state
        hand = [name for name in board.offered if name.startswith("hand ")]
        if hand:
            board.pick(hand[0])
            assert table.record.moves[-1] == hand[0].replace("hand", "play")
        elif state.wall_spots():
            square = state.board.names(state.wall_spots())[0]
            board.pick(square)
            if table.picker.picks:  # a recruit could go there, too
                board.pick("use walls")
            assert table.record.moves[-1] == f"wall {square}"
        elif state.turn.recruits:
            square = state.board.names(state.recruit_spots())[0]
            board.pick(square)
            assert table.record.moves[-1] == f"recruit {square}"
        else:
            board.pick("end")
            assert table.record.moves[-1] == "end"
    kinds = {move.split()[0] for move in table.record.moves}
    assert kinds == {"keep", "play", "wall", "recruit", "end"}
    board.pick("market Ramparts")
    assert "Ramparts" in board.said


def test_an_idle_square_of_castlescape_says_what_is_missing():
    """castlescape/use-or-return"""
    table = GameTable(castlelab.load("castlescape", side=7), seed=3)
    while not table.record.state.round:
        table.board.pick(table.board.offered[0])
    board = table.board
    before = len(table.record.moves)
    board.pick("a1")
    assert "You have no recruit to position." in board.said
    assert "[castlescape/use-or-return]" in board.said
    assert len(table.record.moves) == before
    assert board.offered == table.record.state.point(()).offers


# -- a state is asked once ---------------------------------------------------------------------


class Asked:
    """Counts what each state is asked for from outside; what it asks itself is its own affair."""

    def __init__(self, monkeypatch, cls):
        self._times = Counter()
        self._kept = []  # or another state might be given the same id
        self._depth = 0
        for name in ("point", "picture", "describe", "check", "moves", "after", "view"):
            monkeypatch.setattr(cls, name, self._counted(name, getattr(cls, name)))

    def _counted(self, name, method):
        def counted(state, *arguments):
            if not self._depth:
                self._kept.append(state)
                self._times[name, id(state)] += 1
            self._depth += 1
            try:
                return method(state, *arguments)
            finally:
                self._depth -= 1

        return counted

    def most(self):
        """How often a state was asked for the same at most, since this was called last."""
        found = max(self._times.values(), default=0)
        self._times.clear()
        return found


def test_a_click_asks_a_state_once(monkeypatch):
    asked = Asked(monkeypatch, Blowing)
    table = GameTable(Horns(2, None))
    asked.most()
    for target in ("horn", "horn", "sea", "horn", "town", "town", "horn", "hill", "town"):
        table.board.pick(target)
        assert asked.most() == 1, target
    assert table.record.moves == ("blow town", "blow hill")


@pytest.mark.parametrize("name", GAMES)
def test_a_click_asks_every_game_once(monkeypatch, name):
    options = {"side": 7} if name == "castlescape" else {}
    table = GameTable(castlelab.load(name, **options), seed=4)
    asked = Asked(monkeypatch, type(table.record.state))
    chance = Chance.seeded(name)
    for _ in range(30):
        target, chance = chance.choice(table.board.offered)
        table.board.pick(table.picker.asked or target)
        assert asked.most() <= 1, target
    assert len(table.record.moves) > 5
