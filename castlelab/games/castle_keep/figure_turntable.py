"""The turntable: castles are turned and mirrored, and those that become equal are one."""

from __future__ import annotations

from castlelab.figures import FigureTask, HandledFigure, WhyLine
from castlelab.games.castle_keep.count import count_colourings
from castlelab.games.castle_keep.figure_turntable_cycles import Cycles, painted_castles
from castlelab.games.castle_keep.figure_turntable_glow import Glow
from castlelab.games.castle_keep.figure_turntable_piles import Piles


def turntable() -> HandledFigure:
    """The turntable at three ages: piles, castles that stay, and the cycles of a move."""
    return HandledFigure(
        name="castle_keep/turntable",
        title="The turntable",
        idea="equal after a turn",
        ages="11–18",
        minutes=10,
        tasks={11: _piles(), 14: _glow(), 17: _cycles()},
    )


def _piles() -> FigureTask:
    answer = count_colourings(2)
    return FigureTask(
        question="Four towers, each red or blue. Castles that can be turned or mirrored into each "
        "other are the same. How many are different?",
        answer=answer,
        slips={
            16: "Many of the 16 become equal when they are turned.",
            2: "You have divided by eight. But all red has one look, not eight.",
            5: "Two red towers can stand side by side or across.",
        },
        do="Touch a castle, then moves: its looks fly to its pile. Sort all 16.",
        first=Piles(),
        counted=lambda figure: (
            isinstance(figure, Piles) and not figure.heap and len(figure.piles) == answer
        ),
        hints=(
            "Turn a castle by quarters until it looks as at first. Then take another one.",
            "Two piles may be one: touch a pile, and move its castle.",
        ),
        because="The piles hold 1, 4, 4, 2, 4 and 1 looks: six piles, 16 castles.",
        why=WhyLine(
            start="There are more piles than 16 / 8, because",
            ends={
                "some moves leave a castle as it was": "More symmetry, fewer looks.",
                "a mirror makes a new castle": "Mirrored ones lie on the same pile.",
                "red towers are worth more": "Red and blue change places freely.",
            },
            right="some moves leave a castle as it was",
        ),
        proof=(
            "For each castle, looks times moves that change nothing is eight.",
            "All red: 1 · 8. Two across: 2 · 4. The others: 4 · 2.",
        ),
    )


def _glow() -> FigureTask:
    answer = count_colourings(3)
    return FigureTask(
        question="Three colours for four towers make 81 castles. Turned and mirrored ones are the "
        "same: how many are different?",
        answer=answer,
        slips={
            81: "Many of them become equal when they are turned.",
            10: "You have divided by eight. But castles with symmetry have fewer looks.",
            15: "You have chosen colours only. They can stand in different ways.",
            24: "You have turned them, but not mirrored.",
        },
        do="Press all eight moves: who stays, glows. Touch castles to find one with 1, 2, 4 and "
        "8 looks.",
        first=Glow(),
        counted=lambda figure: isinstance(figure, Glow) and figure.is_done,
        hints=(
            "Write down how many stay, for each move. What is their sum?",
            "All red has one look. Which castles have two? Which have three colours and eight?",
        ),
        because="81 + 3 + 9 + 3 + 27 + 9 + 27 + 9 = 168 glows, and 168 / 8 = 21.",
        why=WhyLine(
            start="The glows are divided by eight, because",
            ends={
                "each different castle glows eight times": "Looks times stays is always eight.",
                "each castle has eight looks": "All red has one look, and it glows eight times.",
                "there are eight places": "The towers stand on four.",
            },
            right="each different castle glows eight times",
        ),
        proof=(
            "Each look is reached by equally many moves: one, after those that change nothing.",
            "So a castle with n looks has 8 / n moves that leave it as it is.",
            "Its n looks glow n · 8 / n = 8 times. 168 glows are 21 castles.",
        ),
    )


def _cycles() -> FigureTask:
    answer = painted_castles(2)
    return FigureTask(
        question="Four towers and four walls, each red or blue. Turned and mirrored castles are "
        "the same: how many are different?",
        answer=answer,
        slips={
            256: "Many of them become equal when they are turned.",
            32: "You have divided by eight. But castles with symmetry have fewer looks.",
            70: "You have turned them, but not mirrored.",
        },
        do="Take two colours, and press all eight moves. Touch places: those with the same letter "
        "must be alike.",
        first=Cycles(),
        counted=lambda figure: (
            isinstance(figure, Cycles) and figure.colours == 2 and len(figure.tried) == 8
        ),
        hints=(
            "Press a move. Places with the same letter change among themselves.",
            "With c letters there are 2ᶜ castles that stay. Take the mean over the eight moves.",
        ),
        because="(256 + 4 + 16 + 4 + 4 · 32) / 8 = 408 / 8 = 51.",
        why=WhyLine(
            start="A move leaves kᶜ castles as they are, where c counts",
            ends={
                "its cycles": "Each cycle has one colour, and is free to choose it.",
                "the places that it keeps": "A quarter turn keeps none, and yet four castles stay.",
                "how often it is repeated": "That is the length of a cycle, not their number.",
            },
            right="its cycles",
        ),
        proof=(
            "Burnside: different castles are the mean number that a move leaves as they are.",
            "Towers and walls: (k⁸ + 4k⁵ + k⁴ + 2k²) / 8, so 51, then 954.",
            "Towers alone: (k⁴ + 2k³ + 3k² + 2k) / 8, so 6, then 21.",
        ),
    )
