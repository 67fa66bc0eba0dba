"""The numbers in the sentences of the pages: each comes from the engine, so none grows old.

A sentence stands here as it must stand on its page, with what is computed in its place. Where a
deck or a rule changes, the test says which sentence has to change with it.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, erf, factorial, log, prod, sqrt
from pathlib import Path

import nbformat
import pytest

from castlelab.games.castell.count import (
    builders_for_match,
    count_by_height,
    count_towers,
    match_odds,
    mean_height,
)
from castlelab.games.castell.puzzle_nobody_stays import nobody_at_home, nobody_on_the_level
from castlelab.games.castell.tower import Skills, Team
from castlelab.games.castle_keep.castle import TILES
from castlelab.games.castle_keep.count import (
    fixed_rings,
    rings_by_formula,
    rings_of_all,
    symmetries,
)
from castlelab.games.castle_keep.guards import GuardWall, stretch_value, ways_to_guard
from castlelab.games.castle_keep.puzzle_be_sure import surely
from castlelab.games.castle_rampage.count import (
    break_through_odds,
    groups_within,
    orders_losing,
    unseen_cards,
)
from castlelab.games.castle_rampage.puzzle_gate_first import ways_ahead
from castlelab.games.castle_rampage.puzzle_pay_exactly import ordered_payments, payments
from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.box import house_box
from castlelab.games.castlescape.count import (
    baileys_by_joints,
    baileys_by_walls,
    fewest_walls,
    largest_bailey,
    most_walls,
    most_walls_without_block,
    ways_without_block,
)
from castlelab.games.castlescape.puzzle_first_hand import all_of, hands, none_of
from castlelab.games.once_upon_a_castle.count import (
    expected_rolls,
    foreseen_rolls,
    line_chain,
    throws_with,
)
from castlelab.games.once_upon_a_castle.puzzle_count_rolls import average_rolls
from castlelab.games.once_upon_a_castle.puzzle_count_throws import good_throws
from castlelab.rules import listed

FOLDER = Path(__file__).parents[1] / "notebooks"
SKILLS = ("balance", "base", "mix", "strength", "width")
SIX_OF_EACH = Team.of([6] * 10)


def page(name):
    """The words of a page as they are written, in one line."""
    cells = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4).cells
    return " ".join("\n".join(cell.source for cell in cells).split())


def with_skill(skill, team=None):
    return count_towers(Skills(**{skill: 1}), team)


def pairs(people):
    return comb(people, 2)


def walks(steps):
    """The numbers of walks to the same face, to one that shares one thing, to the others."""
    same, half, none = 1, 0, 0
    for _ in range(steps):
        same, half, none = same + 4 * half, same + 2 * half + 2 * none, 2 * half + 3 * none
    return same, half, none


def share_of_closing(places):
    """How far the share of lines that close is from 5/9."""
    return Fraction(rings_by_formula(places=places), 9 * 5 ** (places - 1)) - Fraction(5, 9)


def people_for_three_alike(things):
    """How many people make it likely that three have the same, from 1 + x + x²/2 for each thing."""
    ways, people = [Fraction(1)], 0
    for _ in range(things):
        grown = [Fraction(0)] * min(len(ways) + 2, 100)
        for power, factor in enumerate(ways):
            for more, share in enumerate((1, 1, Fraction(1, 2))):
                if power + more < len(grown):
                    grown[power + more] += factor * share
        ways = grown
    while 2 * factorial(people) * ways[people] > things**people:
        people += 1
    return people


def others_for_yours(things):
    return next(n for n in range(9_999) if 2 * (things - 1) ** n <= things**n)


def distinct_sums(total):
    """The groups of cards 1, 2, 3 … that cost just so much, and the sums of odd numbers."""
    cards = range(1, total + 1)
    groups = sum(sum(group) == total for size in range(1, 6) for group in combinations(cards, size))
    ways = [1] + [0] * total
    for odd in range(1, total + 1, 2):
        for cost in range(odd, total + 1):
            ways[cost] += ways[cost - odd]
    return groups, ways[total]


def bracelets(beads, colours):
    """Rings of beads, turned and mirrored ones the same: by listing them all."""
    seen, found = set(), 0
    for ring in product(range(colours), repeat=beads):
        if ring not in seen:
            found += 1
            for turned in (ring[n:] + ring[:n] for n in range(beads)):
                seen |= {turned, turned[::-1]}
    return found


def castles_in_colours(colours):
    """Four towers and four walls in colours, turned and mirrored ones the same: by listing."""
    seen, found = set(), 0
    for ring in product(range(colours), repeat=8):
        if ring not in seen:
            found += 1
            for turned in (ring[n:] + ring[:n] for n in range(0, 8, 2)):
                seen |= {turned, turned[:1] + turned[:0:-1]}
    return found


def cut_squares(most):
    """The coefficients of ∏ (1 − qᵏ)⁻⁴: four partitions, one in each corner."""
    ways = [1] + [0] * most
    for part in [part for part in range(1, most + 1) for _ in range(4)]:
        for size in range(part, most + 1):
            ways[size] += ways[size - part]
    return ways


def neighbours_differ(corners, colours):
    rings = product(range(colours), repeat=corners)
    return sum(all(a != b for a, b in zip(r, r[1:] + r[:1], strict=True)) for r in rings)


def castell():
    every = {skill: with_skill(skill, SIX_OF_EACH) for skill in SKILLS}
    new = comb(13, 4)
    best = max(every, key=every.__getitem__)
    yield f'answer="{best.capitalize()}", choices={{'
    yield f'"A good guess: {every["balance"]:,} towers, for one width may come twice.'
    yield f"4, 5 or 6 castellers, and each brings {new} new towers: {every['base']:,}."
    yield f"only with its neighbour in height: {every['mix']} towers."
    yield f'"It lets one size come twice: {every["strength"]} towers."'
    yield f"one more width: {every['width']:,} towers."
    yield f"Base 1 adds {new} towers for each larger number on the ground."
    yield f"and you have Strength 1: {every['strength']}."


def rampage():
    deck = unseen_cards()
    bombers = sum(card.name == "Bomber" for card in deck)
    first = unseen_cards(purple=False)
    anything = break_through_odds(9, gate=2, castle=3)
    opening = break_through_odds(9, gate=2, castle=3, unseen=first)
    assert opening.through == 1
    assert anything.through > Fraction(9, 10)
    named = ("none", "One", "Two", "Three", "Four")[bombers]
    yield f"{named} of the {len(deck)} cards are Bombers. The first stacks hold no purple card"
    yield f"each of the {len(deck)} cards of the box as equally likely"
    yield f"among the {len(first)} cards that are not purple"
    yield (
        f"the Castle falls in {float(opening.castle_falls):.1%} instead of ".replace("%", " %")
        + f"{float(anything.castle_falls):.1%}.".replace("%", " %")
    )


def keep():
    mirrors = [symmetry for symmetry in symmetries() if symmetry.name.startswith("mirror")]
    assert {fixed_rings(mirror) for mirror in mirrors} == {9 * 5**4}
    yield "axis passes through two places of the ring, and a line of five"
    yield f"+ 4 · {9 * 5**4:,}) / 8."
    kinds = len(TILES)
    yield f"All tiles lie face down: {kinds} kinds, some of each."
    yield f"{surely([2] * kinds, 2) - 1} tiles may still be all different."
    yield f"For three alike it takes {surely([3] * kinds, 3)}: two of each kind"
    one, two, three = (rings_by_formula(colours=colours) for colours in (1, 2, 3))
    yield f"{one:,} are all red."
    yield f"{three:,} − 3 · {two:,} + 3 · {one:,}. Rings of one colour"
    assert three - 3 * two + 3 * one == rings_of_all()
    yield f"{three - 3 * two}: "
    yield f"{three - two}: "
    yield f"{three - 3 * one}: "
    yield f"The same for colours and shapes at once: {rings_of_all(shapes=True):,} rings."


def percent(share):
    return f"{float(share):.1%}".replace("%", " %")


def gates():
    """Four cards each, the Gate never behind; a Gate without a Bomber; groups that cost 12."""
    every, good = comb(8, 4), ways_ahead(0, 4, 4, 0)
    yield f"How many of the {every} orders are good?"
    yield f'answer={good}, because="{every} less {every - good}.'
    assert every - good == comb(8, 5)
    few = [(ways_ahead(0, n, n, 0), comb(2 * n, n)) for n in (2, 3)]
    yield "With two and two it is {} of {}, with three and three {} of {}.".format(*sum(few, ()))
    yield f'{ways_ahead(0, 4, 4, -1)}: "So many may be one card behind.'
    deck = unseen_cards()
    safe, cards = sum(card.name != "Bomber" for card in deck), len(deck)
    none = Fraction(comb(safe, 4), comb(cards, 4))
    assert none == prod((Fraction(safe - n, cards - n) for n in range(4)), start=Fraction(1))
    yield f"answer=Fraction({none.numerator}, {none.denominator}), because="
    steps = " · ".join(f"{safe - n}/{cards - n}" for n in range(4))
    yield f"{steps} = {percent(none)}:"
    yield f"Fraction({safe}, {cards}) ** 4: "
    yield f"1 - Fraction({4 * (cards - safe)}, {cards}): "
    costs = range(1, 13)
    found = payments(costs, 12, lambda copies: copies < 2)
    assert found == distinct_sums(12)[0] == distinct_sums(12)[1]
    yield f'How many groups cost exactly 12 together?", answer={found},'
    by_size = [sum(sum(group) == 12 for group in combinations(costs, n)) for n in (2, 3, 4)]
    yield "12 alone; {} pairs; {} groups of three; and {} of four cards.".format(*by_size)
    yield f'{payments(costs, 12, lambda copies: 1)}: "So many if a card may come again'
    yield f'{ordered_payments(tuple(costs), 12)}: "The order of the cards'


def heights():
    plain, mean = count_by_height(), mean_height()
    yield f'if all {sum(plain)} are as likely?", answer=Fraction({mean.numerator}, '
    yield "(1 · {} + 2 · {} + 3 · {}) / {}.".format(*plain, sum(plain))
    yield "{} have one, {} two, {} three.".format(*plain)
    elsewhere = nobody_on_the_level((3, 2, 1))
    yield f'on another level than before?", answer={elsewhere},'
    yield f'{nobody_at_home(6)}: "So many if everybody takes another place.'
    yield f"With 2-2-2 it is harder to count: {nobody_on_the_level((2, 2, 2))} ways."
    yield f"are {listed([str(nobody_at_home(people)) for people in range(2, 7)])}, "


def hands_and_blocks():
    box = zip(house_box().cards, house_box().copies, strict=True)
    starter = {card.name: copies for card, copies in box if card.family == "starter"}
    deck, stone = tuple(starter.values()), list(starter).index("Stone Walls")
    assert (sum(deck), starter["Stone Walls"]) == (10, 2)
    none = none_of(deck, 5, [stone])
    share = 1 - none
    yield f"answer=Fraction({share.numerator}, {share.denominator}), because="
    yield f"{none * comb(10, 5)} of all {comb(10, 5)} hands have none, {none}."
    assert none == Fraction(comb(8, 3), comb(10, 5))  # both Stone Walls, and three others
    kinds, different = all_of(deck, 5, range(4)), hands(deck, 5)
    yield f"come with chance {kinds}. If equal cards are alike, the 252 hands are only {different}"
    good = ways_without_block(3, 3)
    yield f'in 512 ways. How many have no block of four?", answer={good},'
    one, two = 4 * 2**5, 4 * 2**3 + 2 * 2**2  # blocks side by side leave three squares free
    yield f"512 less {2**9 - good}: 4 · {2**5} ways for one block, less {two} for two"
    assert 2**9 - good == one - two + 4 * 2 - 1
    most = [most_walls_without_block(side) for side in (3, 4, 13)]
    yield "{} walls of 9, {} of 16, and {} of 169 on a site".format(*most)


def throws():
    both = good_throws(("wood", "stone"), 3, wild=True)
    yield f'how many of the 216 throws?", answer={both},'
    assert both == 216 - 2 * 64 + 27 - 27
    yield f'{good_throws(("wood", "stone"), 3, wild=False)}: "A ? helps, too."'
    yield f'{throws_with(3)}: "So many bring Wood.'
    four = ("wood", "stone", "gold", "food")
    single = average_rolls(four, 1, wild=True)
    yield f"answer=Fraction({single.numerator}, {single.denominator}), because="
    assert single == sum(Fraction(6, sides) for sides in (5, 4, 3, 2))
    without = average_rolls(four, 1, wild=False)
    yield f'Fraction({without.numerator}, {without.denominator}): "So it would be without a ?."'
    known, blind = foreseen_rolls("wood stone"), expected_rolls("wood stone")
    yield f"{known} rolls instead of {blind}, so {blind - known} sooner."
    assert round(float(blind - known), 1) == 0.1


def guards():
    empty, guarded = ways_to_guard(7, closed=False), ways_to_guard(5, closed=False)
    assert empty + guarded == ways_to_guard(8)
    yield f"one of {empty} ways. A guard there empties both"
    yield f"neighbours, and leaves {guarded}."
    yield "A ring of three has {} ways, of four {}, of five {}, of six {}.".format(
        *map(ways_to_guard, range(3, 7))
    )
    yield f"{ways_to_guard(7)}: "
    yield f"{ways_to_guard(8, closed=False)}: "
    sizes = range(3, 14)
    first = [spots for spots in sizes if GuardWall(spots).value]
    second = [spots for spots in sizes if spots % 2 and not GuardWall(spots).value]
    yield f"the second player wins on rings of {listed([*map(str, second)])}."
    yield f"The first one wins only on rings of {listed([*map(str, first)])}."
    lines = [spots for spots in sizes if not GuardWall(spots, closed=False).value]
    yield f"from 3 to 13 spots, only lines of {listed([*map(str, lines)])} are lost"
    yield f"15 spots have {' '.join(str(stretch_value(spots)) for spots in range(16))}."


def scape():
    four = Board.parse("##### / #.#.# / ##### / #.#.# / #####")
    three = Board.parse("##### / #.#.# / ##### / #.#.. / ###..")
    five = Board.parse("####### / #.#.#.# / ####### / #.#.#.. / #####..")
    numbers = []
    for number, castle in ((3, three), (4, four), (5, five)):
        assert len(castle.baileys()) == baileys_by_joints(castle) == number
        numbers.append(castle.walls.bit_count())
    told = "{}, {} and {}. Four of them make a square of five by five."
    yield told.format(*numbers)
    yield "in one piece and without a block of four, as the rules want them"


def towers():
    plain = count_towers()
    added = {skill: with_skill(skill) - plain for skill in SKILLS}
    assert max(added, key=added.__getitem__) == "base"
    yield f"That is good for {added['width']} new towers."
    yield f"It repeats one width: {added['balance']:,} new towers."
    yield f"only certain ones: {added['mix']} new towers."
    yield f"It lets one size come twice: {added['strength']} new towers."
    by_formula = [comb(10, h) * (comb(3, h) + (h - 1) * comb(3, h - 1)) for h in range(1, 5)]
    mirrored = [comb(3, h) * (comb(10, h) + (h - 1) * comb(10, h - 1)) for h in range(1, 5)]
    assert sum(by_formula) == with_skill("balance") == 1770
    assert sum(mirrored) == with_skill("strength")
    yield f"and you have Strength 1: {sum(mirrored)}."
    unlimited = sum(comb(10, h) * comb(h + 2, 2) for h in range(1, 11))
    yield f"{unlimited:,}".replace(",", "{,}") + "$."
    gains = {}
    for first, second in combinations([skill for skill in SKILLS if skill != "base"], 2):
        both = count_towers(Skills(**{first: 1, second: 1}))
        gains[first, second] = Fraction(both, plain + added[first] + added[second])
    assert max(gains, key=gains.__getitem__) == ("balance", "width")
    both = count_towers(Skills(balance=1, width=1))
    yield f"{both:,} towers instead of {plain + added['balance'] + added['width']:,}."


def rings():
    rows = [walks(steps) for steps in range(9)]
    for steps in (1, 2):
        yield f"| {steps} | {' | '.join(map(str, rows[steps]))} | |"
    yield f"| 3 | {' | '.join(map(str, rows[3]))} | {rings_by_formula(places=3)} |"
    for places in range(3, 9):
        assert 9 * rows[places][0] == rings_by_formula(places=places)
    for before, after in pairwise(rows):
        for factor, (a, b, c) in ((5, (1, 4, 4)), (2, (1, 1, -2)), (-1, (1, -2, 1))):
            sums = [a * s + b * h + c * n for s, h, n in (before, after)]
            assert sums[1] == factor * sums[0]
    for places in (3, 4):
        ratio = share_of_closing(places + 1) / share_of_closing(places)
        top, bottom = ratio.numerator, ratio.denominator
        yield f'Fraction({top}, {bottom}): "So it is from {places} to {places + 1} places.'
    yield f"Eight corners in three colours: {neighbours_differ(8, 3)}."


def burnside():
    numbers = [bracelets(6, colours) for colours in (2, 3, 4)]
    yield "Bracelets: {} in two colours, {} in three, {} in four.".format(*numbers)
    two, three = map(castles_in_colours, (2, 3))
    assert (three, two) == tuple((k**8 + 4 * k**5 + k**4 + 2 * k**2) // 8 for k in (3, 2))
    yield f"so {two} castles in two colours and {three} in three."


def walls():
    small, large = map(largest_bailey, (24, 48))
    yield f"24 walls enclose {small} squares, and 48 walls enclose {large}."
    shapes = baileys_by_walls(7)
    least = min(shapes)
    assert least == fewest_walls(7)
    yield f'"Only {shapes[least]}: 3 by 3 without two squares, at two corners (6) or at one (8)'
    assert shapes[least] == 6 + 8 + 8
    yield f"Of all shapes of seven squares, {sum(shapes.values()):,} can be walled."
    full = [n for n in range(1, 17) if fewest_walls(n + 1) > fewest_walls(n)]
    yield f"the full rectangles, {', '.join(map(str, full))} …"
    yield f"there are {', '.join(map(str, cut_squares(4)))} ways for *m* = 0 … 4"
    assert most_walls(5) == 8 + 4 * 4


def orders():
    for number in (1, 2, 3, 4):
        groups = groups_within([5, 4, 3, 2, 1], 8, number)
        found = orders_losing([5, 4, 3, 2, 1], 8, number)
        assert found == groups * factorial(number) * factorial(5 - number)
        yield f"| {number} | {groups} | {found} |"
    groups, odd = distinct_sums(12)
    yield f"For *n* = 12 there are {groups} groups, and {odd} sums of odd numbers."


def dice():
    chain = line_chain("wood stone")
    stays = chain.matrix[0][0]
    yield f'Fraction({stays}): "That is the chance to stay'.replace("/", ", ")
    still = [1 - odds for odds in line_chain("stone stone").filled_by(9)]
    assert still == [Fraction(4, 9) ** n * (1 + n) for n in range(1, 10)]
    yield "$(4/9)^n\\,(1 + n)$"


def birthday():
    plain = count_towers()
    yield f"There are {plain} towers without a skill, and {count_towers(Skills(1, 1, 1, 1, 1)):,}"
    even = builders_for_match()
    yield f"{pairs(even)} pairs: {pairs(even) / plain:.2f} matches on average."
    half = next(n for n in range(99) if 2 * pairs(n) > plain)
    one = next(n for n in range(99) if pairs(n) > plain)
    yield f'{half}: "That is half a match on average.'
    yield f'{one}: "That is one match on average.'
    assert match_odds(half) < Fraction(1, 2) < match_odds(one)
    yield f'{others_for_yours(plain)}: "So many others must come until somebody has yours.'
    yield f"ln 2 = {log(2):.2f}."
    yield f"√(2 ln 2) = {sqrt(2 * log(2)):.2f} times"
    yield f"{people_for_three_alike(plain)} people for three with the same tower."
    yield f"And {others_for_yours(plain)} others until somebody has yours"


def simulation():
    yield f"{erf(sqrt(1 / 2)):.1%} of its area".replace("%", " %")
    none = prod([1 - 3 / 200] * 200)
    assert none == pytest.approx(0.05, abs=0.003)
    yield "200 trials without a match still allow a chance of 3 in 200."


CHAPTERS = [
    ("castell", castell),
    ("castle_rampage", rampage),
    ("castle_keep", keep),
    ("castle_keep", guards),
    ("castle_rampage", gates),
    ("castell", heights),
    ("castlescape", hands_and_blocks),
    ("once_upon_a_castle", throws),
    ("castlescape", scape),
    *(("counting", part) for part in (towers, rings, burnside, walls, orders, dice)),
    ("counting", birthday),
    ("counting", simulation),
]


@pytest.mark.parametrize(("name", "sentences"), CHAPTERS)
def test_the_numbers_in_its_sentences_come_from_the_engine(name, sentences):
    words = page(name)
    for sentence in sentences():
        assert sentence in words


def test_every_question_to_explore_has_its_answer_folded_below():
    for path in FOLDER.glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if "Explore next" in cell.source:
                *_, below = cell.source.partition("Explore next")
                assert '<details class="castlelab-folded"><summary>An answer</summary>\n\n' in below
                assert "\n\n</details>" in below
