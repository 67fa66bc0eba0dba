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
    "residents-die": draft(
        "Residents and a ?. The residents are drawn by themselves. Fill a line with the ?.",
        board="wSg.. / fgWS. / ..fsg / ...fw",
        dice="residents any",
        solution="b2",
        hints=(
            "You have one token to place. Which line misses only one?",
            "Column 2 misses Gold.",
        ),
        rules=("once_upon_a_castle/residents", "once_upon_a_castle/any"),
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
    "line-gift": draft(
        "Gold and Food. Fill the line that gives a wall.",
        board="WSg.. / fgws. / ..FSg / ...fw",
        dice="gold food",
        full="row 1",
        solution="c1, a2",
        hints=(
            "Beside each line stands what it gives. Find a wall that is one token away.",
            "Row 1 misses its Gold.",
        ),
        rules=("once_upon_a_castle/build-line", "once_upon_a_castle/resource"),
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
    "two-lines": draft(
        "Stone and Wood. Fill two lines that do not cross.",
        board="Wsg.. / fGws. / ..fSg / ...Fw",
        dice="stone wood",
        lines=2,
        solution="b1, e4",
        hints=(
            "Each of your tokens can fill a line of two.",
            "Stone fills column 2, Wood fills row 4.",
        ),
        rules=("once_upon_a_castle/crossing", "once_upon_a_castle/build-line"),
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
    "fifth-tower": draft(
        "Four towers stand. Row 2 and column 2 are full, and they cross. Which is worth more?",
        board="wSg.. / FGWS. / ..fsg / ...fw",
        castle="floors 1; towers 5 5 2 2; walls 2; flags 2; residents 4; sun",
        hints=("What would row 2 draw?", "There is no room for a fifth tower."),
        rules=("once_upon_a_castle/parts", "once_upon_a_castle/crossing"),
    ),
    "sun": draft(
        "The sun is worth 4, and nobody has it yet. Row 3 or column 4: which is worth more?",
        board="wsg.. / fgwS. / ..FSG / ...Fw",
        castle="floors 2; towers 5 5 2; residents 13",
        hints=(
            "Whoever has four towers first gets the sun.",
            "Row 3 draws the fourth tower. Column 4 brings 2 points for residents.",
        ),
        rules=("once_upon_a_castle/sun", "once_upon_a_castle/tower"),
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
    "last-part": draft(
        "Eleven main parts stand. Row 3 and column 2 are full. Which do you clear first?",
        board="wSg.. / fGws. / ..FSG / ...fw",
        castle="floors 4; towers 5 2 2; walls 4; flags 1; residents 9",
        moves=("clear row 3", "clear column 2"),
        moral="The twelfth part ends your game, so the flag comes first [once_upon_a_castle/end].",
        hints=(
            "The twelfth main part ends the game at once.",
            "Row 3 draws the fourth tower. What would become of column 2?",
        ),
        rules=("once_upon_a_castle/end", "once_upon_a_castle/parts"),
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
    "merchant": draft(
        "Three guests who act at once. Who brings you most this turn?",
        board="fg.. / sw.. / WFg. / .sfg / ..wS",
        castle="floors 2; towers 2; walls 1; residents 3",
        moves=("guest peasant", "guest merchant", "guest bohemian"),
        moral="Two tokens on Gold fill row 3 and column 4 [once_upon_a_castle/guest-merchant].",
        hints=(
            "Which lines miss a single token?",
            "Row 3 and column 4 both miss Gold.",
        ),
        rules=(
            "once_upon_a_castle/bolt",
            "once_upon_a_castle/guest-merchant",
            "once_upon_a_castle/guest-peasant",
            "once_upon_a_castle/guest-bohemian",
        ),
    ),
    "wake": draft(
        "You have cleared row 1, so one of your Bolt guests acts again. Which one?",
        board="fg.. / sw.. / wFG. / .sfg / ..ws",
        castle="floors 2; towers 2; walls 1; residents 3; guests bohemian logger",
        moves=("reactivate bohemian", "reactivate logger"),
        moral="The Logger's token fills row 3 [once_upon_a_castle/reactivate].",
        hints=("Row 3 misses one token.", "It misses Wood. Who brings Wood?"),
        rules=("once_upon_a_castle/reactivate", "once_upon_a_castle/guest-logger"),
    ),
    "troll": draft(
        "Stone twice. Your Troll uses Stone as Wood, if you like. Fill a line.",
        board="fg.. / sw.. / wFG. / .sfg / ..ws",
        dice="stone stone",
        guests="troll",
        solution="a3, a2",
        hints=(
            "Pretend that a die shows Wood. Which line does that fill?",
            "Put a token on a3. It is Wood.",
        ),
        rules=("once_upon_a_castle/hourglass", "once_upon_a_castle/guest-troll"),
    ),
    "knight": draft(
        "Residents twice. With the Knight each of them may be a token on any free square. "
        "Fill two lines that do not cross.",
        board="fG.. / Sw.. / wFg. / .SfG / ..ws",
        dice="residents residents",
        guests="knight",
        lines=2,
        solution="a1, b2",
        hints=("Which lines miss a single token?", "Row 1 misses Food, row 2 misses Wood."),
        rules=("once_upon_a_castle/hourglass", "once_upon_a_castle/guest-knight"),
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
    "king-and-princess": draft(
        "The King counts flags, the Princess counts towers. Four residents are worth 1. "
        "What is the score?",
        castle="floors 3; towers 5 2 2; walls 2; flags 2 1; residents 4; guests king princess",
        totals=(13, 15, 18, 19),
        hints=("The towers make 9, the flags 3.", "The guests bring 2 and 3."),
        rules=(
            "once_upon_a_castle/crown",
            "once_upon_a_castle/guest-king",
            "once_upon_a_castle/guest-princess",
        ),
    ),
    "courtesan": draft(
        "The Courtesan counts the Crown guests. The Jester, beside her, counts floors. "
        "The Queen is worth 3. What do the three of them score?",
        castle="floors 4; guests courtesan jester queen",
        totals=(5, 8, 9, 10),
        hints=("How many Crown guests live here?", "She counts herself, too."),
        rules=(
            "once_upon_a_castle/crown",
            "once_upon_a_castle/guest-courtesan",
            "once_upon_a_castle/guest-jester",
            "once_upon_a_castle/guest-queen",
        ),
    ),
}


lesson = lesson_opener("once_upon_a_castle", LESSONS)
