"""Randomness as a value: pinned to a published generator, fair, and never changed by use."""

from collections import Counter

import numpy
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from castlelab import chance as chance_module
from castlelab.chance import Chance
from castlelab.rules import CastlelabError

keys = st.integers(0, 2**64 - 1)
bags = st.lists(st.integers(0, 9), min_size=1, max_size=8)


def splitmix64(key, number):
    """The first words of the published generator, in the arithmetic of numpy's uint64."""
    words = []
    with numpy.errstate(over="ignore"):  # wrapping round is what the generator asks for
        state = numpy.uint64(key)
        for _ in range(number):
            state = state + numpy.uint64(0x9E3779B97F4A7C15)
            z = (state ^ (state >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
            words.append(int(z ^ (z >> numpy.uint64(31))))
    return words


def words_of(chance, number):
    found = []
    for _ in range(number):
        word, chance = chance.word()
        found.append(word)
    return found


def chi_square(counts, expected):
    return sum((count - expected) ** 2 / expected for count in counts)


def test_key_0_gives_the_published_test_vector_of_splitmix64():
    assert words_of(Chance(0), 3) == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


@given(keys)
def test_every_key_gives_the_words_of_splitmix64(key):
    assert words_of(Chance(key), 5) == splitmix64(key, 5)


def test_a_seed_is_hashed_with_its_type_by_blake2b():
    from hashlib import blake2b

    for seed, text in ((7, b"int:7"), ("7", b"str:7"), (-1, b"int:-1"), ("Mataró", None)):
        text = text or f"str:{seed}".encode()
        assert Chance.seeded(seed).key == int.from_bytes(blake2b(text, digest_size=8).digest())


# Above 2**63 up to half of all words are thrown away, so that it is seen.
@given(keys, st.integers(1, 100) | st.integers(2**63 + 1, 2**64))
def test_below_is_the_first_word_that_favours_nobody(key, bound):
    # Words from the largest multiple of the bound on would favour small numbers.
    limit = 2**64 // bound * bound
    expected = next(word for word in splitmix64(key, 200) if word < limit)
    assert Chance(key).below(bound)[0] == expected % bound


def test_below_is_uniform():
    chance, counts = Chance.seeded(1), Counter()
    for _ in range(7000):
        number, chance = chance.below(7)
        counts[number] += 1
    assert set(counts) == set(range(7))
    # 6 degrees of freedom: 99.9 % of fair dice stay below 22.46.
    assert chi_square(counts.values(), 1000) < 22.46


def test_shuffle_gives_each_order_equally_often():
    counts = Counter(Chance.seeded(seed).shuffle("abc")[0] for seed in range(6000))
    assert len(counts) == 6
    # 5 degrees of freedom: 99.9 % of fair shuffles stay below 20.52.
    assert chi_square(counts.values(), 1000) < 20.52


def test_draw_takes_each_kind_in_proportion():
    counts = Counter()
    for seed in range(6000):
        drawn, _ = Chance.seeded(seed).draw((1, 2, 3), 1)
        counts[drawn.index(1)] += 1
    expected = (1000, 2000, 3000)
    # 2 degrees of freedom: 99.9 % of fair bags stay below 13.82.
    assert sum((counts[k] - e) ** 2 / e for k, e in enumerate(expected)) < 13.82


@given(keys, st.lists(st.integers(), max_size=30))
def test_shuffle_is_a_permutation(key, items):
    mixed, _ = Chance(key).shuffle(items)
    assert sorted(mixed) == sorted(items)


def shuffled_one_by_one(chance, items):
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        index, chance = chance.below(last + 1)
        mixed[index], mixed[last] = mixed[last], mixed[index]
    return tuple(mixed), chance


#: Where a stream may have come to: at the usual places, and where words and lanes are full.
full = st.sampled_from([2**64, 2**65, 2**128, 2**192])
places = st.integers(0, 2**70) | st.builds(int.__add__, full, st.integers(-200, 200))


@given(keys | st.integers(0, 2**200), places | st.integers(0, 2**200), st.integers(0, 150))
@example(0, 29847458893032750093, 14)  # the product with this place has more than 128 bits
@example(2**64 - 1, 2**128 - 1, 100)
def test_numbers_drawn_at_once_are_those_drawn_one_by_one(key, drawn, size):
    chance = Chance(key, drawn)
    assert chance.shuffle(range(size)) == shuffled_one_by_one(chance, range(size))
    mixed, left = [*range(size)], chance
    for place in range(size // 2):
        index, left = left.below(size - place)
        mixed[place], mixed[place + index] = mixed[place + index], mixed[place]
    assert chance.sample(range(size), size // 2) == (tuple(mixed[: size // 2]), left)


def test_a_word_to_be_passed_over_is_passed_over_among_many_too(monkeypatch):
    # No shuffle meets such a word in a lifetime, so the words are said to be too large.
    monkeypatch.setattr(chance_module, "_words", lambda key, drawn, number: (2**64 - 1,) * number)
    chance = Chance.seeded(5)
    assert chance.shuffle(range(50)) == shuffled_one_by_one(chance, range(50))


@given(keys, bags, st.integers(0, 80))
def test_draw_never_takes_more_than_there_is(key, bag, number):
    drawn, _ = Chance(key).draw(bag, number)
    assert all(0 <= taken <= there for taken, there in zip(drawn, bag, strict=True))
    assert sum(drawn) == min(number, sum(bag))


@given(keys, bags, st.integers(1, 10))
def test_drawing_in_two_goes_is_drawing_at_once(key, bag, number):
    first, chance = Chance(key).draw(bag, number)
    left = [there - taken for there, taken in zip(bag, first, strict=True)]
    second, _ = chance.draw(left, number)
    both, _ = Chance(key).draw(bag, 2 * number)
    assert tuple(a + b for a, b in zip(first, second, strict=True)) == both


def test_nothing_that_is_drawn_changes_the_chance():
    chance = Chance.seeded("still")
    before = (chance.key, chance.drawn)
    first = (chance.word(), chance.below(9), chance.shuffle("abcd"), chance.draw((3, 3), 2))
    again = (chance.word(), chance.below(9), chance.shuffle("abcd"), chance.draw((3, 3), 2))
    assert first == again
    assert (chance.key, chance.drawn) == before
    with pytest.raises(AttributeError):
        chance.drawn = 5


def test_streams_that_are_split_off_differ_by_label_by_place_and_from_their_parent():
    parent = Chance.seeded(3)
    _, later = parent.word()
    streams = [parent, parent.split(1), parent.split(2), parent.split("bots"), later.split(1)]
    assert len({tuple(words_of(stream, 4)) for stream in streams}) == len(streams)


def test_a_split_stream_does_not_echo_its_parent():
    parent = set(words_of(Chance.seeded(3), 1000))
    assert parent.isdisjoint(words_of(Chance.seeded(3).split(0), 1000))


@pytest.mark.parametrize("seed", [1.5, None, True, b"7", [7], (1,)])
def test_other_things_are_no_seeds(seed):
    with pytest.raises(CastlelabError, match="a seed is a whole number or a text"):
        Chance.seeded(seed)


@pytest.mark.parametrize("seed", ["\ud800", 10**5000], ids=["surrogate", "digits"])
def test_seeds_that_cannot_be_written_out_are_refused_in_our_words(seed):
    with pytest.raises(CastlelabError, match="a seed is"):
        Chance.seeded(seed)


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_bounds_that_cannot_be_drawn_below(bound):
    with pytest.raises(CastlelabError, match=f"not below {bound}"):
        Chance.seeded(1).below(bound)


def test_the_largest_and_the_smallest_bound():
    assert Chance(0).below(2**64)[0] == 0xE220A8397B1DCDAF  # the word itself
    assert Chance(0).below(1)[0] == 0


def test_one_cannot_choose_from_nothing():
    with pytest.raises(CastlelabError, match="from nothing"):
        Chance.seeded(1).choice([])


def test_a_choice_of_one_is_that_one():
    assert Chance.seeded(1).choice(["only"])[0] == "only"
