"""Make the networks that take most of the time small whole numbers: as right as before, in a third of the time.

    python -m training.quantize [NAME …]

`training/networks/NAME.onnx` is what training wrote, `vision/weights/NAME.onnx` what reading uses. Each network is
shown what the program itself makes of drawn sheets, so that the range of all that goes on in it is known. Layers that
see few channels, and the many that hardly cost anything, stay as they are: whole numbers would only cost accuracy.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from pathlib import Path
from unittest.mock import patch

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from training.synth import demo
from vision.network import WEIGHTS, Network
from vision.photo import Photo
from vision.sheet import read
from vision.sheet.blank import NONE, measure_blank
from vision.sheet.diagnose import find_readable
from vision.sheet.profile import SheetProfile

TRAINED = Path(__file__).parent / "networks"
SHEETS = 48
"""Drawn sheets that are read to see what goes on in a network."""
CHEAP = 0.02
"""A layer with a smaller share of its network's multiplications stays as it is."""

FEW = 16
"""Channels: of a layer that sees no more, whole numbers take hardly less time."""
ALIKE = ("Relu", "Slice", "MaxPool")
"""Operations that give a channel twice as large where it is twice as large."""
MOST = 0.9999
"""The share of a channel's values up to which it is said to reach."""
EVEN = 0.6
"""How nearly channels are brought to one range: 0 not at all, 1 wholly, which makes the weights after them uneven."""
LEAST = 0.001
"""A channel that reaches less of the widest is taken for one that reaches so much."""

BESIDE = {"letter_classifier_unlike": "letter_classifier"}
"""Networks that drawn sheets of the usual kind hardly ask, and those that are asked the same."""

Inputs = list[np.ndarray]


def main() -> None:
    """Read drawn sheets, then write the networks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="default: all of training/networks")
    names = parser.parse_args().names or [path.stem for path in sorted(TRAINED.glob("*.onnx"))]
    seen = asked_of([*names, *(BESIDE[name] for name in names if name in BESIDE)])
    for name in names:
        seen[name] += seen[BESIDE[name]] if name in BESIDE else []
        out = WEIGHTS / f"{name}.onnx"
        quantize(TRAINED / f"{name}.onnx", seen[name], out)
        print(f"{out}: {out.stat().st_size / 1000:.0f} kB")


def asked_of(names: list[str]) -> dict[str, list[Inputs]]:
    """What these networks are asked while drawn sheets are read, with the blank sheet known and without."""
    seen: dict[str, list[Inputs]] = defaultdict(list)
    sessions = {name: onnxruntime.InferenceSession(any_size(TRAINED / f"{name}.onnx").SerializeToString(),
                                                   providers=["CPUExecutionProvider"]) for name in names}  # fmt: skip
    answer = Network.__call__

    def recorded(self: Network, *blobs: np.ndarray) -> np.ndarray:
        if self.path.stem not in names:
            return answer(self, *blobs)
        seen[self.path.stem].append(list(blobs))
        session = sessions[self.path.stem]
        return session.run(None, dict(zip((one.name for one in session.get_inputs()), blobs, strict=True)))[0]

    profile = SheetProfile.from_json(demo.profile())
    empty = demo.blank_photo()
    blank = measure_blank(empty, find_readable(empty, profile.rows, profile.cols), profile)
    for k in range(SHEETS):
        photo = demo.filled_photo(seed=k, player=k % len(demo.PENS))[0]
        with (
            patch.object(Network, "__call__", recorded),
            patch.object(read, "blank_or_none", lambda _, known=(NONE, blank)[k // 4 % 2]: known),
        ):
            read.read_sheet(Photo(photo, 1), profile)
    return seen


def any_size(path: Path) -> onnx.ModelProto:
    """A network that takes pictures of any number and size, though its file names those that it was written with."""
    model = onnx.load(str(path))
    for k, value in enumerate((*model.graph.input, *model.graph.output)):
        for axis, size in enumerate(value.type.tensor_type.shape.dim):
            if axis != 1:
                size.dim_param = f"{'nchw'[axis]}{k}"
    del model.graph.value_info[:]
    return model


def quantize(path: Path, seen: list[Inputs], out: Path) -> None:
    """Write the network in whole numbers of eight bits; seven for weights, since older processors add two products in
    sixteen bits, and all shall read alike."""

    class Seen(CalibrationDataReader):
        def __init__(self) -> None:
            self.left = iter(seen)

        def get_next(self) -> dict[str, np.ndarray] | None:
            blobs = next(self.left, None)
            return None if blobs is None else dict(zip(inputs, blobs, strict=True))

    with tempfile.TemporaryDirectory() as folder:
        plain, ready = Path(folder) / "plain.onnx", Path(folder) / "ready.onnx"
        onnx.save(any_size(path), str(plain))
        quant_pre_process(str(plain), str(ready), skip_symbolic_shape=True)
        model = onnx.load(str(ready))
        inputs = [one.name for one in model.graph.input]
        even_out(model, [dict(zip(inputs, blobs, strict=True)) for blobs in seen])
        onnx.save(model, str(ready))
        work = multiplications(model, dict(zip(inputs, seen[0], strict=True)))
        channels = {one.name: one.dims[1] for one in model.graph.initializer if len(one.dims) == 4}
        narrow = {node.name for node in model.graph.node if node.op_type == "Conv" and channels[node.input[1]] <= FEW}
        left = [name for name, count in work.items() if name in narrow or count < CHEAP * sum(work.values())]
        quantize_static(
            str(ready),
            str(out),
            Seen(),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["Conv", "MaxPool", "AveragePool"],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=left,
        )


def even_out(model: onnx.ModelProto, seen: list[dict[str, np.ndarray]]) -> None:
    """Bring the channels of a layer nearer to one range, since they share one scale in whole numbers.

    What a layer gives less of, those after it take more of: the network answers as before.
    """
    weights = {one.name: one for one in model.graph.initializer}
    followers = {layer.output[0]: after for layer in model.graph.node if (after := _followers(model, layer))}
    layers = [layer for layer in model.graph.node if layer.output[0] in followers]
    most = [np.zeros(1)] * len(layers)
    for blobs in seen:
        for k, picture in enumerate(answers(model, [layer.output[0] for layer in layers], blobs)):
            most[k] = np.maximum(most[k], np.quantile(picture, MOST, (0, 2, 3)))

    def times(name: str, by: np.ndarray) -> None:
        weights[name].CopyFrom(numpy_helper.from_array(numpy_helper.to_array(weights[name]) * by, name))

    for layer, reached in zip(layers, most, strict=True):
        share = (np.maximum(reached / reached.max(), LEAST) ** EVEN).astype(np.float32)
        times(layer.input[1], 1 / share[:, None, None, None])
        times(layer.input[2], 1 / share)
        for after in followers[layer.output[0]]:
            times(after.input[1], share[None, :, None, None])


def _followers(model: onnx.ModelProto, layer: onnx.NodeProto) -> list[onnx.NodeProto]:
    """The convolutions that take what a convolution gives, where nothing else does but what treats channels alike."""
    found, todo = [], [layer] if layer.op_type == "Conv" else []
    for node in todo:
        takers = [other for other in model.graph.node if node.output[0] in other.input]
        if not takers or any(taker.op_type not in ("Conv", *ALIKE) for taker in takers):
            return []
        found += [taker for taker in takers if taker.op_type == "Conv"]
        todo += [taker for taker in takers if taker.op_type != "Conv"]
    return found


def answers(model: onnx.ModelProto, names: list[str], blobs: dict[str, np.ndarray]) -> list[np.ndarray]:
    """What goes on within a network: these of its values."""
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    del shown.graph.output[:]
    shown.graph.output.extend(map(onnx.helper.make_empty_tensor_value_info, names))
    session = onnxruntime.InferenceSession(shown.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, blobs)


def multiplications(model: onnx.ModelProto, blobs: dict[str, np.ndarray]) -> dict[str, int]:
    """How many each convolution makes."""
    weights = {one.name: one.dims for one in model.graph.initializer}
    layers = [node for node in model.graph.node if node.op_type == "Conv"]
    pictures = answers(model, [layer.output[0] for layer in layers], blobs)
    return {
        node.name: int(np.prod(weights[node.input[1]])) * picture[0, 0].size * len(picture)
        for node, picture in zip(layers, pictures, strict=True)
    }


if __name__ == "__main__":
    main()
