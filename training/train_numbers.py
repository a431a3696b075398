"""Train the reader of written numbers on drawn boxes and write its ONNX weights.

    python -m training.train_numbers A B … --held HELD --out vision/weights/numbers.onnx --minutes 15

A, B, … and HELD are written by `draw_numbers`, which may still be at work. Needs PyTorch and onnx; reading does not.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as fn

from training.resume import export, learn, start_from

SYMBOLS = "0123456789-"
NOTHING = len(SYMBOLS)


class NumberNet(nn.Module):
    """One box in, (1, 1, 32, 64), ink 1; log odds of 12 classes for each of its 16 columns out, (1, 12, 16)."""

    def __init__(self, widths: tuple[int, ...] = (16, 32, 48, 64, 96)) -> None:
        super().__init__()
        a, b, c, d, e = widths

        def conv(i: int, o: int, size: int | tuple[int, int] = 3, pad: int | tuple[int, int] = 1) -> nn.Sequential:
            return nn.Sequential(nn.Conv2d(i, o, size, padding=pad, bias=False), nn.BatchNorm2d(o), nn.ReLU())

        self.strokes = nn.Sequential(conv(1, a), nn.MaxPool2d(2), conv(a, b), conv(b, c), nn.MaxPool2d(2))
        self.columns = nn.Sequential(conv(c, d), conv(d, d), nn.Dropout2d(0.1), conv(d, e, (8, 3), (0, 1)))
        self.judge = nn.Conv2d(e, NOTHING + 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.judge(self.columns(self.strokes(x)))[:, :, 0]


def vary(x: torch.Tensor, gen: torch.Generator) -> torch.Tensor:
    """Shift, stretch, slant, fade and roughen a batch."""
    n = len(x)
    r = torch.randn(n, 5, generator=gen) * torch.tensor([0.06, 0.05, 0.12, 0.03, 0.05])
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0], theta[:, 0, 1], theta[:, 0, 2] = 1 + r[:, 0], r[:, 2] / 2, r[:, 1]
    theta[:, 1, 0], theta[:, 1, 1], theta[:, 1, 2] = r[:, 3], 1 + r[:, 4], r[:, 1].flip(0)
    x = fn.grid_sample(x, fn.affine_grid(theta, list(x.shape), align_corners=False), align_corners=False)
    x = x * torch.exp(torch.randn(n, 1, 1, 1, generator=gen) * 0.2)
    noise = torch.rand(n, 1, 1, 1, generator=gen) ** 3 * 0.15
    return (x + noise * torch.randn(x.shape, generator=gen)).clamp(0, 1)


def load(names: list[str]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Memory maps of the pictures and their texts."""
    images, texts = ([np.load(f"{n}.{what}.npy", mmap_mode="r") for n in names] for what in ("images", "texts"))
    return images, texts


def targets(texts: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """All symbols in a row, and how many belong to each text."""
    return torch.tensor([SYMBOLS.index(c) for t in texts for c in t]), torch.tensor([len(t) for t in texts])


def spell(out: torch.Tensor) -> list[str]:
    """The likeliest symbol of each column, repeats and nothings left out."""
    texts = []
    for best in out.argmax(1).tolist():
        kept = [k for k, before in zip(best, [NOTHING, *best[:-1]], strict=True) if k not in (NOTHING, before)]
        texts.append("".join(SYMBOLS[k] for k in kept))
    return texts


def main() -> None:
    """Train, export, say how it does on the held-out boxes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--held", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--start", type=Path, help="network (.onnx) to start from")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    images, texts = load(args.sets)
    net = NumberNet()
    if args.start:
        some = np.stack([images[0][i] for i in range(512) if images[0][i].any()])[:, None]
        start_from(net, args.start, [(vary(torch.from_numpy(some).float() / 255, gen),)])
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    ctc = nn.CTCLoss(blank=NOTHING, zero_infinity=True)
    began, step, running, done, saved = time.monotonic(), 0, 0.0, 0.0, time.monotonic()
    while done < 1:
        index = [(s, i) for s, a in enumerate(images) for i in range(len(a)) if a[i].any()]
        order = torch.randperm(len(index), generator=gen).tolist()
        for k in range(0, len(order) - 63, 64):
            done = (time.monotonic() - began) / 60 / args.minutes
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = args.rate * min(1, (step + 1) / 60, 0.02 + 1.02 * (1 - done))
            chosen = [index[i] for i in order[k : k + 64]]
            x = torch.from_numpy(np.stack([images[s][i] for s, i in chosen]))[:, None].float() / 255
            symbols, lengths = targets([str(texts[s][i]) for s, i in chosen])
            shares = fn.log_softmax(net(vary(x, gen)), 1).permute(2, 0, 1)
            loss = ctc(shares, symbols, torch.full((64,), shares.shape[0]), lengths)
            learn(net, optimizer, loss)
            step, running = step + 1, running + loss.item()
            if step % 50 == 0:
                print(f"step {step}, loss {running / 50:.4f}, {len(index)} boxes, {done:.0%}", flush=True)
                running = 0.0
            if time.monotonic() - saved > 120:
                save(net, args.out)
                saved = time.monotonic()
    save(net, args.out)
    report(net, *load([args.held]))


def save(net: NumberNet, path: Path) -> None:
    """Write the ONNX file; it takes any number of boxes at once."""
    export(net, path, {"boxes": torch.zeros(1, 1, 32, 64)}, "columns", {"boxes": {0: "n"}})


def report(net: NumberNet, images: list[np.ndarray], texts: list[np.ndarray]) -> None:
    """Figures on held-out drawn boxes."""
    net.eval()
    drawn = [i for i in range(len(images[0])) if images[0][i].any()]
    x = torch.from_numpy(np.stack([images[0][i] for i in drawn]))[:, None].float() / 255
    with torch.no_grad():
        said = spell(net(x))
    right = [said[k] == str(texts[0][i]) for k, i in enumerate(drawn)]
    print(f"held out: {len(drawn)} boxes, numbers right {np.mean(right):.4f}")


if __name__ == "__main__":
    main()
