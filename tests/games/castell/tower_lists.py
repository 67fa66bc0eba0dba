"""Towers of Castell, listed by trying all there are: what searches and counts are checked by."""

from collections.abc import Iterator

from castlelab.games.castell import Level, Skills, Tower, check


def pile(levels: tuple[tuple[int, ...], ...], left: list[int], skills: Skills) -> Iterator[Tower]:
    """Every legal tower on these levels: add any group of castellers at all, then judge."""
    if levels:
        tower = Tower.of(Level.of(level) for level in levels)
        if not check(tower, skills):
            return  # nor does it stand with more on top
        yield tower
    groups: set[tuple[int, ...]] = {()}
    for casteller in left:
        groups |= {(*group, casteller) for group in groups if len({*group, casteller}) < 3}
    for group in sorted(groups - {()}):
        rest = list(left)
        for casteller in group:
            rest.remove(casteller)
        yield from pile((*levels, group), rest, skills)


def simple_towers(team, skills, levels=()):
    """Every legal tower of one size a level, by trying all there are."""
    for size in range(1, 11):
        for count in range(1, team.count(size) + 1):
            word = f"{size}*{count}"
            tower = Tower(" ".join([*levels, word]))
            if check(tower, skills, team):
                yield tower
                yield from simple_towers(team, skills, (*levels, word))
