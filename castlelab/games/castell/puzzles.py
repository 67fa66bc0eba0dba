"""Castell's puzzles: five kinds, five levels each, made from a seed and proved solvable.

Every maker draws positions until one has what its level asks for; the engine's exact
search proves that the puzzle can be solved and what a perfect answer reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from castlelab.chance import Chance
from castlelab.games.castell.box import Performance
from castlelab.games.castell.optimum import best_tower, tallest_tower
from castlelab.games.castell.parts import LESSER
from castlelab.games.castell.performance import check_performance, tower_of_shape
from castlelab.games.castell.picture import bench_scene, people_words, tower_scene
from castlelab.games.castell.puzzle_count_towers import make_count_towers
from castlelab.games.castell.puzzle_nobody_stays import make_nobody_stays
from castlelab.games.castell.tower import (
    FESTIVAL_LEVELS,
    SIZES,
    SKILLS,
    Level,
    Skills,
    Team,
    Tower,
    check,
    check_entry,
    festival_score,
    flaws,
    level_name,
    skill_uses,
    stands,
)
from castlelab.puzzles import (
    Ask,
    ChooseOne,
    Code,
    Judgement,
    Maker,
    Puzzle,
    first_good,
    growing,
    not_yet,
)
from castlelab.rules import listed

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene


@dataclass(frozen=True, slots=True)
class BuildTower(Ask[Tower]):
    """An answer that is a tower, built from a team with skills."""

    answers: ClassVar = Tower
    example: ClassVar = "a tower such as '9*3 8*2 7'"
    editor: ClassVar = "castlelab.widgets.castell.tower_editor:editor_for"

    team: Team
    skills: Skills = Skills()
    wanted: tuple[int, ...] = ()
    widths: tuple[int, ...] = ()
    start: Tower = Tower()  # what stands on the bench at first
    #: Whether a tower that stands is what was asked for; what is offered instead leads there.
    goal: Callable[[Tower], bool] | None = field(default=None, compare=False, repr=False)

    def read(self, text: str) -> Tower:
        return Tower(text)

    def untouched(self) -> Tower | None:
        return self.start if self.start.levels else None

    def steps(self, answer: Tower) -> tuple[Tower, ...]:
        """Level by level."""
        return tuple(map(Tower.of, growing(answer.levels)))

    def puzzle(
        self,
        code: Code,
        best: Tower,
        measure: Callable[[Tower], Judgement],
        hint: str,
        **parts: Any,
    ) -> Puzzle:
        """The question for the best tower: a measure judges what stands."""
        ask = replace(self, goal=lambda tower: bool(measure(tower)))

        def judge(tower: Tower) -> Judgement:
            verdict = check(tower, self.skills, self.team, ask.goal)
            return measure(tower) if verdict else not_yet(verdict, "This tower does not stand.")

        hints = (hint, f"One good tower has a base of {people_words(best.levels[0])}.")
        parts = {"solution": best, "hints": hints, "judge": judge, "draw": ask.draw, **parts}
        return Puzzle(*code, start=ask, ask=ask, **parts)

    def draw(self, tower: Tower | None) -> Scene:
        """A tower beside those who are left of the team, and what is wrong with it."""
        tower = self.start if tower is None else tower
        lit = check(tower, self.skills, self.team).where if tower.levels else ()
        return bench_scene(
            tower, self.team, self.skills, lit=lit, wanted=self.wanted, widths=self.widths
        )


@dataclass(frozen=True, slots=True)
class Suspect:
    """A tower in which something is wrong, and the skills its builders have."""

    tower: Tower
    skills: Skills


@dataclass(frozen=True, slots=True)
class Grade:
    """What a level of difficulty means: how many castellers, how many ranks of skill."""

    castellers: range
    ranks: range
    height: range  # of the best tower
    wanted: int = 1


_BREACH_RULES = (
    "castell/level-one-size",
    "castell/level-smaller",
    "castell/level-shrinks",
    "castell/max-width",
)

GRADES = {
    1: Grade(range(6, 9), range(1), range(3, 4), wanted=1),
    2: Grade(range(7, 11), range(1, 2), range(4, 5), wanted=1),
    3: Grade(range(9, 13), range(2, 3), range(5, 6), wanted=2),
    4: Grade(range(11, 15), range(3, 4), range(5, 7), wanted=2),
    5: Grade(range(13, 18), range(4, 6), range(6, 9), wanted=3),
}


def _some_team(span: range, chance: Chance) -> tuple[Team, Chance]:
    number, chance = chance.choice(span)
    drawn, chance = chance.draw((15,) * 10, number)
    return Team.of(drawn), chance


def _some_skills(
    span: range, chance: Chance, most: int = 2, among: Sequence[str] = SKILLS
) -> tuple[Skills, Chance]:
    """Random ranks that add up to a number of the span, none above ``most``."""
    number, chance = chance.choice(span)
    skills = Skills()
    while number:
        skill, chance = chance.choice(among)
        if skills.rank(skill) < most:
            skills = skills.raised(skill)
            number -= 1
    return skills, chance


def _some_wanted(number: int, team: Team, chance: Chance) -> tuple[tuple[int, ...], Chance]:
    sizes = sorted(set(team), reverse=True)
    shuffled, chance = chance.shuffle(sizes)
    return tuple(sorted(shuffled[:number], reverse=True)), chance


def _sizes(wanted: Sequence[int]) -> str:
    """The sizes that a festival wants.

    >>> _sizes((7,)), _sizes((7, 3, 2))
    ('size 7', 'sizes 7, 3 and 2')
    """
    return f"size{'s' * (len(wanted) > 1)} {listed([*map(str, wanted)])}"


# -- spot the breach ---------------------------------------------------------------------


def random_tower(skills: Skills, height: int, chance: Chance) -> Tower | None:
    """A legal tower of so many levels, grown level by level; None where it got stuck."""
    levels: list[Level] = []
    for _ in range(height):
        options = list(_legal_levels(levels, skills))
        if not options:
            return None
        level, chance = chance.choice(options)
        levels.append(level)
    return Tower.of(levels)


def _legal_levels(levels: list[Level], skills: Skills) -> Iterator[Level]:
    widest = levels[-1].width if levels else 3 + skills.width
    largest = min(10, levels[-1].size + skills.strength) if levels else 10
    # Low levels stay large and wide, so that there is room for what stands on them.
    smallest = max(1, largest - 4)
    for width in range(max(1, widest - 1), widest + 1):
        for size in range(smallest, largest + 1):
            candidates = [Level(((size, width),))]
            if skills.mix and size in LESSER and width > 1:
                candidates.append(Level(((size, width - 1), (LESSER[size], 1))))
            for level in candidates:
                if stands(Tower.of([*levels, level]), skills):
                    yield level


def spoiled(tower: Tower, chance: Chance) -> Tower:
    """The same tower with one level changed at random."""
    at, chance = chance.below(tower.height)
    size, chance = chance.below(10)
    width, chance = chance.below(4)
    level = tower.levels[at]
    turn, chance = chance.below(3)
    if turn == 0:
        changed = Level(((size + 1, level.width),))
    elif turn == 1:
        changed = Level(((level.size, width + 1),))
    else:
        changed = Level.of([*[level.size] * max(1, level.width - 1), size + 1])
    return Tower.of([*tower.levels[:at], changed, *tower.levels[at + 1 :]])


def make_spot_the_breach(code: Code, chance: Chance) -> Puzzle:
    """A tower with exactly one breach; say on which level it is."""

    level = code.level

    def suspect(chance: Chance) -> Suspect | None:
        skills, chance = _some_skills(range(level - 1, level), chance)
        height, chance = chance.choice(range(2 + (level + 1) // 2, 4 + (level + 1) // 2))
        tower = random_tower(skills, height, chance.split("tower"))
        # From level 2 on the skills are really in use, so that not all that is odd is wrong.
        if tower is None or (level > 1 and not any(sum_of(way) for way in skill_uses(tower))):
            return None
        wrong = spoiled(tower, chance.split("spoil"))
        found = flaws(wrong, skills)
        if len(found) != 1:
            return None
        # Nor may the breach be one level too many that all spend the same skill: then any of
        # them could be called the wrong one.
        bare = flaws(wrong, Skills(width=skills.width))
        if sum(flaw.rule == found[0].rule for flaw in bare) > 1:
            return None
        return Suspect(wrong, skills)

    start = first_good(suspect, chance)
    verdict = check(start.tower, start.skills)
    (breach,) = verdict.breaches
    (guilty,) = breach.where
    trained = start.skills if sum_of(start.skills) else "no skill"
    options = tuple(
        (level_name(number), f"Level {number}") for number in range(1, start.tower.height + 1)
    )

    def judge(name: str) -> Judgement:
        if name == guilty:
            return Judgement(True, f"Yes, {name} breaks a rule.", verdict.breaches)
        return Judgement(
            False,
            f"{name.capitalize()} keeps every rule: {_standing(start.tower, name)}. Compare "
            "each level with the one below it: its size, then its width.",
        )

    return Puzzle(
        *code,
        prompt=f"One level of this tower breaks a rule. Which one? Its builders have {trained}.",
        start=start,
        ask=ChooseOne(options),
        solution=guilty,
        par=1,
        hints=(
            f"Look at the rule “{breach.rule.title}”.",
            f"Look at {guilty}{' and the level below it' if guilty != 'level 1' else ''}.",
        ),
        rules=_BREACH_RULES,
        judge=judge,
        draw=lambda answer: tower_scene(
            start.tower,
            start.skills,
            right=guilty if answer == guilty else "",
            wrong=answer if answer not in (None, guilty) else "",
        ),
    )


def _standing(tower: Tower, name: str) -> str:
    """Who stands on a level, and on whom."""
    number = int(name.rpartition(" ")[2])
    below = people_words(tower.levels[number - 2]) if number > 1 else "the ground"
    return f"{people_words(tower.levels[number - 1])} on {below}"


def sum_of(skills: Skills) -> int:
    """All ranks together."""
    return sum(skills.rank(skill) for skill in SKILLS)


# -- tallest and festival ------------------------------------------------------------------


def make_tallest(code: Code, chance: Chance) -> Puzzle:
    """Build as high as the team can."""
    level, grade = code.level, GRADES[code.level]

    def position(chance: Chance) -> tuple[BuildTower, Tower] | None:
        team, chance = _some_team(grade.castellers, chance)
        skills, chance = _some_skills(grade.ranks, chance)
        tower = tallest_tower(team, skills)
        if tower is None or tower.height not in grade.height:
            return None
        # Skills that change nothing would only distract.
        if level > 1 and (plain := tallest_tower(team)) and tower.height == plain.height:
            return None
        return BuildTower(team, skills), tower

    ask, best = first_good(position, chance)

    def measure(tower: Tower) -> Judgement:
        if tower.height < best.height:
            return Judgement(False, f"It stands, {tower.height} high. {best.height} is possible.")
        return Judgement(True, f"{tower.height} levels: nobody can build higher with this team.")

    return ask.puzzle(
        *(code, best, measure, f"{best.height} levels are possible."),
        prompt="Build the tallest tower you can with this team.",
        par=best.height,
        rules=("castell/own-castellers", *_BREACH_RULES),
    )


def make_festival(code: Code, chance: Chance) -> Puzzle:
    """Reach the best score at a festival."""
    level, grade = code.level, GRADES[code.level]
    ranks = grade.ranks if level > 1 else range(1, 2)  # four levels need a skill

    def position(chance: Chance) -> tuple[BuildTower, Tower] | None:
        team, chance = _some_team(range(grade.castellers[0] + 1, grade.castellers[-1] + 2), chance)
        skills, chance = _some_skills(ranks, chance)
        wanted, chance = _some_wanted(grade.wanted, team, chance)
        best = best_tower(team, skills, wanted)
        tallest = tallest_tower(team, skills)
        if best is None or tallest is None:
            return None
        # From level 3 on the first tall tower that comes to mind must not be the answer.
        if level > 2 and festival_score(tallest, wanted) == festival_score(best, wanted):
            return None
        return BuildTower(team, skills, wanted), best

    ask, best = first_good(position, chance)
    par = festival_score(best, ask.wanted)

    def measure(tower: Tower) -> Judgement:
        entry = check_entry(tower, ask.wanted)
        if not entry:
            return not_yet(entry, "It stands, but it may not enter the festival.")
        points = festival_score(tower, ask.wanted)
        told = f"{tower.height} for its levels and {points - tower.height} for the sizes wanted"
        if points < par:
            return Judgement(False, f"It scores {points}: {told}. {par} is possible.")
        return Judgement(True, f"It scores {points}: {told}. No tower of this team does better.")

    return ask.puzzle(
        *(code, best, measure, f"{par} points are possible, with {best.height} levels."),
        prompt=f"The festival wants {_sizes(ask.wanted)}. Build the tower that scores most.",
        par=par,
        rules=("castell/festival-entry", "castell/festival-score", "castell/own-castellers"),
    )


# -- one more rank -------------------------------------------------------------------------


def _skill_to_find(level: int, seed: int) -> str:
    """The answer of a puzzle: by turns, but in an order that differs from turn to turn.

    Base and Width never open a festival alone: where the one does, so does the other. Mix helps
    towers of 4, 3, 2 and 1, and the teams of level 1 are too small for these.
    """
    skills = ("balance", "strength") if level == 1 else ("balance", "mix", "strength")
    turn, place = divmod(seed, len(skills))
    order, _ = Chance(turn).split(level).shuffle(skills)
    return order[place]


_CROWD = 5  # how much likelier those are who stand already


def _tight_tower(skills: Skills, chance: Chance) -> Tower:
    """Four levels that spend all Balance, Strength and Mix they can, and are narrow else."""
    steps = range(1, FESTIVAL_LEVELS)
    as_wide, chance = chance.sample(steps, min(skills.balance, len(steps)))
    as_large, chance = chance.sample(steps, min(skills.strength, len(steps)))
    drawn, chance = chance.sample(SIZES, FESTIVAL_LEVELS - len(as_large))
    sizes = sorted(drawn, reverse=True)
    width, levels = 0, []
    for step in range(FESTIVAL_LEVELS):  # from the top down
        width += step not in as_wide
        size = sizes[-1] if step in as_large else sizes.pop()
        levels.append([size] * width)
        if step + 1 in as_large:
            sizes.append(size)
    levels.reverse()
    for level in levels[: skills.mix]:
        if len(level) > 1:
            level[-1] = LESSER.get(level[-1], level[-1])
    return Tower.of(map(Level.of, levels))


def _only_with(right: str, grade: Grade, chance: Chance) -> tuple[BuildTower, Tower] | None:
    """A team that one more rank of this skill lets in, and no other; a try may fail."""
    # Who has Balance already mostly does with one more rank of it what Mix would do.
    among = ("base", "strength", "width") if right == "mix" else SKILLS
    skills, chance = _some_skills(grade.ranks, chance, among=among)
    number, chance = chance.choice(grade.castellers)
    trained = skills.raised(right)
    tower = _tight_tower(trained, chance.split("tower"))
    spare = number - len(tower.team)
    if spare < 0 or not stands(tower, trained) or stands(tower, skills):
        return None
    # They open fewer other ways than newcomers do.
    crowd = [_CROWD if tower.count(size) else 1 for size in SIZES]
    others, chance = chance.draw(crowd, spare)
    shuffled, chance = chance.shuffle(sorted(set(tower.team)))
    # Who stands in a mixed level as the smaller one is wanted first: that is what Mix is for.
    guests = [level.parts[1][0] for level in tower.levels if level.mixed]
    wanted = tuple(dict.fromkeys([*guests, *shuffled]))[: grade.wanted]
    ask = BuildTower(tower.team + Team.of(others), skills, tuple(sorted(wanted, reverse=True)))
    if len(wanted) < grade.wanted or any(
        best_tower(ask.team, skills.raised(skill), ask.wanted) for skill in SKILLS if skill != right
    ):
        return None
    found = best_tower(ask.team, trained, ask.wanted)
    return (ask, found) if found else None


def make_one_more_rank(code: Code, chance: Chance) -> Puzzle:
    """Say which training would open the festival."""
    level, grade = code.level, GRADES[code.level]
    if level == 1:  # without any skill only Balance could be the answer
        grade = replace(grade, ranks=range(1, 2))
    right = _skill_to_find(level, code.seed)
    ask, tower = first_good(partial(_only_with, right, grade), chance, tries=20_000)
    sizes = _sizes(ask.wanted)

    def judge(skill: str) -> Judgement:
        rank = ask.skills.rank(skill) + 1
        found = best_tower(ask.team, ask.skills.raised(skill), ask.wanted)
        if found is None:
            said = f"With {skill.title()} rank {rank} no tower of four levels holds {sizes}."
            return Judgement(False, said)
        return Judgement(True, f"{skill.title()} rank {rank} opens the festival: {found}.")

    def draw(skill: str | None) -> Scene:
        """The team and, with an answer, how far that training brings it."""
        if skill is None:
            return ask.draw(None)
        skills = ask.skills.raised(skill)
        highest = tower if skill == right else tallest_tower(ask.team, skills) or Tower()
        return bench_scene(highest, ask.team, skills, wanted=ask.wanted)

    return Puzzle(
        *code,
        prompt=f"The festival wants four levels and {sizes}. One more rank of one skill "
        "lets this team enter. Which?",
        start=ask,
        ask=ChooseOne(tuple((skill, skill.title()) for skill in SKILLS)),
        solution=right,
        par=1,
        hints=(
            "Build as far as you can. What stops the fourth level, or the size you lack?",
            f"With the right skill, a good base is {people_words(tower.levels[0])}.",
        ),
        rules=("castell/festival-entry", "castell/train", *map("castell/{}".format, SKILLS)),
        judge=judge,
        draw=draw,
    )


# -- silhouette ----------------------------------------------------------------------------


def make_silhouette(code: Code, chance: Chance) -> Puzzle:
    """Build a tower of exactly the pictured shape."""
    level, grade = code.level, GRADES[code.level]
    heights = range(2 + (level + 1) // 2, 4 + level // 2)

    def position(chance: Chance) -> tuple[BuildTower, Tower] | None:
        skills, chance = _some_skills(grade.ranks, chance)
        height, chance = chance.choice(heights)
        tower = random_tower(skills, height, chance.split("tower"))
        if tower is None or (level > 1 and not any(sum_of(way) for way in skill_uses(tower))):
            return None
        others, _ = _some_team(range(level, level + 3), chance.split("others"))
        team = tower.team + others
        found = tower_of_shape(tower.widths, team, skills)
        return (BuildTower(team, skills, widths=tower.widths), found) if found else None

    ask, best = first_good(position, chance)
    tile = Performance(points=len(ask.widths), widths=ask.widths)

    def measure(tower: Tower) -> Judgement:
        breaches = tuple(check_performance(tile, tower, ask.skills))
        if breaches:
            return Judgement(False, "It stands, but it has another shape.", breaches)
        return Judgement(True, "That is the shape, level by level.")

    hint = f"The base has {ask.widths[0]} castellers. Which size could it be?"
    return ask.puzzle(
        *(code, best, measure, hint),
        prompt=f"Build the shape {tile}, base first.",
        par=tile.points,
        rules=("castell/performance-shape", *_BREACH_RULES),
    )


KINDS: dict[str, Maker] = {
    "castell/spot-the-breach": make_spot_the_breach,
    "castell/tallest": make_tallest,
    "castell/festival": make_festival,
    "castell/one-more-rank": make_one_more_rank,
    "castell/silhouette": make_silhouette,
    "castell/count-towers": make_count_towers,
    "castell/nobody-stays": make_nobody_stays,
}
