"""The recorded demo is played as a film."""

import numpy as np

from companion.demo import FILM
from companion.sources import ENDED, open_source
from companion.sources.files import VideoFile


def test_the_demo_begins_at_once_and_ends():
    source = open_source("demo")
    assert isinstance(source, VideoFile)
    source.start()
    first, second = source.next(), source.next()
    assert first.image.shape == (1080, 1920, 3)
    assert np.abs(first.image.astype(int) - second.image).mean() < 4
    source.close()
    assert source.next() is None
    assert source.state.kind == ENDED


def test_played_again_it_is_another_game_and_time_goes_on(monkeypatch):
    source = VideoFile(FILM, loops=2)
    source.start()
    first = source.next()
    source._film.release()
    again = source.next()
    assert (first.game, again.game) == (0, 1)
    assert again.time > first.time
    source._film.release()
    assert source.next() is None
