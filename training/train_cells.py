"""Train the cell classifier on drawn pictures and write its ONNX weights.

    python -m training.train_cells A B … --held HELD --out training/networks/cells.onnx

A, B, … and HELD are written by `draw_cells`. Needs PyTorch and onnx; reading needs neither. With `--beside` the network
sees the blank sheet, too, and what the photo shows beyond it (`cells_beside.onnx`).

With `--keep WEIGHTS` the kinds are learnt from the drawn truth, and the other outputs are distilled, wholly or in part
(`KEPT`), from that network.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional as fn

from training import resume
from training.resume import start_from

WHITE = 180
SAVED_EVERY = 600.0
"""Seconds between two states that are kept."""
OUTPUTS = ("blank", "passage", "wall", "traced", "gate", "hidden", "odd", "letter")
NARROW = (16, 24, 48, 32, 64, 24)
"""Channels of the layers of the networks that see the photo alone."""
WIDE = (24, 40, 80, 48, 112, 40)
"""The same of the network that sees the blank sheet, too."""
SEEN = {3: (0, 1, 2), 9: (0, 1, 2, 5, 6, 7, 8, 9, 10)}
"""By the number of inputs, what a network sees of that which `draw_cells` writes."""
BLANK = 3
"""The first input that is the blank sheet's, which has no noise of the photo's."""
KEPT = {3: 1.0, 4: 0.7, 5: 1.0, 6: 0.5, 7: 1.0}
"""With `--keep`: each output's share of the target that the earlier network gives; the rest is the drawn truth."""


class Likeness(nn.Module):
    """Each cell looks at the cells of its sheet that are like it: a cross among crosses is a wall.

    Adds to (B, channels, rows, cols); nothing at first.
    """

    def __init__(self, channels: int, heads: int = 4, wide: int = 16) -> None:
        super().__init__()
        self.heads, self.wide = heads, wide
        self.ask, self.tell, self.carry = (nn.Conv2d(channels, heads * wide, 1) for _ in range(3))
        self.add = nn.Conv2d(heads * wide, channels, 1)
        nn.init.zeros_(self.add.weight)
        nn.init.zeros_(self.add.bias)  # type: ignore[arg-type]

    def forward(self, f: torch.Tensor) -> torch.Tensor:
        def split(x: torch.Tensor) -> torch.Tensor:
            return x.flatten(2).unflatten(1, (self.heads, self.wide)).transpose(2, 3)

        asked, told, carried = split(self.ask(f)), split(self.tell(f)), split(self.carry(f))
        alike = torch.softmax(asked @ told.transpose(2, 3) / self.wide**0.5, 3)
        found = (alike @ carried).transpose(2, 3).flatten(1, 2)
        return f + self.add(found.unsqueeze(3).reshape(f.shape[0], -1, f.shape[2], f.shape[3]))


class CellNet(nn.Module):
    """The whole sheet in, one column of eight logits a cell out.

    Input (1, 3 or 9, 40·(rows + 1.2), 40·(cols + 1.2)): darkness, 0 where the paper is bare; with
    nine the blank sheet's, and what the photo shows beyond it, follow. What is
    found in a cell is compared with a mean over the sheet, weighted by what the network
    itself finds relevant: a traced letter is bolder than its sisters, a ghost fainter than
    the marks of the same pen. Sums over a cell tell shapes; the maxima tell how bold its
    boldest stroke is, whatever the letter.
    """

    def __init__(self, widths: tuple[int, ...] = NARROW, inputs: int = 3) -> None:
        super().__init__()
        self.widths, self.inputs = widths, inputs
        a, b, c, e, d, p = widths

        def conv(i: int, o: int, stride: int, size: int = 3) -> nn.Sequential:
            return nn.Sequential(nn.Conv2d(i, o, size, stride, size // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())

        self.fine = nn.Sequential(conv(inputs, a, 2), conv(a, b, 2), conv(b, b, 1))
        self.coarse = nn.Sequential(conv(b, c, 2), conv(c, c, 1), conv(c, e, 1, 1))
        self.cell = nn.Sequential(nn.Conv2d(e, d, 9, 5, 2, bias=False), nn.BatchNorm2d(d), nn.ReLU())
        self.bold = nn.Sequential(conv(e, p, 1, 1), nn.MaxPool2d(5, 5))
        self.bold_fine = nn.Sequential(conv(b, p, 1, 1), nn.MaxPool2d(10, 10))
        seen = d + 2 * p
        self.weigh = nn.Conv2d(seen, seen, 1)
        self.compare = conv(2 * seen, d + 32, 1, 1)
        self.alike: nn.Module = nn.Identity() if inputs == min(SEEN) else Likeness(d + 32)
        self.drop = nn.Dropout2d(0.05)
        self.mix = conv(d + 32, d, 1, 1)
        self.judge = nn.Conv2d(d, len(OUTPUTS), 1)

    def freeze_pixels(self) -> None:
        """Let only the layers learn that compare cells and judge them, not those that look at pixels."""
        for part in (self.fine, self.coarse, self.cell, self.bold, self.bold_fine):
            part.eval().requires_grad_(False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        fine = self.fine(x)
        coarse = self.coarse(fine)[:, :, 3:-3, 3:-3]
        f = torch.cat([self.cell(coarse), self.bold(coarse), self.bold_fine(fine[:, :, 6:-6, 6:-6])], 1)
        w = torch.sigmoid(self.weigh(f))
        mean = (w * f).mean((2, 3), keepdim=True) / (w.mean((2, 3), keepdim=True) + 0.01)
        return self.judge(self.mix(self.drop(self.alike(self.compare(torch.cat([f, f - mean], 1))))))


def losses(out: torch.Tensor, labels: torch.Tensor, before: torch.Tensor | None = None) -> torch.Tensor:
    """One number; `labels` (B, rows, cols, 6 or more) as `draw_cells` writes them, `before`: logits to be kept."""
    kind, letter, traced, gate, _, hidden = labels[..., :6].unbind(-1)
    hidden = hidden.float() / 255
    odd, number = kind == 3, kind == 4
    target = fn.one_hot(kind.clamp(max=2).long(), 3).float()
    target = torch.where(odd[..., None], torch.full_like(target, 1 / 3), target * 0.99 + 0.01 / 3)
    logits = out.permute(0, 2, 3, 1)
    shares = fn.log_softmax(logits[..., :3], -1)
    # Printed or by hand, nobody said: blank or odd, but neither a circle nor a filling.
    marked = (1 - shares[..., 0].exp()) * torch.sigmoid(-logits[..., 6])
    kinds = torch.where(number, -torch.log1p(-0.999 * marked), -(target * shares).sum(-1))
    seen = (1 - hidden).clamp(min=0.15)
    said = None if before is None else torch.sigmoid(before.permute(0, 2, 3, 1))

    def yes(k: int, want: torch.Tensor, weight: torch.Tensor | float) -> torch.Tensor:
        want = want.float() * 0.99 + 0.005
        if said is not None:
            want = KEPT[k] * said[..., k] + (1 - KEPT[k]) * want
        loss = fn.binary_cross_entropy_with_logits(logits[..., k], want, reduction="none")
        return (loss * weight).mean()

    seeable = (hidden < 0.3) & ~odd & ~number
    letters = seeable * torch.where(letter > 0, torch.where(kind == 2, 0.2, 6.0), 0.2)
    return (
        (kinds * seen).mean()
        + yes(3, traced == 1, letters * (traced < 2))
        + yes(4, gate, seeable * torch.where(kind == 1, 3.0, 0.3))
        + 0.3 * yes(5, hidden > 0.3, ((hidden < 0.1) | (hidden > 0.3)).float())
        + 0.3 * yes(6, odd, seeable | odd)
        + 0.3 * yes(7, letter, seeable * torch.where(kind == 2, 0.3, 1.0))
    )


def vary(x: torch.Tensor, labels: torch.Tensor, gen: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Turn, mirror, fade, recolor and roughen a batch."""
    turns = int(torch.randint(4, (1,), generator=gen))
    x, labels = torch.rot90(x, turns, (2, 3)), torch.rot90(labels, turns, (1, 2))
    if torch.rand(1, generator=gen) < 0.5:
        x, labels = x.flip(3), labels.flip(2)
    n = len(x)
    strength = torch.exp(torch.randn(n, 1, 1, 1, generator=gen) * 0.15)
    gain = 1 + 0.05 * torch.randn(n, 3, 1, 1, generator=gen)
    gray = (torch.rand(n, 1, 1, 1, generator=gen) < 0.15).float()
    photo = 1 - (1 - x[:, :3] * strength) * gain
    rest = [1 - (1 - part) * (1 + 0.03 * torch.randn(n, 3, 1, 1, generator=gen)) for part in x[:, 3:].split(3, 1)]
    x = torch.cat([part * (1 - gray) + part.mean(1, keepdim=True) * gray for part in (photo, *rest)], 1)
    noise = torch.rand(n, 1, 1, 1, generator=gen) ** 3 * 0.05 * torch.randn((n, 3, *x.shape[2:]), generator=gen)
    for part in range(0, x.shape[1], 3):
        if part != BLANK:
            x[:, part : part + 3] += noise
    return x.contiguous(memory_format=torch.channels_last), labels


@torch.no_grad()
def distilled_from(before: CellNet | None, x: torch.Tensor) -> torch.Tensor | None:
    """An earlier network's logits for a batch, which training keeps to; None where there is none."""
    return before(x) if before else None


def begin(
    start: Path | None, images: list[np.ndarray], labels: list[np.ndarray], gen: torch.Generator, beside: bool = False
) -> CellNet:
    """A network with weights that were trained before, .pt or .onnx; a new one without.

    `beside`: one that sees the blank sheet, too; an .onnx file that does not is widened.
    """
    net = CellNet(WIDE, max(SEEN)) if beside else CellNet()
    if start and start.suffix == ".onnx":
        index = drawn(images)
        few = [index[i] for i in torch.randperm(len(index), generator=gen)[:48].tolist()]
        inputs = onnx.load(str(start)).graph.input[0].type.tensor_type.shape.dim[1].dim_value
        found = CellNet(WIDE, inputs) if inputs == max(SEEN) else CellNet()
        start_from(found, start, [batch(images, labels, few, inputs)[:1]])
        net = widened(found, net) if beside and found.inputs != net.inputs else found
    elif start:
        net.load_state_dict(torch.load(start))
    return net.to(memory_format=torch.channels_last)


@torch.no_grad()
def widened(narrow: CellNet, wide: CellNet) -> CellNet:
    """The wide network with the narrow one within it: it answers alike at first, its other channels count nothing."""

    def features(widths: tuple[int, ...]) -> list[list[int]]:
        *_, d, p = widths
        return [list(range(d)), list(range(d, d + p)), list(range(d + p, d + 2 * p))]

    within = [k for of, to in zip(features(narrow.widths), features(wide.widths), strict=True) for k in to[: len(of)]]
    seen = sum(map(len, features(wide.widths)))
    inputs = {"weigh.weight": within, "compare.0.weight": within + [seen + k for k in within]}
    into = wide.state_dict()
    for name, value in narrow.state_dict().items():
        there = into[name]
        if not value.dim():
            continue
        rows = torch.tensor(within if name.startswith("weigh") else range(len(value)))
        if value.dim() == 1:
            there[rows] = value
            continue
        columns = torch.tensor(inputs.get(name, range(value.shape[1])))
        there[rows] = 0
        there[rows[:, None], columns] = value
    wide.load_state_dict(into)
    return wide


def learn(
    net: CellNet, optimizer: torch.optim.Optimizer, x: torch.Tensor, y: torch.Tensor, before: torch.Tensor | None
) -> float:
    """One step; the loss before it."""
    with torch.autocast("cpu", torch.bfloat16):
        out = net(x)
    loss = losses(out.float(), y, before)
    resume.learn(net, optimizer, loss)
    return loss.item()


def load(names: list[str]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Memory maps of the pictures and of their labels."""
    images, labels = ([np.load(f"{n}.{what}.npy", mmap_mode="r") for n in names] for what in ("images", "labels"))
    return images, labels


def drawn(images: list[np.ndarray]) -> list[tuple[int, int]]:
    """Set and number of the pictures that are there; `draw_cells` may still be at work."""
    return [(s, i) for s, a in enumerate(images) for i in range(len(a)) if a[i, ::60, ::60].any()]


def batch(
    images: list[np.ndarray], labels: list[np.ndarray], index: list[tuple[int, int]], inputs: int = 3
) -> tuple[torch.Tensor, torch.Tensor]:
    """Pictures as darkness (B, inputs, H, W) and their labels."""
    x = np.stack([images[s][i][..., SEEN[inputs]] for s, i in index])
    y = torch.from_numpy(np.stack([labels[s][i] for s, i in index]))
    return 1 - torch.from_numpy(x).permute(0, 3, 1, 2).float() / WHITE, y


def main() -> None:
    """Train, export, say how it does on the held-out pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--held", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--start", type=Path, help="weights (.pt or .onnx) to start from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--beside", action="store_true", help="the network sees the blank sheet, too")
    parser.add_argument("--judging", action="store_true", help="only the layers that compare and judge cells learn")
    parser.add_argument("--keep", type=Path, help="weights from which all outputs but the kinds are distilled")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    images, labels = load(args.sets)
    held = load([args.held])
    net = begin(args.start, images, labels, gen, args.beside)
    before = begin(args.keep, images, labels, gen).eval() if args.keep else None
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    began, step, running = time.monotonic(), 0, 0.0
    saved = began
    learning(net, args.judging)
    done = 0.0
    while done < 1:
        index = drawn(images)
        order = torch.randperm(len(index), generator=gen).tolist()
        for k in range(0, len(order) - 8, 8):
            done = (time.monotonic() - began) / 60 / args.minutes
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = args.rate * min(1, (step + 1) / 100, 0.02 + 1.02 * (1 - done) ** 1.2)
            x, y = batch(images, labels, [index[i] for i in order[k : k + 8]], net.inputs)
            x, y = vary(x, y, gen)
            loss = learn(net, optimizer, x, y, distilled_from(before, x[:, :3]))
            step += 1
            running += loss
            if step % 100 == 0:
                print(
                    f"step {step}, loss {running / 100:.4f}, {step * 8 / len(index):.2f} rounds, {done:.0%}", flush=True
                )
                running = 0.0
            if time.monotonic() - saved > SAVED_EVERY:
                saved = time.monotonic()
                keep(net, args.out)
                learning(net, args.judging)
    keep(net, args.out)
    report(net, *held)


def learning(net: CellNet, judging: bool) -> None:
    """Make the network learn, all of it or only what judges."""
    net.train()
    if judging:
        net.freeze_pixels()


def keep(net: CellNet, path: Path) -> None:
    """Write the weights, for going on and for reading. The network is left judging."""
    net.eval()
    torch.save(net.state_dict(), path.with_suffix(".pt"))
    sizes = {"sheet": {0: "n", 2: "h", 3: "w"}, "cells": {0: "n", 2: "rows", 3: "columns"}}
    resume.export(net, path, {"sheet": torch.zeros(1, net.inputs, 488, 488)}, "cells", sizes)


def report(net: CellNet, images: list[np.ndarray], labels: list[np.ndarray]) -> None:
    """Figures on held-out drawn pictures (unseen fonts and hands)."""
    out = []
    with torch.no_grad():
        for i in range(len(images[0])):
            out.append(net(batch(images, labels, [(0, i)], net.inputs)[0])[0].permute(1, 2, 0).numpy())
    out, y = np.stack(out), labels[0]
    clear = (y[..., 0] < 3) & (y[..., 5] < 25)
    wrong = out[..., :3].argmax(-1) != y[..., 0]
    letter = clear & (y[..., 1] > 0) & (y[..., 0] < 2) & (y[..., 2] < 2)
    print(f"held out: {clear.sum()} cells, wrong {wrong[clear].mean():.5f}")
    print(f"  traced wrong {((out[..., 3] > 0) != y[..., 2])[letter].mean():.5f} of {letter.sum()} letters")
    passage = clear & (y[..., 0] == 1)
    print(f"  gates wrong {((out[..., 4] > 0) != y[..., 3])[passage].mean():.5f} of {passage.sum()} passages")
    e = np.exp(out[..., :3] - out[..., :3].max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    best = None
    for t in np.arange(0.5, 2.01, 0.05):
        e = np.exp(out[..., :3] / t - (out[..., :3] / t).max(-1, keepdims=True))
        q = (e / e.sum(-1, keepdims=True))[clear]
        nll = -np.log(q[np.arange(len(q)), y[..., 0][clear]] + 1e-9).mean()
        best = min(best or (9, 0), (nll, t))
    print(f"  temperature {best[1]:.2f} (likelihood {best[0]:.4f})")
    sure = p.max(-1)[clear]
    for bound in (0.8, 0.9, 0.95, 0.98):
        print(f"  below {bound}: {(sure < bound).mean():.4f}, silent {(wrong[clear] & (sure >= bound)).mean():.5f}")


if __name__ == "__main__":
    main()
