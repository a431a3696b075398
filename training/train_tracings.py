"""Train the network that tells traced letters by what the pen covers.

    python -m training.train_tracings SET.npz … --out tracings.onnx --seconds 400
    python -m training.train_tracings SET.npz … --start tracings.pt --out tracings.onnx --seconds 480

The sets are written by `draw_tracings`. Needs PyTorch and onnx; reading needs neither.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as fn

from training.resume import export, learn, set_rate
from vision.sheet.letter_classifier import SIDE
from vision.sheet.tracings import LAYERS

BATCH = 12
"""Sheets of a step."""
PLACES, UNSEEN, SOFT = 2.0, 0.3, 0.01
"""Weights of telling where the tracing lies, and of tracing that nobody sees; how much the labels are softened."""
PRINT = 2
"""The layer of the print."""
LIT = (0, 3, 5)
"""Layers that are bolder where the pen is."""
WHOLE, PART = 0.7, 0.4
"""Share of sheets seen whole; of the others so much is left, at least."""


def conv(i: int, o: int, stride: int = 1) -> nn.Sequential:
    """Convolution, normalization, ReLU."""
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class TracingNet(nn.Module):
    """(n, LAYERS, 64, 64) of `tracing_layers` to (n, 1) log odds of being traced.

    What it finds is summed up on the print's strokes and just beside them, then held against the sheet's other letters.
    """

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Sequential(conv(LAYERS, 12, 2), conv(12, 20))
        self.b = nn.Sequential(conv(20, 32, 2), conv(32, 32))
        self.ink = nn.Conv2d(32, 1, 1)
        self.c = nn.Sequential(conv(32, 48, 2), conv(48, 40))
        n = 2 * 20 + 4 * 32 + 2 * 40 + 2
        self.weigh = nn.Linear(n, n)
        self.h = nn.Sequential(
            nn.Linear(3 * n, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1)
        )
        self.n1 = nn.BatchNorm1d(n)

    def found(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Features of each letter by itself, and where the tracing lies: (n, 1, 16, 16), log odds."""
        strokes = x[:, PRINT : PRINT + 1].clamp(0, 1)
        on, near = (_shares(p) for p in (strokes, fn.max_pool2d(strokes, 7, 1, 3) - strokes))
        a = self.a(x)
        b = self.b(a)
        c, ink = self.c(b), self.ink(b)
        lies = torch.sigmoid(ink)
        sums = [(a * fn.interpolate(on, scale_factor=2.0, mode="nearest") / 4).sum((2, 3)), a.amax((2, 3))]
        sums += [(b * on).sum((2, 3)), (b * near).sum((2, 3)), b.mean((2, 3)), b.amax((2, 3))]
        sums += [c.mean((2, 3)), c.amax((2, 3)), (lies * on).sum((2, 3)), (lies * near).sum((2, 3))]
        return self.n1(torch.cat(sums, 1)), ink

    def both(self, x: torch.Tensor, same: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """The log odds, and where the tracing lies; `same`: (n, n) float32, 1 where two letters are of one sheet."""
        f, ink = self.found(x)
        w = torch.sigmoid(self.weigh(f))
        if same is None:
            away = f - (w * f).sum(0, keepdim=True) / (w.sum(0, keepdim=True) + 0.05)
            spread = (away * away).mean(0, keepdim=True)
        else:
            away = f - (same @ (w * f)) / (same @ w + 0.05)
            spread = (same @ (away * away)) / same.sum(1, keepdim=True)
        return self.h(torch.cat([f, away, away / torch.sqrt(spread + 0.05)], 1)), ink

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.both(x)[0]


def _shares(part: torch.Tensor) -> torch.Tensor:
    """(n, 1, 64, 64) as weights (n, 1, 16, 16) that sum to nearly 1."""
    coarse = fn.avg_pool2d(part, 4)
    return coarse / (coarse.sum((2, 3), keepdim=True) + 0.5)


class Sheets:
    """The sets' letters, sheet by sheet; `prints`: that of each sheet."""

    def __init__(self, paths: list[Path]) -> None:
        layers, inks, labels, prints, starts = [], [], [], [], [0]
        for path in paths:
            with np.load(path) as file:
                layers.append(file["layers"])
                inks.append(file["inks"])
                known = file["labels"]
            new = np.flatnonzero(np.diff(known[:, 4], prepend=-1))
            prints.append(known[new, 3])
            starts += (starts[-1] + np.append(new[1:], len(known))).tolist()
            labels.append(known[:, 0])
        self.layers, self.inks, self.traced = np.concatenate(layers), np.concatenate(inks), np.concatenate(labels)
        self.prints = np.concatenate(prints)
        self.parts = [np.arange(a, b) for a, b in pairwise(starts)]

    def letters(self, at: np.ndarray) -> tuple[torch.Tensor, ...]:
        """Layers, traced, its weight, and where the tracing lies, of these letters."""
        told = self.traced[at]
        weight = np.where(told == 2, 0, np.where(told == 3, UNSEEN, 1))
        parts = self.layers[at], told & 1, weight, self.inks[at] / 255
        return tuple(torch.from_numpy(part.astype(np.float32)) for part in parts)


def _varied(
    rng: np.random.Generator, x: torch.Tensor, ink: torch.Tensor, sheet: np.ndarray
) -> tuple[torch.Tensor, ...]:
    """The same turned and mirrored, each sheet's pen a little bolder or paler."""
    turn = int(rng.integers(4))
    x, ink = torch.rot90(x, turn, (2, 3)), torch.rot90(ink, turn, (1, 2))
    if rng.random() < 0.5:
        x, ink = x.flip(3), ink.flip(2)
    x, bold = x.clone(), torch.exp(0.12 * torch.randn(BATCH))[sheet][:, None, None]
    for layer in LIT:
        x[:, layer] *= bold
    return x + torch.randn(x.shape) * float(rng.random() ** 3 * 0.06), ink


def main() -> None:
    """Train, and write the ONNX file and the weights beside it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, nargs="+")
    parser.add_argument("--start", type=Path, help="weights to begin with (.pt)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=400, help="of processor time; 0 only exports")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    sheets, net = Sheets(args.set), TracingNet()
    learnt, kept = (np.flatnonzero((sheets.prints % 6 == 5) == held) for held in (False, True))
    if args.start:
        net.load_state_dict(torch.load(args.start))
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=0.01)
    began, most, step = time.process_time(), 0.0015 if args.start else 0.003, 0
    while args.seconds and (share := (time.process_time() - began) / args.seconds) < 1:
        set_rate(optimizer, most, step, 60, share)
        parts = [_part(rng, sheets.parts[k]) for k in rng.choice(learnt, BATCH)]
        sheet = np.repeat(np.arange(BATCH), [len(part) for part in parts])
        x, traced, weight, ink = sheets.letters(np.concatenate(parts))
        x, ink = _varied(rng, x, ink, sheet)
        said, lies = net.both(x, torch.from_numpy((sheet[:, None] == sheet[None]).astype(np.float32)))
        soft = traced * (1 - 2 * SOFT) + SOFT
        loss = (fn.binary_cross_entropy_with_logits(said[:, 0], soft, reduction="none") * weight).sum() / weight.sum()
        places = fn.binary_cross_entropy_with_logits(lies[:, 0], ink, reduction="none").mean((1, 2))
        learn(net, optimizer, loss + PLACES * (places * weight).mean())
        step += 1
    net.eval()
    wrong, count = 0.0, 0.0
    with torch.no_grad():
        for k in kept:
            x, traced, weight, _ = sheets.letters(sheets.parts[k])
            wrong += float((((net(x)[:, 0] > 0) != (traced > 0.5)) * (weight == 1)).sum())
            count += float((weight == 1).sum())
    print(f"{step} steps; of {count:.0f} held out wrong: {wrong / max(count, 1):.4f}")
    torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    sizes = {"layers": {0: "letters"}, "odds": {0: "letters"}}
    export(net, args.out, {"layers": torch.zeros(2, LAYERS, SIDE, SIDE)}, "odds", sizes)


def _part(rng: np.random.Generator, sheet: np.ndarray) -> np.ndarray:
    """All letters of a sheet, or some."""
    if rng.random() < WHOLE:
        return sheet
    return rng.permutation(sheet)[: max(3, int(len(sheet) * rng.uniform(PART, 1)))]


if __name__ == "__main__":
    main()
