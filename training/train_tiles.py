"""Train the tile finder and the judge of tiles on drawn tables, and write their weights.

    python -m training.train_tiles finder A.npz B.npz … --held HELD.npz --out vision/weights/tile_detector.onnx
    python -m training.train_tiles judge  A.npz B.npz … --held HELD.npz --out vision/weights/tile_classifier.onnx

The judge writes its comparison of sisters beside its network, as `.npz`. `--start` goes on from weights that were
written before. Files are written by `draw_tiles`. Needs PyTorch and onnx; reading needs neither.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import torch
from torch import nn
from torch.nn import functional as fn

from training.resume import export, learn
from vision.table.reading import COLORS

STRIDE, WINDOW, FEATURES = 4, 32, 32
NONE, ODD = len(COLORS), len(COLORS) + 1
"""Labels of a crop that shows no tile, and a tile of none of the colors."""
TARGETS = torch.cat([torch.eye(NONE + 1), torch.tensor([[1 / NONE] * NONE + [0.0]])])
"""What is to be answered for each label: a tile of none of the colors may be any of them."""


def conv(i: int, o: int, stride: int = 1, size: int = 3, groups: int = 1, spread: int = 1) -> nn.Sequential:
    """A convolution, normalized, cut at 0."""
    layer = nn.Conv2d(i, o, size, stride, size // 2 * spread, spread, groups, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(o), nn.ReLU())


class FinderNet(nn.Module):
    """A table's picture in, (1, 3, H/4, W/4) out: is a tile's center here, and its place right and below, in cells.

    The first layer takes the pixels of a cell, four by four, at once: the picture is never looked at in full size.
    """

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.stem = conv(3 * STRIDE**2, width, size=1)
        self.blocks = nn.ModuleList(
            nn.Sequential(conv(width, width, groups=width, spread=spread), conv(width, width, size=1))
            for spread in (1, 1, 2, 1, 2, 1)
        )
        self.head = nn.Conv2d(width, 3, 1)
        nn.init.constant_(self.head.bias, -3.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.after(self.stem(fn.pixel_unshuffle(x, STRIDE)))

    def after(self, x: torch.Tensor) -> torch.Tensor:
        """What follows the first layer."""
        for block in self.blocks:
            x = x + block(x)
        return self.head(x)


class FinderAsRead(nn.Module):
    """The finder as it is written: takes cells of bytes as floats, (1, 48, h, w)."""

    def __init__(self, net: FinderNet) -> None:
        super().__init__()
        self.net = copy.deepcopy(net).eval()
        layer, norm = self.net.stem[0], self.net.stem[1]
        # What `prepare` does to bytes, in the first layer's weights.
        norm.running_mean += layer.weight.data.sum((1, 2, 3)) * 2
        layer.weight.data /= 64

    def forward(self, cells: torch.Tensor) -> torch.Tensor:
        return self.net.after(self.net.stem(cells))


class JudgeNet(nn.Module):
    """Crops of tiles in, (n, 32 + 8) out: features to compare sisters by, and log odds of seven colors and of none."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), conv(32, 40, size=1), conv(40, 48, 2), conv(48, 48))
        self.features = nn.Linear(48 * 4, FEATURES)
        self.first = nn.Linear(FEATURES, NONE + 1)
        self.compare = nn.Sequential(
            nn.Linear(3 * FEATURES + 2 + NONE, 48), nn.ReLU(), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 1)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.look(x)
        f = torch.tanh(self.features(fn.adaptive_avg_pool2d(y, 2).flatten(1)))
        return torch.cat([f, self.first(f)], 1)

    def among(self, f: torch.Tensor, first: torch.Tensor, known: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        """(n, 8) log odds of one table's tiles; `known` (7, 32) is each color's mean, `weight` (7,) how sure it is."""
        n = len(f)
        a = f[:, None].expand(n, NONE, FEATURES)
        m = (known * weight[:, None])[None].expand(n, NONE, FEATURES)
        d = ((f[:, None] - known[None]).abs()) * weight[None, :, None]
        rest = torch.stack([weight[None].expand(n, NONE), first[:, :NONE] / 8], 2)
        which = torch.eye(NONE)[None].expand(n, NONE, NONE)
        more = self.compare(torch.cat([a, m, d, rest, which], 2))[..., 0]
        return torch.cat([first[:, :NONE] + more, first[:, NONE:]], 1)


def means(f: torch.Tensor, first: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Each color's mean features over a table, and how many tiles speak for it, as n / (n + 1)."""
    p = torch.softmax(first, 1)[:, :NONE]
    n = p.sum(0)
    return (p.T @ f) / (n[:, None] + 0.05), n / (n + 1)


def prepare(pictures: torch.Tensor) -> torch.Tensor:
    """Bytes to what the networks take."""
    return (pictures.float() - 128) / 64


def train(net: nn.Module, minutes: float, rate: float, loss_of: Callable[[int], torch.Tensor], name: str) -> None:
    """One cycle of the learning rate over a number of minutes of the processor's time."""
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
    began, step, running = time.process_time(), 0, 0.0
    while (done := (time.process_time() - began) / 60 / minutes) < 1:
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 100, 0.02 + 1.02 * (1 - done) ** 1.2)
        loss = loss_of(step)
        learn(net, optimizer, loss)
        step += 1
        running += loss.item()
        if step % 200 == 0:
            print(f"{name}: step {step}, loss {running / 200:.4f}, {done:.0%}", flush=True)
            running = 0.0
    net.eval()


def start(net: nn.Module, weights: Path | None) -> None:
    """Make ready to learn: anew, or from weights as they were written, whose norms stay as they are."""
    net.train()
    if weights is None:
        return
    graph = onnx.load(str(weights)).graph
    stored = {one.name: torch.from_numpy(onnx.numpy_helper.to_array(one).copy()) for one in graph.initializer}
    written = [[stored[name] for name in node.input[1:]] for node in graph.node if node.op_type in ("Conv", "Gemm")]
    if isinstance(net, JudgeNet):
        with np.load(weights.with_suffix(".npz")) as file:
            layers = [torch.from_numpy(file[name]) for name in file.files]
        written += [layers[i : i + 2] for i in (0, 2, 4)]
    else:  # what `prepare` does to bytes is in the first layer's weights
        written[0] = [written[0][0] * 64, written[0][1] + 128 * written[0][0].sum((1, 2, 3))]
    modules = [module for module in net.modules() if isinstance(module, nn.Conv2d | nn.Linear)]
    norms = {id(block[0]): block[1] for block in net.modules() if isinstance(block, nn.Sequential) and len(block) > 1}
    with torch.no_grad():
        for module, (weight, bias) in zip(modules, written, strict=True):
            module.weight.copy_(weight.reshape(module.weight.shape))
            if module.bias is not None:
                module.bias.copy_(bias)
                continue
            norm = norms[id(module)]
            norm.bias.copy_(bias)
            norm.weight.fill_((1 + norm.eps) ** 0.5)  # its mean is 0, its variance 1
            norm.eval()


def finder_targets(centers: torch.Tensor, h: int, w: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Heat (n, h, w), offsets (n, 2, h, w) and where they count, of centers in pixels."""
    y, x = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
    at = torch.stack([x, y], -1) * STRIDE + (STRIDE - 1) / 2
    d = (centers[:, :, None, None] - at[None, None]) / STRIDE
    r2 = (d**2).sum(-1)
    near, which = r2.min(1)
    heat = torch.exp(-near / (2 * 0.55**2))
    d = torch.gather(d, 1, which[:, None, :, :, None].expand(-1, 1, -1, -1, 2))[:, 0]
    return heat, d.permute(0, 3, 1, 2), (near < 1.2**2).float()


def finder_loss(out: torch.Tensor, centers: torch.Tensor) -> torch.Tensor:
    """Focal loss of the heat, absolute difference of the offsets."""
    heat, offset, counts = finder_targets(centers, *out.shape[2:])
    p = torch.sigmoid(out[:, 0]).clamp(1e-5, 1 - 1e-5)
    top = (offset.abs().amax(1) <= 0.5) & (counts > 0)
    positive = -((1 - p) ** 2) * torch.log(p) * top
    negative = -((1 - heat) ** 4) * p**2 * torch.log(1 - p) * ~top
    shift = ((out[:, 1:] - offset).abs() * counts[:, None]).sum() / (counts.sum() + 1)
    return (positive.sum() + negative.sum()) / (top.sum() + 10) + 0.5 * shift


def turned(pictures: torch.Tensor, centers: torch.Tensor, gen: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Mirrored, turned by quarters, scaled a little, brighter or darker, of another cast."""
    h, w = pictures.shape[2:]
    x, c = pictures, centers.clone()
    if torch.rand(1, generator=gen) < 0.5:
        x, c[..., 0] = x.flip(3), w - 1 - c[..., 0]
    if torch.rand(1, generator=gen) < 0.5:
        x, c[..., 1] = x.flip(2), h - 1 - c[..., 1]
    s = float(torch.empty(1).uniform_(0.82, 1.2, generator=gen))
    if torch.rand(1, generator=gen) < 0.6:
        x = fn.interpolate(x, size=(int(h * s) // 8 * 8, int(w * s) // 8 * 8), mode="bilinear", align_corners=False)
        c = (c + 0.5) * torch.tensor([x.shape[3] / w, x.shape[2] / h]) - 0.5
    gain = torch.exp(
        torch.randn(len(x), 1, 1, 1, generator=gen) * 0.12 + torch.randn(len(x), 3, 1, 1, generator=gen) * 0.05
    )
    x = (x + 2) * gain - 2
    return (x + torch.randn(x.shape, generator=gen) * 0.03).clamp(-2, 2), c


def train_finder(args: argparse.Namespace) -> None:
    """Train, write and judge the finder."""
    gen = torch.Generator().manual_seed(1)
    pictures, centers = load(args.files, "pictures"), load(args.files, "centers")
    net = FinderNet()
    start(net, args.start)

    def loss_of(step: int) -> torch.Tensor:
        pick = np.sort(np.random.default_rng(step).choice(len(pictures), 6, replace=False))
        x, c = turned(
            prepare(torch.from_numpy(pictures[pick]).permute(0, 3, 1, 2)), torch.from_numpy(centers[pick]), gen
        )
        return finder_loss(net(x), c)

    train(net, args.minutes, args.rate, loss_of, "finder")
    cells = {"in": torch.zeros(1, 3 * STRIDE**2, 54, 72)}
    export(FinderAsRead(net), args.out, cells, "out", {"in": {0: "n", 2: "h", 3: "w"}})
    pictures, centers = load([args.held], "pictures"), load([args.held], "centers")
    for bound in (0.2, 0.3, 0.4, 0.5):
        there = missed = extra = 0
        off = []
        for picture, center in zip(pictures, centers, strict=True):
            with torch.no_grad():
                out = net(prepare(torch.from_numpy(picture).permute(2, 0, 1)[None]))[0].numpy()
            found = peaks(out, bound)
            truth = center[center[:, 0] > -50]
            there += len(truth)
            d = (
                np.linalg.norm(truth[:, None] - found[None, :, :2], axis=-1)
                if len(found) and len(truth)
                else np.full((len(truth), 1), 99.0)
            )
            hit = d.min(1) < 5
            missed += (~hit).sum()
            off += d.min(1)[hit].tolist()
            extra += len(found) - hit.sum()
        print(
            f"finder held out, bound {bound}: {there} tiles, missed {missed}, extra {extra}, "
            f"off {np.median(off):.2f} px"
        )


def peaks(out: np.ndarray, bound: float) -> np.ndarray:
    """(n, 3) x, y, probability of the finder's peaks."""
    p = 1 / (1 + np.exp(-out[0]))
    padded = np.pad(p, 1)
    around = np.max(
        [padded[1 + a : 1 + a + p.shape[0], 1 + b : 1 + b + p.shape[1]] for a in (-1, 0, 1) for b in (-1, 0, 1)], axis=0
    )
    y, x = np.nonzero((p >= around) & (p > bound))
    return np.stack([(x + out[1, y, x]) * STRIDE + 1.5, (y + out[2, y, x]) * STRIDE + 1.5, p[y, x]], 1)


def varied(crops: torch.Tensor, gen: torch.Generator) -> torch.Tensor:
    """Windows cut out of one table's kept crops: turned, moved, scaled, lit otherwise."""
    n = len(crops)
    a = torch.rand(n, generator=gen) * 2 * np.pi
    s = WINDOW / crops.shape[2] * torch.exp(torch.randn(n, generator=gen) * 0.05)
    flip = torch.where(torch.rand(n, generator=gen) < 0.5, -1.0, 1.0)
    shift = torch.randn(n, 2, generator=gen) * 0.08
    theta = torch.stack([torch.stack([s * torch.cos(a) * flip, -s * torch.sin(a), shift[:, 0]], 1),
                         torch.stack([s * torch.sin(a) * flip, s * torch.cos(a), shift[:, 1]], 1)], 1)  # fmt: skip
    grid = fn.affine_grid(theta, [n, 3, WINDOW, WINDOW], align_corners=False)
    x = fn.grid_sample(crops, grid, align_corners=False, padding_mode="border")
    if torch.rand(1, generator=gen) < 0.3:
        x = fn.avg_pool2d(fn.pad(x, (1, 1, 1, 1), mode="replicate"), 3, 1)
    whole = torch.exp(torch.randn(1, 1, 1, 1, generator=gen) * 0.1 + torch.randn(1, 3, 1, 1, generator=gen) * 0.025)
    each = torch.exp(torch.randn(n, 1, 1, 1, generator=gen) * 0.08)
    x = (x + 2) * whole * each - 2
    return (x + torch.randn(x.shape, generator=gen) * float(torch.rand(1, generator=gen)) * 0.12).clamp(-2, 2)


def known_colors(
    f: torch.Tensor, first: torch.Tensor, y: torch.Tensor, gen: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """What sisters are compared with in training: the table's means; sometimes some known tiles, as a palette gives."""
    known, weight = means(f, first)
    if torch.rand(1, generator=gen) < 0.3:
        known, weight = known.clone(), weight.clone()
        for color in y[y < NONE].unique():
            mine = torch.nonzero(y == color)[:, 0]
            known[color] = f[mine[torch.randperm(len(mine), generator=gen)[:2]]].mean(0)
            weight[color] = 0.9
    return known, weight


def train_judge(args: argparse.Namespace) -> None:
    """Train, write and judge the judge."""
    gen = torch.Generator().manual_seed(2)
    crops, labels = load(args.files, "crops"), load(args.files, "labels")
    net = JudgeNet()
    start(net, args.start)

    def loss_of(step: int) -> torch.Tensor:
        pick = np.random.default_rng(step).choice(len(crops), 5, replace=False)
        tables, ys = [], []
        for i in pick:
            real = np.nonzero(labels[i] >= 0)[0]
            tables.append(varied(prepare(torch.from_numpy(crops[i][real]).permute(0, 3, 1, 2)), gen))
            ys.append(torch.from_numpy(labels[i][real].astype(np.int64)))
        out = net(torch.cat(tables))
        total = fn.cross_entropy(out[:, FEATURES:], TARGETS[torch.cat(ys)], label_smoothing=0.01) * 0.5
        for mine, y in zip(out.split([len(y) for y in ys]), ys, strict=True):
            f, first = mine[:, :FEATURES], mine[:, FEATURES:]
            known, weight = known_colors(f, first, y, gen)
            total = total + fn.cross_entropy(
                net.among(f, first, known, weight), TARGETS[y], label_smoothing=0.01
            ) / len(ys)
        return total

    train(net, args.minutes, args.rate, loss_of, "judge")
    export(net, args.out, {"in": torch.zeros(8, 3, WINDOW, WINDOW)}, "out", {"in": {0: "n"}})
    layers = [p.detach().numpy() for k in (0, 2, 4) for p in (net.compare[k].weight, net.compare[k].bias)]
    np.savez(args.out.with_suffix(".npz"), *layers)
    crops, labels = load([args.held], "crops"), load([args.held], "labels")
    confusion = np.zeros((2, ODD + 1, NONE + 1), int)
    sure_none, sure_odd = [], []
    k = (crops.shape[2] - WINDOW) // 2
    for i in range(len(crops)):
        real = np.nonzero(labels[i] >= 0)[0]
        x = prepare(torch.from_numpy(crops[i][real][:, k : k + WINDOW, k : k + WINDOW]).permute(0, 3, 1, 2))
        with torch.no_grad():
            both = net(x)
            f, first = both[:, :FEATURES], both[:, FEATURES:]
            for j, out in enumerate((first, net.among(f, first, *means(f, first)))):
                np.add.at(confusion[j], (labels[i][real], out.argmax(1).numpy()), 1)
            surest = torch.softmax(out, 1)[:, :NONE].amax(1).numpy()
            sure_none += (surest > 0.9)[labels[i][real] == NONE].tolist()
            sure_odd += (surest > 0.9)[labels[i][real] == ODD].tolist()
    for j, stage in enumerate(("alone", "among sisters")):
        known = confusion[j][:ODD]
        print(f"judge held out, {stage}: wrong {1 - known.trace() / known.sum():.4f}, "
              f"tiles taken for none {known[:NONE, NONE].sum() / known[:NONE].sum():.4f}")  # fmt: skip
    print(
        f"surely a tile: {np.mean(sure_none):.4f} of what is none; surely of a color: {np.mean(sure_odd):.4f} of others"
    )
    print(confusion[1])


def load(files: list[Path], key: str) -> np.ndarray:
    """One array of all files; where a table holds fewer crops or centers than another, it is filled up with none."""
    arrays = [np.load(file)[key] for file in files]
    if key == "pictures":
        return np.concatenate(arrays)
    most = max(a.shape[1] for a in arrays)
    empty = {"labels": -1, "centers": -99, "crops": 0}[key]
    padded = [
        np.pad(a, [(0, 0), (0, most - a.shape[1]), *[(0, 0)] * (a.ndim - 2)], constant_values=empty) for a in arrays
    ]
    return np.concatenate(padded)


def main() -> None:
    """Train one of the two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("finder", "judge"))
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="weights to go on from (ONNX)")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(3)
    {"finder": train_finder, "judge": train_judge}[args.what](args)


if __name__ == "__main__":
    main()
