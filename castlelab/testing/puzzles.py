"""What every kind of puzzle promises at every level, and every lesson."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

import pytest

from castlelab.draw import svg
from castlelab.game import part
from castlelab.puzzles import LEVELS, Puzzle, kinds, lessons, puzzle
from castlelab.rules import CastlelabError, rulebook
from castlelab.testing.suite import Suite

_SEEDS = (1, 2, 3)
_made = cache(puzzle)  # for tests that look at one puzzle in many ways


class PuzzleContract(Suite):
    """Puzzles and lessons can be solved, explain themselves and practise rules that exist."""

    def every_kind(self) -> list[str]:
        """The kinds of puzzles of the game, and its lessons; there may be none."""
        own = [kind for kind in kinds() if kind.startswith(f"{self.game}/")]
        return [*own, *lessons(self.game)]

    def puzzles(self, kind: str) -> list[Puzzle]:
        """Some puzzles of a kind, at every level; or the lesson of that name."""
        if kind in lessons(self.game):
            module: Any = part(self.game, "lessons")
            return [module.lesson(kind.removeprefix(f"{self.game}/lesson-"))]
        return [_made(f"{kind}-{level}-{seed}") for level in LEVELS for seed in _SEEDS]

    def test_the_solution_solves_it_as_an_object_and_as_text(self, kind: str) -> None:
        for one in self.puzzles(kind):
            for answer in (one.solution, str(one.solution)):
                judged = one.check(answer)
                assert judged, (
                    f"{one.id}: judge must accept the solution {answer}, not say {judged}"
                )
                assert judged.message, f"{one.id}: a judgement needs a message."

    def test_it_says_what_to_do_and_gives_two_different_hints(self, kind: str) -> None:
        for one in self.puzzles(kind):
            told = (one.prompt, *one.hints)
            assert all(words.endswith((".", "?")) for words in told), (
                f"{one.id}: end the sentences."
            )
            assert one.hint(1) != one.hint(2), f"{one.id}: say where to look, then what to do."
            first = one.hint(1).lower().split()
            assert str(one.solution).lower() not in first, f"{one.id}: hint 1 gives it away."

    def test_it_practises_rules_that_exist(self, kind: str) -> None:
        for one in self.puzzles(kind):
            strange = set(one.rules) - set(rulebook(self.game))
            assert one.rules, f"{one.id}: name the rules that it practises."
            assert not strange, f"{one.id}: these are not in rules.toml: {strange}"

    def test_a_code_leads_back_to_its_puzzle(self, kind: str) -> None:
        for one in self.puzzles(kind):
            again = puzzle(one.code) if one.level else one
            assert one == again, f"{one.id}: draw everything from the chance that make is given."
            assert one.kind == kind, f"{one.id}: it calls itself {one.kind}, not {kind}."

    def test_the_answer_can_be_seen(self, kind: str) -> None:
        for one in self.puzzles(kind):
            before, after = one.picture(), one.picture(one.solution)
            assert svg.render(before)
            assert before.description, f"{one.id}: describe its picture."
            assert before != after, f"{one.id}: draw(answer) must show what comes of an answer."

    @pytest.mark.parametrize("answer", [None, 7, [], {}, object(), "", "\n", "no answer at all"])
    def test_no_answer_crashes_the_judge(self, kind: str, answer: object) -> None:
        one, solved = self.puzzles(kind)[0], False
        with suppress(CastlelabError):  # or a judgement; nothing else
            solved = bool(one.check(answer))
        assert not solved, f"{one.id}: {answer!r} is no solution; refuse it."
