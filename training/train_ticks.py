"""Trains a judge of ticked boxes and writes `ticks.onnx`, or with `--beside` `ticks_blank.onnx`.

    python -m training.train_ticks [--beside] [--tracks 5000] [--epochs 14] [--start ticks.onnx]

Needs torch and onnx (figures: TICKS.md); judging needs neither.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from training.draw_ticks import track
from training.resume import export, start_from
from vision.sheet.ticks import BESIDE, NETWORK, SIDE

QUANTUM = 60.0
"""Of an ink of one; patches are kept in whole numbers, brighter than paper below nought."""
INPUTS = {False: 2, True: 9}
"""Pictures of a box that each network sees; the second one is that which sees the blank page."""
WIDTHS = {2: (12, 24, 32, 32), 9: (20, 28, 40, 40)}
"""Channels of the layers, by what a network sees."""
TRACKS = 14
"""In a batch."""


def looked_at(inputs: int) -> list[nn.Module]:
    """Four convolutions down to 4 × 4 places."""
    layers: list[nn.Module] = []
    widths = WIDTHS[inputs]
    for before, width, size, stride in zip((inputs, *widths), widths, (5, 3, 3, 3), (2, 1, 2, 2), strict=False):
        layers += [nn.Conv2d(before, width, size, stride, size // 2, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
    return [*layers, nn.Flatten(), nn.Dropout(0.3)]


class Alone(nn.Module):
    """Judges each box for itself: the log odds that it is ticked, (n, 1)."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.box = nn.Sequential(*looked_at(inputs), nn.Linear(WIDTHS[inputs][-1] * (SIDE // 8) ** 2, 1))

    def forward(self, x: torch.Tensor, of: torch.Tensor | None = None) -> torch.Tensor:
        return self.box(x)


class Together(nn.Module):
    """Holds each box against the others of its track: (n, 1) log odds of the n boxes of one track.

    In training several tracks are seen at once, and `of` (n,) says which each box belongs to.
    """

    def __init__(self, inputs: int, wide: int = 48) -> None:
        super().__init__()
        self.box = nn.Sequential(*looked_at(inputs), nn.Linear(WIDTHS[inputs][-1] * (SIDE // 8) ** 2, wide), nn.ReLU())
        self.weigh = nn.Linear(wide, wide)
        self.judge = nn.Sequential(nn.Linear(3 * wide, wide), nn.ReLU(), nn.Linear(wide, 1))

    def forward(self, x: torch.Tensor, of: torch.Tensor | None = None) -> torch.Tensor:
        f = self.box(x)
        w = torch.sigmoid(self.weigh(f))
        if of is None:
            mean, most = (w * f).sum(0, True) / (w.sum(0, True) + 0.01), f.max(0, True).values
        else:
            n = int(of.max()) + 1
            sums = f.new_zeros(2, n, f.shape[1]).index_add(1, of, torch.stack([w * f, w]))
            mean = (sums[0] / (sums[1] + 0.01))[of]
            most = f.new_zeros(n, f.shape[1]).scatter_reduce(0, of[:, None].expand_as(f), f, "amax")[of]
        return self.judge(torch.cat([f, f - mean, most - f], 1))


@dataclass(frozen=True)
class Drawn:
    """Patches (n, inputs, SIDE, SIDE) int8 of many tracks' boxes, the truth (n,), and where each track begins."""

    patches: torch.Tensor
    truth: torch.Tensor
    starts: np.ndarray

    def batch(self, tracks: np.ndarray) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The boxes of some tracks as numbers, their truth, and which track each belongs to."""
        parts = [slice(self.starts[k], self.starts[k + 1]) for k in tracks]
        of = np.repeat(np.arange(len(parts)), [p.stop - p.start for p in parts])
        x, y = (torch.cat([values[p] for p in parts]) for values in (self.patches, self.truth))
        return x.float() / QUANTUM, y, torch.from_numpy(of)


def draw(tracks: int, seed: int, beside: bool) -> Drawn:
    """So many tracks."""
    rng = np.random.default_rng(seed)
    drawn = [track(rng, beside) for _ in range(tracks)]
    patches = np.concatenate([np.round(np.clip(p, -2, 2) * QUANTUM).astype(np.int8) for p, _ in drawn])
    truth = torch.from_numpy(np.concatenate([t for _, t in drawn])).float()
    return Drawn(torch.from_numpy(patches), truth, np.cumsum([0, *(len(t) for _, t in drawn)]))


def varied(patches: torch.Tensor) -> torch.Tensor:
    """Turned, mirrored, by chance without its colors: a tick is a tick."""
    which = int(torch.randint(8, ()))
    patches = torch.rot90(patches, which % 4, (2, 3))
    patches = patches.flip(3) if which >= 4 else patches
    if patches.shape[1] > INPUTS[False] and torch.rand(()) < 0.15:
        patches = torch.cat([part.mean(1, True).expand_as(part) for part in patches.split(3, 1)], 1)
    return patches.contiguous(memory_format=torch.channels_last)


def tested(model: nn.Module, test: Drawn) -> torch.Tensor:
    """The log odds of all boxes."""
    model.eval()
    with torch.no_grad():
        return torch.cat([model(*test.batch(np.array([k]))[::2])[:, 0] for k in range(len(test.starts) - 1)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tracks", type=int, default=5000)
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--beside", action="store_true", help="the network sees the blank page, too")
    parser.add_argument("--start", type=Path, help="network (.onnx) to start from")
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    drawn = draw(args.tracks, args.seed, args.beside)
    test = draw(max(60, args.tracks // 20), 1000 + args.seed, args.beside)
    print(len(drawn.truth), "patches", flush=True)
    inputs, out = INPUTS[args.beside], args.out or (BESIDE if args.beside else NETWORK).path
    model = (Together if args.beside else Alone)(inputs).to(memory_format=torch.channels_last)
    if args.start:
        start_from(model, args.start, [(drawn.batch(np.arange(min(400, args.tracks)))[0],)])
    every = (len(drawn.starts) - 1) // TRACKS
    optimizer = torch.optim.AdamW(model.parameters(), args.rate / 2, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, total_steps=args.epochs * every)
    loss_of = nn.BCEWithLogitsLoss()
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for part in torch.randperm(every * TRACKS).split(TRACKS):
            x, y, of = drawn.batch(part.numpy())
            loss = loss_of(model(varied(x), of)[:, 0], y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            pace.step()
            total += loss.item()
        found = tested(model, test)
        right = ((found > 0) == (test.truth > 0.5)).float().mean().item()
        lost = loss_of(found, test.truth).item()
        print(epoch, f"loss {total / every:.4f} test {lost:.4f} right {right:.4f}", flush=True)
        boxes = {"boxes": torch.zeros(5, inputs, SIDE, SIDE)}
        export(model, out, boxes, "ticked", {"boxes": {0: "n"}, "ticked": {0: "n"}})


if __name__ == "__main__":
    main()
