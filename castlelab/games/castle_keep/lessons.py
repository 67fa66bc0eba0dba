"""Authored puzzles of Castle Keep: the steps of the walk-through that ask for tiles."""

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
}


lesson = lesson_opener("castle_keep", LESSONS)
