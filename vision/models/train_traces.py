"""Train the judge of letters: which of a sheet's letters are traced, and which circles around them are doubled.

    python -m vision.models.train_traces 'SETS*.npz' --held HELD.npz --out vision/models/traces.onnx

The sets are written by `draw_traces`, also while this runs. Needs PyTorch and onnx; reading needs neither.
"""

from __future__ import annotations

import argparse
import copy
import glob
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional as fn

from vision.sheet.traces import SIDE, WHITE

BATCH = 16
"""Sheets."""
INKS = ("tracing", "single circle", "doubled circle")


def conv(i: int, o: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Convolution, normalization, ReLU."""
    return nn.Sequential(nn.Conv2d(i, o, size, stride, size // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class Sisters(nn.Module):
    """Hold each column of a strip (B, C, 1, n) against all of them: (B, out, 1, n)."""

    def __init__(self, channels: int, out: int, drop: float = 0.0) -> None:
        super().__init__()
        self.weigh = nn.Conv2d(channels, channels, 1)
        self.mix = nn.Sequential(conv(5 * channels, out, 1, 1), nn.Dropout2d(drop), conv(out, out, 1, 1))

    def forward(self, f: torch.Tensor) -> torch.Tensor:
        w = torch.sigmoid(self.weigh(f))
        away = f - (w * f).mean((2, 3), keepdim=True) / (w.mean((2, 3), keepdim=True) + 0.01)
        spread = torch.sqrt((away * away).mean((2, 3), keepdim=True) + 0.05)
        most, least = f.amax((2, 3), keepdim=True), -(-f).amax((2, 3), keepdim=True)
        return self.mix(torch.cat([f, away, away / spread, f - most, f - least], 1))


class TraceNet(nn.Module):
    """All letters of a sheet in one strip, two logits a letter out: traced, gate.

    Input (1, 3, 64, 64·n) darkness. What is found in each letter is held against what is found in its sisters, twice:
    the second time they have a notion of which of them are plain print.
    """

    def __init__(self, widths: tuple[int, ...] = (12, 16, 28, 40, 64, 48)) -> None:
        super().__init__()
        a, b, c, e, d, h = widths
        self.lines = nn.Sequential(conv(3, a, 2), conv(a, b))
        self.parts = nn.Sequential(conv(b, c, 2), conv(c, c))
        self.whole = nn.Sequential(conv(c, e, 2), conv(e, e))
        self.up = nn.ConvTranspose2d(e, 12, 2, 2)
        self.inks = nn.Sequential(conv(c + 12, 24, 1, 1), nn.Conv2d(24, len(INKS), 1))
        self.bold_fine = nn.Sequential(conv(b, b, 1, 1), nn.MaxPool2d(SIDE // 2))
        self.bold = nn.Sequential(conv(c, c, 1, 1), nn.MaxPool2d(SIDE // 4))
        self.sums = nn.Sequential(conv(c, c, 1, 1), nn.AvgPool2d(SIDE // 4))
        self.ink_sums = nn.AvgPool2d(SIDE // 4)
        self.ink_most = nn.MaxPool2d(SIDE // 4)
        self.shape = nn.Sequential(
            nn.Conv2d(e, 16, 1), nn.Conv2d(16, d, SIDE // 8, SIDE // 8, bias=False), nn.BatchNorm2d(d), nn.ReLU()
        )
        self.letter = conv(b + 2 * c + d + 2 * len(INKS), d, 1, 1)
        self.first = Sisters(d, h, 0.1)
        self.second = Sisters(h, h, 0.1)
        self.judge = nn.Conv2d(h, 2, 1)

    def both(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The marks (B, 2, 1, n), and where the inks lie (B, 3, 16, 16·n), which only training looks at."""
        lines = self.lines(x)
        parts = self.parts(lines)
        whole = self.whole(parts)
        inks = self.inks(torch.cat([parts, self.up(whole)], 1))
        lie = torch.sigmoid(inks)
        seen = [self.bold_fine(lines), self.bold(parts), self.sums(parts), self.shape(whole)]
        f = self.letter(torch.cat([*seen, 8 * self.ink_sums(lie), self.ink_most(lie)], 1))
        return self.judge(self.second(self.first(f))), inks

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.both(x)[0]


class Sets:
    """The drawn sheets of all files that match; more may come while training."""

    def __init__(self, patterns: list[str]) -> None:
        self.patterns = patterns
        self.files: dict[str, tuple[np.ndarray, ...]] = {}
        self.index: list[tuple[str, int, int]] = []
        self.refresh()

    def refresh(self) -> None:
        """Take in new files."""
        for name in sorted(n for p in self.patterns for n in glob.glob(p)):
            if name not in self.files:
                with np.load(name) as file:
                    self.files[name] = tuple(file[k] for k in ("crops", "labels", "inks") if k in file)
                    starts = file["starts"]
                self.index += [(name, int(a), int(b)) for a, b in pairwise(starts)]

    def round(self, gen: np.random.Generator) -> list[list[int]]:
        """Batches of sheets with about as many letters each, all sheets once, new files included."""
        self.refresh()
        near = np.array([b - a for _, a, b in self.index]) + gen.normal(0, 0.7, len(self.index))
        ranked = np.argsort(near)
        batches = [ranked[k : k + BATCH].tolist() for k in range(0, len(ranked) - BATCH + 1, BATCH)]
        gen.shuffle(batches)
        return batches

    def sheet(self, k: int) -> tuple[np.ndarray, ...]:
        """Crops (n, SIDE, SIDE, 3), labels (n, 3) and inks (n, 16, 16, 3) of one sheet."""
        name, a, b = self.index[k]
        return tuple(part[a:b] for part in self.files[name])


def beside(pictures: np.ndarray) -> np.ndarray:
    """(n, H, W, C) laid side by side: (C, H, W·n)."""
    n, h, w, c = pictures.shape
    return np.ascontiguousarray(pictures.transpose(3, 1, 0, 2)).reshape(c, h, w * n)


def strips(sets: Sets, chosen: list[int], gen: np.random.Generator) -> tuple[torch.Tensor, ...]:
    """Strips of equally many letters of each sheet, varied: (B, 3, SIDE, SIDE·n), (B, 2, n), (B, 3, 16, 16·n)."""
    sheets = [sets.sheet(k) for k in chosen]
    n = min(len(m) for _, m, _ in sheets)
    n = int(gen.integers(2, n + 1)) if gen.random() < 0.15 else n
    xs, ys, zs = [], [], []
    for crops, labels, inks in sheets:
        pick = gen.permutation(len(crops))[:n]
        xs.append(beside(crops[pick]))
        zs.append(beside(inks[pick]))
        ys.append(labels[pick, :2].T)
    x = 1 - torch.from_numpy(np.stack(xs)).float() / WHITE
    many = (len(x), 1, 1, 1)
    x = x * torch.from_numpy(np.exp(gen.normal(0, 0.12, many)).astype(np.float32))
    gray = torch.from_numpy((gen.random(many) < 0.15).astype(np.float32))
    x = x * (1 - gray) + x.mean(1, keepdim=True) * gray
    noise = torch.from_numpy((gen.random(many) ** 4 * 0.05).astype(np.float32))
    inks = torch.from_numpy(np.stack(zs)).float() / 255
    return x + noise * torch.randn(x.shape), torch.from_numpy(np.stack(ys)).float(), inks


def losses(out: torch.Tensor, want: torch.Tensor, inks: torch.Tensor, lie: torch.Tensor) -> torch.Tensor:
    """Three numbers, for traced, gate and the inks' places; what nobody could tell is left out."""
    loss = fn.binary_cross_entropy_with_logits(out, (want == 1) * 0.99 + 0.005, reduction="none")
    known = (want < 2).float()
    marks = (loss * known).sum((0, 2)) / known.sum((0, 2)).clamp(min=1)
    clear = (want < 2).all(1).repeat_interleave(SIDE // 4, 1)[:, None, None]
    places = fn.binary_cross_entropy_with_logits(inks, (lie * 1.5).clamp(max=1), reduction="none")
    return torch.cat([marks, (places * clear).mean()[None] * 3])


def main() -> None:
    """Train, export, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", help="file names or patterns")
    parser.add_argument("--held", nargs="+", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, help="weights (.pt) to start from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    gen = np.random.default_rng(args.seed)
    sets = Sets(args.sets)
    held = [Sets([name]) for name in args.held]
    net = TraceNet().to(memory_format=torch.channels_last)
    if args.start:
        old, mine = torch.load(args.start), net.state_dict()
        net.load_state_dict({k: v for k, v in old.items() if k in mine and v.shape == mine[k].shape}, strict=False)
    slow = copy.deepcopy(net).eval()
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    began, step, done, running, order = time.monotonic(), 0, 0.0, np.zeros(3), []
    net.train()
    while done < 1:
        order = order or sets.round(gen)
        done = min(1.0, (time.monotonic() - began) / 60 / args.minutes)
        for group in optimizer.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 100, 0.01 + (1 - done) ** 1.2)
        x, y, lie = strips(sets, order.pop(), gen)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out, inks = net.both(x.contiguous(memory_format=torch.channels_last))
        loss = losses(out[:, :, 0].float(), y, inks.float(), lie)
        optimizer.zero_grad()
        loss.sum().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        step += 1
        follow(slow, net, min(0.998, step / (step + 20)))
        running += loss.detach().numpy()
        if step % 200 == 0:
            figures = ", ".join(f"{a} {b:.4f}" for a, b in zip(("traced", "gate", "inks"), running / 200, strict=True))
            print(f"step {step}, {len(sets.index)} sheets, {figures}, {done:.0%}", flush=True)
            running[:] = 0
        if step % 1000 == 0 or done >= 1:
            torch.save(slow.state_dict(), args.out.with_suffix(".pt"))
            for one in held:
                report(slow, one)
    export(slow, args.out)


@torch.no_grad()
def follow(slow: TraceNet, net: TraceNet, keep: float) -> None:
    """Let the slow weights follow those in training: their mean over the last steps."""
    for mine, new in zip(slow.state_dict().values(), net.state_dict().values(), strict=True):
        mine.copy_(mine * keep + new * (1 - keep) if mine.is_floating_point() else new)


def export(net: TraceNet, path: Path) -> None:
    """Write the ONNX file. OpenCV takes any number of letters, though the file says 24."""
    names = {"input_names": ["letters"], "output_names": ["marks"]}
    torch.onnx.export(net, (torch.zeros(1, 3, SIDE, SIDE * 24),), str(path), dynamo=False, opset_version=13, **names)
    onnx.checker.check_model(str(path))
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def judged(net: TraceNet, sets: Sets) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each sheet the logits and the truth, (n, 2) each."""
    out = []
    with torch.no_grad():
        for k in range(len(sets.index)):
            crops, labels = sets.sheet(k)[:2]
            x = 1 - torch.from_numpy(beside(crops))[None].float() / WHITE
            x = x.contiguous(memory_format=torch.channels_last)
            out.append((net(x)[0, :, 0].numpy().T, labels[:, :2]))
    return out


def report(net: TraceNet, sets: Sets) -> None:
    """Figures on held-out sheets."""
    answers = judged(net, sets)
    o, w = np.vstack([a for a, _ in answers]), np.vstack([b for _, b in answers])
    print(sets.patterns[0])
    for k, name in enumerate(("traced", "gate")):
        known = w[:, k] < 2
        yes, want = o[known, k] > 0, w[known, k] == 1
        right = np.mean([((a[:, k] > 0) == b[:, k])[b[:, k] < 2].all() for a, b in answers])
        wrong, missed, false = (yes != want).mean(), (~yes)[want].mean(), yes[~want].mean()
        print(f"  {name}: wrong {wrong:.4f}, missed {missed:.4f}, false {false:.4f} of {len(want)} letters", end="")
        print(f"; sheets all right {right:.3f}", flush=True)


if __name__ == "__main__":
    main()
