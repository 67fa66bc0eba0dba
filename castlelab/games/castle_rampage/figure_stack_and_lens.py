"""The stack and the lens: five cards to drag, all their orders, and what only the top decides."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from castlelab.figures import FigureTask, HandledFigure, WhyLine
from castlelab.games.castle_rampage.count import (
    fallen_by_order,
    groups_within,
    orders_losing,
)
from castlelab.games.castle_rampage.figure_stack import ATTACK, CARDS, LensStack


def mean_fallen(attack: int) -> Fraction:
    """How many of the five cards fall on average.

    >>> mean_fallen(6)
    Fraction(17, 10)
    """
    found = fallen_by_order(CARDS, attack).items()
    return sum((Fraction(number * orders, 120) for number, orders in found), Fraction())


def stack_and_lens() -> HandledFigure:
    """The stack at three ages: pairs on top, all orders, and the mean of what falls."""
    return HandledFigure(
        name="castle_rampage/stack-and-lens",
        title="Stack and lens",
        idea="what the top decides",
        ages="12–16",
        minutes=10,
        tasks={11: _pairs(), 14: _orders(), 17: _mean()},
    )


def _pairs() -> FigureTask:
    answer = groups_within(CARDS, ATTACK, 2)
    return FigureTask(
        question=f"An attack of {ATTACK} meets five cards that defend 1 to 5. With how many pairs "
        "on top do both fall?",
        answer=answer,
        slips={
            comb(5, 2): "These are all pairs. Some are too strong together.",
            groups_within(CARDS, ATTACK - 1, 2): "A card falls, too, if just enough is left.",
            2 * answer: "You have counted 1, 2 and 2, 1. It is the same pair.",
        },
        do="Drag cards in the stack, so that other pairs come on top. Find all that fall.",
        first=LensStack(asks="pairs", lens=2),
        counted=lambda figure: isinstance(figure, LensStack) and figure.groups_that_fall == answer,
        hints=(
            "Leave the 1 on top, and change the card below it. Then go on with the 2.",
            "Which cards may lie with the 1? Which with the 2, but without the 1?",
        ),
        because="The 1 goes with 2, 3, 4 or 5, and the 2 with 3 or 4: six pairs.",
        why=WhyLine(
            start="It does not matter which of the two lies first, because",
            ends={
                "the attack pays for their sum": "And a sum has no order.",
                "the stronger one always falls first": "The upper card is always first.",
                "the cards below help": "They lie below, and nobody asks them.",
            },
            right="the attack pays for their sum",
        ),
        proof=(
            "Both fall if their sum is 6 or less, in whichever order.",
            "Ten pairs. Too strong are 5 + 4, 5 + 3, 5 + 2 and 4 + 3.",
        ),
    )


def _orders() -> FigureTask:
    answer = orders_losing(CARDS, ATTACK, 2)
    return FigureTask(
        question="Cards that defend 1 to 5 can lie in 120 orders. In how many does an attack of "
        f"{ATTACK} fell two or more?",
        answer=answer,
        slips={
            6: "These are the pairs. Each can lie on top in many orders.",
            12: "The three cards below can lie in six orders, too.",
            36: "The two cards on top can change places, too.",
            120 - answer: "So many hold after one card. And just enough is enough.",
        },
        do="Choose a lens, touch its groups: equal dots melt together. Which lens shows what two "
        "cards decide?",
        first=LensStack(asks="orders"),
        counted=lambda figure: (
            isinstance(figure, LensStack)
            and (figure.lens, figure.attack, figure.is_all_known) == (2, ATTACK, True)
        ),
        hints=(
            "Without a lens you would try 120 orders. Who looks at the top two only?",
            "Take the lens “top 2”. Each group stands for 2 · 6 orders.",
        ),
        because="Six of ten groups fall, and each holds 2! · 3! = 12 orders: 72.",
        why=WhyLine(
            start="Dots melt into blocks of 2! · 3!, because",
            ends={
                "top and rest are each put in order": "The group decides, its order does not.",
                "each pair can be drawn twice": "That is 2!. And the cards below?",
                "there are five cards": "Then a block would hold 5! = 120 orders.",
            },
            right="top and rest are each put in order",
        ),
        proof=(
            "Two fall exactly when the sum of the top two is 6 or less.",
            "A group of k on top lies in k! orders, the rest in (n − k)!.",
            "With attack 8 nine pairs fall: 9 · 12 = 108 orders.",
        ),
    )


def _mean() -> FigureTask:
    return FigureTask(
        question="Cards that defend 1 to 5 lie in any order, all equally likely. How many fall to "
        f"an attack of {ATTACK} on average?",
        answer=mean_fallen(ATTACK),
        slips={
            2: "6 / 3, or the middle of best and worst. But a rest that pays nothing is lost.",
            Fraction(7, 10): "You have forgotten the first card: it always falls.",
            Fraction(3, 2): "One or two, you thought. But three can fall.",
        },
        do="Through each lens, what share of the groups falls? Touch groups until all three shares "
        "are known.",
        first=LensStack(asks="mean", lens=1),
        counted=lambda figure: (
            isinstance(figure, LensStack) and figure.attack == ATTACK and figure.mean is not None
        ),
        hints=(
            "At least one falls with chance 5/5. At least two: take the next lens.",
            "Add the chances that at least 1, 2, 3 fall: each card is counted where it falls.",
        ),
        because="At least 1, 2, 3 cards fall with chances 1, 6/10 and 1/10: together 17/10.",
        why=WhyLine(
            start="The mean is the sum of these chances, because",
            ends={
                "who loses three is counted in all three": "One for each card that falls.",
                "the cards fall independently": "They do not: all share one attack.",
                "every order is equally likely": "True, but why add “at least”?",
            },
            right="who loses three is counted in all three",
        ),
        proof=(
            "E = P(≥ 1) + P(≥ 2) + P(≥ 3) = 1 + 6/10 + 1/10.",
            "P(≥ k) is the share of k-groups with sum 6 or less.",
            "Groups with sum n are partitions into different parts: 6, 5+1, 4+2, 3+2+1.",
        ),
    )
