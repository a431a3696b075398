"""Train the network that counts a circle's outlines in what the pen covers.

    python -m training.train_outlines SKETCHES.npz --out sketched.onnx --seconds 150
    python -m training.train_outlines PRINTS.npz --beside SKETCHES.npz --start sketched.pt --out outlines.onnx

The sets are written by `draw_outlines`: first sketches alone, then photographed prints with sketches beside
them, at half the rate. Needs PyTorch and onnx; reading needs neither.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as fn

from training.resume import export, learn, set_rate, start_from
from vision.sheet.outlines import SIDE

BATCH, BESIDE = 10, 4
"""Sheets of a step, and how many of them are of the second set, where there is one."""
ALIKE = 0.15
"""Share of sheets whose circles with letters stand for those without one, as where there is none."""
TRACED, SOFT = 0.3, 0.02
"""Weight of telling tracing, too; how much the labels are softened."""


def conv(i: int, o: int, stride: int = 1) -> nn.Sequential:
    """Convolution, normalization, ReLU."""
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class OutlineNet(nn.Module):
    """(n, 3, SIDE, SIDE) of `pen_cover` to (n, 2) log odds: outlined twice, traced.

    A circle is judged beside its sheet's others, and beside those without a letter, which are single: a pen that is
    broad makes each of them look like two.
    """

    def __init__(self) -> None:
        super().__init__()
        self.f = nn.Sequential(conv(3, 10), conv(10, 20, 2), conv(20, 28), conv(28, 36, 2), conv(36, 48, 2))
        self.h = nn.Sequential(nn.Linear(288, 40), nn.ReLU(), nn.Linear(40, 2))

    def forward(self, x: torch.Tensor, bare: torch.Tensor, of: tuple[torch.Tensor, ...] = ()) -> torch.Tensor:
        """`bare`: (m, 3, SIDE, SIDE), the circles without a letter; `of`: (n, n) and (n, m) float32, each row the
        shares of a circle's sheet; empty where all are of one."""
        f = self.f(torch.cat([x, bare]))
        f = torch.cat([f.mean((2, 3)), f.amax((2, 3))], 1)
        f, alone = f[: x.shape[0]], f[x.shape[0] :]  # its length would be written into the ONNX file
        if of:
            others, alone = of[0] @ f, of[1] @ alone
        else:
            others, alone = (part.mean(0, keepdim=True).expand_as(f) for part in (f, alone))
        return self.h(torch.cat([f, others, alone], 1))


class Some(NamedTuple):
    """Some sheets: what `OutlineNet.forward` takes, and the labels (n, 2) of the circles around letters."""

    covers: torch.Tensor
    bare: torch.Tensor
    labels: torch.Tensor
    of: tuple[torch.Tensor, ...]


class Sheets:
    """A set's covers and labels, sheet by sheet; `prints`: that of each sheet."""

    def __init__(self, paths: list[Path]) -> None:
        covers, labels, starts, prints = [], [], [], []
        before = 0
        for path in paths:
            with np.load(path) as file:
                covers.append(torch.from_numpy(file["covers"]))
                known = file["labels"]
            labels.append(torch.from_numpy(known[:, :2].astype(np.int64)))
            new = np.flatnonzero(np.diff(known[:, 3], prepend=-1))
            starts.append(new + before)
            prints.append(known[new, 2])
            before += len(known)
        self.covers, self.labels, self.prints = torch.cat(covers), torch.cat(labels), np.concatenate(prints)
        self.parts = np.split(np.arange(before), np.concatenate(starts)[1:])

    def __len__(self) -> int:
        return len(self.parts)

    def some(self, which: np.ndarray, alike: np.ndarray) -> Some:
        """Some sheets; `alike`: of which the circles with letters stand for those without."""
        at = np.concatenate([self.parts[k] for k in which])
        sheet = torch.from_numpy(np.repeat(np.arange(len(which)), [len(self.parts[k]) for k in which]))
        labels = self.labels[at]
        lettered = labels[:, 0] < 2
        none = torch.bincount(sheet[~lettered], minlength=len(which)) == 0
        alone = torch.where((none | torch.from_numpy(alike))[sheet], lettered, ~lettered)
        x, of = _input(self.covers[at]), sheet[lettered]
        same = [(of[:, None] == sheet[part][None]).float() for part in (lettered, alone)]
        return Some(x[lettered], x[alone], labels[lettered].float(), tuple(s / s.sum(1, keepdim=True) for s in same))


def _input(covers: torch.Tensor) -> torch.Tensor:
    x = covers.float() / 127
    x[:, 0] -= 0.5
    return x


def _varied(rng: np.random.Generator, x: torch.Tensor, bolder: torch.Tensor) -> torch.Tensor:
    """The same turned, mirrored and moved, its cover and how well it is told a little otherwise."""
    x = torch.rot90(x, int(rng.integers(4)), (2, 3))
    x = (x.flip(3) if rng.random() < 0.5 else x).clone()
    each = (len(x), 1, 1)
    bold = bolder + 0.05 * torch.randn(each)
    x[:, 0] = x[:, 0] * torch.exp(bold) + 0.04 * torch.randn(each)
    x[:, 1] *= torch.exp(0.2 * torch.randn(each))
    return torch.roll(x, tuple(rng.integers(-1, 2, 2).tolist()), (2, 3))


def main() -> None:
    """Train, and write the ONNX file and the weights beside it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, nargs="+")
    parser.add_argument("--beside", type=Path, nargs="*", default=[])
    parser.add_argument("--start", type=Path, help="weights to begin with (.pt or .onnx)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=150, help="of processor time")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    sheets, more = Sheets(args.set), Sheets(args.beside) if args.beside else None
    # By print, or, of sketches, the last ones.
    prints = sheets.prints
    held = prints % 8 == 7 if prints.any() else np.arange(len(prints)) >= 0.94 * len(prints)
    learnt, kept = np.flatnonzero(~held), np.flatnonzero(held)
    net = OutlineNet()
    if args.start and args.start.suffix == ".onnx":
        parts = [sheets.some(part, np.zeros(len(part), bool)) for part in np.array_split(learnt, 20)[:10]]
        start_from(net, args.start, [(one.covers, one.bare, one.of) for one in parts])
    elif args.start:
        net.load_state_dict(torch.load(args.start))
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=0.002)
    began, most, step = time.process_time(), 0.002 if args.start else 0.004, 0
    while (share := (time.process_time() - began) / args.seconds) < 1:
        set_rate(optimizer, most, step, 100, share)
        chosen = [(sheets, rng.choice(learnt, BATCH - BESIDE * bool(more)))]
        chosen += [(more, rng.integers(len(more), size=BESIDE))] if more else []
        parts = [one.some(which, rng.random(len(which)) < ALIKE) for one, which in chosen]
        x, bare, y = (torch.cat(part) for part in zip(*(one[:3] for one in parts), strict=True))
        of = tuple(torch.block_diag(*shares) for shares in zip(*(one.of for one in parts), strict=True))
        soft, bolder = y * (1 - 2 * SOFT) + SOFT, 0.15 * torch.randn(1)
        said = net(_varied(rng, x, bolder), _varied(rng, bare, bolder), of)
        gate, traced = fn.binary_cross_entropy_with_logits(said, soft, reduction="none").mean(0)
        learn(net, optimizer, gate + TRACED * traced)
        step += 1
    net.eval()
    wrong, count = torch.zeros(2), 0
    with torch.no_grad():
        for k in kept:
            x, bare, y, of = sheets.some(np.array([k]), np.array([False]))
            wrong, count = wrong + ((net(x, bare, of) > 0) != (y > 0.5)).sum(0), count + len(y)
    print(f"{step} steps; of {count} held out wrong: gates {wrong[0] / count:.4f}, traced {wrong[1] / count:.4f}")
    torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    sizes = {"covers": {0: "letters"}, "bare": {0: "bare"}, "odds": {0: "letters"}}
    shown = {"covers": torch.zeros(2, 3, SIDE, SIDE), "bare": torch.zeros(3, 3, SIDE, SIDE)}
    export(net, args.out, shown, "odds", sizes)


if __name__ == "__main__":
    main()
