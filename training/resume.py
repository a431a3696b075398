"""Networks as ONNX files: written, gone on with where training stopped, and the mean of those before and after.

    python -m training.resume BEFORE.onnx AFTER.onnx OUT.onnx [--share 0.5]

Trained further on new drawings alone, a network gets worse at the old ones; the mean of its weights from before and
after is better at both than either.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn


def export(
    net: nn.Module,
    path: Path,
    inputs: dict[str, torch.Tensor],
    output: str,
    sizes: dict[str, dict[int, str]] | None = None,
) -> None:
    """Write the ONNX file: `inputs` by name, each as large as one is; `sizes`: the axes of any size, by name."""
    names = {"input_names": list(inputs), "output_names": [output], "dynamic_axes": sizes or {}}
    torch.onnx.export(net, tuple(inputs.values()), str(path), dynamo=False, opset_version=13, **names)
    onnx.checker.check_model(str(path))
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def set_rate(optimizer: torch.optim.Optimizer, most: float, step: int, warm: int, share: float) -> None:
    """The learning rate: it rises to `most` over `warm` steps, and falls along a cosine as `share` of training goes."""
    for group in optimizer.param_groups:
        group["lr"] = most * min(1, step / warm + 0.05) * max(0.02, (1 + np.cos(np.pi * share)) / 2)


def learn(net: nn.Module, optimizer: torch.optim.Optimizer, loss: torch.Tensor) -> None:
    """One step of training."""
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimizer.step()


@torch.no_grad()
def start_from(net: nn.Module, path: Path, batches: list[tuple[torch.Tensor, ...]]) -> None:
    """Take over the weights of an exported network, in which normalizations are part of the convolutions before them.

    They are split again by what `batches`, inputs of the network, make of them.
    """
    given = {i.name: torch.tensor(onnx.numpy_helper.to_array(i)) for i in onnx.load(str(path)).graph.initializer}
    net.load_state_dict({k: v for k, v in given.items() if k in net.state_dict()}, strict=False)
    fused = [v for k, v in given.items() if k not in net.state_dict() and v.ndim and v.is_floating_point()]
    pairs = [(a, b) for a, b in pairwise(net.modules()) if isinstance(a, nn.Conv2d) and isinstance(b, nn.BatchNorm2d)]
    sums: dict[nn.Module, list[torch.Tensor]] = {norm: [] for _, norm in pairs}
    last = [m for name, m in net.named_modules() if isinstance(m, nn.Linear) and f"{name}.weight" not in given]
    for layer, weight, bias in zip(last, fused[2 * len(pairs) :: 2], fused[2 * len(pairs) + 1 :: 2], strict=True):
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
    for (layer, norm), weight, bias in zip(pairs, fused[::2], fused[1::2], strict=False):
        layer.weight.copy_(weight)
        norm.bias.copy_(bias)
        norm.running_var.fill_(1 - norm.eps)
        norm.register_forward_hook(lambda norm, seen, _: sums[norm].append(_moments(seen[0])))
    net.eval()
    for batch in batches:
        net(*batch)
    for _, norm in pairs:
        norm._forward_hooks.clear()
        mean, square = torch.stack(sums[norm]).mean(0)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(square - mean**2)
        norm.weight.copy_((norm.running_var + norm.eps).sqrt())
        norm.bias += mean
    net.train()


def _moments(f: torch.Tensor) -> torch.Tensor:
    """(2, C): the mean and the mean square of (B, C, H, W)."""
    return torch.stack([f.mean((0, 2, 3)), (f * f).mean((0, 2, 3))])


def mean(before: Path, after: Path, share: float = 0.5) -> onnx.ModelProto:
    """Weights that lie `share` of the way between those of two, of which one was trained from the other."""
    out, other = onnx.load(str(before)), onnx.load(str(after))
    for one, two in zip(out.graph.initializer, other.graph.initializer, strict=True):
        first = onnx.numpy_helper.to_array(one)
        between = (1 - share) * first + share * onnx.numpy_helper.to_array(two)
        one.CopyFrom(onnx.numpy_helper.from_array(between.astype(first.dtype), one.name))
    onnx.checker.check_model(out)
    return out


def main() -> None:
    """Write the mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("before", "after", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the network after")
    args = parser.parse_args()
    onnx.save(mean(args.before, args.after, args.share), str(args.out))


if __name__ == "__main__":
    main()
