"""Fit the correction of cell logits by the blank sheet (`vision/sheet/print_evidence.py`).

    python -m training.fit_beside A B … --held HELD

A, B, … and HELD are written by `draw_cells`; the weights go to their place. Cells of which nobody could say what they
are do not count: hidden ones, marks that the light leaves invisible, and those on photos where the network misreads
more than a fiftieth of the others: such views make every blank cell doubtful.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from torch import nn
from torch.nn import functional as fn

from training.draw_cells import NOISE, WHITE
from vision.sheet import cells
from vision.sheet.print_evidence import (
    ARRAYS,
    GATE,
    PATH,
    apply_correction,
    cell_features,
    cell_statistics,
    passage_cells,
    print_bounds,
    ring_features,
)

BETWEEN = {"kinds": 32, "gate": 24}
DECAY = {"kinds": 1e-2, "gate": 2e-2}
FITS = {"kinds": 4, "gate": 1}
"""How many are fitted and stand side by side: their mean."""
LETTERS = 4.0
"""Times that a letter's circle counts as much as another."""
LEAST_SHOWN, MOST_HIDDEN = 8, 25
"""Thousandths of its brightness by which a mark must change its cell; of 255, how much of it may be hidden."""
ROUNDS, BATCH, RATE = 12, 1024, 3e-3
Samples = dict[str, list[torch.Tensor]]
"""Of "kinds" and "gate": features, the network's logits, the truth and the weight, of each cell that counts."""


def samples(name: str, unreadable: float) -> Samples:
    """Features and truth of the cells of a set that count."""
    images, labels = (np.load(f"{name}.{what}.npy", mmap_mode="r") for what in ("images", "labels"))
    margin = round(cells.MARGIN * cells.CELL)
    parts: dict[str, list[tuple[np.ndarray, ...]]] = {"kinds": [], "gate": []}
    for picture, label in zip(images, labels, strict=True):
        if not picture[::60, ::60].any():
            continue  # not drawn yet
        planes = picture.transpose(2, 0, 1).astype(np.float32)
        colors, noise = 1 - planes[:3] / WHITE, planes[4] / NOISE
        dark, blank = colors.mean(0), print_bounds(1 - planes[3] / WHITE)
        out = cells.NETWORK(colors[None])[0].transpose(1, 2, 0)
        logits = out[..., :3]
        kind, hidden, shown = label[..., 0].astype(int), label[..., 5], label[..., 6]
        counts = (kind < 3) & (hidden < MOST_HIDDEN) & ((kind == 0) | (shown >= LEAST_SHOWN))
        wrong = (logits.argmax(-1) != kind) & counts
        counts &= (wrong.sum() - wrong) <= unreadable * (counts.sum() - 1)
        seen = cell_features(logits, cell_statistics(dark, noise, blank, margin, cells.CELL))
        parts["kinds"].append((seen[counts], logits[counts], kind[counts], np.ones(counts.sum(), np.float32)))
        at = passage_cells(out)
        if len(at[0]):
            seen = ring_features(out, at, dark, blank, margin, cells.CELL)
            ring = (counts & (kind == 1))[at]
            weight = np.where(label[..., 1] > 0, LETTERS, 1).astype(np.float32)
            part = (seen, out[..., GATE][at][:, None], label[..., 3].astype(np.float32)[at], weight[at])
            parts["gate"].append(tuple(array[ring] for array in part))
    return {
        what: [torch.from_numpy(np.concatenate(part)) for part in zip(*lists, strict=True)]
        for what, lists in parts.items()
    }


def loss_of(logits: torch.Tensor, truth: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """One number."""
    if logits.shape[1] == 1:
        return fn.binary_cross_entropy_with_logits(logits[:, 0], truth, weight)
    return (fn.cross_entropy(logits, truth, reduction="none") * weight).mean()


def fitted(what: str, samples_of: list[torch.Tensor]) -> dict[str, np.ndarray]:
    """The arrays that `apply_correction` takes."""
    seen, logits, truth, weight = samples_of
    mean, spread = seen.mean(0), seen.std(0) + 1e-3
    fits = [_fit(what, (seen - mean) / spread, logits, truth, weight) for _ in range(FITS[what])]
    trust, *layers = (list(parts) for parts in zip(*fits, strict=True))
    between, between_bias, out, out_bias = layers
    arrays = (
        mean, spread, torch.stack(trust).mean(0), torch.cat(between, 1), torch.cat(between_bias),
        torch.cat(out) / len(fits), torch.stack(out_bias).mean(0),
    )  # fmt: skip
    return {f"{what}_{name}": array.detach().numpy() for name, array in zip(ARRAYS, arrays, strict=True)}


def _fit(
    what: str, seen: torch.Tensor, logits: torch.Tensor, truth: torch.Tensor, weight: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """One of them: trust, and the layers' weights, inputs first, and biases."""
    between, out = nn.Linear(seen.shape[1], BETWEEN[what]), nn.Linear(BETWEEN[what], logits.shape[1])
    nn.init.zeros_(out.weight)
    nn.init.zeros_(out.bias)
    trust = nn.Parameter(torch.ones(1))
    free = [*between.parameters(), *out.parameters(), trust]
    optimizer = torch.optim.AdamW(free, lr=RATE, weight_decay=DECAY[what])
    for turn in range(ROUNDS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - turn / ROUNDS) + 1e-4
        for one in torch.randperm(len(seen)).split(BATCH):
            after = logits[one] * trust + out(fn.relu(between(seen[one])))
            loss = loss_of(after, truth[one], weight[one])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return trust, between.weight.T, between.bias, out.weight.T, out.bias


def joined(what: str, old: dict[str, np.ndarray], new: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The mean of two fits, as one; the older may have fewer features, the first ones."""
    mean, spread, trust, between, between_bias, out, out_bias = (old[f"{what}_{name}"] for name in ARRAYS)
    now = [new[f"{what}_{name}"] for name in ARRAYS]
    scale, shift = now[1][: len(mean)] / spread, (now[0][: len(mean)] - mean) / spread
    widened = np.zeros((len(now[0]), between.shape[1]), np.float32)
    widened[: len(mean)] = between * scale[:, None]
    arrays = (
        now[0], now[1], (trust + now[2]) / 2, np.concatenate([widened, now[3]], 1),
        np.concatenate([between_bias + shift @ between, now[4]]), np.concatenate([out, now[5]]) / 2,
        (out_bias + now[6]) / 2,
    )  # fmt: skip
    return {f"{what}_{name}": np.asarray(array, np.float32) for name, array in zip(ARRAYS, arrays, strict=True)}


def report(held: Samples) -> None:
    """Say how the weights just written do."""
    seen, logits, truth, _ = (part.numpy() for part in held["kinds"])
    for name, after, sure in (
        ("alone", logits, cells.SETTINGS.sure),
        ("beside", apply_correction("kinds", logits, seen), cells.SETTINGS.sure_with_blank),
    ):
        shares = torch.from_numpy(after).softmax(-1).numpy()
        wrong, flagged = shares.argmax(-1) != truth, shares.max(-1) < sure
        figures = {"wrong": wrong, "wrong and not flagged": wrong & ~flagged, "flagged": flagged}
        said = ", ".join(f"{what} {share.mean():.4f}" for what, share in figures.items())
        print(f"{name}: {len(wrong)} cells, {said}")
    seen, logits, truth, weight = (part.numpy() for part in held["gate"])
    for name, after in (("alone", logits), ("beside", apply_correction("gate", logits, seen))):
        wrong = ((after[:, 0] > 0) != (truth > 0))[weight > 1]
        print(f"{name}: gates wrong {wrong.mean():.4f} of {len(wrong)} circles about letters")


def main() -> None:
    """Fit, write, say how it does on the held-out pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--held", required=True)
    parser.add_argument("--unreadable", type=float, default=0.02)
    parser.add_argument("--old", help="weights fitted before: averaged with the new ones for kinds, kept for gates")
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    every = [samples(name, args.unreadable) for name in args.sets]
    arrays: dict[str, np.ndarray] = dict(np.load(args.old)) if args.old else {}
    for what in ("kinds",) if args.old else BETWEEN:
        known = [torch.cat(part) for part in zip(*(one[what] for one in every), strict=True)]
        new = fitted(what, known)
        arrays |= joined(what, arrays, new) if args.old else new
    np.savez(PATH, **arrays)
    report(samples(args.held, args.unreadable))


if __name__ == "__main__":
    main()
