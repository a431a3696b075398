"""Train the judge of letters beside their print.

    python -m vision.models.train_beside 'SETS*.npz' --first TRACES.pt --out vision/models/beside.npz

The sets are written by `draw_traces`. Each letter's print is pooled from other sheets of the same print as the reader
does, from all, some or the clean one of them; the judge of one photo's letters (`train_traces`' weights) says which are
plain. Needs PyTorch; reading does not.
"""

from __future__ import annotations

import argparse
import glob
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as fn

from vision.models.draw_traces import SHEETS
from vision.models.train_traces import TraceNet, beside
from vision.sheet.beside import SUREST, among_sisters, cues
from vision.sheet.printed import moved, plainness, pooled, sharpness, together
from vision.sheet.traces import SIDE, WHITE

CLEAN = 0.55
"""Share of sheets that are held against the clean one of their print, as a pool of many photos looks."""
DEAF = 0.25
"""Share of sheets whose first look is kept from the judge: else it hardly minds the cues."""
HIDDEN, BATCH = 32, 16
"""Width of the judge; sheets."""
Sheet = tuple[np.ndarray, np.ndarray]
"""Features (n, 70) and labels (n, 3) of one sheet's letters."""


class Judge(nn.Module):
    """What `vision.sheet.beside.decide` does, for sheets of n letters side by side."""

    def __init__(self, features: np.ndarray, width: int = HIDDEN) -> None:
        super().__init__()
        scale = np.stack([features.mean(0), features.std(0) + 1e-3]).astype(np.float32)
        self.n = nn.Parameter(torch.from_numpy(scale), requires_grad=False)
        self.a = nn.Sequential(nn.Linear(features.shape[1], width), nn.ReLU())
        self.b = nn.Sequential(nn.Linear(3 * width, width), nn.ReLU(), nn.Dropout(0.15))
        self.c = nn.Sequential(nn.Linear(3 * width, width), nn.ReLU())
        self.w1, self.w2, self.o = nn.Linear(width, 1), nn.Linear(width, 1), nn.Linear(width, 2)

    def forward(self, x: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """(B, n, 2) log odds of (B, n, 70) features made even; `there` (B, n) is 1 where there is a letter."""
        f = self.a(x)
        f = self.b(_held(f, self.w1(f), there))
        f = self.c(_held(f, self.w2(f), there))
        out: torch.Tensor = self.o(f) + x[..., :2] * self.n[1, :2] + self.n[0, :2]
        return out


def _held(f: torch.Tensor, weights: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
    w = torch.exp(weights.clamp(-6, 6)) * there[..., None]
    usual = (w * f).sum(1, keepdim=True) / w.sum(1, keepdim=True).clamp(min=1e-3)
    spread = (w * (f - usual) ** 2).sum(1, keepdim=True) / w.sum(1, keepdim=True).clamp(min=1e-3)
    return torch.cat([f, f - usual, (f - usual) / torch.sqrt(spread + 0.05)], 2)


def sheets_of(path: str, first: TraceNet, rng: np.random.Generator) -> list[Sheet]:
    """The marked sheets of a drawn set, with what some other sheets of their print tell."""
    with np.load(path) as file:
        crops, labels, starts = file["crops"], file["labels"], file["starts"]
    out = []
    for group in range(0, len(starts) - SHEETS, SHEETS):
        parts = [slice(a, b) for a, b in pairwise(starts[group : group + SHEETS + 1])]
        out += _group([crops[p] for p in parts], [labels[p] for p in parts], first, rng)
    return out


def _group(crops: list[np.ndarray], labels: list[np.ndarray], first: TraceNet, rng: np.random.Generator) -> list[Sheet]:
    """The sheets of one print, all with the same letters; the first, clean one only serves the others."""
    odds = [_first(first, c) for c in crops]
    plain = np.array([plainness(1 / (1 + np.exp(-o[:, 0])), k[:, 2] == 1) for o, k in zip(odds, labels, strict=True)])
    for row, known in zip(plain, labels, strict=True):
        row[known[:, 1] > 1] *= 0.2
        row[known[:, 2] > 1] *= 0.05
    gray = [[cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in c] for c in crops]
    sharp = [sharpness(g) for g in gray]
    laid = [together([g[k] for g in gray], plain[:, k].tolist()) for k in range(len(gray[0]))]
    out = []
    for sheet in range(1, len(crops)):
        others = _chosen(sheet, len(crops), rng)
        known, sure = np.full((len(laid), SIDE, SIDE), WHITE, np.uint8), np.zeros(len(laid), np.float32)
        for k, (lie, ways) in enumerate(laid):
            mine = [j for j in others if rng.random() > 0.12]
            if mine:
                picture, sure[k] = pooled([lie[j] for j in mine], plain[mine, k].tolist(), [sharp[j] for j in mine])
                known[k] = moved(picture, *ways[sheet])
        single = cues(crops[sheet], known, sure, WHITE)
        out.append((among_sisters(single, sure, odds[sheet], labels[sheet][:, 2] == 1), labels[sheet]))
    return out


def _chosen(sheet: int, count: int, rng: np.random.Generator) -> list[int]:
    """Which other sheets a sheet is held against: the clean one, or some of all."""
    if rng.random() < CLEAN:
        return [0]
    keep = rng.choice([0.0, 0.2, 0.5, 1.0], p=[0.04, 0.2, 0.26, 0.5])
    return [j for j in range(count) if j != sheet and rng.random() < keep]


@torch.no_grad()
def _first(net: TraceNet, crops: np.ndarray) -> np.ndarray:
    x = 1 - torch.from_numpy(beside(crops))[None].float() / WHITE
    out: np.ndarray = net(x.contiguous(memory_format=torch.channels_last))[0, :, 0].numpy().T
    return out.clip(-SUREST, SUREST)


def batch(net: Judge, sheets: list[Sheet]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Features (B, n, 70), labels (B, n, 2) with 2 where nobody can tell, and which letters are there (B, n)."""
    most, (middle, spread) = max(len(f) for f, _ in sheets), net.n.numpy()
    x, y = np.zeros((len(sheets), most, len(middle)), np.float32), np.full((len(sheets), most, 2), 2, np.float32)
    there = np.zeros((len(sheets), most), np.float32)
    for k, (features, labels) in enumerate(sheets):
        n = len(features)
        x[k, :n] = np.clip((features - middle) / spread, -5, 5)
        there[k, :n] = labels[:, 2] < 2
        y[k, :n] = np.where(labels[:, 2:] < 2, labels[:, :2], 2)
    return torch.from_numpy(x), torch.from_numpy(y), torch.from_numpy(there)


def train(sheets: list[Sheet], rounds: int, seed: int) -> Judge:
    """A judge trained on the sheets."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = Judge(np.concatenate([f for f, _ in sheets]))
    optimizer = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], 3e-3, weight_decay=3e-2)
    for turn in range(rounds):
        order, losses = rng.permutation(len(sheets)), []
        for at in range(0, len(order) - BATCH + 1, BATCH):
            for group in optimizer.param_groups:
                group["lr"] = 3e-3 * (1 - (turn + at / len(order)) / rounds)
            x, y, there = batch(net, [sheets[j] for j in order[at : at + BATCH]])
            x = x + 0.08 * torch.randn(x.shape)
            x[..., :2] = torch.where(torch.rand(len(x), 1, 1) < DEAF, -net.n[0, :2] / net.n[1, :2], x[..., :2])
            out = net(x, there)
            loss = fn.binary_cross_entropy_with_logits(out, (y == 1) * 0.99 + 0.005, reduction="none")
            loss = loss[y < 2].mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
        print(f"judge {seed}, round {turn + 1}: {np.mean(losses):.4f}", flush=True)
    return net.eval()


def report(judges: list[Judge], sheets: list[Sheet]) -> None:
    """Figures on held-out sheets: letters wrong, by the first look and by the judges."""
    wrong = np.zeros((2, 2))
    for sheet in sheets:
        with torch.no_grad():
            batches = [(net, batch(net, [sheet])) for net in judges]
            out = torch.stack([net(x, there)[0] for net, (x, _, there) in batches]).mean(0).numpy()
        want = batches[0][1][1][0].numpy()
        for k, odds in enumerate((sheet[0][:, :2], out)):
            wrong[k] += (((odds > 0) != (want == 1)) & (want < 2)).sum(0)
    letters = sum((s[1][:, 2] < 2).sum() for s in sheets)
    print(f"of {letters} letters wrong (traced, gate): first look {wrong[0] / letters}, beside {wrong[1] / letters}")


def main() -> None:
    """Train, report, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", help="file names or patterns")
    parser.add_argument("--held", nargs="*", default=[])
    parser.add_argument("--first", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--judges", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=10)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    first = TraceNet().eval()
    first.load_state_dict(torch.load(args.first))
    first = first.to(memory_format=torch.channels_last)
    rng = np.random.default_rng(0)
    names = sorted(n for p in args.sets for n in glob.glob(p))
    sheets = [s for name in names for s in sheets_of(name, first, rng)]
    held = [s for name in args.held for s in sheets_of(name, first, rng)]
    judges = [train(sheets, args.rounds, seed) for seed in range(args.judges)]
    if held:
        report(judges, held)
    weights = {f"{k}/{name}": v.numpy() for k, net in enumerate(judges) for name, v in net.state_dict().items()}
    np.savez(args.out, judges=len(judges), **weights)


if __name__ == "__main__":
    main()
