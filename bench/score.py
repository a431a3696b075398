"""How many table states `score --jsonl` answers in a second, and how long a single state takes.

    python -m bench.score [--states 5000] [--rounds 3]

States are random and fixed by a seed. Throughput is the command's own loop (text in, text out), start-up left
out, in one core's own time (other programs do not count); median and best of the rounds. A single state is the
whole program, start-up included.
"""

import argparse
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from companion.cli.score import RARELY, answers
from companion.words.words import words
from scoring.games import NAMES
from scoring.samples import State, any_state, sample
from scoring.twelve_seekers import samples

SEED = 12
ROOT = Path(__file__).parent.parent


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    mixes: dict[str, Callable[[Random], State]] = {
        "count rules": lambda rng: samples.sample(rng, rng.choice(samples.COUNT_RULES)),
        "all games": any_state,
        **{game: partial(sample, game) for game in NAMES},
    }
    print(f"{'states a second':24}{'median':>9}{'best':>9}")
    for name, make in mixes.items():
        rates = throughput(make, args.states, args.rounds)
        print(f"{name:24}{statistics.median(rates):9.0f}{max(rates):9.0f}")
    seconds = single(args.rounds * 5)
    print(f"{'one state, seconds':24}{statistics.median(seconds):9.3f}{min(seconds):9.3f}")


def throughput(make: Callable[[Random], State], n: int, rounds: int) -> list[float]:
    """States a second of one core's time in each round, every round with states of its own."""
    rng = Random(SEED)
    rates = []
    gc.set_threshold(RARELY)  # as the command does
    for _ in range(rounds):
        lines = [json.dumps(make(rng)).encode() for _ in range(n)]
        began = time.process_time()
        for _answer in answers(lines, words("en"), explain=False):
            pass
        rates.append(n / (time.process_time() - began))
    return rates


def single(times: int) -> list[float]:
    """Seconds for a state of the map game, the slowest, by the command with `--json`."""
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.json"
        path.write_text(json.dumps(sample("in-the-ruin", Random(SEED))), "utf-8")
        for _ in range(times):
            began = time.perf_counter()
            command = [sys.executable, "-m", "companion", "score", str(path), "--json"]
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            seconds.append(time.perf_counter() - began)
    return seconds


if __name__ == "__main__":
    main()
