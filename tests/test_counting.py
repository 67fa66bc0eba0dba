"""Numbers as people write them, and questions whose wrong answers tell which slip it was."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.chance import Chance
from castlelab.classroom import worksheet
from castlelab.counting import (
    CountQuestion,
    KnownSlip,
    TypeNumber,
    clear_question,
    read_number,
)
from castlelab.draw import svg, text
from castlelab.draw.exhibit import ExhibitRow, Tag, exhibit_scene, tags
from castlelab.puzzles import ChooseOne, Code
from castlelab.rules import CastlelabError, NotationError
from castlelab.widgets.card.number_editor import NumberEditor
from castlelab.widgets.card.puzzle_card import PuzzleCard


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("1 1/2", Fraction(3, 2)),
        ("-1 1/2", Fraction(-3, 2)),
        (" 5 / 12 ", Fraction(5, 12)),
        ("12  1 / 2 %", Fraction(1, 8)),
        ("40 %", Fraction(2, 5)),
        ("0.25", Fraction(1, 4)),
        ("0,25", Fraction(1, 4)),
        ("-3", Fraction(-3)),
        ("−3", Fraction(-3)),
        ("20", Fraction(20)),
        ("391,653", Fraction(391_653)),
        ("391 653", Fraction(391_653)),
        ("4,805,174", Fraction(4_805_174)),
        ("0,777", Fraction(777, 1000)),
        ("0.777…", Fraction(7, 9)),
        ("0.777...", Fraction(7, 9)),
        ("0.1666…", Fraction(1, 6)),
        ("0.(45)", Fraction(5, 11)),
        ("77.777… %", Fraction(7, 9)),
        ("0.142857142857…", Fraction(1, 7)),
    ],
)
def test_numbers_are_read_as_they_are_meant(typed, number):
    assert read_number(typed).value == number


@pytest.mark.parametrize("typed", ["7/9", "0.777…", "0.777", "0.778", "77.8 %", "77.77%", "14/18"])
def test_what_stands_for_seven_ninths(typed):
    assert read_number(typed).means(Fraction(7, 9))


@pytest.mark.parametrize("typed", ["0.8", "0.77", "78 %", "0.776", "0.779", "7/8", "77.7", "0.7"])
def test_what_does_not(typed):
    assert not read_number(typed).means(Fraction(7, 9))


def test_a_whole_number_is_never_a_rounded_one():
    assert read_number("14.0").means(14)
    assert not read_number("13.999").means(14)
    assert not read_number("14.01").means(14)
    assert not read_number("14.2").is_near(14)
    assert read_number("40 %").means(Fraction(2, 5))
    assert read_number("12.5").means(Fraction(25, 2))


SPACED = ["5 12", "1 0.5", "- 1", "0. 25", "1 2 1/2", "1 -1/2", "1 1/0", "39 1653"]
BAD = ["", "x", "1/0", "0/00", "1/2/3", "1e9", "½", "--1", "5/", "/9", "9" * 40, "<b>1</b>"]
BROKEN = ["٣/٤x", "1.", ".5", "14…", "0.(", "0.()", "0.5.5", "1,77,0", None, 7]


@pytest.mark.parametrize("typed", [*BAD, *SPACED, *BROKEN])
def test_what_is_no_number_is_told_in_one_line(typed):
    with pytest.raises(NotationError, match=r"write a (fraction|number) such as") as caught:
        read_number(typed)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_a_notation_error(typed):
    with suppress(NotationError):
        assert isinstance(read_number(typed).value, Fraction)


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9))
def test_fractions_are_read_as_they_are_printed(numerator, denominator):
    number = Fraction(numerator, denominator)
    assert read_number(str(number)).value == number
    assert str(read_number(str(number))) == str(number)


@given(st.integers(1, 999), st.integers(2, 999), st.integers(4, 8))
def test_a_number_cut_off_or_rounded_far_enough_is_right(numerator, denominator, places):
    exact = Fraction(numerator, denominator)
    cut = int(exact * 10**places) / 10**places
    for shown in (f"{cut:.{places}f}", f"{float(exact):.{places}f}"):
        fine = Fraction(100, 10**places) <= exact
        assert read_number(shown).means(exact) or not fine


# -- questions ------------------------------------------------------------------------------


def question(answer=Fraction(7, 9), slips=(Fraction(2, 9), 1), **options):
    shown = (ExhibitRow("Look.", tags("a b"), "no"),)
    given = {
        "prompt": "How likely?",
        "facts": (answer,),
        "because": "Seven of nine.",
        "slips": tuple(KnownSlip(value, f"That is slip {value}.", shown) for value in slips),
        "hints": ("Look.", "Count."),
        "rules": ("castell/balance",),
        "rows": (ExhibitRow("There are these.", (Tag("7", "ramp-7"), Tag(""))),),
        "fraction": True,
    }
    return CountQuestion(answer=answer, **given | options)


ONE = question().puzzle(Code("castell/count-towers", 1, 1))


@pytest.mark.parametrize("typed", ["7/9", "0.777…", "77.8 %"])
def test_a_right_answer_says_why_and_what_it_is_exactly(typed):
    said = ONE.check(typed)
    assert said
    assert said.message.startswith("Seven of nine.")
    assert ("It is 7/9 exactly." in said.message) == ("8" in typed)


def test_a_slip_is_told_which_and_shown():
    for typed in ("2/9", "0.222", "22.2 %"):
        assert ONE.check(typed).message == f"Not {typed}. That is slip 2/9."
        place = ONE.picture(typed).target("answer").name
        assert place == f"The answer {typed} – wrong – Look: a, b – wrong"
    assert ONE.check("1").message == "Not 1. That is slip 1."


def test_any_other_number_is_too_low_or_too_high_or_near():
    assert ONE.check("1/2").message == "Not 1/2. That is too low."
    assert ONE.check("9/10").message == "Not 9/10. That is too high."
    assert "very near" in ONE.check("0.8").message
    assert ONE.picture("1/2").target("answer").name == "The answer 1/2 – wrong"


def test_a_number_that_is_just_a_slip_is_no_rounded_answer():
    close = question(Fraction(60116, 66729), (Fraction(901, 1000),))
    assert not close.judge(read_number("0.901"))
    assert close.judge(read_number("60116/66729"))


def test_the_place_of_an_answer_grows_with_a_slip_and_nothing_else_moves():
    empty, slipped = ONE.picture(), ONE.picture("2/9")
    plain = [empty, *map(ONE.picture, ("7/9", "0.1")), ONE.ask.draw(read_number("2/9"))]
    assert len({(scene.width, scene.height) for scene in plain}) == 1
    assert (slipped.width, slipped.height > empty.height) == (empty.width, True)
    shown = [*plain, slipped]
    facts = {tuple(each.centre for each in scene.targets if each.id != "answer") for scene in shown}
    assert len(facts) == 1
    for scene in shown:
        assert svg.render(scene)
        assert "There are these." in text.render(scene)


def test_questions_in_which_a_slip_is_right_or_told_twice_are_passed_over():
    assert question().is_clear
    assert not question(slips=(Fraction(7, 9), 1)).is_clear
    assert not question(slips=(1, 1)).is_clear
    assert not question(slips=(-1,)).is_clear
    assert not question(0).is_clear
    tried = []

    def make(chance):
        tried.append(chance)
        return question() if len(tried) > 3 else question(slips=(1, 1))

    assert clear_question(make, Chance.seeded(1)).is_clear
    assert len(set(tried)) == 4
    with pytest.raises(CastlelabError, match="no puzzle of that kind"):
        clear_question(lambda chance: question(0), Chance.seeded(1))


def test_only_a_written_number_is_an_answer():
    for thing in (7, Fraction(7, 9), 0.5, None, True):
        with pytest.raises(NotationError, match="the answer is a number such as"):
            TypeNumber().accept(thing)


def test_an_exhibit_tells_its_rows():
    rows = (ExhibitRow("", tags("5 3"), "yes"), ExhibitRow("Nobody.", (Tag(""),), "no"))
    names = [target.name for target in exhibit_scene(rows).targets]
    assert names == ["5, 3 – right", "Nobody: an empty place – wrong", "Your answer: none yet"]


def test_many_chips_stand_on_several_lines():
    few, many = (exhibit_scene([ExhibitRow("", tags(range(n)))]) for n in (5, 40))
    assert few.width == many.width
    assert few.height < many.height
    assert all(shape.x < few.width for shape in many.shapes if hasattr(shape, "x"))


# -- the box for a number ---------------------------------------------------------------------


def test_what_is_typed_stands_in_the_picture_until_it_is_judged():
    editor = NumberEditor(ONE.ask)
    assert editor.value == ""
    editor._box.value = "2/9"
    assert editor.value == read_number("2/9")
    assert editor.board.scene.target("answer").name == "Your answer: 2/9"
    editor._box.value = "2/"
    assert editor.value == "2/"
    assert editor.board.scene.target("answer").name == "Your answer: none yet"
    editor.board.write("77.8 %")
    assert (str(editor.value), editor._box.value) == ("77.8 %", "77.8 %")
    editor.board.write("many")
    assert "write a fraction such as" in editor.board.said
    assert editor._box.value == "77.8 %"
    editor.board.pick("row 1")
    assert editor.board.said.startswith("There are these: 7, an empty place")


def test_a_card_shows_the_slip_and_forgets_it_when_there_is_another_number():
    card = PuzzleCard(ONE)
    card.editor.build("2/9")
    assert not card.check()
    assert "That is slip 2/9." in card._answer.value
    assert "a, b – wrong" in card.editor.board.scene.target("answer").name
    card.editor.build("7/9")
    assert card._answer.value == ""
    assert card.editor.board.scene.target("answer").name == "Your answer: 7/9"
    assert card.check()
    assert card.solved


def test_a_number_editor_wants_a_question_for_a_number():
    with pytest.raises(CastlelabError, match="needs a TypeNumber"):
        NumberEditor(ChooseOne((("a", "A"),)))


def test_paper_has_room_to_count_and_a_line_for_the_number():
    sheet = worksheet(["castell/count-towers-1-1", "castell/festival-1-1"])
    assert sheet.html().count('<div class="working">') == 1
    assert "Your answer" in sheet.html()
