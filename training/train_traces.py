"""Train the letter classifier: which of a sheet's letters are traced, and which circles around them are doubled.

    python -m training.train_traces '*.templates' --held HELD.templates --out training/networks/letter_classifier.onnx

The sets are written by `draw_traces` and `lay_prints`, also while this runs. In a part of the sheets the print is kept
from the network: it has to classify letters without templates, too. Needs PyTorch and onnx; reading needs neither.
"""

from __future__ import annotations

import argparse
import copy
import glob
import time
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as fn

from training.draw_traces import SHEETS
from training.resume import export, learn, start_from
from vision.sheet.letter_classifier import SIDE, WHITE, network_input
from vision.sheet.tracing_features import FEATURES

BATCH = 16
"""Sheets."""
ALONE = 0.3
"""Share of sheets without templates."""
INKS = ("tracing", "single circle", "doubled circle")


def conv(i: int, o: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Convolution, normalization, ReLU."""
    return nn.Sequential(nn.Conv2d(i, o, size, stride, size // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class Peers(nn.Module):
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

    Inputs (1, 5, 64, 64·n), see `letter_classifier.network_input`, and (1, FEATURES, 1, n). The activations of each
    letter are compared with its peers', twice: the second time with a notion of which of them are plain print.
    """

    def __init__(self, widths: tuple[int, ...] = (20, 24, 36, 48, 80, 64)) -> None:
        super().__init__()
        a, b, c, e, d, h = widths
        self.lines = nn.Sequential(conv(5, a, 2), conv(a, b))
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
        self.told = nn.Sequential(
            nn.BatchNorm2d(FEATURES), nn.Conv2d(FEATURES, 32, 1), nn.ReLU(), nn.Conv2d(32, 16, 1), nn.ReLU()
        )
        self.letter = conv(b + 2 * c + d + 2 * len(INKS) + 16, d, 1, 1)
        self.first = Peers(d, h, 0.1)
        self.second = Peers(h, h, 0.1)
        self.judge = nn.Conv2d(h, 2, 1)

    def both(self, x: torch.Tensor, told: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The marks (B, 2, 1, n), and where the inks lie (B, 3, 16, 16·n), which only training looks at."""
        lines = self.lines(x)
        parts = self.parts(lines)
        whole = self.whole(parts)
        inks = self.inks(torch.cat([parts, self.up(whole)], 1))
        lie = torch.sigmoid(inks)
        seen = [self.bold_fine(lines), self.bold(parts), self.sums(parts), self.shape(whole)]
        f = self.letter(torch.cat([*seen, 8 * self.ink_sums(lie), self.ink_most(lie), self.told(told)], 1))
        return self.judge(self.second(self.first(f))), inks

    def forward(self, x: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
        return self.both(x, told)[0]


@dataclass(frozen=True)
class Sheet:
    """One sheet's letters, as the files have them (`draw_traces`, `lay_prints`)."""

    crops: np.ndarray
    labels: np.ndarray
    inks: np.ndarray
    known: np.ndarray
    rest: np.ndarray
    cues: np.ndarray

    def chosen(self, pick: np.ndarray | slice) -> Sheet:
        """Some of its letters."""
        return Sheet(*(getattr(self, part)[pick] for part in PARTS))

    def alone(self) -> Sheet:
        """The same, but the print is not known."""
        return replace(
            self, known=np.full_like(self.known, WHITE), rest=np.full_like(self.rest, 128), cues=self.cues * 0
        )

    def inputs(self) -> tuple[np.ndarray, np.ndarray]:
        """What the network sees: (5, SIDE, SIDE · n), (FEATURES, 1, n), float32."""
        rest = (self.rest.astype(np.float32) - 128) * np.float32(1 / 127)
        return network_input(self.crops, self.known, rest), np.ascontiguousarray(self.cues.T[:, None])


PARTS = tuple(field.name for field in fields(Sheet))


class Sets:
    """The drawn sheets of all files that match; more may come while training."""

    def __init__(self, patterns: list[str]) -> None:
        self.patterns = patterns
        self.files: dict[str, Sheet] = {}
        self.index: list[tuple[str, int, int]] = []
        self.refresh()

    def refresh(self) -> None:
        """Take in new files."""
        for name in sorted(n for p in self.patterns for n in glob.glob(p)):
            if name not in self.files:
                with np.load(name) as prints, np.load(Path(name).with_suffix(".npz")) as drawn:
                    self.files[name] = Sheet(*((drawn if part in drawn else prints)[part] for part in PARTS))
                    starts = drawn["starts"]
                # The first sheet of each print is clean.
                self.index += [(name, int(a), int(b)) for k, (a, b) in enumerate(pairwise(starts)) if k % SHEETS]

    def round(self, gen: np.random.Generator) -> list[list[int]]:
        """Batches of sheets with about as many letters each, all sheets once, new files included."""
        self.refresh()
        near = np.array([b - a for _, a, b in self.index]) + gen.normal(0, 0.7, len(self.index))
        ranked = np.argsort(near)
        batches = [ranked[k : k + BATCH].tolist() for k in range(0, len(ranked) - BATCH + 1, BATCH)]
        gen.shuffle(batches)
        return batches

    def sheet(self, k: int) -> Sheet:
        """One sheet."""
        name, a, b = self.index[k]
        return self.files[name].chosen(slice(a, b))


def beside(pictures: np.ndarray) -> np.ndarray:
    """(n, H, W, C) laid side by side: (C, H, W·n)."""
    n, h, w, c = pictures.shape
    return np.ascontiguousarray(pictures.transpose(3, 1, 0, 2)).reshape(c, h, w * n)


def strips(sets: Sets, chosen: list[int], gen: np.random.Generator) -> tuple[torch.Tensor, ...]:
    """Strips of equally many letters of each sheet, varied.

    (B, 5, SIDE, SIDE·n), (B, FEATURES, 1, n), labels (B, 2, n), inks (B, 3, 16, 16·n).
    """
    sheets = [sets.sheet(k) for k in chosen]
    n = min(len(s.labels) for s in sheets)
    n = int(gen.integers(2, n + 1)) if gen.random() < 0.15 else n
    out = []
    for whole in sheets:
        sheet = whole.chosen(gen.permutation(len(whole.labels))[:n])
        x, told = (sheet.alone() if gen.random() < ALONE else sheet).inputs()
        color, known, rest = x[:3], x[3], x[4]
        darker = np.exp(gen.normal(0, 0.12))
        color *= darker
        rest *= darker
        known *= np.exp(gen.normal(0, 0.08))
        color *= np.exp(gen.normal(0, 0.08, (3, 1, 1)))
        if gen.random() < 0.15:
            color[:] = color.mean(0)
        noise = gen.standard_normal(color.shape, dtype=np.float32) * gen.random() ** 4 * 0.05
        color += noise
        rest += noise.mean(0) * (known != 0)
        out.append((x, told, sheet.labels[:, :2].T.astype(np.float32), beside(sheet.inks).astype(np.float32) / 255))
    return tuple(torch.from_numpy(np.stack(part)) for part in zip(*out, strict=True))


def losses(out: torch.Tensor, want: torch.Tensor, inks: torch.Tensor, lie: torch.Tensor, unseen: float) -> torch.Tensor:
    """Three numbers, for traced, gate and the inks' places.

    Tracing that nobody sees counts `unseen` times; what is hidden, and circles whose two outlines look like one, not at
    all.
    """
    loss = fn.binary_cross_entropy_with_logits(out, (want % 2 == 1) * 0.99 + 0.005, reduction="none")
    known = (want < 2).float()
    known[:, 0] += unseen * (want[:, 0] == 3)
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
    parser.add_argument("--start", type=Path, help="network (.onnx) to start from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--unseen", type=float, default=0.5, help="weight of tracing that nobody sees, 0 to 1")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    gen = np.random.default_rng(args.seed)
    sets = Sets(args.sets)
    held = [Sets([name]) for name in args.held]
    net = TraceNet().to(memory_format=torch.channels_last)
    if args.start:
        start_from(net, args.start, [strips(sets, chosen, gen)[:2] for chosen in sets.round(gen)[:20]])
    slow = copy.deepcopy(net).eval()
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    began, step, done, running, order = time.monotonic(), 0, 0.0, np.zeros(3), []
    net.train()
    while done < 1:
        order = order or sets.round(gen)
        done = min(1.0, (time.monotonic() - began) / 60 / args.minutes)
        for group in optimizer.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 100, 0.01 + (1 - done) ** 1.2)
        x, told, y, lie = strips(sets, order.pop(), gen)
        out, inks = net.both(x.contiguous(memory_format=torch.channels_last), told)
        loss = losses(out[:, :, 0].float(), y, inks.float(), lie, args.unseen)
        learn(net, optimizer, loss.sum())
        step += 1
        follow(slow, net, min(0.998, step / (step + 20)))
        running += loss.detach().numpy()
        if step % 200 == 0:
            figures = ", ".join(f"{a} {b:.4f}" for a, b in zip(("traced", "gate", "inks"), running / 200, strict=True))
            print(f"step {step}, {len(sets.index)} sheets, {figures}, {done:.0%}", flush=True)
            running[:] = 0
        if step % 500 == 0 or done >= 1:
            save(slow, args.out)
            for one in held:
                for alone in (False, True):
                    report(slow, one, alone)


@torch.no_grad()
def follow(slow: TraceNet, net: TraceNet, keep: float) -> None:
    """Let the slow weights follow those in training: their mean over the last steps."""
    for mine, new in zip(slow.state_dict().values(), net.state_dict().values(), strict=True):
        mine.copy_(mine * keep + new * (1 - keep) if mine.is_floating_point() else new)


def save(net: TraceNet, path: Path) -> None:
    """Write the ONNX file, which says 24 letters; `quantize` makes of it what takes any number."""
    like = {"letters": torch.zeros(1, 5, SIDE, SIDE * 24), "cues": torch.zeros(1, FEATURES, 1, 24)}
    export(net, path, like, "marks")


def answered(net: TraceNet, sets: Sets, alone: bool) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each sheet the logits (n, 2) and the labels (n, 3)."""
    out = []
    with torch.no_grad():
        for k in range(len(sets.index)):
            sheet = sets.sheet(k)
            x, told = (torch.from_numpy(a)[None] for a in (sheet.alone() if alone else sheet).inputs())
            out.append((net(x.contiguous(memory_format=torch.channels_last), told)[0, :, 0].numpy().T, sheet.labels))
    return out


def report(net: TraceNet, sets: Sets, alone: bool) -> None:
    """Figures on held-out sheets, whose print is known or not."""
    answers = answered(net, sets, alone)
    o, w = np.vstack([a for a, _ in answers]), np.vstack([b for _, b in answers])
    print(sets.patterns[0], "alone" if alone else "beside their print")
    for k, name in enumerate(("traced", "gate")):
        known = w[:, k] < 2
        yes, want = o[known, k] > 0, w[known, k] == 1
        right = np.mean([((a[:, k] > 0) == b[:, k])[b[:, k] < 2].all() for a, b in answers])
        wrong, missed, false = (yes != want).mean(), (~yes)[want].mean(), yes[~want].mean()
        print(f"  {name}: wrong {wrong:.4f}, missed {missed:.4f}, false {false:.4f} of {len(want)} letters", end="")
        print(f"; sheets all right {right:.3f}", flush=True)


if __name__ == "__main__":
    main()
