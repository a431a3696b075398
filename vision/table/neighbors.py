"""Weigh each place by those around it: among many that are no tiles one more is hardly one, and among tiles a tile."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class NeighborsSettings:
    """How much a photo's other tiles say of one."""

    usual: float = 0.8
    """Share of tiles among the places that the networks' probabilities suppose; what is sure is sure by this."""
    least_usual: float = 0.5
    """The same for what is asked about: a place is nothing only where it is none by a share as low as this."""
    one_more: float = 1.0
    """Places that are supposed beside those that are seen, the usual share of them tiles: a lone one stays as it is."""
    rounds: int = 12  # rounds of the estimate: more change nothing that counts


SETTINGS = NeighborsSettings()
REACH = 8.0
"""Tiles: how far places tell of one another (a Gaussian's deviation)."""


def among_neighbors(places: np.ndarray, is_tile: np.ndarray) -> np.ndarray:
    """(n, 2) how likely each place is a tile, once it is known how many are around it: by `usual` and `least_usual`.

    The share of tiles about each place is estimated by expectation maximization (Saerens, Latinne and Decaestecker,
    2002), the place itself left out: a printed board gives many places that may be tiles, hardly one of them surely;
    a table gives tiles.

    Args:
        places: (n, 2) in tiles.
        is_tile: (n,) how likely each is a tile by its own looks.
    """
    usual = np.array([SETTINGS.usual, SETTINGS.least_usual])
    x, y = places[:, 0], places[:, 1]
    near = np.exp(((x[:, None] - x) ** 2 + (y[:, None] - y) ** 2) / (-2 * REACH**2))
    np.fill_diagonal(near, 0)
    near /= near.sum(1, keepdims=True) + SETTINGS.one_more
    supposed = (1 - near.sum(1, keepdims=True)) * usual
    own = np.clip(is_tile, 1e-6, 1 - 1e-6)[:, None]
    evidence = own / (1 - own) * ((1 - usual) / usual)
    own = np.broadcast_to(own, evidence.shape)
    for _ in range(SETTINGS.rounds):
        share = near @ own + supposed
        odds = evidence * share / (1 - share)
        own = odds / (1 + odds)
    return own
