"""Find and name the cards of enrolled decks in a picture of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.cards.compare import Bank, align, density, likeness
from vision.cards.features import Points, points_of
from vision.cards.identify import identify
from vision.cards.poses import Pose, fit_table, local_frames, table_poses, votes

HIDDEN = 0.5
"""How likely a cell of a card is covered."""
LIKE, SPREAD = 0.92, 0.12
"""How alike a cell of the right face is."""
EVIDENCE = 12.0
MOST_POINTS = 6000
"""Points of a picture that are looked at, the strongest."""


@dataclass
class Found:
    deck: int
    face: int
    other: int
    to_pixels: np.ndarray
    size_mm: tuple[float, float]
    evidence: float
    confidence: float
    info: dict


class _Group:
    def __init__(self, deck: int, size_mm, ids, pictures, points) -> None:
        self.deck, self.size_mm, self.ids = deck, size_mm, ids
        self.bank = Bank(pictures, size_mm)
        self.points = points


def cell_logs(bank: Bank, like: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """(cells, K): how much each cell speaks for each face, against any other card's face."""
    mean, spread = bank.usual()
    right = np.exp(-0.5 * (np.minimum(like - LIKE, 0) / SPREAD) ** 2) / SPREAD
    other = np.exp(-0.5 * ((like - mean[:, None]) / spread[:, None]) ** 2) / spread[:, None]
    ratio = right / np.maximum(other, 1e-6)
    return seen[:, None] * np.log((1 - HIDDEN) * np.minimum(ratio, 1e4) + HIDDEN)


def open_cells(like: np.ndarray, textured: np.ndarray, claimed: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """(rows, columns) bool: where nothing covers a card, by how alike its cells are and their neighbours'."""
    speaks = (textured & ~claimed).reshape(grid).astype(np.float32)
    for_it = np.clip((like.reshape(grid) - 0.55) / 0.25, -1, 1).astype(np.float32) * speaks
    kernel = np.array([[0.3, 0.5, 0.3], [0.5, 1.0, 0.5], [0.3, 0.5, 0.3]], np.float32)
    around = cv2.filter2D(for_it, -1, kernel, borderType=cv2.BORDER_CONSTANT)
    return np.asarray((around > 0) & ~claimed.reshape(grid))


class CardFinder:
    def __init__(self, groups: Sequence[_Group]) -> None:
        self.groups = list(groups)

    def find(self, image: np.ndarray) -> list[Found]:
        return self.judge(image, self.places(image))

    def places(self, image: np.ndarray):
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        seen = points_of(gray, MOST_POINTS)
        cast = [votes(seen, g.points) for g in self.groups]
        frames = []
        for g, v in zip(self.groups, cast, strict=True):
            frames += [(a, min(len(ok), 40) / 40) for a, ok, _ in local_frames(v, min(g.size_mm))]
        to_mm = fit_table(frames, image.shape)
        if to_mm is None:
            return []
        from_mm = np.linalg.inv(to_mm)
        todo = []
        for n, (g, v) in enumerate( zip(self.groups, cast, strict=True)):
            for pose in table_poses(v, to_mm):
                todo.append((pose.points, n, from_mm @ _matrix(pose)))
        todo.sort(key=lambda one: -one[0])
        return todo

    def judge(self, image: np.ndarray, todo) -> list[Found]:
        out: list[Found] = []
        claims: list[tuple[Found, np.ndarray, _Group]] = []
        for points, n, m in todo:
            g = self.groups[n]
            f = self._look(image, g, m, claims)
            if f is None:
                continue
            f[0].info["points"] = points
            out.append(f[0])
            claims.append((f[0], f[1], g))
        return out

    def _look(self, image, g: _Group, m: np.ndarray, claims) -> tuple[Found, np.ndarray] | None:
        bank = g.bank
        like, seen = likeness(bank, image, m, 0)
        seen = seen * ~self._claimed(bank, m, claims)
        logs = cell_logs(bank, like, seen)
        score = logs.sum(0)
        k = int(score.argmax())
        if score[k] < 0.3 * EVIDENCE:
            return None
        d = density(m)
        level = max([i for i, x in enumerate(bank.levels) if x <= 1.2 * d] or [0])
        m = align(bank, image, m, k, min(level, 1))
        like, seen = likeness(bank, image, m, 0)
        seen = seen * ~self._claimed(bank, m, claims)
        logs = cell_logs(bank, like, seen)
        score = logs.sum(0)
        k = int(score.argmax())
        if score[k] < EVIDENCE:
            return None
        m = align(bank, image, m, k, level)
        like, seen = likeness(bank, image, m, 0)
        seen = seen * ~self._claimed(bank, m, claims)
        logs = cell_logs(bank, like, seen)
        score = logs.sum(0)
        order = np.argsort(-score, kind="stable")
        tried = [int(i) for i in order if score[i] > 0.5 * score[order[0]]][:16]
        k = tried[0]
        if score[k] < EVIDENCE:
            return None
        patch, inside = bank.patch(image, m, level)
        r, c = bank.grid
        h, w = inside.shape
        claimed = self._claimed(bank, m, claims)
        best_like = like[:, tried].max(1)
        textured = bank.textured()[:, tried].min(1)
        open_ = open_cells(best_like, textured, claimed, (r, c)).astype(np.float32)
        vis = cv2.resize(open_, (w, h), interpolation=cv2.INTER_LINEAR) * inside
        if vis.sum() < 20:
            return None
        verdict = identify(bank, patch, tried, level, vis.astype(np.float32))
        best = verdict.faces[0]
        p = np.exp(verdict.logs)
        sure = float(p[0] / p.sum())
        second = verdict.faces[1] if len(verdict.faces) > 1 else -1
        explained = open_.ravel() > 0.5
        free = seen > 0.5
        info = {"score": float(score[k]), "cells": int(explained.sum()), "free": int(free.sum()), "n": r * c,
                "margin": float(-verdict.logs[1]) if len(verdict.logs) > 1 else 99.0, "blur": verdict.apart, "screen": g.ids[k]}
        return Found(g.deck, g.ids[best], g.ids[second] if second >= 0 else -1, m, g.size_mm, float(score[k]), sure, info), explained

    def _claimed(self, bank: Bank, m: np.ndarray, claims) -> np.ndarray:
        r, c = bank.grid
        w, h = bank.size_mm
        x = (np.arange(c) + 0.5) / c * w - w / 2
        y = (np.arange(r) + 0.5) / r * h - h / 2
        mid = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)
        q = np.concatenate([mid, np.ones((len(mid), 1))], 1) @ m.T
        out = np.zeros(len(mid), bool)
        for f, cells, g in claims:
            u = q @ np.linalg.inv(f.to_pixels).T
            u = u[:, :2] / u[:, 2:]
            gr, gc = g.bank.grid
            j = np.floor((u / np.array(g.size_mm) + 0.5) * np.array([gc, gr])).astype(int)
            ok = (j >= 0).all(1) & (j < np.array([gc, gr])).all(1)
            out[ok] |= cells[j[ok, 1] * gc + j[ok, 0]]
        return out


def _matrix(pose: Pose) -> np.ndarray:
    c, s = np.cos(pose.turn), np.sin(pose.turn)
    return np.array([[c, -s, pose.middle[0]], [s, c, pose.middle[1]], [0, 0, 1]])
