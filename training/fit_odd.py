"""Fit the one output of the cell classifier that says "neither a passage nor a wall", and leave all others as they are.

    python -m training.fit_odd --real REAL … --drawn DRAWN … --weights cells.onnx --out cells.onnx

REAL is written by `cut_cells` (digits and notes in grids that people filled in), DRAWN by `draw_cells`. What the
network finds in each cell stays; only how the last layer weighs it for this output is fitted: a logistic regression
that is held near the weights it began with.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from training.resume import start_from
from training.train_cells import OUTPUTS, CellNet, batch, load

ODD = OUTPUTS.index("odd")
EVERY_REAL = 3
EVERY_DRAWN = 4
"""Every so manieth picture is enough."""
SETTLING = 14
"""Drawn pictures from which the norms folded into the weights are made anew."""
SEEN = 75
"""Hidden at most so much, of 255: what lies under a pawn teaches nothing."""
DIGIT_WEIGHT = 4.0
HOLD = 30.0
"""How hard the fit is held near the weights it began with."""
ROUNDS = 30
BOLDEST = 5.0
"""Logits that one step may move a cell by."""


def seen_and_said(net: CellNet, sets: list[str], every: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the last layer is given for each cell (n, features), its shares of blank, passage, wall, and the labels."""
    given: list[torch.Tensor] = []
    hook = net.judge.register_forward_pre_hook(lambda _, inputs: given.append(inputs[0]))
    features, logits, labels = [], [], []
    images, truths = load(sets)
    with torch.no_grad():
        for s, pictures in enumerate(images):
            for i in range(0, len(pictures), every):
                given.clear()
                x, y = batch(images, truths, [(s, i)])
                out = net(x)
                features.append(given[0].permute(0, 2, 3, 1).flatten(0, 2).numpy())
                logits.append(out[:, :3].permute(0, 2, 3, 1).flatten(0, 2).softmax(-1).numpy())
                labels.append(y.flatten(0, 2).numpy())
    hook.remove()
    return np.concatenate(features).astype(float), np.concatenate(logits), np.concatenate(labels)


def fitted(row: np.ndarray, features: np.ndarray, odd: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Newton's steps from `row` (weights, then the bias), each feature held by its spread."""
    with_bias = np.append(features, np.ones((len(features), 1)), 1)
    hold = HOLD * np.append(features.std(0) + 1e-6, 1.0) ** 2
    now = row.copy()
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(with_bias @ now, -30, 30)))
        slope = with_bias.T @ (weight * (chance - odd)) + hold * (now - row)
        bend = (with_bias * (weight * chance * (1 - chance))[:, None]).T @ with_bias + np.diag(hold)
        step = np.linalg.solve(bend, slope)
        now -= step * min(1.0, BOLDEST / np.abs(with_bias @ step).max())
    return now


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", nargs="+", required=True)
    parser.add_argument("--drawn", nargs="+", required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    net = CellNet()
    images, labels = load(args.drawn)
    some = [(0, i) for i in range(0, len(images[0]), 50)][:SETTLING]
    start_from(net, args.weights, [batch(images, labels, some)[:1]])
    net.eval()
    real, drawn = seen_and_said(net, args.real, EVERY_REAL), seen_and_said(net, args.drawn, EVERY_DRAWN)
    features, shares, truth = (np.concatenate(pair) for pair in zip(real, drawn, strict=True))
    kind, hidden = truth[:, 0], truth[:, 5]
    taken_for_mark = shares.argmax(1) > 0
    use = (hidden < SEEN) & ((kind <= 3) | taken_for_mark)
    odd = (kind[use] >= 3).astype(float)
    model = onnx.load(str(args.weights))
    values = {value.name: value for value in model.graph.initializer}
    matrix, bias = (numpy_helper.to_array(values[f"judge.{name}"]).copy() for name in ("weight", "bias"))
    row = np.append(matrix[ODD, :, 0, 0], bias[ODD]).astype(float)
    after = fitted(row, features[use], odd, np.where(kind[use] == 4, DIGIT_WEIGHT, 1.0))
    for name, one in (("before", row), ("after", after)):
        said = features[use] @ one[:-1] + one[-1] > 0
        print(f"{name}: odd found {said[odd > 0].mean():.4f}, others taken for odd {said[odd == 0].mean():.4f}")
    matrix[ODD, :, 0, 0], bias[ODD] = after[:-1], after[-1]
    for name, array in (("weight", matrix), ("bias", bias)):
        values[f"judge.{name}"].CopyFrom(numpy_helper.from_array(array, f"judge.{name}"))
    onnx.save(model, str(args.out))


if __name__ == "__main__":
    main()
