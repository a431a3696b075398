"""Trains a judge of ticked boxes and writes `ticks.onnx`, or with `--beside` `ticks_blank.onnx`.

    python -m training.train_ticks [--beside] [--tracks 5000] [--epochs 14] [--start ticks.onnx]

Needs torch and onnx (figures: TICKS.md); judging needs neither.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

from training.draw_ticks import track
from training.resume import start_from
from training.train_letters import save
from vision.sheet.ticks import BESIDE, NETWORK, SIDE

QUANTUM = 60.0
"""Of an ink of one; patches are kept in whole numbers, brighter than paper below nought."""


WIDTHS = {2: (12, 24, 32, 32), 6: (20, 28, 40, 40)}
"""Channels of the layers, by what a network sees."""


def network(inputs: int) -> nn.Sequential:
    """Four convolutions down to 4 × 4 places, and one answer: the log odds that the box is ticked."""
    layers: list[nn.Module] = []
    widths = WIDTHS[inputs]
    for before, width, size, stride in zip((inputs, *widths), widths, (5, 3, 3, 3), (2, 1, 2, 2), strict=False):
        layers += [nn.Conv2d(before, width, size, stride, size // 2, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
    return nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.3), nn.Linear(widths[-1] * (SIDE // 8) ** 2, 1))


def draw(tracks: int, seed: int, beside: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Patches (n, 2 or 6, SIDE, SIDE) int8 and truth (n,) of so many tracks."""
    rng = np.random.default_rng(seed)
    drawn = [track(rng, beside) for _ in range(tracks)]
    patches = np.concatenate([np.round(p * QUANTUM).astype(np.int8) for p, _ in drawn])
    return torch.from_numpy(patches), torch.from_numpy(np.concatenate([t for _, t in drawn])).float()


def turned(patches: torch.Tensor, which: int) -> torch.Tensor:
    """One of the eight ways to turn or mirror a picture: a tick is a tick."""
    patches = torch.rot90(patches, which % 4, (2, 3))
    return patches.flip(3) if which >= 4 else patches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tracks", type=int, default=5000)
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--beside", action="store_true", help="the network sees the blank page, too")
    parser.add_argument("--start", type=Path, help="network (.onnx) to start from")
    parser.add_argument("--rate", type=float, default=4e-3)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    patches, truth = draw(args.tracks, 1, args.beside)
    test, test_truth = draw(max(60, args.tracks // 12), 2, args.beside)
    print(len(truth), "patches", flush=True)
    inputs, out = (6, BESIDE.path) if args.beside else (2, NETWORK.path)
    model = network(inputs).to(memory_format=torch.channels_last)
    if args.start:
        start_from(model, args.start, [(patches[:4096].float() / QUANTUM,)])
    batch, every = 128, len(truth) // 128
    optimizer = torch.optim.AdamW(model.parameters(), args.rate / 2, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, total_steps=args.epochs * every)
    loss_of = nn.BCEWithLogitsLoss()
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for part in torch.randperm(len(truth))[: every * batch].split(batch):
            seen = turned(patches[part].float() / QUANTUM, int(torch.randint(8, ())))
            seen = seen.contiguous(memory_format=torch.channels_last)
            loss = loss_of(model(seen)[:, 0], truth[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            pace.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            found = torch.cat([model(p.float() / QUANTUM)[:, 0] for p in test.split(500)])
        right = ((found > 0) == (test_truth > 0.5)).float().mean().item()
        print(
            epoch,
            f"loss {total / every:.4f} test {loss_of(found, test_truth).item():.4f} right {right:.4f}",
            flush=True,
        )
        save(model, args.out or out, (inputs, SIDE, SIDE))


if __name__ == "__main__":
    main()
