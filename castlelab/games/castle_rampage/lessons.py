"""Authored puzzles of Castle Rampage: the steps of the walk-through that ask for something."""

from __future__ import annotations

from castlelab.authoring import lesson_opener
from castlelab.games.castle_rampage.puzzle_forms import draft

LESSONS = {
    "first-attack": draft(
        "How does the attack end?",
        play="Arrow storm for Knight, Archer",
        gate="Gatekeeper",
        castle="Ogre, Archer",
        options=("gate 1 holds", "castle 1 holds", "castle 1 even", "castle falls"),
        hints=(
            "9 meets the Gate first. What is left of it when the Gatekeeper has fallen?",
            "9 - 4 = 5. Compare that with the Ogre.",
        ),
        rules=("castle_rampage/reveal", "castle_rampage/broken", "castle_rampage/held"),
    ),
    "held": draft(
        "How does the attack end?",
        play="Knight",
        gate="Ogre, Archer",
        castle="Knight",
        options=("gate 1 holds", "gate 1 even", "gate 2 holds"),
        hints=(
            "Which is higher, the attack or the top card of the Gate?",
            "The Ogre defends 5 at the Gate, and the Knight attacks with 4.",
        ),
        rules=("castle_rampage/held",),
    ),
    "even": draft(
        "How does the attack end?",
        play="Knight",
        gate="Gatekeeper",
        castle="Archer, Knight",
        options=("gate 1 holds", "gate 1 even", "castle 1 holds"),
        hints=(
            "The attack and the top card are equal.",
            "Nobody wins: who is left when both are gone?",
        ),
        rules=("castle_rampage/even",),
    ),
    "broken": draft(
        "How does the attack end?",
        play="Knight",
        gate="Archer, Pikeman",
        castle="Castellan, Archer",
        options=("gate 1 holds", "gate 2 holds", "castle 1 even"),
        hints=(
            "The Archer falls. Does the attack go on as strong as before?",
            "4 - 2 = 2 is left for the Pikeman.",
        ),
        rules=("castle_rampage/broken",),
    ),
    "through-the-gate": draft(
        "How does the attack end?",
        play="Knight",
        gate="Castellan",
        castle="Scout, Knight",
        options=("gate 1 even", "castle 1 even", "castle 2 holds", "castle falls"),
        hints=(
            "The Gate is used up. What is left of the 4?",
            "4 - 2 = 2 meets the Scout, and 2 - 1 = 1 the next card.",
        ),
        rules=("castle_rampage/broken", "castle_rampage/target"),
    ),
    "into-the-castle": draft(
        "How does the attack end?",
        play="Giant for Priest",
        gate="Knight",
        castle="Archer, Knight",
        options=("gate 1 even", "castle 1 holds", "castle 2 holds", "castle falls"),
        hints=(
            "When the Gate is used up, the rest of the strength meets the Castle.",
            "7 - 3 = 4 for the Archer. At the Castle he defends 3.",
        ),
        rules=("castle_rampage/broken", "castle_rampage/target"),
    ),
    "purple": draft(
        "How does the attack end?",
        play="Dragon for Priest, Scout",
        gate="Bomber",
        castle="Knight, Archer",
        options=("gate 1 holds", "gate 1 bomb", "castle 2 holds", "castle falls"),
        hints=(
            "The Bomber defends 2 and falls. What does it do when it falls?",
            "However strong the Dragon is, a Bomber that falls takes it along.",
        ),
        rules=("castle_rampage/purple",),
    ),
    "digger": draft(
        "Bring the Castle down this turn.",
        gate="Ogre, Knight",
        castle="Scout, Mercenary",
        hand="Archer, Digger, Knight",
        solution="play Digger",
        point="An attack meets the Gate first, but a Digger goes past it [castle_rampage/target].",
        hints=(
            "The Gate is too strong for this hand. Who need not care?",
            "The Castle defends 1 + 2, and the Digger attacks with 3.",
        ),
        rules=("castle_rampage/target", "castle_rampage/castle-falls"),
    ),
    "can-you-pay": draft(
        "Which of these cards can you play now?",
        castle="Archer",
        hand="Dragon, Knight",
        options=("Only the Dragon", "Only the Knight", "Both of them"),
        solution="Only the Knight",
        point="A Dragon costs two other cards of the hand [castle_rampage/play].",
        hints=(
            "How many cards does a Dragon cost?",
            "Besides the Dragon there is only one card. The Knight costs nothing.",
        ),
        rules=("castle_rampage/play",),
    ),
    "cost": draft(
        "Bring the Castle down this turn.",
        gate="Gatekeeper",
        castle="Castellan, Ogre",
        hand="Dragon, Knight, Priest, Spy",
        solution="play Knight; play Dragon for Priest, Spy",
        point="A Dragon costs two cards. Choose them well [castle_rampage/play].",
        hints=(
            "The Dragon is just strong enough for the Castle. Who opens the Gate?",
            "The Knight clears the Gate. The Priest and the Spy pay for the Dragon.",
        ),
        rules=("castle_rampage/play", "castle_rampage/even"),
    ),
    "scheme": draft(
        "Bring the Castle down this turn.",
        gate="Knight, Archer",
        castle="Giant, Ogre",
        hand="Arrow storm, Knight, Archer, Mercenary",
        solution="play Arrow storm for Knight, Archer, Mercenary",
        point="One more archer makes 14 of the 9 [castle_rampage/scheme].",
        hints=(
            "All together the enemy defends 3 + 2 + 3 + 6. How strong can the Scheme be?",
            "A Mercenary may count as an archer.",
        ),
        rules=("castle_rampage/scheme", "castle_rampage/unit"),
    ),
    "bomber": draft(
        "Bring the Castle down this turn.",
        gate="Bomber",
        castle="Archer, Ogre",
        hand="Dragon, Knight, Priest, Spy",
        solution="play Knight; play Dragon for Priest, Spy",
        point="A Bomber takes one attacker along, whoever that is [castle_rampage/purple].",
        hints=(
            "The Bomber will take an attacker with it. Which can you spare?",
            "Let the Knight meet the Bomber. The Dragon comes second.",
        ),
        rules=("castle_rampage/purple", "castle_rampage/play"),
    ),
    "permanent": draft(
        "Bring the Castle down this turn.",
        castle="Castellan, Pike wall",
        hand="Banner bearer, Knight",
        solution="play Banner bearer; play Knight",
        point="A Banner bearer stays, and each later attack gains 1 [castle_rampage/permanent].",
        hints=(
            "4 + 1 is needed, and the Knight has 4.",
            "Play the Banner bearer before the Knight.",
        ),
        rules=("castle_rampage/permanent",),
    ),
    "jester": draft(
        "Bring the Castle down this turn.",
        castle="Giant, Giant",
        hand="Jester, Knight",
        own_castle="Castellan",
        solution="strengthen castle Knight; play Jester",
        point="Somebody must stay in your own Castle [castle_rampage/jester].",
        hints=(
            "The Jester takes your last Castle card. What happens to you then?",
            "Put the Knight under your Castle first.",
        ),
        rules=("castle_rampage/jester", "castle_rampage/strengthen"),
    ),
    "summoner": draft(
        "Bring the Castle down this turn.",
        gate="Ogre, Ogre",
        castle="Giant",
        hand="Summoner, Knight",
        own_castle="Archer",
        solution="strengthen castle Knight; play Summoner",
        point="The Summoner strikes both Castles [castle_rampage/summoner].",
        hints=(
            "One card is left in each Castle. Both would fall.",
            "Put the Knight under your Castle first.",
        ),
        rules=("castle_rampage/summoner", "castle_rampage/castle-falls"),
    ),
    "strengthen": draft(
        "Strengthen a stack of yours with a card that defends 4 there.",
        castle="Ogre, Ogre",
        hand="Castellan, Gatekeeper",
        strengthens=4,
        solution="strengthen castle Castellan",
        point="One card a turn, and each has two values [castle_rampage/strengthen].",
        hints=(
            "Look at both values of each card: beside the gate and beside the tower.",
            "The Castellan defends 4 at the Castle, the Gatekeeper at the Gate.",
        ),
        rules=("castle_rampage/strengthen", "castle_rampage/under"),
    ),
    "ogre": draft(
        "Put the Ogre under your Castle, and keep the Dragon.",
        castle="Giant, Giant",
        hand="Ogre, Dragon, Spy, Priest",
        lays="castle Ogre",
        keeps="Dragon",
        solution="strengthen castle Ogre for Priest, Spy",
        point="An Ogre costs two other cards [castle_rampage/ogre-cost].",
        hints=(
            "Other cards strengthen for nothing; the Ogre does not.",
            "Pick the Ogre, then your Castle, then the Priest and the Spy to pay for it.",
        ),
        rules=("castle_rampage/ogre-cost", "castle_rampage/strengthen"),
    ),
    "stack-well-first": draft(
        "An attack comes with 7. Put 1 of these cards at the Gate and 1 at the Castle, "
        "top card first, so that the Castle still stands.",
        cards="Castellan, Gatekeeper",
        at_gate=1,
        attacks=7,
        solution="gate Gatekeeper / castle Castellan",
        hints=(
            "Each card has a value for the Gate and one for the Castle.",
            "4 at the Gate and 4 at the Castle are more than 7.",
        ),
        rules=("castle_rampage/first-stacks", "castle_rampage/reveal"),
    ),
    "two-attacks": draft(
        "Two attacks come, one after the other, with 6 each. Put 2 of these cards at the Gate "
        "and 2 at the Castle, top card first, so that the Castle still stands.",
        cards="Gatekeeper, Castellan, Knight, Archer",
        at_gate=2,
        attacks=(6, 6),
        solution="gate Gatekeeper, Knight / castle Castellan, Archer",
        hints=(
            "What falls is gone, but a card that holds stays. Which two cards hold 6 at the Gate?",
            "4 + 3 at the Gate hold the first attack. One of them meets the second.",
        ),
        rules=("castle_rampage/first-stacks", "castle_rampage/held"),
    ),
    "stack-bomber": draft(
        "An attack comes with 20. Put 1 of these cards at the Gate and 2 at the Castle, "
        "top card first, so that the Castle still stands.",
        cards="Knight, Archer, Bomber",
        at_gate=1,
        attacks=20,
        solution="gate Bomber / castle Archer, Knight",
        hints=(
            "No wall holds 20. Who ends an attack of any strength?",
            "The Bomber must not be the last card of the Castle.",
        ),
        rules=("castle_rampage/purple", "castle_rampage/castle-falls"),
    ),
}


lesson = lesson_opener("castle_rampage", LESSONS)
