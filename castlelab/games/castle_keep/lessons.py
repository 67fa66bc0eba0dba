"""Authored puzzles of Castle Keep: the steps of the walk-through."""

from __future__ import annotations

from castlelab.authoring import lesson_opener
from castlelab.games.castle_keep.puzzle_forms import draft

LESSONS = {
    "first-castle": draft(
        "Three tiles are missing. Finish the castle.",
        castle="TRC WRZ TRC / WRS -- WRS / TYS -- --",
        hand="WYC TYS KR",
        solution="WYC s, TYS se, KR c",
        hints=(
            "A wall, a tower and a keep: where does each belong?",
            "The wall goes on the south.",
        ),
        rules=("castle_keep/build-many", "castle_keep/win-build"),
    ),
    "corners-and-sides": draft(
        "Start a castle. Lay all three tiles.",
        castle="-- -- -- / -- -- -- / -- -- --",
        hand="KB TBC WBZ",
        solution="WBZ n, TBC ne, KB c",
        tiles=3,
        hints=(
            "Towers go on corners, walls on sides. The keep does not come first.",
            "Lay the wall, then the tower right beside it.",
        ),
        rules=("castle_keep/spots", "castle_keep/first-tile", "castle_keep/adjacent"),
    ),
    "match": draft(
        "Neighbours have the colour or the shape in common. Lay all three tiles.",
        castle="TRC WRZ -- / -- -- -- / -- -- --",
        hand="TYC TBZ WBC",
        solution="TBZ ne, WBC e, TYC se",
        tiles=3,
        hints=(
            "Which tower has something in common with the red zigzag wall?",
            "The blue zigzag tower goes beside the wall. Blue goes on with blue.",
        ),
        rules=("castle_keep/match",),
    ),
    "between": draft(
        "An attack has left two parts. Join them with one tile.",
        castle="TRC WRC -- / -- -- WYZ / -- -- TYS",
        hand="TBZ TYC TRS",
        solution="TYC ne",
        tiles=1,
        hints=(
            "The north-east corner touches two walls. It must match both.",
            "Red or curvy for one, yellow or zigzag for the other.",
        ),
        rules=("castle_keep/match",),
    ),
    "gap": draft(
        "One of these tiles fits on the spot with the question mark. Which?",
        castle="TRC WRS TRS / -- -- -- / TYZ WYC --",
        spot="w",
        hand="WRS TYC WYS WRZ",
        solution="WRZ",
        hints=(
            "A wall goes there. It touches a tower above and a tower below.",
            "Red or curvy for one, yellow or zigzag for the other.",
        ),
        rules=("castle_keep/match", "castle_keep/spots"),
    ),
    "keep": draft(
        "Give this castle its blue keep.",
        castle="TRC -- -- / WRZ -- -- / TYZ -- --",
        hand="KB TYS WBC",
        solution="WBC n, KB c",
        wanted="KB",
        hints=(
            "A keep wants to see its own colour somewhere in the castle.",
            "The blue wall is curvy, and so is the red tower.",
        ),
        rules=("castle_keep/keep-colour",),
    ),
    "closing": draft(
        "Finish the castle. Mind which tile comes last.",
        castle="TRC WRC TRZ / WRC KR WYZ / TBC -- --",
        hand="WYZ TYS",
        solution="TYS se, WYZ s",
        hints=(
            "The tile that closes the ring needs to match only one neighbour.",
            "The wall does not match the blue tower, so let it come last.",
        ),
        rules=("castle_keep/last-tile",),
    ),
    "closing-spot": draft(
        "Which of these tiles closes the ring?",
        castle="TRC WRC TRZ / WRC KR -- / TBC WBC TBS",
        spot="e",
        hand="WYC TBZ WYZ KY",
        solution="WYZ",
        hints=(
            "Which of them can stand on a side at all?",
            "One neighbour is enough: red or zigzag, or else blue or straight.",
        ),
        rules=("castle_keep/last-tile", "castle_keep/spots"),
    ),
    "whole-turn": draft(
        "Four tiles are missing. Finish the castle in one turn.",
        castle="TRC WRC TRZ / WRC -- WYZ / -- -- --",
        hand="TBC TYS TBS WBS WYS KR",
        solution="KR c, TBC sw, TYS se, WYS s",
        hints=(
            "Lay the two corners first. Which towers fit there?",
            "The blue curvy tower goes on the south-west, the yellow one on the south-east.",
        ),
        rules=("castle_keep/build-many", "castle_keep/last-tile", "castle_keep/win-build"),
    ),
    "twin-wall": draft(
        "Which wall can you break?",
        castles="TBC WBZ TYZ / WBC -- WYS / -- -- --",
        hand="WYZ TYZ WYS WBS",
        solution="2.e",
        hints=(
            "The wall in your hand has the very colour and the very shape.",
            "You hold a yellow straight wall. Find its twin.",
        ),
        rules=("castle_keep/attack-wall",),
    ),
    "whole-run": draft(
        "Bring down as many tiles as you can.",
        castles="TRC WRZ TYZ / WRS -- WYS / TRS WBS TBS",
        hand="WYS WRZ WBS TRC KR",
        solution="2.n",
        hints=(
            "You can break three of the four walls. How long is the run of each?",
            "Follow the red tiles round the corners.",
        ),
        rules=("castle_keep/attack-wall",),
    ),
    "two-keeps": draft(
        "Which of these two keeps can you break?",
        castles=("TRC WRZ -- / WRS KR -- / -- -- --", "TBS -- -- / WBZ KB -- / TYZ -- --"),
        hand="KR KB KB WYS",
        targets="2.c 3.c",
        solution="3.c",
        hints=("Count your keeps.", "You hold two blue keeps, and only one red keep."),
        rules=("castle_keep/attack-keep",),
    ),
    "last-blow": draft(
        "One attack leaves nothing of a castle. Which?",
        castles=("TRC WRC TRZ / WRS -- -- / -- -- --", "-- WBS TBZ / -- KB WBZ / -- -- --"),
        hand="WRC WBZ KB",
        solution="2.n",
        hints=(
            "What would still stand after each of your attacks?",
            "Everything in castle 2 is red, and joined.",
        ),
        rules=("castle_keep/win-destroy", "castle_keep/attack-wall"),
    ),
    "lone-keep": draft(
        "An attack has left only the keep. Start again and lay all three tiles.",
        castle="-- -- -- / -- KR -- / -- -- --",
        hand="WYZ TYC TRZ",
        solution="TRZ nw, WYZ n, TYC ne",
        tiles=3,
        hints=(
            "The first tile must have the keep's colour.",
            "Begin with the red tower. Then only neighbours count.",
        ),
        rules=("castle_keep/lone-keep",),
    ),
    "towers-fall": draft(
        "Now towers may be attacked, too. Bring down as many tiles as you can.",
        castles="TYC WYZ TRZ / WBC -- WRS / TBZ WRZ TRC",
        hand="TRZ WBC WYZ KB",
        targets="2.n 2.ne 2.w 2.se",
        attack_towers=True,
        solution="2.ne",
        hints=(
            "A tower falls to its twin, and takes its run along.",
            "Follow the red tiles round the corners. Which of them do you hold?",
        ),
        rules=("castle_keep/adv-towers", "castle_keep/attack-wall"),
    ),
    "no-easy-ending": draft(
        "Now the closing tile must match both neighbours. Finish the castle.",
        castle="TRC WRC TRZ / WRC KR WYZ / TBC -- --",
        hand="WYZ TYS WBS",
        solution="TYS se, WBS s",
        last_matches_both=True,
        hints=(
            "The wall on the south will touch two towers.",
            "It is blue or curvy, and it is yellow or straight.",
        ),
        rules=("castle_keep/adv-last-both",),
    ),
    "closing-both": draft(
        "You know this ring. Which tile closes it now?",
        castle="TRC WRC TRZ / WRC KR -- / TBC WBC TBS",
        spot="e",
        hand="WYZ WRC WBZ",
        last_matches_both=True,
        solution="WBZ",
        hints=(
            "It has to please both towers.",
            "It is red or zigzag, and it is blue or straight.",
        ),
        rules=("castle_keep/adv-last-both",),
    ),
    "from-nothing": draft(
        "Build a whole castle. All neighbours must match, all the way round.",
        castle="-- -- -- / -- -- -- / -- -- --",
        hand="TRC TRZ TBZ TBS WRC WRZ WBZ WBS KB KY",
        last_matches_both=True,
        solution="TRZ nw, WBZ n, TBS ne, WBS e, TBZ se, WRZ s, TRC sw, WRC w, KB c",
        hints=(
            "Which tiles can stand between red and blue?",
            "Red and blue meet only in zigzag. So let zigzag meet zigzag, twice.",
        ),
        rules=("castle_keep/adv-last-both", "castle_keep/keep-colour", "castle_keep/win-build"),
    ),
}


lesson = lesson_opener("castle_keep", LESSONS)
