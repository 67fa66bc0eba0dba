"""Authored puzzles of Once Upon a Castle: the steps of the walk-through."""

from __future__ import annotations

from castlelab.authoring import lesson_opener
from castlelab.games.once_upon_a_castle.puzzle_forms import draft

LESSONS = {
    "first-roll": draft(
        "Your first roll: Food and Wood. Place both tokens so that a line is full.",
        board="wsg.. / fgws. / ..fsg / ...fw",
        dice="food wood",
        solution="d4, e4",
        hints=("Look for a line of two squares.", "Row 4 is Food and Wood, and nothing else."),
        rules=("once_upon_a_castle/roll", "once_upon_a_castle/resource"),
    ),
    "wild": draft(
        "Stone and a ?. Let the ? be what you need, and fill a line.",
        board="wsG.. / fgws. / ..fsg / ...fw",
        dice="stone any",
        solution="a1, b1",
        hints=("Row 1 has a token already. What else does it need?", "Stone on b1. The ? is Wood."),
        rules=("once_upon_a_castle/any",),
    ),
    "no-moving": draft(
        "Gold and Stone. Row 2 misses only one token. Use both dice, and fill a line.",
        board="wsg.. / FGWs. / ..fsG / ...fw",
        dice="gold stone",
        solution="c1, d2",
        hints=(
            "Two of the three Gold squares are taken, and tokens do not move.",
            "The Gold goes on c1, wherever the Stone goes.",
        ),
        rules=("once_upon_a_castle/no-moving", "once_upon_a_castle/roll"),
    ),
    "no-token": draft(
        "Three lines are full, and one token is left for Wood and Gold. "
        "Make it four lines that do not cross.",
        board="wSG.. / FGWs. / ..FSg / ...FW",
        dice="wood gold",
        solution="a1",
        lines=4,
        hints=(
            "One die is lost, for there is no token for it. Which one?",
            "The last Gold square would fill lines that cross full ones.",
        ),
        rules=("once_upon_a_castle/no-token", "once_upon_a_castle/crossing"),
    ),
    "crossing": draft(
        "Row 3 and column 5 are full, and they cross. Which is worth more right now?",
        board="wsg.. / fgws. / ..FSG / ...fW",
        castle="walls 1; residents 2",
        hints=(
            "Read what is printed beside both lines.",
            "Column 5 is a flag worth 2. What is row 3 worth?",
        ),
        rules=("once_upon_a_castle/crossing", "once_upon_a_castle/build-line"),
    ),
    "tower-value": draft(
        "Three towers stand. Rows 2 and 3 are full. Which do you clear first?",
        board="wsg.. / FGWS. / ..FSG / ...fw",
        castle="floors 1; towers 5 2 2; walls 1; residents 4",
        moves=("clear row 2", "clear row 3"),
        moral="The fourth tower is the last one, so let it be worth 5 [once_upon_a_castle/tower].",
        hints=(
            "There is room for one tower more. The other row still brings its flag.",
            "Row 2 draws a tower worth 5, row 3 one worth 2.",
        ),
        rules=("once_upon_a_castle/tower", "once_upon_a_castle/parts", "once_upon_a_castle/sun"),
    ),
    "flags-need-walls": draft(
        "No wall stands yet. Row 1 and column 5 are full. Which do you clear first?",
        board="WSG.. / fgws. / ..fsG / ...fW",
        castle="towers 2",
        moves=("clear row 1", "clear column 5"),
        moral="The wall carries the flag, so it comes first [once_upon_a_castle/flags].",
        hints=("Where would the flag go?", "A wall first, then the flag."),
        rules=("once_upon_a_castle/flags", "once_upon_a_castle/wall"),
    ),
    "residents-group": draft(
        "Twelve residents. They stand in groups of five, worth 1, 2, 4, 6 and more. "
        "What do they score?",
        castle="residents 12",
        totals=(2, 4, 7, 12),
        hints=(
            "Find the group in which the last resident stands.",
            "The twelfth stands in the third group. It need not be full.",
        ),
        rules=("once_upon_a_castle/score", "once_upon_a_castle/residents"),
    ),
    "score-sheet": draft(
        "A castle at the end: count it. The 17 residents stand in the fourth group, worth 6. "
        "The guests are worth 3 and 1. What is the score?",
        castle="floors 2; towers 5 5 2 2; walls 3; flags 2 1 2; residents 17; sun; guests 3 1",
        totals=(28, 31, 33, 36, 44),
        hints=(
            "Towers, sun, residents, flags, guests: five numbers.",
            "The towers make 14, the flags 5.",
        ),
        rules=(
            "once_upon_a_castle/score",
            "once_upon_a_castle/sun",
            "once_upon_a_castle/floor-guest",
            "once_upon_a_castle/wall",
        ),
    ),
    "bolt": draft(
        "You have drawn a floor. Which guest is worth most by the end of this turn?",
        board="fG.. / sw.. / wFg. / .SfG / ..ws",
        castle="floors 2; towers 2; walls 1; residents 3",
        moves=("guest logger", "guest miner", "guest bohemian"),
        moral="A Bolt guest acts at once: its token fills column 2 [once_upon_a_castle/bolt].",
        hints=(
            "Look for lines that miss one token only.",
            "Column 2 misses Wood, and it draws a tower worth 5.",
        ),
        rules=(
            "once_upon_a_castle/bolt",
            "once_upon_a_castle/guest-choice",
            "once_upon_a_castle/guest-logger",
            "once_upon_a_castle/guest-miner",
        ),
    ),
    "steal-and-guard": draft(
        "You may steal a guest. Which one is worth most to you?",
        board="fg.. / sw.. / wfg. / .sfg / ..ws",
        castle="floors 1; towers 5 2; walls 1; residents 3",
        rivals=("floors 2; guests guard queen", "floors 1; guests princess"),
        moves=("steal queen", "steal princess", "steal guard"),
        moral="The princess counts your own towers from now on [once_upon_a_castle/steal].",
        hints=("Who lives beside the guard?", "The queen is protected. Count your towers."),
        rules=(
            "once_upon_a_castle/steal",
            "once_upon_a_castle/guest-guard",
            "once_upon_a_castle/guest-princess",
        ),
    ),
    "crown": draft(
        "Three Crown guests are on show. Who counts most in your castle?",
        board="fg.. / sw.. / wfg. / .sfg / ..ws",
        castle="floors 2; towers 5 2 2; walls 1; residents 3",
        moves=("guest jester", "guest prince", "guest princess"),
        moral="The princess brings a point for each of the three towers "
        "[once_upon_a_castle/crown].",
        hints=("One counts floors, one walls, one towers.", "Of which do you have the most?"),
        rules=(
            "once_upon_a_castle/crown",
            "once_upon_a_castle/guest-jester",
            "once_upon_a_castle/guest-prince",
            "once_upon_a_castle/guest-princess",
        ),
    ),
}


lesson = lesson_opener("once_upon_a_castle", LESSONS)
