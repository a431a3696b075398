"""Trains the reader of printed letters and writes `letters.onnx`.

    python -m training.train_letters FONTS_FOLDER… [--blocks 12000] [--epochs 8] [--start BEFORE.onnx]

Needs torch, onnx and Pillow, and folders with fonts (figures and fonts: LETTERS.md); reading needs none of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from training.draw_letters import IGNORE, block, glyphs
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


def save(model: nn.Sequential, path: Path, shape: tuple[int, ...] = (1, SIDE, SIDE)) -> None:
    """Write a plain network for pictures of `shape` as ONNX, each normalization folded into its convolution."""
    nodes, weights, name = [], [], "cells"

    def weight(label: str, value: np.ndarray) -> str:
        weights.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float32), label))
        return label

    layers = list(model)
    for k, layer in enumerate(layers):
        out = f"layer{k}"
        if isinstance(layer, nn.Conv2d):
            norm = layers[k + 1]
            gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            kernel = (layer.weight * gain[:, None, None, None]).detach().numpy()
            bias = (norm.bias - norm.running_mean * gain).detach().numpy()
            inputs = [name, weight(f"w{k}", kernel), weight(f"b{k}", bias)]
            form = {"kernel_shape": layer.kernel_size, "strides": layer.stride, "pads": layer.padding * 2}
            nodes.append(helper.make_node("Conv", inputs, [out], **form))
        elif isinstance(layer, nn.ReLU):
            nodes.append(helper.make_node("Relu", [name], [out]))
        elif isinstance(layer, nn.MaxPool2d):
            nodes.append(helper.make_node("MaxPool", [name], [out], kernel_shape=[2, 2], strides=[2, 2]))
        elif isinstance(layer, nn.Flatten):
            nodes.append(helper.make_node("Flatten", [name], [out], axis=1))
        elif isinstance(layer, nn.Linear):
            inputs = [
                name,
                weight(f"w{k}", layer.weight.detach().numpy()),
                weight(f"b{k}", layer.bias.detach().numpy()),
            ]
            nodes.append(helper.make_node("Gemm", inputs, [out], transB=1))
        else:
            continue
        name = out
    question = helper.make_tensor_value_info("cells", TensorProto.FLOAT, ["n", *shape])
    answer = helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", layers[-1].out_features])
    graph = helper.make_graph(nodes, path.stem, [question], [answer], weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=7)
    onnx.checker.check_model(made)
    onnx.save(made, str(path))


def start(model: nn.Sequential, path: Path, patches: torch.Tensor) -> None:
    """Take over the weights of a saved network of the same form, the normalizations as some patches need them."""
    weights = {
        w.name: torch.from_numpy(numpy_helper.to_array(w).copy()) for w in onnx.load(str(path)).graph.initializer
    }
    seen, layers = patches, list(model)
    with torch.no_grad():
        for k, layer in enumerate(layers):
            if f"w{k}" in weights:
                layer.weight.copy_(weights[f"w{k}"])
            if isinstance(layer, nn.Linear):
                layer.bias.copy_(weights[f"b{k}"])
            if isinstance(layer, nn.BatchNorm2d):
                mean, spread = seen.mean((0, 2, 3)), seen.std((0, 2, 3))
                layer.running_mean.copy_(mean)
                layer.running_var.copy_(spread**2)
                layer.weight.copy_(spread)
                layer.bias.copy_(weights[f"b{k - 1}"] + mean)
                seen = seen + weights[f"b{k - 1}"][:, None, None]
            else:
                seen = layer(seen)


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
        start(model.eval(), args.start, patches[:: max(1, len(patches) // 2000)].float() / QUANTUM)
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
        save(model, args.out)


if __name__ == "__main__":
    main()
