"""A drawn game of Splendor by camera alone, through the live table as the page shows it.

    python -m bench.card_game [--seeds 1 2] [--players 2] [--turns 30] [--first] [--deck DECK.json] [--list]

Nothing is printed and nothing is typed: areas are drawn once, cards are known by their faces. Figures of each game:

turns      turns after which, once the table rested, every player's points were right
cards      the same for every player's cards and nobles
end        whether all points are right at the end
asked      questions: of the referee, and cards of which the page asks, each once
silent     turns with wrong points although nothing was asked
late       median of the seconds from a table's rest to its right points
frame      milliseconds of the processor for one frame, the median; `state`: seconds for each turn
"""

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2

from bench.card_film import SplendorFilm, held, learnt
from companion.cases.journal import Journal
from companion.cases.store import Store
from companion.cases.table_evidence import table_case
from companion.live.session import TableSession
from companion.live.settle_detector import Follower
from companion.live.settled import Settled
from companion.reading.tables import table_reader
from companion.sources.frame import ENDED, Frame
from vision.table.profile import TableProfile


@dataclass
class Watched:
    """What was answered: wrong turns with what was seen, questions, seconds."""

    turns: int = 0
    points: list[int] = field(default_factory=list)
    cards: dict[int, str] = field(default_factory=dict)
    asked: set[Any] = field(default_factory=set)
    silent: list[int] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)
    end: bool = False


class Watching(SplendorFilm):
    """A film that looks, before each frame, at what the live table makes of the last one."""

    session: TableSession
    watched: Watched
    keep: Path | None = None
    """Where pictures of wrong turns are kept."""
    _given = 0.0

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        """The next frame."""
        if self._number:
            self.watched.frames.append(time.thread_time() - self._given)
            self._judge(self._number - 1)
        frame = super().next(after, timeout)
        self._given = time.thread_time()
        return frame

    def _judge(self, number: int) -> None:
        """`number`: of the frame that the live table has just taken."""
        settled, out = self.session.settled, self.watched
        n = next(n for end, n in self.ends.items() if number <= end)
        if settled is None:
            return
        asked = _questions(settled)
        out.asked |= asked
        truth = self.truth(n)
        right = {name: points for name, (points, _) in truth.items()} == dict(settled.totals)
        if not self._moments[number].player and len(out.late) == n and right:
            out.late.append((number - self._rested(n)) / self.play.fps)
        if number not in self.ends:
            return
        out.turns += 1
        while len(out.late) <= n:
            out.late.append(float("inf"))
        seen = {row["name"]: held(row) for row in settled.table.state["players"]}
        wrong = {
            name: (sorted((cards - seen[name]).items(), key=str), sorted((seen[name] - cards).items(), key=str))
            for name, (_, cards) in truth.items() if seen[name] != cards
        }  # fmt: skip
        if right:
            out.points.append(n)
        elif not asked:
            out.silent.append(n)
        if wrong:
            out.cards[n] = f"missing, more: {wrong}"
            if self.keep is not None and self.session.frame is not None:
                cv2.imwrite(str(self.keep / f"{self.seed}-{len(self.players)}-{n}.png"), self.session.frame)
        out.end = right

    def _rested(self, n: int) -> int:
        """The first frame of a turn's rest."""
        end = next(end for end, k in self.ends.items() if k == n)
        while end and not self._moments[end - 1].player:
            end -= 1
        return end


def _questions(settled: Settled) -> set[Any]:
    """What a person is asked: of pieces that count, and by the referee."""
    case = table_case(settled.body)
    of = {piece.id: piece for picture in case.evidence for piece in picture.pieces}
    out: set[Any] = {(str(of[d.piece].label), *(round(x / 40) for x in of[d.piece].polygon[0])) for d in case.doubts}
    return out | {question["id"] for question in settled.game.questions}


def watch(film: Watching, deck: Path) -> Watched:
    """Follow a film from its first frame to its last."""
    film.watched = Watched()
    with tempfile.TemporaryDirectory() as folder:
        profile = film.profile(deck)
        journal = Journal.begin(Store(Path(folder)), profile.name, {"source": "film", "profile": profile.to_json()})

        def follower(profile: TableProfile) -> Follower:
            return Follower(table_reader(profile))

        film.session = TableSession(journal, profile, film, follower)
        film.session.start()
        while film.session.status.kind not in (ENDED, "broken"):
            time.sleep(0.2)
        film.session.stop()
    return film.watched


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--players", type=int, nargs="*", choices=(2, 4), default=[2, 4])
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--first", action="store_true", help="the first turns of the game, not its last")
    parser.add_argument("--deck", type=Path, default=Path(tempfile.gettempdir()) / "drawn-splendor.json")
    parser.add_argument("--list", action="store_true", help="say what was wrong in which turn")
    parser.add_argument("--keep", type=Path, help="a folder for pictures of wrong turns")
    args = parser.parse_args()
    learnt(args.deck)
    for players in args.players:
        for seed in args.seeds:
            film = Watching(seed, players, args.turns, not args.first)
            film.keep = args.keep
            out = watch(film, args.deck)
            print(
                f"seed {seed}, {players} players: points {len(out.points)} of {out.turns}, cards "
                f"{out.turns - len(out.cards)}, end {'right' if out.end else 'WRONG'}, asked {len(out.asked)}, "
                f"silent {len(out.silent)}, late {statistics.median(out.late):.1f} s, frame "
                f"{1e3 * statistics.median(out.frames):.0f} ms, state {sum(out.frames) / max(out.turns, 1):.1f} s",
                flush=True,
            )
            if args.list:
                for n, what in out.cards.items():
                    print(f"  {n}: {what}")
                for what in sorted(map(str, out.asked)):
                    print(f"  asked: {what}")


if __name__ == "__main__":
    main()
