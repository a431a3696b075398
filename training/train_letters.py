"""Trains the reader of printed letters and writes `letters.onnx`.

    python -m training.train_letters FONTS_FOLDER… [--blocks 12000] [--epochs 8] [--start BEFORE.onnx]

Needs torch, onnx and Pillow, and folders with fonts (figures and fonts: LETTERS.md); reading needs none of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

from training.draw_letters import IGNORE, block, glyphs
from training.resume import export, start_from
from vision.sheet.printed_letters import ALPHABET, NETWORK, NONE, SIDE

QUANTUM = 170.0


def network() -> nn.Sequential:
    """Four convolutions down to 5 × 5 places, and one layer of answers."""
    return nn.Sequential(
        *_convolution(1, 16, 5, 2),
        *_convolution(16, 32, 3, 2),
        *_convolution(32, 64, 3, 1),
        nn.MaxPool2d(2),
        *_convolution(64, 64, 3, 1),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(64 * (SIDE // 8) ** 2, len(ALPHABET) + 1),
    )


def _convolution(before: int, width: int, size: int, stride: int) -> list[nn.Module]:
    return [nn.Conv2d(before, width, size, stride, size // 2, bias=False), nn.BatchNorm2d(width), nn.ReLU()]


def draw(fonts: np.ndarray, blocks: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Patches (n, 1, SIDE, SIDE) uint8 and labels (n,) of so many blocks, those without a label left out."""
    rng = np.random.default_rng(seed)
    patches, labels = [], []
    for _ in range(blocks):
        drawn, named = block(rng, fonts)
        keep = named != IGNORE
        patches.append(np.round(drawn[keep] * QUANTUM).astype(np.uint8))
        labels.append(named[keep])
    return torch.from_numpy(np.concatenate(patches)), torch.from_numpy(np.concatenate(labels)).long()


def accuracy(model: nn.Module, patches: torch.Tensor, labels: torch.Tensor) -> dict[str, float]:
    """Shares of letters and of the rest that are named rightly, and of the rest taken for a letter."""
    model.eval()
    with torch.no_grad():
        found = torch.cat([model(part.float() / QUANTUM).argmax(1) for part in patches.split(500)])
    letter = labels != NONE
    right = found == labels
    return {"letters": right[letter].float().mean().item(), "others": right[~letter].float().mean().item()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fonts", type=Path, nargs="+")
    parser.add_argument("--blocks", type=int, default=12000)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=NETWORK.path)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    fonts = glyphs(args.fonts)
    unseen = np.arange(len(fonts)) % 10 == 9
    patches, labels = draw(fonts[~unseen], args.blocks, args.seed)
    test = draw(fonts[unseen], max(100, args.blocks // 25), 2026)
    print(len(fonts), "fonts", len(labels), "patches", flush=True)
    model = network().to(memory_format=torch.channels_last)
    if args.start:
        start_from(model, args.start, [(patches[:: max(1, len(patches) // 2000)].float() / QUANTUM,)])
        print("before", accuracy(model, *test), flush=True)
    batch, every = 128, len(labels) // 128
    optimizer = torch.optim.AdamW(model.parameters(), args.rate, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, total_steps=args.epochs * every, pct_start=0.2)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.01)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for part in torch.randperm(len(labels))[: every * batch].split(batch):
            seen = patches[part].float() / QUANTUM
            seen = seen * torch.empty(len(part), 1, 1, 1).uniform_(0.85, 1.15)
            seen = seen.contiguous(memory_format=torch.channels_last)
            loss = loss_of(model(seen), labels[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            pace.step()
            total += loss.item()
        print(epoch, f"loss {total / every:.4f}", accuracy(model, *test), flush=True)
        export(model, args.out, {"cells": torch.zeros(1, 1, SIDE, SIDE)}, "letters", {"cells": {0: "n"}})


if __name__ == "__main__":
    main()
