"""The turntable: what is piled, what glows, and what is bound together, counted a second way."""

from __future__ import annotations

from itertools import product

import pytest

from castlelab.figures import Figure, handled_figure
from castlelab.games.castle_keep.count import symmetries
from castlelab.games.castle_keep.figure_turntable_cycles import Cycles, painted_castles
from castlelab.games.castle_keep.figure_turntable_glow import Glow, looks_of
from castlelab.games.castle_keep.figure_turntable_piles import Piles
from castlelab.rules import CastlelabError

MOVES = tuple(move.name for move in symmetries())
TASKS = handled_figure("castle_keep/turntable").tasks


def read(figure: Figure, text: str) -> tuple[Figure, str]:
    return figure.read(text)


def turns_and_mirrors(ring: str, step: int) -> set[str]:
    """All that a ring becomes, turned by so many places at a time, and read backwards."""
    turned = {ring[at:] + ring[:at] for at in range(0, len(ring), step)}
    return turned | {one[0] + one[:0:-1] for one in turned}


def different(colours: str, places: int, step: int) -> int:
    rings = map("".join, product(colours, repeat=places))
    return len({min(turns_and_mirrors(ring, step)) for ring in rings})


def test_answers_are_the_numbers_of_orbits() -> None:
    assert TASKS[11].answer == different("rb", 4, 1)
    assert TASKS[14].answer == different("rby", 4, 1)
    assert TASKS[17].answer == different("rb", 8, 2)
    assert painted_castles(3) == different("rby", 8, 2)


def test_slips_are_what_the_wrong_ways_give() -> None:
    turned_only = len(
        {min(r[at:] + r[:at] for at in range(4)) for r in map("".join, product("rby", repeat=4))}
    )
    assert turned_only in TASKS[14].slips
    by_two = {
        min(r[at:] + r[:at] for at in (0, 2, 4, 6)) for r in map("".join, product("rb", repeat=8))
    }
    assert len(by_two) in TASKS[17].slips


@pytest.mark.parametrize("look", ["rrrr", "rbrb", "rrrb", "rrby"])
def test_the_looks_of_a_castle(look: str) -> None:
    assert looks_of(look) == turns_and_mirrors(look, 1)


def test_a_new_look_flies_from_the_heap_to_its_pile() -> None:
    figure, words = read(Piles(), "rrrb, quarter turn")
    assert isinstance(figure, Piles)
    assert figure.look == "brrr"
    assert figure.piles == (("rrrb", "brrr"),)
    assert "new look" in words
    before = {shape.piece for shape in Piles().picture().shapes}
    assert {shape.piece for shape in figure.picture().shapes if shape.piece} & before


def test_two_piles_of_one_castle_become_one() -> None:
    figure, words = read(Piles(), "rrrb, brrr, three-quarter turn")
    assert isinstance(figure, Piles)
    assert figure.piles == (("rrrb", "brrr"),)
    assert "one castle" in words


def test_a_symmetric_castle_stays_and_nothing_is_piled() -> None:
    figure, words = read(Piles(), "rbrb, half turn")
    assert isinstance(figure, Piles)
    assert figure.piles == (("rbrb",),)
    assert words == "It looks as before."


def test_without_a_castle_there_is_nothing_to_turn() -> None:
    with pytest.raises(CastlelabError, match="first touch one"):
        Piles().touch("half turn")


def test_there_is_no_room_for_a_ninth_pile() -> None:
    figure, _ = read(Piles(), "rrrr, rrrb, rrbr, rbrr, brrr, bbbb, rbrb, brbr")
    with pytest.raises(CastlelabError, match="no room"):
        figure.touch("rrbb")


def test_a_pile_that_is_touched_lies_on_the_turntable() -> None:
    figure, _ = read(Piles(), "rrrb, bbbb, pile 1, quarter turn")
    assert isinstance(figure, Piles)
    assert figure.piles[0] == ("rrrb", "brrr")


def test_glows_add_up_to_eight_for_each_castle() -> None:
    figure, _ = read(Glow(), ", ".join(MOVES))
    assert isinstance(figure, Glow)
    assert figure.glows == 8 * different("rby", 4, 1)
    assert not figure.is_done
    for name in MOVES:
        once = Glow().touch(name)
        kept = sum(target.name.endswith("stays") for target in once.figure.picture().targets)
        assert once.words.startswith(f"{kept} castles")


def test_looks_times_moves_that_change_nothing() -> None:
    figure, words = read(Glow(), "rbrb")
    assert "2 looks, and 4 moves" in words
    assert "2 · 4" in figure.told


def test_what_is_bound_together_changes_together() -> None:
    figure, words = read(Cycles(), "more, half turn, nw")
    assert isinstance(figure, Cycles)
    assert figure.paints == "bbrbbbrb"
    assert words == "Now blue: nw, se."
    assert figure.letters == tuple("abcdabcd")


def test_one_colour_leaves_nothing_to_choose() -> None:
    with pytest.raises(CastlelabError, match="only red"):
        Cycles().touch("nw")
    for target in ("fewer", "more"):
        edge = Cycles() if target == "fewer" else read(Cycles(), "more, more")[0]
        with pytest.raises(CastlelabError, match="one to 3 colours"):
            edge.touch(target)


@pytest.mark.parametrize(("clicks", "castles"), [("", 1), ("more, ", 51), ("more, more, ", 954)])
def test_the_mean_of_what_stays(clicks: str, castles: int) -> None:
    figure, _ = read(Cycles(), clicks + ", ".join(MOVES))
    assert figure.tally.value == str(castles)
