"""Fit what the blank sheet has to say of each cell (`vision/sheet/print_evidence.py`).

    python -m training.fit_beside A B … --held HELD --out vision/weights/cells_beside.npz

A, B, … and HELD are written by `draw_cells`. Cells of which nobody could say what they are do not count: hidden ones,
marks that the light leaves invisible, and those on photos where the network misreads more than a tenth of the others.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as fn

from training.draw_cells import NOISE, WHITE
from vision.sheet import cells
from vision.sheet.print_evidence import evidence

BETWEEN = 32
LEAST_SHOWN, MOST_HIDDEN = 8, 25
"""Thousandths of its brightness by which a mark must change its cell; of 255, how much of it may be hidden."""
ROUNDS, BATCH, RATE = 12, 1024, 3e-3
Told = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Evidence, the network's logits and the kind of each cell."""


def told(name: str, unreadable: float) -> Told:
    """What is known of the cells of a set that count."""
    images, labels = (np.load(f"{name}.{what}.npy", mmap_mode="r") for what in ("images", "labels"))
    margin = round(cells.MARGIN * cells.CELL)
    parts = []
    for picture, label in zip(images, labels, strict=True):
        if not picture[::60, ::60].any():
            continue  # not drawn yet
        planes = picture.transpose(2, 0, 1).astype(np.float32)
        dark, blank, noise = 1 - planes[:3] / WHITE, 1 - planes[3] / WHITE, planes[4] / NOISE
        logits = cells.NETWORK(dark[None])[0, :3].transpose(1, 2, 0)
        kind, hidden, shown = label[..., 0].astype(int), label[..., 5], label[..., 6]
        counts = (kind < 3) & (hidden < MOST_HIDDEN) & ((kind == 0) | (shown >= LEAST_SHOWN))
        wrong = (logits.argmax(-1) != kind) & counts
        counts &= (wrong.sum() - wrong) <= unreadable * (counts.sum() - 1)
        seen = evidence(logits, dark, noise, blank, margin, cells.CELL)
        parts.append((seen[counts], logits[counts], kind[counts]))
    seen, logits, kinds = (torch.from_numpy(np.concatenate(part)) for part in zip(*parts, strict=True))
    return seen, logits, kinds


def main() -> None:
    """Fit, say how it does on the held-out pictures, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--held", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--unreadable", type=float, default=0.1)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    seen, logits, kinds = (torch.cat(part) for part in zip(*(told(s, args.unreadable) for s in args.sets), strict=True))
    mean, spread = seen.mean(0), seen.std(0) + 1e-3
    net = nn.Sequential(nn.Linear(seen.shape[1], BETWEEN), nn.ReLU(), nn.Linear(BETWEEN, 3))
    nn.init.zeros_(net[2].weight)
    nn.init.zeros_(net[2].bias)
    trust = nn.Parameter(torch.ones(1))
    optimizer = torch.optim.AdamW([*net.parameters(), trust], lr=RATE, weight_decay=1e-2)

    def corrected(seen: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
        return logits * trust + net((seen - mean) / spread)

    for turn in range(ROUNDS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - turn / ROUNDS) + 1e-4
        for one in torch.randperm(len(seen)).split(BATCH):
            loss = fn.cross_entropy(corrected(seen[one], logits[one]), kinds[one])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    held = told(args.held, args.unreadable)
    with torch.no_grad():
        for name, after in (("alone", held[1]), ("beside", corrected(*held[:2]))):
            sure, best = after.softmax(-1).max(-1)
            wrong, flagged = best != held[2], sure < cells.DOUBT.sure
            shares = {"wrong": wrong, "wrong and not flagged": wrong & ~flagged, "flagged": flagged}
            said = ", ".join(f"{what} {share.float().mean():.4f}" for what, share in shares.items())
            print(f"{name}: {len(wrong)} cells, {said}")
        (between, bias), (out, out_bias) = ((layer.weight.T, layer.bias) for layer in (net[0], net[2]))
        arrays = {"mean": mean, "spread": spread, "trust": trust, "between": between, "between_bias": bias, "out": out,
                  "out_bias": out_bias}  # fmt: skip
        np.savez(args.out, **{name: array.detach().numpy() for name, array in arrays.items()})


if __name__ == "__main__":
    main()
