"""The rulebook's worked examples A–K, each under its own letter."""

from castlelab.games.castell import Skills, Team, Tower, check, festival_score, skill_uses
from castlelab.games.castell.box import Performance
from castlelab.games.castell.performance import check_performance, exhibits
from castlelab.games.castell.scoring import Player, prizes_for, score, token_owners
from castlelab.games.castell.tower import check_entry


def test_example_a_balance_two_makes_five_levels():
    tower = Tower("10*3 9*3 8*3 7*2 6")
    assert tower.height == 5
    assert check(tower, Skills(balance=2))
    assert check(tower, Skills(balance=1)).rules == ("castell/level-shrinks",)
    assert skill_uses(tower) == (Skills(balance=2),)


def test_example_b_base_frees_one_level_from_the_maximum_width():
    tower = Tower("8*9 7*3 6*2 5")
    assert check(tower, Skills(base=1))
    assert check(tower).rules == ("castell/max-width",)
    # "All other levels": a second wide level needs a second rank.
    assert check(Tower("8*9 7*4 6"), Skills(base=1)).where == ("level 2",)
    assert check(Tower("8*9 7*4 6"), Skills(base=2))


def test_example_c_mix_fills_a_level_and_balance_carries_on():
    tower = Tower("10+9*2 8*3")
    assert check(tower, Skills(mix=1, balance=1))
    assert set(check(tower).rules) == {"castell/level-one-size", "castell/level-shrinks"}
    assert skill_uses(tower) == (Skills(mix=1, balance=1),)


def test_example_d_strength_stacks_one_size_three_times():
    tower = Tower("5*2 5*2 5*2")
    assert check(tower, Skills(strength=2, balance=2), Team("5*6"))
    assert check(tower, Skills(strength=1, balance=2)).where == ("level 3",)
    assert skill_uses(tower) == (Skills(strength=2, balance=2),)


def test_example_e_width_four_allows_seven_and_six():
    tower = Tower("10*7 9*6")
    assert check(tower, Skills(width=4))
    assert check(tower, Skills(width=3)).where == ("level 1",)
    assert check(Tower("10*8 9*6"), Skills(width=4)).rules == ("castell/max-width",)


def test_example_f_an_exhibition_of_six_levels_and_three_skills():
    tile = Performance(points=6, shown=Skills(strength=1, base=1, mix=2))
    skills = Skills(strength=1, base=1, mix=2, balance=2)
    tower = Tower("10*2+9*2 8*2+7 7*3 6*2 5*2 4")
    assert check(tower, skills)
    assert not exhibits(tower, tile.shown, skills)  # it stands without Strength
    strong = Tower("10*2+9*2 8*2+7 8*3 6*2 5*2 4")
    assert check(strong, skills)
    assert list(check_performance(tile, strong, skills)) == []
    five = Tower("10*2+9*2 8*2+7 8*3 6*2 5")
    assert [b.rule.id for b in check_performance(tile, five, skills)] == [
        "castell/performance-exhibition"
    ]


def test_example_g_both_sizes_but_too_few_levels():
    tower = Tower("8*2 6")
    assert check(tower)
    verdict = check_entry(tower, (6, 8))
    assert verdict.rules == ("castell/festival-entry",)
    assert "2 more" in verdict.breaches[0].mend


def test_example_h_six_levels_four_nines_and_two_threes_score_twelve():
    tower = Tower("9*4 8*3 7*2 6 3*2 2")
    assert (tower.height, tower.count(9), tower.count(3)) == (6, 4, 2)
    assert festival_score(tower, wanted=(9, 3)) == 12


def test_example_i_a_tie_for_first_takes_medals_and_third_place_a_ribbon():
    assert prizes_for({0: 17, 1: 9, 2: 17}) == {0: "medal", 2: "medal", 1: "ribbon"}


def test_example_j_the_tied_size_token_is_discarded():
    ramani = Tower("10 7*2 2*2")
    jordan = Tower("10*3 7*2 2")
    assert token_owners((10, 7, 2), {0: ramani, 1: jordan}) == (1, None, 0)


def test_example_k_the_final_score_is_65():
    tiles = tuple(Performance(points, (1,)) for points in (6, 5, 3))
    arno = Player(
        Team(),
        best=18,
        prizes=(("trophy", 0), ("trophy", 1), ("medal", 2), *[("ribbon", 3)] * 3),
        sizes=tuple((size, 0) for size in (10, 10, 8, 8, 6, 4, 1)),
        performances=tiles,
    )
    sheet = score(arno)
    assert (sheet.tower, sheet.regions, sheet.prizes, sheet.sizes, sheet.performances) == (
        18, 5, 16, 12, 14,
    )  # fmt: skip
    assert sheet.total == 65
