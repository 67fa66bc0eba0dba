"""Authored puzzles of CastleScape: the steps of the walk-through that ask for something."""

from __future__ import annotations

from castlelab.authoring import lesson_opener
from castlelab.games.castlescape.puzzle_forms import draft

LESSONS = {
    # -- walls ---------------------------------------------------------------------------------
    "first-bailey": draft(
        "One of these two courts is closed all round. Pick its squares.",
        site="........./.####..../.#..####./.#..#..#./.######../.........",
        hints=(
            "Go round each court, and look at every corner.",
            "The right court is open at its lower right corner.",
        ),
        rules="castlescape/bailey",
    ),
    "three-walls": draft(
        "This card gives three walls. Build them all: the first beside the wall that stands, "
        "and all three in one piece.",
        site="........./........./....#..../........./.........",
        walls=3,
        solution="f3 g3 g2",
        all_walls=True,
        praise="Three walls, side by side.",
        hints=(
            "A corner is not enough: walls go on where they share a side.",
            "Begin right of the first wall, and go on from there.",
        ),
        rules=(
            "castlescape/wall-adjacent",
            "castlescape/wall-contiguous",
            "castlescape/first-wall",
        ),
    ),
    "no-block": draft(
        "Close this court with three walls. No four walls may fill a block.",
        site="......../.####.../.#..#.../.##.#.../......../........",
        walls=3,
        solution="c5 d5 e5",
        squares=3,
        inside="d4",
        praise="A bailey of 3 squares: there is no larger one.",
        hints=(
            "Three squares of ground are to be enclosed, so the walls go below them.",
            "Leave b5 free: with it, four walls would stand in a block.",
        ),
        rules=("castlescape/no-two-by-two", "castlescape/bailey"),
    ),
    # -- baileys -------------------------------------------------------------------------------
    "corner": draft(
        "This court leaks. Stop the leak with one wall.",
        site="......../.####.../.#..#.../.#..#.../.###..../........",
        walls=1,
        solution="e5",
        squares=4,
        praise="A bailey of 4 squares: there is no larger one.",
        hints=(
            "All sides are closed. How does one get out?",
            "Squares also connect through corners. One corner has no wall.",
        ),
        rules=("castlescape/bailey", "castlescape/wall-adjacent"),
    ),
    "one-or-two": draft(
        "Is this one bailey, or two? Choose all squares of one bailey.",
        site="......../.###..../.#.##.../.##.#.../..###.../........",
        hints=(
            "The two open squares inside touch.",
            "They touch at a corner, and that is enough to belong together.",
        ),
        rules="castlescape/bailey",
    ),
    "edge": draft(
        "One of these courts is a bailey. Choose its squares.",
        site="#..#..../#..####./####..#./...#..#./...####./........",
        hints=("The edge of the site is not a wall.", "The upper court is open to the edge."),
        rules="castlescape/bailey",
    ),
    "bailey-in-bailey": draft(
        "The small bailey was there first. How many squares does the large one score?",
        site="#########/#.......#/#..###..#/#..#.#..#/#########",
        options=("21", "15", "16"),
        answer="15",
        why="Only its own open ground counts: no walls, and no square that scored before.",
        hints=(
            "Walls inside do not score, and a square scores only once.",
            "Count the open squares of the large one.",
        ),
        rules="castlescape/bailey-score",
    ),
    # -- influence and claiming ----------------------------------------------------------------
    "influence": draft(
        "The bailey at c3 is complete. Who claims it?",
        site="......../.A#B#.../.#..#.../.#b.#.../.A##B.../........",
        square="c3",
        hints=(
            "A recruit on a wall of the bailey is worth 2, one on its ground 1.",
            "Each has two on the walls. Who has more than that?",
        ),
        rules=("castlescape/influence", "castlescape/bailey-score"),
    ),
    "outside": draft(
        "The bailey at c3 is complete. Who claims it?",
        site="......../.A#B#BB./.#a.#.../.#..#.../.####.../........",
        square="c3",
        hints=(
            "A wall counts if it touches the bailey, at a side or a corner.",
            "Two of the recruits stand on walls that only lead away from it.",
        ),
        rules="castlescape/influence",
    ),
    "inside": draft(
        "The bailey at c3 is complete. Who claims it?",
        site="......../.#####../.#.B.#../.#a..#../.#####../........",
        square="c3",
        hints=(
            "A wall inside the bailey touches it as well.",
            "Compare a recruit on the ground with one on a wall.",
        ),
        rules="castlescape/influence",
    ),
    "position": draft(
        "You position a recruit. Which of these squares may it take?",
        site="......../.###..../.#.#.b../.###..../........",
        options=(
            "d2 | d2, on a wall",
            "c3 | c3, inside the finished bailey",
            "f3 | f3, where Orange stands",
        ),
        answer="c3",
        why="Any square will do that has no wall and no recruit.",
        hints=("It needs ground, and room.", "A recruit gets onto a wall in another way."),
        rules="castlescape/position",
    ),
    "tie": draft(
        "The bailey at c3 is complete. Who claims it?",
        site="......../.A#B#.../.#..#.../.#.##.../.###..../........",
        square="c3",
        hints=("Count both, and do not look for a winner.", "2 against 2: who is first then?"),
        rules="castlescape/bailey-score",
    ),
    "share": draft(
        "Two players tie in a bailey of 5 squares. How much Renown does each of them score?",
        site="......../.A#B##../.#...#../.#..##../.####.../........",
        options=("0 | 0: a tie scores nothing", "2", "3", "5"),
        answer="2",
        why="All who tie claim the bailey, and they share its Renown, rounded down.",
        hints=("They share.", "Half of 5, rounded down."),
        rules="castlescape/bailey-score",
    ),
    "between": draft(
        "Blue stands on a wall that two baileys share. In how many of them does Blue lead?",
        site="......../.#####../.#b#b#../.##A##../........",
        options=("0 | In none", "1 | In one", "2 | In both"),
        answer="2",
        why="A wall between two baileys counts in both: 2 against 1, twice.",
        hints=(
            "The wall touches both baileys, at a corner of each.",
            "On the ground Orange has 1 in each of them.",
        ),
        rules="castlescape/influence",
    ),
    # -- recruits ------------------------------------------------------------------------------
    "climb": draft(
        "You are Blue. With three walls of one card, get both your recruits onto walls.",
        site="......../......../.....a../...#a.../........",
        walls=3,
        solution="e4 f4 f3",
        lifted=True,
        praise="A wall lifts whoever stands there. Both recruits are worth 2 now.",
        hints=(
            "A wall may be built where a recruit stands.",
            "Begin under the recruit beside the wall, and go on to the other one.",
        ),
        rules=("castlescape/wall-under-recruit", "castlescape/wall-contiguous"),
    ),
    "lifted": draft(
        "You are Blue. Close the court with one wall, and have most influence in it.",
        site="......../.####.../.#b.###./.#..a.../.######./........",
        walls=1,
        solution="e4",
        squares=4,
        leads=1,
        praise="Your recruit was lifted: 2 on the wall against 1 on the ground.",
        hints=(
            "There are several places to close the passage. Where does your recruit stand?",
            "On the ground it is worth 1, like Orange's. On a wall it would be worth 2.",
        ),
        rules=(
            "castlescape/wall-under-recruit",
            "castlescape/influence",
            "castlescape/bailey-score",
        ),
    ),
    "walls-first": draft(
        "You have played Stone Walls and Train Apprentice. In which order do you use them?",
        options=(
            "recruits | First all recruits, then the walls",
            "any order | In any order",
            "walls | First all walls, then the recruits",
        ),
        answer="walls",
        cards=("Stone Walls", "Train Apprentice"),
        why="After the first recruit of a turn nothing is built, unless a card makes an exception.",
        hints=(
            "What would be too easy: to position a recruit and lift it in the same turn?",
            "Building comes first.",
        ),
        rules=("castlescape/walls-first", "castlescape/position"),
    ),
    "or": draft(
        "You play Stone Barge. What does it bring?",
        options=(
            "all | 6 walls and a recruit",
            "one | 4 walls, or 2 walls and a recruit: as you choose now",
            "later | 4 walls now, 2 walls and a recruit next turn",
        ),
        answer="one",
        cards="Stone Barge",
        why="A card with OR does one of its things. Choose when you play it.",
        hints=("Read the small word on the card.", "Or means one of the two."),
        rules="castlescape/or",
    ),
    "unused": draft(
        "Ramparts gave you three walls, and you build two. What becomes of the third?",
        options=(
            "back | It goes back to the Quarry",
            "kept | You keep it for your next turn",
            "next | The next player may build it",
        ),
        answer="back",
        cards="Ramparts",
        gauges="Quarry 5/14",
        why="Walls and recruits that are not used go back. Gold does not keep either.",
        hints=("You may build fewer walls than you have.", "Nothing is kept for later."),
        rules="castlescape/use-or-return",
    ),
    # -- cards ---------------------------------------------------------------------------------
    "back-alley": draft(
        "You play Clumsy Thief, a card with a penalty. When does the penalty count?",
        options=(
            "at once | At once",
            "never | Never, if you discard the card",
            "later | Later: when you reshuffle, or when something triggers it",
        ),
        answer="later",
        cards="Clumsy Thief",
        why="The card waits in your Back Alley until you reshuffle, or until the end.",
        hints=(
            "At the end of the turn the card does not go to your discards.",
            "It waits in your Back Alley. What empties the Back Alley?",
        ),
        rules=("castlescape/penalty", "castlescape/cleanup", "castlescape/reshuffle"),
    ),
    "reshuffle": draft(
        "You must draw five cards, and your deck has two. What comes first?",
        options=(
            "shuffle | Shuffle the discards under the deck",
            "draw two | Draw the two that are left",
            "stop | Draw two, and no more this turn",
        ),
        answer="draw two",
        gauges=("Deck 2/10", "Discards 6/10", "Back Alley 2/10"),
        why="Then take your Back Alley's penalties, shuffle all discards, and draw three more.",
        hints=(
            "The deck is not empty yet.",
            "Only an empty deck is made anew, and the Back Alley pays for it.",
        ),
        rules="castlescape/reshuffle",
    ),
    "market": draft(
        "You have played cards for 6 gold. What may you buy?",
        options=(
            "one card | One card that costs 6 or less",
            "saved | Nothing, to have more gold next turn",
            "several | Several cards, as long as they cost 6 or less in all",
        ),
        answer="several",
        cards=("Craftsman's Shop", "Hire a Fence", "Market Stall"),
        why="Gold of a turn is pooled. What is not spent is lost, and you need not spend it.",
        hints=("Gold does not keep.", "There is no limit to the number of purchases in a turn."),
        rules=("castlescape/buy", "castlescape/use-or-return", "castlescape/market"),
    ),
    "bought": draft(
        "You buy Ramparts. When can you play it?",
        options=(
            "now | At once",
            "next | In your next turn, whatever you draw",
            "drawn | When you have shuffled your discards and drawn it",
        ),
        answer="drawn",
        cards="Ramparts",
        why="A card that you buy goes to your discard pile.",
        hints=("It does not go to your hand.", "It waits with the cards you have used."),
        rules=("castlescape/buy", "castlescape/reshuffle"),
    ),
    "destroy": draft(
        "You play Bonfire, and destroy a Clumsy Thief of your hand. Where does it go?",
        options=(
            "discards | To your discard pile",
            "gone | Out of the game",
            "market | Back to the market",
        ),
        answer="gone",
        cards=("Bonfire", "Clumsy Thief"),
        why="A destroyed card never comes back. A small deck shows its good cards more often.",
        hints=("What a bonfire takes is not kept.", "Nobody will see that Thief again."),
        rules="castlescape/destroy",
    ),
    "next-to": draft(
        "You are Blue. Night Watch removes a rival next to one of your recruits. Which one?",
        site="......../.####.../.#abB.../.##b#.../........",
        options=("d4 | Orange on d4", "e3 | Orange on e3", "d3 | Orange on d3"),
        answer="d3",
        why="Next to each other means: they share a side. A corner is not enough.",
        hints=("Your recruit stands on c3.", "Which square shares a side with c3?"),
        rules="castlescape/adjacent",
    ),
    "on-purchase": draft(
        "Royal Charter promises a contract on purchase. You get the card for nothing. "
        "Do you get the contract, too?",
        options=(
            "no | No: nothing was paid",
            "when played | Yes, and again each time you play the card",
            "yes | Yes, at once and only now",
        ),
        answer="yes",
        cards="Royal Charter",
        why="A card that you acquire counts as bought. It only costs nothing.",
        hints=("What does a gift save you?", "It saves you only the gold."),
        rules=("castlescape/on-purchase", "castlescape/acquire"),
    ),
    "trigger": draft(
        "Two Clumsy Thieves are in your Back Alley. You play Loose Tongues now, and reshuffle "
        "later. How much Infamy do the two bring in all?",
        options=("0", "2", "4"),
        answer="4",
        cards=("Loose Tongues", "Clumsy Thief"),
        gauges="Back Alley 2/10",
        why="Triggered cards stay in the Back Alley. They count now, and again when you reshuffle.",
        hints=("They bring 2 now.", "They stay where they are. What does a reshuffle do?"),
        rules=("castlescape/trigger", "castlescape/penalty"),
    ),
    # -- contracts and goals -------------------------------------------------------------------
    "goal": draft(
        "In your turn the conditions of two goals hold. What may you take?",
        options=("both | Both", "one | One of them", "neither | None before the end of the game"),
        answer="one",
        gauges=("First Stones 1/1", "Manned Walls 4/4"),
        why="You may take a single goal in a turn. The other may be gone before your next one.",
        hints=("Goals score at once, contracts at the end.", "There is a limit for each turn."),
        rules=("castlescape/goal", "castlescape/contract"),
    ),
    "contract": draft(
        "The game is over. You have two contracts worth 2 Renown each. What do they bring you?",
        options=(
            "nothing | Nothing: both must hold",
            "two | 2 Renown",
            "even | 2 Renown for one, a loss of 2 for the other",
        ),
        answer="two",
        gauges=("Steady Hand 2/2", "Smallholder 3/5"),
        why="A contract that holds at the end scores. One that does not costs nothing.",
        hints=("Steady Hand holds, Smallholder does not.", "There is no penalty."),
        rules=("castlescape/contract", "castlescape/contracts-dealt"),
    ),
    # -- inspections ---------------------------------------------------------------------------
    "quarry": draft(
        "Your wall was the last one of the Quarry, and your card gives two more. What now?",
        options=(
            "forfeit | They are forfeited; the King inspects at the end of the turn",
            "inspect | The King inspects at once, then you build on",
            "supply | Build them from the supply; the King inspects at the end of the turn",
        ),
        answer="supply",
        cards="Ramparts",
        gauges="Quarry 0/18",
        why="The turn goes on as usual, and the Inspection is part of the clean-up.",
        hints=("An Inspection never interrupts a turn.", "Walls themselves never run out."),
        rules="castlescape/inspection-trigger",
    ),
    "inspection": draft(
        "You are Blue, and your Infamy is 3. Give up recruits, and lead in as many baileys "
        "as you can.",
        site="......../.###.a../.#.#A.../.A##..../........",
        infamy=3,
        hints=(
            "Which recruits count in no bailey?",
            "One on a wall and one on the ground are worth 3 together.",
        ),
        rules=("castlescape/inspection", "castlescape/occupation"),
    ),
    "occupation": draft(
        "You are Blue, and your Infamy is 2. Give up recruits, and lead in as many baileys "
        "as you can.",
        site="......../A###A#A./#a#.#b#./B##.###./........",
        infamy=2,
        hints=(
            "You lead in both baileys. By how much?",
            "On the right you lead 4 against 1, so you can spare a recruit there.",
        ),
        rules=("castlescape/occupation", "castlescape/inspection"),
    ),
    "infamy-after": draft(
        "An Inspection is over. Your Infamy was 2, your Corruption is 4. What is it now?",
        options=("0 | Infamy 0", "2 | Infamy 2", "4 | Infamy 4"),
        answer="4",
        gauges=("Infamy 2/10", "Corruption 4/10"),
        why="Infamy becomes equal to Corruption, even if that is more than before.",
        hints=("It is not a pardon.", "Corruption is what Infamy falls back to, or rises to."),
        rules="castlescape/inspection",
    ),
    "over-ten": draft(
        "Your Infamy is 9, and a reshuffle adds 3. What happens?",
        options=(
            "twelve | Infamy rises to 12",
            "two influence | You give up recruits worth 2 at once; Infamy stays at 10",
            "nothing | Infamy stays at 10, and nothing else happens",
        ),
        answer="two influence",
        gauges="Infamy 9/10",
        why="Whatever goes beyond 10 costs as much influence, at once.",
        hints=("The track ends at 10.", "9 + 3 is 2 too many."),
        rules="castlescape/over-ten",
    ),
    # -- the end -------------------------------------------------------------------------------
    "end": draft(
        "Three play. The second player empties the Quarry for the last time. Who goes on?",
        options=(
            "all | Everybody has one more turn",
            "nobody | Nobody: the Final Inspection comes at once",
            "third | The third player has a turn, then comes the Final Inspection",
        ),
        answer="third",
        gauges="Quarry 0/24",
        why="All are to have the same number of turns, so the round is finished, and no more.",
        hints=("All players get equally many turns.", "Who has not had a turn in this round?"),
        rules="castlescape/final-round",
    ),
    "final-score": draft(
        "You have 20 Renown, contracts fulfilled for 7, cards with 3 Renown in your deck, and "
        "Corruption 4. What is your final score?",
        options=("23", "26", "30", "34"),
        answer="26",
        gauges=("Renown 20/20", "Contracts 7/20", "Cards 3/20", "Corruption 4/10"),
        why="20 + 7 + 3 - 4 = 26: contracts and cards are added, Corruption is taken off.",
        hints=("Corruption costs Renown at the end.", "20 + 7 + 3, and then?"),
        rules=("castlescape/final-score", "castlescape/contract"),
    ),
    "tie-break": draft(
        "Blue and Orange end with the same score. Who wins?",
        options=(
            "blue | Blue, with influence 12 against 7 on the site",
            "orange | Orange, whose largest bailey has 6 squares against 4",
            "both | Both of them",
        ),
        answer="orange",
        gauges=("Blue 26/30", "Orange 26/30"),
        why="The largest claimed bailey decides. Influence is asked only if that is equal, too.",
        hints=("This game is about courts first.", "Compare the largest baileys."),
        rules="castlescape/final-score",
    ),
    "winter": draft(
        "For three whole rounds nobody has built, positioned, bought or taken a goal. And now?",
        options=(
            "on | The game goes on",
            "shuffle | Everybody reshuffles",
            "end | The Final Inspection comes at once",
        ),
        answer="end",
        gauges="Quiet rounds 3/3",
        why="A rule of the house: without it, such a game would never end.",
        hints=("Somebody loses patience.", "It is the King."),
        rules="castlescape/long-winter",
    ),
}


lesson = lesson_opener("castlescape", LESSONS)
