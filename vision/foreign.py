"""Open files that people send each other: archives, arrays and pictures, each member within limits looked at first.

What a file says of itself costs nothing until it was compared with the limits: an archive is inflated no further than
they allow, an array has as many bytes as its head says, a picture is decoded only where its head says how large it is.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from common.messages import InputError
from vision.errors import PhotoError
from vision.photo import header

MEGA = 1024 * 1024
PLAIN_KINDS = "biuf"
"""Kinds of numbers that an array may hold: nothing that is made by running code."""
LONGEST_HEAD = 1000
"""Bytes of the head of an array at most."""


class ForeignError(InputError):
    """A file from elsewhere that cannot be opened, and why."""


@dataclass(frozen=True)
class Limits:
    """What an archive may hold."""

    members: int  # files in it
    packed: int = 64 * MEGA  # bytes of the archive
    unpacked: int = 64 * MEGA  # bytes of all files together, inflated
    name: int = 100  # characters of a file's name


def members(data: bytes, limits: Limits) -> dict[str, bytes]:
    """The files of a ZIP archive by name. Raises ForeignError."""
    if len(data) > limits.packed:
        raise ForeignError("foreign.large", most=limits.packed // MEGA)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if len(infos) > limits.members:
                raise ForeignError("foreign.members", n=len(infos), most=limits.members)
            if any(len(one.filename) > limits.name for one in infos):
                raise ForeignError("foreign.name", most=limits.name)
            if sum(one.file_size for one in infos) > limits.unpacked:
                raise ForeignError("foreign.large", most=limits.unpacked // MEGA)
            return {one.filename: _inflated(archive, one) for one in infos}
    except ForeignError:
        raise
    except Exception as error:  # what a broken or sealed archive makes the reader say is of many kinds
        raise ForeignError("foreign.archive") from error


def _inflated(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as file:
        data = file.read(info.file_size + 1)
    if len(data) != info.file_size:
        raise ForeignError("foreign.archive")
    return data


def arrays(data: bytes, limits: Limits) -> dict[str, np.ndarray]:
    """The arrays of an NPZ file by name, of numbers alone, all of them finite. Raises ForeignError."""
    return {name.removesuffix(".npy"): _array(name, one) for name, one in members(data, limits).items()}


def npz(named: Iterable[tuple[str, np.ndarray]]) -> bytes:
    """An NPZ file of arrays, each written before the next is made."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, array in named:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)
    return packed.getvalue()


def _array(name: str, data: bytes) -> np.ndarray:
    try:
        file = io.BytesIO(data)
        read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        shape, fortran, kind = read[np.lib.format.read_magic(file)](file, LONGEST_HEAD)
        if kind.kind not in PLAIN_KINDS or math.prod(shape) * kind.itemsize != len(data) - file.tell():
            raise ValueError("another size than it says")
        array = np.frombuffer(data, kind, offset=file.tell()).reshape(shape, order="F" if fortran else "C")
        if not np.isfinite(array).all():
            raise ValueError("not finite")
    except Exception as error:  # heads are read as Python, which fails in many ways
        raise ForeignError("foreign.array", what=name) from error
    return array


def picture(data: bytes, most: int) -> np.ndarray:
    """The pixels, (H, W, 3) BGR, of a JPEG, PNG or WebP of so many pixels at most. Raises ForeignError."""
    try:
        _, width, height, _ = header(data)
        if width * height > most:
            raise ForeignError("foreign.picture", width=width, height=height, most=most)
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (PhotoError, cv2.error) as error:
        raise ForeignError("foreign.no-picture") from error
    if image is None or image.shape[0] * image.shape[1] > most:
        raise ForeignError("foreign.no-picture")
    return image


def entry(files: dict[str, bytes], suffix: str) -> bytes:
    """Take out the one file of an archive whose name ends so. Raises ForeignError."""
    found = [name for name in files if name.endswith(suffix)]
    if len(found) != 1:
        raise ForeignError("foreign.entry", suffix=suffix)
    return files.pop(found[0])
