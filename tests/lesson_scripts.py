"""What the words say: for every lesson the steps of somebody who does just that.

A script quotes the words it follows: the task, a hint, or a sentence of the page. Its steps name
things as they are spoken: "Size 9" is the target whose spoken name begins so, with any sign for
"?". At the end a button is pressed, unless the picture itself takes the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

THEN = " > "


@dataclass(frozen=True)
class Script:
    """Words of a page, what is picked in the picture to follow them, and the button at the end."""

    says: str
    steps: str = ""
    button: str = "Check"

    @property
    def picks(self) -> tuple[str, ...]:
        return tuple(self.steps.split(THEN)) if self.steps else ()


def chosen(says: str, button: str) -> Script:
    """A question that a button answers."""
    return Script(says, button=button)


def pointed_at(says: str, steps: str) -> Script:
    """A question that the picture answers."""
    return Script(says, steps, button="")


def named(scene, words: str):
    """The first target whose spoken name begins with these words."""
    pattern = re.compile(re.escape(words).replace(r"\?", ".") + r"(?!\w)")
    found = next((target for target in scene.targets if pattern.match(target.name)), None)
    assert found is not None, f"nothing is called {words!r} in the picture: {scene.description}"
    return found


# -- Castell -----------------------------------------------------------------------------------


def put(number: int, size: int, level: int) -> str:
    """So many castellers of a size on a level: each is picked, then the level."""
    return THEN.join([f"Size {size}", f"Level {level}"] * number)


def tower(*puts: str) -> str:
    return THEN.join(puts)


PICK_AND_PICK = "pick a casteller of your team, then pick a level."
WHICH_LEVEL = "Which level is wrong? Pick it."

CASTELL = {
    "castell/lesson-first-tower": (
        Script(PICK_AND_PICK, tower(put(3, 9, 1), put(2, 8, 2), put(1, 7, 3))),
        Script(
            "Three of size 9, two of size 8, then one.",
            "Size 9 > Level 1 > Level 1 > Level 1 > Size 8 > Level 2 > Level 2 > Size 7 > Level 3",
        ),
        Script(
            "Start with the largest castellers.",
            tower(put(1, 9, 1), put(1, 8, 2), put(1, 7, 3), put(2, 9, 1), put(1, 8, 2)),
        ),
    ),
    "castell/lesson-one-size": (
        Script(
            "Take size 6 off the base and put the third 9 there.",
            "On level 1: size 6 > Size 9 > Level 1",
        ),
        Script("Mend it and keep three levels.", "Size 9 > Level 1 > On level 1: size 6"),
    ),
    "castell/lesson-smaller-on-top": (
        Script(
            "Let the 9s be the base.",
            tower(
                "On level 1: size 8 > On level 1: size 8 > On level 1: size 8",
                put(1, 9, 1),
                "On level 2: size 7",
                put(2, 8, 2),
                put(1, 7, 3),
            ),
        ),
    ),
    "castell/lesson-fewer-on-top": (
        Script("Add a 9, take an 8 away.", "Size 9 > Level 1 > On level 2: size 8"),
        Script("Mend it and keep three levels.", "On level 2: size 8 > Size 9 > Level 1"),
    ),
    "castell/lesson-three-at-most": (
        Script(
            "Every level has to give up one casteller.",
            "On level 1: size 10 > On level 2: size 8 > On level 3: size 7",
        ),
    ),
    "castell/lesson-balance": (
        Script(
            "Start 3, 3, 3.",
            tower(put(3, 10, 1), put(3, 9, 2), put(3, 8, 3), put(2, 7, 4), put(1, 6, 5)),
        ),
    ),
    "castell/lesson-base": (
        Script(
            "Put all seven 8s on the ground.",
            tower(put(7, 8, 1), put(3, 7, 2), put(2, 6, 3), put(1, 5, 4)),
        ),
    ),
    "castell/lesson-mix": (
        Script(
            "10, 9 and 9 make the base.",
            tower(put(1, 10, 1), put(2, 9, 1), put(3, 8, 2), put(2, 7, 3), put(1, 6, 4)),
        ),
    ),
    "castell/lesson-strength": (
        Script(
            "Two and two and two, then the 4.",
            tower(put(2, 5, 1), put(2, 5, 2), put(2, 5, 3), put(1, 4, 4)),
        ),
    ),
    "castell/lesson-width": (
        Script(
            "Seven 10s, then six 9s.",
            tower(put(7, 10, 1), put(6, 9, 2), put(2, 8, 3), put(1, 7, 4)),
        ),
    ),
    "castell/lesson-shape": (
        Script(
            "Two of size 9, two of size 8, then one.",
            tower(put(2, 9, 1), put(2, 8, 2), put(1, 7, 3)),
        ),
    ),
    "castell/lesson-exhibition": (
        Script(
            "Base 10, 10, 9, 9; above it 8, 8, 7; then three 8s.",
            tower(
                *(put(2, 10, 1), put(2, 9, 1), put(2, 8, 2), put(1, 7, 2), put(3, 8, 3)),
                *(put(2, 6, 4), put(2, 5, 5), put(1, 4, 6)),
            ),
        ),
    ),
    "castell/lesson-entry": (
        Script(
            "Balance lets 7, 7 stand on 8, 8.",
            tower("On level 2: size 6", put(2, 7, 2), put(1, 6, 3), put(1, 5, 4)),
        ),
    ),
    "castell/lesson-score-twelve": (
        Script(
            "Widths 4, 3, 3, 2, 2, 1.",
            tower(
                *(put(4, 9, 1), put(3, 8, 2), put(3, 7, 3)),
                *(put(2, 6, 4), put(2, 3, 5), put(1, 2, 6)),
            ),
        ),
    ),
    "castell/spot-the-breach-1-3": (
        pointed_at(WHICH_LEVEL, "Level 2"),
        chosen(WHICH_LEVEL, "Level 2"),
    ),
    "castell/spot-the-breach-1-7": (pointed_at("Which one?", "Level 3"),),
    "castell/spot-the-breach-3-2": (
        pointed_at("Look at level 4 and the level below it.", "Level 4"),
    ),
    "castell/one-more-rank-2-5": (
        chosen("One more rank of one skill lets this team enter. Which?", "Mix"),
    ),
    "castell/silhouette-2-1": (
        Script("build it exactly", tower(put(2, 8, 1), put(1, 7, 1), put(2, 6, 2), put(1, 5, 3))),
    ),
    "castell/festival-2-4": (
        Script(
            "Build the tower that scores most.",
            tower(put(3, 6, 1), put(2, 4, 2), put(1, 3, 3), put(1, 1, 4)),
        ),
    ),
}

# -- Castle Keep -------------------------------------------------------------------------------

CASTLE_KEEP = {
    "castle_keep/lesson-first-castle": (
        Script(
            "pick a tile of your hand, then pick a spot that lights up.",
            "Hand ?: yellow curvy wall > South side > Hand ?: yellow straight tower"
            " > South-east corner > Hand ?: red keep > Centre",
        ),
        Script(  # a wrong spot first; then a tile and a spot again
            "The wall goes on the south.",
            "Hand ?: yellow straight tower > South side > Hand ?: yellow straight tower"
            " > South-east corner > Hand ?: yellow curvy wall > South side"
            " > Hand ?: red keep > Centre",
        ),
    ),
    "castle_keep/lesson-corners-and-sides": (
        Script(
            "Lay the wall, then the tower right beside it.",
            "Hand ?: blue zigzag wall > North side > Hand ?: blue curvy tower"
            " > North-east corner > Hand ?: blue keep > Centre",
        ),
    ),
    "castle_keep/lesson-match": (
        Script(
            "The blue zigzag tower goes beside the wall. Blue goes on with blue.",
            "Hand ?: blue zigzag tower > North-east corner > Hand ?: blue curvy wall > East side"
            " > Hand ?: yellow curvy tower > South-east corner",
        ),
    ),
    "castle_keep/lesson-between": (
        Script(
            "The north-east corner touches two walls. It must match both.",
            "Hand ?: yellow curvy tower > North-east corner",
        ),
    ),
    "castle_keep/lesson-keep": (
        Script(
            "The blue wall is curvy, and so is the red tower.",
            "Hand ?: blue curvy wall > North side > Hand ?: blue keep > Centre",
        ),
        Script(  # the keep first, in vain
            "Give this castle its blue keep.",
            "Hand ?: blue keep > Centre > Hand ?: blue curvy wall > North side"
            " > Hand ?: blue keep > Centre",
        ),
    ),
    "castle_keep/lesson-closing": (
        Script(
            "The wall does not match the blue tower, so let it come last.",
            "Hand ?: yellow straight tower > South-east corner"
            " > Hand ?: yellow zigzag wall > South side",
        ),
    ),
    "castle_keep/lesson-lone-keep": (
        Script(
            "Begin with the red tower. Then only neighbours count.",
            "Hand ?: red zigzag tower > North-west corner > Hand ?: yellow zigzag wall"
            " > North side > Hand ?: yellow curvy tower > North-east corner",
        ),
    ),
    "castle_keep/lesson-no-easy-ending": (
        Script(
            "It is blue or curvy, and it is yellow or straight.",
            "Hand ?: yellow straight tower > South-east corner"
            " > Hand ?: blue straight wall > South side",
        ),
    ),
    "castle_keep/lesson-gap": (
        pointed_at(
            "One of these tiles fits on the spot with the question mark. Which?",
            "Hand ?: red zigzag wall",
        ),
        chosen("Red or curvy for one, yellow or zigzag for the other.", "Red zigzag wall"),
    ),
    "castle_keep/lesson-closing-spot": (
        pointed_at(
            "One neighbour is enough: red or zigzag, or else blue or straight.",
            "Hand ?: yellow zigzag wall",
        ),
    ),
    "castle_keep/lesson-whole-turn": (
        Script(
            "The blue curvy tower goes on the south-west, the yellow one on the south-east.",
            "Hand ?: blue curvy tower > South-west corner > Hand ?: yellow straight tower"
            " > South-east corner > Hand ?: blue straight wall > South side"
            " > Hand ?: red keep > Centre",
        ),
    ),
    "castle_keep/lesson-twin-wall": (
        pointed_at("You hold a yellow straight wall. Find its twin.", "Castle 2, east side"),
    ),
    "castle_keep/lesson-whole-run": (
        pointed_at("Follow the red tiles round the corners.", "Castle 2, north side"),
    ),
    "castle_keep/lesson-two-keeps": (
        pointed_at("You hold two blue keeps, and only one red keep.", "Castle 3, centre"),
    ),
    "castle_keep/lesson-last-blow": (
        pointed_at("Everything in castle 2 is red, and joined.", "Castle 2, north side"),
    ),
    "castle_keep/lesson-towers-fall": (
        pointed_at(
            "Follow the red tiles round the corners. Which of them do you hold?",
            "Castle 2, north-east corner",
        ),
    ),
    "castle_keep/lesson-closing-both": (
        pointed_at("It is red or zigzag, and it is blue or straight.", "Hand ?: blue zigzag wall"),
    ),
    "castle_keep/lesson-from-nothing": (
        Script(
            "Red and blue meet only in zigzag. So let zigzag meet zigzag, twice.",
            "Hand ?: red zigzag tower > North-west corner > Hand ?: blue zigzag wall > North side"
            " > Hand ?: blue straight tower > North-east corner"
            " > Hand ?: blue straight wall > East side"
            " > Hand ?: blue zigzag tower > South-east corner"
            " > Hand ?: red zigzag wall > South side > Hand ?: red curvy tower > South-west corner"
            " > Hand ?: red curvy wall > West side > Hand ?: blue keep > Centre",
        ),
    ),
    "castle_keep/finish-it-2-1": (
        Script(
            "Start with the yellow curvy tower on the north-east corner.",
            "Hand ?: yellow curvy tower > North-east corner > Hand ?: yellow zigzag tower"
            " > South-east corner > Hand ?: blue curvy wall > North side",
        ),
    ),
    "castle_keep/biggest-blast-3-1": (
        pointed_at("Follow the red tiles round the corners.", "Castle 2, west side"),
    ),
    "castle_keep/biggest-blast-5-3": (
        pointed_at(
            "Follow the red tiles of castle 2 round the corners.", "Castle 2, north-east corner"
        ),
    ),
}

# -- Castle Rampage ----------------------------------------------------------------------------

CASTLE_RAMPAGE = {
    "castle_rampage/lesson-first-attack": (
        chosen("9 - 4 = 5. Compare that with the Ogre.", "Castle card 1, the Ogre, holds"),
    ),
    "castle_rampage/lesson-held": (
        chosen(
            "The Ogre defends 5 at the Gate, and the Knight attacks with 4.",
            "Gate card 1, the Ogre, holds",
        ),
    ),
    "castle_rampage/lesson-even": (
        chosen(
            "The attack and the top card are equal.",
            "Gate card 1, the Gatekeeper, is even: both fall",
        ),
    ),
    "castle_rampage/lesson-broken": (
        chosen("4 - 2 = 2 is left for the Pikeman.", "Gate card 2, the Pikeman, holds"),
    ),
    "castle_rampage/lesson-through-the-gate": (
        chosen(
            "4 - 2 = 2 meets the Scout, and 2 - 1 = 1 the next card.",
            "Castle card 2, the Knight, holds",
        ),
    ),
    "castle_rampage/lesson-can-you-pay": (
        chosen("A Giant costs one other card of your hand, a Dragon two.", "Only the Knight"),
    ),
    "castle_rampage/lesson-into-the-castle": (
        chosen(
            "7 - 3 = 4 for the Archer. At the Castle he defends 3.",
            "Castle card 2, the Knight, holds",
        ),
    ),
    "castle_rampage/lesson-purple": (
        chosen(
            "However strong the Dragon is, a Bomber that falls takes it along.",
            "Gate card 1, the Bomber, takes the attacker with it",
        ),
    ),
    "castle_rampage/lesson-digger": (
        Script("A Digger comes up inside the Castle.", "Digger > Orange's Castle"),
        Script("The Castle defends 1 + 2, and the Digger attacks with 3.", "Digger > Play card"),
    ),
    "castle_rampage/lesson-cost": (
        Script(
            "The Knight clears the Gate. The Priest and the Spy pay for the Dragon.",
            "Knight > Play card > Dragon > Priest > Spy",
        ),
        Script(
            "pick the card again to play it. A card that costs others is played by picking those.",
            "Knight > Knight > Dragon > Priest > Spy",
        ),
    ),
    "castle_rampage/lesson-scheme": (
        Script(
            "A Mercenary may count as an archer.",
            "Arrow storm > Knight > Archer > Mercenary",
        ),
    ),
    "castle_rampage/lesson-bomber": (
        Script(
            "Let the Knight meet the Bomber. The Dragon comes second.",
            "Knight > Orange's Gate > Dragon > Priest > Spy",
        ),
    ),
    "castle_rampage/lesson-permanent": (
        Script(
            "Play the Banner bearer before the Knight.",
            "Banner bearer > Play card > Knight > Play card",
        ),
    ),
    "castle_rampage/lesson-jester": (
        Script(
            "Put the Knight under your Castle first.",
            "Knight > Blue's Castle > Jester > Play card",
        ),
    ),
    "castle_rampage/lesson-summoner": (
        Script(
            "Put the Knight under your Castle first.",
            "Knight > Blue's Castle > Summoner > Play card",
        ),
    ),
    "castle_rampage/lesson-strengthen": (
        Script("Then pick one of your own stacks to strengthen it", "Gatekeeper > Blue's Gate"),
        Script(
            "The Castellan defends 4 at the Castle, the Gatekeeper at the Gate.",
            "Castellan > Blue's Castle",
        ),
    ),
    "castle_rampage/lesson-ogre": (
        Script(
            "Pick the Ogre, then your Castle, then the Priest and the Spy to pay for it.",
            "Ogre > Blue's Castle > Priest > Spy",
        ),
    ),
    "castle_rampage/lesson-stack-well-first": (
        Script(
            "Put cards where they defend well.",
            "Gatekeeper > Gate, place 1 > Castellan > Castle, place 1",
        ),
        Script(  # the other way round at first; then they change places
            "4 at the Gate and 4 at the Castle are more than 7.",
            "Castellan > Gate, place 1 > Gatekeeper > Castle, place 1"
            " > Castellan > Castle, place 1",
        ),
    ),
    "castle_rampage/lesson-two-attacks": (
        Script(
            "4 + 3 at the Gate hold the first attack. One of them meets the second.",
            "Gatekeeper > Gate, place 1 > Knight > Gate, place 2"
            " > Castellan > Castle, place 1 > Archer > Castle, place 2",
        ),
    ),
    "castle_rampage/lesson-stack-bomber": (
        Script(
            "The Bomber must not be the last card of the Castle.",
            "Bomber > Gate, place 1 > Archer > Castle, place 1 > Knight > Castle, place 2",
        ),
    ),
    "castle_rampage/how-far-2-1": (
        chosen("It falls, and 4 is left for the next card.", "Castle card 1, the Ogre, holds"),
    ),
}

# -- CastleScape -------------------------------------------------------------------------------

CASTLESCAPE = {
    "castlescape/lesson-first-bailey": (Script("Pick its squares.", "c3 > d3 > c4 > d4"),),
    "castlescape/lesson-three-walls": (
        Script("Begin right of the first wall, and go on from there.", "f3 > g3 > h3"),
    ),
    "castlescape/lesson-no-block": (
        Script("Leave b5 free: with it, four walls would stand in a block.", "c5 > d5 > e5"),
    ),
    "castlescape/lesson-corner": (Script("One corner has no wall.", "e5"),),
    "castlescape/lesson-one-or-two": (Script("Choose all squares of one bailey.", "c3 > d4"),),
    "castlescape/lesson-edge": (
        Script("The upper court is open to the edge.", "e3 > f3 > e4 > f4"),
    ),
    "castlescape/lesson-bailey-in-bailey": (
        chosen("Count the open squares of the large one.", "15"),
    ),
    "castlescape/lesson-influence": (
        chosen("Each has two on the walls. Who has more than that?", "Orange"),
    ),
    "castlescape/lesson-outside": (
        chosen("Two of the recruits stand on walls that only lead away from it.", "Blue"),
    ),
    "castlescape/lesson-inside": (
        chosen("Compare a recruit on the ground with one on a wall.", "Orange"),
    ),
    "castlescape/lesson-tie": (
        chosen("2 against 2: who is first then?", "Several players share it"),
    ),
    "castlescape/lesson-share": (chosen("Half of 5, rounded down.", "2"),),
    "castlescape/lesson-climb": (
        Script(
            "Begin under the recruit beside the wall, and go on to the other one.",
            "e4 > f4 > f3",
        ),
    ),
    "castlescape/lesson-lifted": (
        Script("Close the court with one wall, and have most influence in it.", "e4"),
    ),
    "castlescape/lesson-walls-first": (
        chosen("Building comes first.", "First all walls, then the recruits"),
    ),
    "castlescape/lesson-back-alley": (
        chosen(
            "It waits in your Back Alley. What empties the Back Alley?",
            "Later: when you reshuffle, or when something triggers it",
        ),
    ),
    "castlescape/lesson-reshuffle": (
        chosen("The deck is not empty yet.", "Draw the two that are left"),
    ),
    "castlescape/lesson-market": (
        chosen(
            "There is no limit to the number of purchases in a turn.",
            "Several cards, as long as they cost 6 or less in all",
        ),
    ),
    "castlescape/lesson-on-purchase": (
        chosen("It saves you only the gold.", "Yes, at once and only now"),
    ),
    "castlescape/lesson-position": (
        chosen(
            "A recruit gets onto a wall in another way.",
            "c3, inside the finished bailey",
        ),
    ),
    "castlescape/lesson-between": (
        chosen("On the ground Orange has 1 in each of them.", "In both"),
    ),
    "castlescape/lesson-or": (
        chosen("Or means one of the two.", "4 walls, or 2 walls and a recruit: as you choose now"),
    ),
    "castlescape/lesson-unused": (
        chosen("Nothing is kept for later.", "It goes back to the Quarry"),
    ),
    "castlescape/lesson-bought": (
        chosen(
            "It waits with the cards you have used.",
            "When you have shuffled your discards and drawn it",
        ),
    ),
    "castlescape/lesson-destroy": (chosen("Nobody will see that Thief again.", "Out of the game"),),
    "castlescape/lesson-next-to": (chosen("Which square shares a side with c3?", "Orange on d3"),),
    "castlescape/lesson-trigger": (
        chosen("They stay where they are. What does a reshuffle do?", "4"),
    ),
    "castlescape/lesson-contract": (chosen("There is no penalty.", "2 Renown"),),
    "castlescape/lesson-tie-break": (
        chosen(
            "Compare the largest baileys.", "Orange, whose largest bailey has 6 squares against 4"
        ),
    ),
    "castlescape/lesson-winter": (chosen("It is the King.", "The Final Inspection comes at once"),),
    "castlescape/lesson-goal": (chosen("There is a limit for each turn.", "One of them"),),
    "castlescape/lesson-quarry": (
        chosen(
            "An Inspection never interrupts a turn.",
            "Build them from the supply; the King inspects at the end of the turn",
        ),
    ),
    "castlescape/lesson-inspection": (
        Script("One on a wall and one on the ground are worth 3 together.", "e3 > f2"),
    ),
    "castlescape/lesson-occupation": (
        Script("On the right you lead 4 against 1, so you can spare a recruit there.", "e2"),
    ),
    "castlescape/lesson-infamy-after": (
        chosen("Corruption is what Infamy falls back to, or rises to.", "Infamy 4"),
    ),
    "castlescape/lesson-over-ten": (
        chosen("9 + 3 is 2 too many.", "You give up recruits worth 2 at once; Infamy stays at 10"),
    ),
    "castlescape/lesson-end": (
        chosen(
            "Who has not had a turn in this round?",
            "The third player has a turn, then comes the Final Inspection",
        ),
    ),
    "castlescape/lesson-final-score": (chosen("20 + 7 + 3, and then?", "26"),),
    "castlescape/close-it-2-1": (Script("The last wall goes on a4.", "a3 > a4"),),
    "castlescape/who-claims-3-1": (
        chosen("4 on walls count 2 each, and 2 on the ground count 1 each.", "Orange"),
    ),
    "castlescape/inspection-3-1": (Script("Begin with the recruit on d6.", "d6 > g6"),),
}

# -- Once Upon a Castle ------------------------------------------------------------------------

ONCE_UPON_A_CASTLE = {
    "once_upon_a_castle/lesson-first-roll": (
        Script("Row 4 is Food and Wood, and nothing else.", "d4 > e4"),
        Script("Place both tokens so that a line is full.", "e4 > d4"),
    ),
    "once_upon_a_castle/lesson-wild": (
        Script("Stone on b1. The ? is Wood.", "b1 > a1"),
        Script("Let the ? be what you need, and fill a line.", "a1 > b1"),
    ),
    "once_upon_a_castle/lesson-no-moving": (
        Script("The Gold goes on c1, wherever the Stone goes.", "c1 > d2"),
    ),
    "once_upon_a_castle/lesson-no-token": (Script("Make it four lines that do not cross.", "a1"),),
    "once_upon_a_castle/lesson-crossing": (
        pointed_at("Column 5 is a flag worth 2. What is row 3 worth?", "Row 3"),
        chosen("Which is worth more right now?", "Row 3"),
    ),
    "once_upon_a_castle/lesson-tower-value": (
        pointed_at("Row 2 draws a tower worth 5, row 3 one worth 2.", "Row 2"),
    ),
    "once_upon_a_castle/lesson-flags-need-walls": (
        pointed_at("A wall first, then the flag.", "Row 1"),
    ),
    "once_upon_a_castle/lesson-residents-group": (
        chosen("The twelfth stands in the third group. It need not be full.", "4 points"),
    ),
    "once_upon_a_castle/lesson-score-sheet": (
        chosen("Towers, sun, residents, flags, guests: five numbers.", "33 points"),
    ),
    "once_upon_a_castle/lesson-bolt": (
        pointed_at("Column 2 misses Wood, and it draws a tower worth 5.", "Logger"),
    ),
    "once_upon_a_castle/lesson-steal-and-guard": (
        pointed_at("The queen is protected. Count your towers.", "Princess"),
    ),
    "once_upon_a_castle/lesson-crown": (
        pointed_at("One counts floors, one walls, one towers.", "Princess"),
        chosen("Of which do you have the most?", "Princess (Crown): 1 point for each tower"),
    ),
    "once_upon_a_castle/lesson-residents-die": (
        Script("Column 2 misses Gold.", "b2"),
        Script("Fill a line with the ?.", "b2"),
    ),
    "once_upon_a_castle/lesson-line-gift": (Script("Row 1 misses its Gold.", "c1 > d4"),),
    "once_upon_a_castle/lesson-two-lines": (
        Script("Stone fills column 2, Wood fills row 4.", "b1 > e4"),
    ),
    "once_upon_a_castle/lesson-fifth-tower": (
        pointed_at("There is no room for a fifth tower.", "Column 2"),
    ),
    "once_upon_a_castle/lesson-sun": (
        pointed_at(
            "Row 3 draws the fourth tower. Column 4 brings 2 points for residents.", "Row 3"
        ),
    ),
    "once_upon_a_castle/lesson-last-part": (
        pointed_at("Row 3 draws the fourth tower. What would become of column 2?", "Column 2"),
    ),
    "once_upon_a_castle/lesson-merchant": (
        pointed_at("Row 3 and column 4 both miss Gold.", "Merchant"),
    ),
    "once_upon_a_castle/lesson-wake": (
        pointed_at("It misses Wood. Who brings Wood?", "Logger"),
        chosen("It misses Wood. Who brings Wood?", "Reactivate logger"),
    ),
    "once_upon_a_castle/lesson-troll": (Script("Put a token on a3. It is Wood.", "a3 > a2"),),
    "once_upon_a_castle/lesson-knight": (
        Script("Row 1 misses Food, row 2 misses Wood.", "a1 > b2"),
    ),
    "once_upon_a_castle/lesson-king-and-princess": (
        chosen("The towers make 9, the flags 3.", "18 points"),
    ),
    "once_upon_a_castle/lesson-courtesan": (chosen("She counts herself, too.", "10 points"),),
}

#: By what a puzzle is remembered: the name of a lesson, or the code of a puzzle on a page.
SCRIPTS = CASTELL | CASTLE_KEEP | CASTLE_RAMPAGE | CASTLESCAPE | ONCE_UPON_A_CASTLE


# -- tables and sites --------------------------------------------------------------------------


@dataclass(frozen=True)
class Trial:
    """A board of a page on which nothing is to be solved: what is done, and what it says then."""

    made: str  # by these words of a cell
    says: str
    steps: str
    then: str

    @property
    def picks(self) -> tuple[str, ...]:
        return tuple(self.steps.split(THEN))


def keep_table(options: str) -> str:
    return f"GameTable(castlelab.load('castle_keep'{options}"


BUILD = "Pick a tile, then a spot of your castle to build"
ROUND_E4 = "d5 > f5 > d4 > f4 > f3 > e3 > d3"  # the eighth wall stands on e5 at the start

TRIALS = (
    Trial(
        "SiteEditor(Board.start(9))",
        "Draw walls, and watch for courts that close.",
        ROUND_E4,
        "A bailey: e4: 1 square, no influence.",
    ),
    Trial(
        "RollAndDraw(seed=4)",
        "press Roll. Pick a die, then a square for it. Clear a line as soon as it is full.",
        "Roll > Die 1 > c1 > Die 2 > a2 > Roll > Die 1 > c3 > Die 2 > a1 > Column 1",
        "Column 1 is cleared.",
    ),
    Trial(
        "GuestGallery()",
        "Choose a guest, read what they do, and try it.",
        "Logger > a3 > c5 > Row 2",
        "The power is shown.",
    ),
    Trial(
        "GameTable('castell', seed=7, bots={1: 'greedy'})",
        "Pick what has a green outline",
        "Barcelona",
        "Blue began in Barcelona.",
    ),
    Trial(
        keep_table("), seed=5, bots={1: 'greedy'})"),
        BUILD,
        "Hand ?: blue curvy wall > Blue's castle, north side"
        " > Hand ?: blue zigzag tower > Blue's castle, north-east corner",
        "Blue built a blue zigzag tower in the north-east.",
    ),
    Trial(
        keep_table(", way='takeover'), seed=2, bots={1: 'greedy'})"),
        BUILD,
        "Hand ?: blue curvy tower > Blue's castle, north-west corner",
        "Blue built a blue curvy tower in the north-west.",
    ),
    Trial(
        keep_table(", way='empire'), seed=3, bots={1: 'greedy'})"),
        "To exchange tiles between your own castles, pick a spot of one, then a spot of the other",
        "Hand ?: red zigzag wall > Blue's castle a, north side"
        " > Blue's castle a, north side > Blue's castle b, north side",
        "Blue moved a red zigzag wall from the north of castle a to the north of castle b.",
    ),
    Trial(
        keep_table(", way='king'), seed=5, bots={1: 'greedy'})"),
        "One castle for both of you.",
        "Hand ?: blue zigzag tower > North-west corner",
        "Blue built a blue zigzag tower in the north-west.",
    ),
    Trial(
        keep_table(", way='solitaire'), seed=9)"),
        "Build as fast as you can.",
        "Hand ?: yellow zigzag tower > North-west corner",
        "Blue built a yellow zigzag tower in the north-west.",
    ),
    Trial(
        "GameTable(castlelab.load('castle_rampage'), seed=3, bots={1: 'greedy'})",
        "First fill your Gate and your Castle: pick a card, then a stack.",
        "Veteran > Blue's Gate > Archer > Blue's Castle",
        "Blue placed Archer at the Castle.",
    ),
    Trial(
        "GameTable(castlelab.load('castlescape', side=11), seed=5, bots={1: 'greedy'})",
        "First keep two of your four contracts. Then pick cards of your hand to play them",
        "Contract Smallholder > Contract Householder > 3 × Market Stall > 2 × Market Stall",
        "Blue played Market Stall: 1 gold.",
    ),
    Trial(
        "GameTable(castlelab.load('once_upon_a_castle'), seed=4, bots={1: 'greedy'})",
        "Pick a die, then a square.",
        "Die 1 > c1 > Die 2 > a2",
        "Blue used Food on a2.",
    ),
    Trial(
        "GameTable(castlelab.load('once_upon_a_castle', version='architect'),"
        " seed=4, bots={1: 'greedy'})",
        "Pick a die, then a square.",
        "Die 1 > a2 > Die 2 > b2",
        "Blue used Wood on b2. Row 2 is full.",
    ),
)

#: Questions of the pages: what a learner types, or the button that is pressed.
ANSWERS = {
    # Castell
    "You have the whole world for a team.": "3",
    "A tile shows Base.": "No",
    "You perform where two such tokens lie": "The tile and both tokens",
    "Arno and Jordan score 17, Fernanda 9.": "A medal",
    "And Fernanda?": "A ribbon",
    "Who takes the token 2?": "Ramani",
    "And the token 7?": "Nobody",
    "Your pawn is not on the map yet.": "To any region",
    "You would like to move twice in one turn.": "Yes, with a special action",
    "The wheel shows Mix at your region.": "Mix rank 1",
    "The wheel shows Practice.": "Only Balance",
    "Arno has two trophies": "16",
    "Arno won things in four regions.": "5",
    "Arno has the size tokens": "12",
    "His performance tiles are worth": "65",
    "Fernanda has 65, too.": "Both of them",
    "How many towers of one level are there?": "30",
    "How many towers of two levels are there?": "135",
    "And how many legal towers are there in all?": "285",
    "How many towers are there with Width 1?": "1000",
    "One rank of which skill allows most towers": "Base",
    "The wheel shows what each region trains.": "Before each round",
    "How many levels has a tower on average, if all 285": "44/19",
    "In how many of the 720 ways does everybody stand": "36",
    # Castle Keep
    "You could lay a wall, or break one of Orange's.": "One of the two",
    "Four tiles stand in your castle. Orange has laid only one so far.": "Not yet",
    "You hold six tiles and lay one of them.": "1",
    "You could finish your castle, or break the last tile of Orange's.": "Either",
    "Orange has discarded a red keep": "Only the top one",
    "Your wall breaks a run of four.": "4",
    "One tile is missing, and you cannot lay it.": "Break a wall",
    "This is your castle, and a blue zigzag wall is turned up.": "4",
    "How many of the nine faces match red curvy, itself included?": "5",
    "In how many ways can you lay a line of eight faces": "703125",
    "How many of the nine walls match both towers on the north side?": "3",
    "And on the west side, where the towers share nothing?": "2",
    "What is s in the fourth row?": "77",
    "Work out s + h − 2n in each row.": "2",
    "A castle needs a keep as well": "977571",
    "How many rings look the same after a quarter turn?": "45",
    "A mirror runs through two opposite corners.": "5625",
    "So how many rings are really different?": "51867",
    "In how many different castles can this turn end?": "5",
    "By which turn is the castle complete in half of all games?": "Turn 5",
    "All tiles lie face down: 21 kinds, some of each.": "22",
    "Eight faces thrown round a ring": "40/9",
    "How many rings have all three colours?": "213948",
    "In how many ways can they stand? No guard at all": "47",
    "A ring of eight, and you begin.": "Orange",
    # Castle Rampage
    "The Gate defends 3 and 2": "14",
    "You forgot what lies in your own Castle.": "No",
    "After 100 turns both Castles still stand.": "The larger Castle",
    "Both Castles lose their last card at the same moment.": "Whoever's turn it is",
    "Three different cards: in how many orders can they lie?": "6",
    "In how many orders does only one card fall?": "4",
    "What is the least strength that goes on into the Castle": "11",
    "In how many orders does this Castle stand?": "4",
    "How often does strength 9 break through the Gate?": "More than 9 times in 10",
    "Strength 24 is more than any two cards defend.": "A Bomber",
    "Four cards go to the Gate and four to the Castle, one by one.": "14",
    "Four cards lie at a Gate.": "60116/66729",
    "Cards of 1, 2, 3 and so on up to 12, one of each.": "15",
    # CastleScape
    "How many walls does a bailey of a single square take?": "8",
    "And two squares side by side?": "10",
    "How many walls for a bailey of 30 squares?": "26",
    "What is the largest bailey with 20 walls?": "16",
    "How few walls are enough for two baileys of one square each?": "13",
    "Two of your ten cards are Stone Walls.": "7/9",
    "Three by three squares, each with a wall or without": "417",
    # Once Upon a Castle
    "It is Orange's turn, and the dice show Gold and Food.": "One of them, or neither",
    "It is your turn, and column 2 is full.": "No, I may wait",
    "In Orange's turn your token fills a row.": "At the end of my next turn",
    "You draw a floor, and a guest worth 3 moves in.": "3 points",
    "Orange has drawn the twelfth part.": "Clear my full lines",
    "You and Orange have 31 points each.": "Both of us",
    "Dagobert rolls Residents.": "4",
    "The Miner brings two tokens on Stone.": "The Miner, with one token",
    "The Cook is yours.": "2",
    "With the Monk, Gold may be a flag": "A token",
    "With the Shepherdess, a ? may be a small cloud": "It stays",
    "You need Wood, and a ? is as good.": "20",
    "And if there were no ?, but an empty side instead?": "11",
    "How many of the 36 rolls give you Wood and Stone": "7",
    "And with three dice: how many of the 216 throws?": "88",
    "Suppose a ? could wait until you know": "About 0.1 rolls",
    "And with a single die: how many rolls on average?": "77/10",
    "What is likelier in one roll: Wood and Stone": "Wood and Stone",
    "A line misses Wood and Stone. How many rolls bring neither": "9",
    "A line misses only Wood. You know how many": "9",
    "And if you may use only one of the two dice": "As long as before",
    "Work out t. In 3 such lines": "8",
    "Which of these lines is full sooner": "One that misses Wood and Stone",
    "A line misses all four": "4",
    # The counting lab
    "What comes next? Five sizes, and at most five people in a level.": "251",
    "Which one adds most towers?": "Base",
    "Base 1 allows any number from 4 to 15 at the base.": "8580",
    "How many towers are there with Balance 1 and Width 1 together?": "more than 2,485",
    "In a very long line of tiles: what is the chance that its ends match?": "5/9",
    "How many rings of four tiles are there?": "693",
    "With 3 colours and 3 shapes: by what does each further place": "2/5",
    "How many different castles are there?": "21",
    "And with two colours, turned and mirrored?": "6",
    "How many walls does a bailey of 100 squares need?": "44",
    "You have twice as many walls as before, and very many.": "4",
    "What is the greatest number of walls round a bailey of five squares?": "24",
    "How many of the 16,066 baileys of seven squares": "one in 730",
    "Which order loses the fewest cards, whatever attack comes?": "strongest on top",
    "In how many orders can Ogre, Knight, Knight, Archer, Archer lie?": "30",
    "Of the 216 throws of three dice, how many show Wood or a ?": "152",
    "How many dice without a ? do you need for a chance of at least 5/9?": "5",
    "A line misses Wood and Stone. In the long run, each roll": "4/9",
    "How many people must there be so that two with the same tower": "21",
    "How many tiles must you draw so that two alike are more likely": "7",
    "You want error bars half as long.": "4",
    "And for one more decimal place, bars a tenth as long?": "100",
    "What part of such bars contains the exact value, in the long run?": "about 68 %",
}
