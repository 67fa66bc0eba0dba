"""The ring loom: what fits a gap, how many ways lead round a ring, and why it is a formula."""

from __future__ import annotations

from castlelab.figures import FigureTask, HandledFigure, WhyLine
from castlelab.games.castle_keep.count import rings_by_formula
from castlelab.games.castle_keep.figure_loom import FIRST, Gaps, Patterns, Weave, matching


def ring_loom() -> HandledFigure:
    """The loom at three ages: gaps of one, rings of four step by step, and rings of eight."""
    return HandledFigure(
        name="castle_keep/ring-loom",
        title="The ring loom",
        idea="what two faces share",
        ages="14–18",
        minutes=12,
        tasks={11: _gaps(), 14: _weave(), 17: _patterns()},
    )


def _gaps() -> FigureTask:
    answer = len(matching(FIRST) & matching("blue zigzag"))
    return FigureTask(
        question="A red curvy and a blue zigzag tower share nothing. How many of the nine walls "
        "match both?",
        answer=answer,
        slips={
            0: "A wall can have the colour of one and the shape of the other.",
            1: "You have found one. The other way round there is another.",
            3: "So many fit if the towers share one thing.",
            5: "So many match one tower. The gap wants both.",
            8: "So many match one or the other. The gap wants both.",
        },
        do="Take walls, and lay them in the three gaps. Find all that fit: how many are they in "
        "each?",
        first=Gaps(),
        counted=lambda figure: isinstance(figure, Gaps) and figure.number == 10,
        hints=(
            "A wall stays in your hand: try it in all three gaps.",
            "Gap one takes five walls. Which of them fit gap two, too? What is new there?",
        ),
        because="Red zigzag and blue curvy: the colour of one, the shape of the other.",
        why=WhyLine(
            start="How many walls fit depends only on",
            ends={
                "how much the two towers share": "Both: 5 walls. One thing: 3. Nothing: 2.",
                "the colours of the towers": "Paint both alike in another one: nothing changes.",
                "which tower is on the left": "Exchange them: the same walls fit.",
            },
            right="how much the two towers share",
        ),
        proof=(
            "On the board a face matches its row and its column: five.",
            "Towers in one row have that row in common: three.",
            "Otherwise two rows and two columns cross: two walls.",
        ),
    )


def _weave() -> FigureTask:
    return FigureTask(
        question="Four places in a ring, nine faces, each matches itself, too. How many rings have "
        "neighbours that match all round?",
        answer=rings_by_formula(places=4),
        slips={
            9**4: "These are all rings. Neighbours must match.",
            9 * 5**3: "These are lines. In a ring the last must match the first.",
            5**4: "You have taken 5/9 of the lines. But in a short ring ends know each other.",
            77: "So many begin with one certain face. There are nine.",
        },
        do="All ways begin on red curvy. Touch a face: five are added up for the next step. Weave "
        "four steps.",
        first=Weave(),
        counted=lambda figure: isinstance(figure, Weave) and figure.steps == 4,
        hints=(
            "One face of each kind is enough: the same, one thing shared, nothing shared.",
            "In each step touch red curvy, red zigzag and blue zigzag.",
        ),
        because="77 ways lead back in four steps, from each of nine faces: 9 · 77 = 693.",
        why=WhyLine(
            start="Three numbers are enough for nine faces, because",
            ends={
                "equally much shared means equally many ways": "Exchange colours: faces change "
                "places.",
                "there are three colours": "And three shapes: that makes nine faces.",
                "the other six stay zero": "Only at the start. Look at step two.",
            },
            right="equally much shared means equally many ways",
        ),
        proof=(
            "s′ = s + 4h, h′ = s + 2h + 2n, n′ = 2h + 3n.",
            "(1, 0, 0), (1, 1, 0), (5, 3, 2), (17, 15, 12), (77, 71, 66).",
            "A ring comes back to its first face: 9 · s rings.",
        ),
    )


def _patterns() -> FigureTask:
    return FigureTask(
        question="Eight places in a ring, nine faces. How many rings have neighbours that match "
        "all round?",
        answer=rings_by_formula(),
        slips={
            9**8: "These are all rings. Neighbours must match.",
            9 * 5**7: "These are lines. In a ring the last must match the first.",
            5**8: "Nearly! But ends know a little of each other.",
            43_517: "So many begin with one certain face. There are nine.",
        },
        do="Each step adds up five faces. Set the two numbers: find three patterns that a step "
        "only multiplies.",
        first=Patterns(),
        counted=lambda figure: isinstance(figure, Patterns) and len(figure.found) == 3,
        hints=(
            "Make all nine numbers alike: then five of them are five times as much.",
            "Let the numbers of a row add up to nought: try 1 and −2, then −2 and 1.",
        ),
        because="5⁸ + 4 · 2⁸ + 4 · (−1)⁸ = 391,653.",
        why=WhyLine(
            start="Patterns that are only multiplied help, because",
            ends={
                "the start is a sum of them": "And n steps are a power for each.",
                "they never change": "They grow: by 5, by 2, by −1.",
                "they have no fractions": "Neither has the start. But it does not stay itself.",
            },
            right="the start is a sum of them",
        ),
        proof=(
            "(1, 1, 1) + (4, 1, −2) + (4, −2, 1) = (9, 0, 0), nine times the start.",
            "So n steps lead back in (5ⁿ + 4 · 2ⁿ + 4 · (−1)ⁿ) / 9 ways.",
            "Nine first faces take the ninth away.",
            "5, 2, −1 are the eigenvalues of the board.",
        ),
    )
