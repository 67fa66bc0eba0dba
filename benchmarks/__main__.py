"""Print every benchmark as one table."""

from itertools import chain

from benchmarks import baileys, castell_towers, counting, random_play, simulation
from benchmarks.table import show

if __name__ == "__main__":  # the processes of a simulation import this file again
    show(
        chain(
            random_play.rows(),
            castell_towers.rows(),
            baileys.rows(),
            counting.rows(),
            simulation.rows(),
        )
    )
