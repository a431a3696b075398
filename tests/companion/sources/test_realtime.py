"""A film or photos played as a camera would show them."""

import numpy as np
import pytest

from companion.sources.frame import ENDED, LOST, OPENING, RUNNING, Frame, SourceState
from companion.sources.realtime import Paced


class Film:
    """Three frames a hundredth of a second apart, and then `after` happens."""

    live, scale, name = False, 0.5, "film"

    def __init__(self, after: Exception | None = None) -> None:
        self.after, self.shown, self.state, self.closed = after, 0, SourceState(OPENING), False

    def start(self) -> None:
        self.state = SourceState(RUNNING)

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        if self.shown == 3:
            if self.after:
                raise self.after
            self.state = SourceState(ENDED)
            return None
        self.shown += 1
        return Frame(self.shown, self.shown / 100, np.full((4, 4, 3), self.shown, np.uint8))

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("after", "kind", "key"),
    [(None, ENDED, ""), (ValueError("a picture that is none"), LOST, "source.broken")],
    ids=["a film that ends", "a film that breaks"],
)
def test_the_last_frame_stays_and_the_end_is_told(after, kind, key):
    film = Film(after)
    paced = Paced(film)
    paced.start()
    paced.next(1, 0.0)
    paced._thread.join(5)
    frame = paced.next(0, 0.1)
    assert (frame.number, frame.image[0, 0, 0], paced.scale) == (3, 3, 0.5)
    assert (paced.state.kind, paced.state.key, film.closed) == (kind, key, True)
    paced.close()


def test_time_begins_to_run_when_the_first_frame_was_taken_and_more_is_asked_for():
    paced = Paced(Film())
    paced.start()
    first = paced.next(0, 5.0)
    assert first.number == 1
    assert paced.next(0, 0.1).number == 1  # whoever shows the first picture does not make the film go on
    assert paced._slot.next(1, 0.1) is None
    assert paced.next(1, 5.0).number > 1
    paced.close()


def test_a_film_that_never_went_on_can_be_closed():
    paced = Paced(Film())
    paced.start()
    assert paced.next(0, 5.0) is not None
    paced.close()
    paced._thread.join(5)
    assert not paced._thread.is_alive()
