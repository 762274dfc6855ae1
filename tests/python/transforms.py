"""Run by test_transform.py on several ranks: transforms of random arrays against numpy's."""

import sys

import numpy as np
from mpi4py import MPI

from lapwing.errors import LapwingError
from lapwing.fft import Transform, load_wisdom, save_wisdom

COMM = MPI.COMM_WORLD
KEPT: list[Transform] = []
EXACT = {"d": 1e-13, "D": 1e-13, "f": 1e-6, "F": 1e-6}


def noise(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    random = np.random.default_rng(len(shape) + sum(shape))
    array = random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)
    return (array if dtype in "FD" else array.real).astype(dtype)


def off(found: np.ndarray, right: np.ndarray) -> float:
    if found.size == 0:
        return 0.0
    return float(np.abs(found - right).max() / np.abs(right).max())


def there_and_back(shape: tuple[int, int, int], dtype: str, **options: object) -> None:
    batch = (options["batch"],) if "batch" in options else ()
    array = noise(batch + shape, dtype)
    transform = Transform(COMM, shape, dtype, effort="estimate", **options)
    right = (np.fft.fftn if dtype in "FD" else np.fft.rfftn)(array, axes=(-3, -2, -1))
    mine = array[..., *transform.input_slices]
    assert mine.shape == transform.input_shape
    spectrum = transform.forward(mine)
    assert spectrum.shape == transform.output_shape
    axes = [axis - 3 for axis in transform.output_axes]
    expected = np.moveaxis(right, axes, (-3, -2, -1))[..., *transform.output_slices]
    assert off(spectrum, expected) < EXACT[dtype], (shape, dtype, options)
    assert off(mine, array[..., *transform.input_slices]) == 0
    back = transform.inverse(spectrum) / np.prod(shape)
    assert off(back, mine) < EXACT[dtype], (shape, dtype, options)
    transform.free()


def refused(words: str, *arguments: object, **options: object) -> None:
    try:
        Transform(COMM, *arguments, **options)
    except LapwingError as error:
        assert words in str(error), str(error)
    else:
        raise AssertionError(f"not refused: {words}")


def main() -> None:
    for dtype in "fdFD":
        there_and_back((16, 12, 10), dtype)
        there_and_back((13, 7, 11), dtype, decomposition="2d", order="natural")
        there_and_back((5, 9, 15), dtype, schedule="tiled", tile=2)
    there_and_back((1, 2, 3), "D", schedule="pencils", transport="rma")
    there_and_back((12, 9, 7), "f", schedule="strips", strips=3, poll_interval=1e-5)
    there_and_back((12, 9, 7), "d", schedule="tails", strips=3)
    there_and_back((31, 6, 8), "d", schedule="exchange", decomposition="2d", grid=(1, COMM.size))

    for packing in ("copy", "derived", "blocked"):
        there_and_back((8, 9, 6), "D", schedule="exchange", packing=packing, block=2, padding=3)
    for dtype in "fdFD":
        there_and_back((7, 5, 9), dtype, batch=3, decomposition="2d", grid=(1, COMM.size))
        # On three ranks, arrays with an odd number of elements have rows with an even one.
        last = 8 if dtype in "FD" else 14
        there_and_back((3, 3, last), dtype, batch=2, decomposition="2d", grid=(1, COMM.size))
        there_and_back((6, 5, 4), dtype, batch=1, schedule="tiled")

    refused('unknown schedule "slab": there are exchange, slabs', (4, 4, 4), schedule="slab")
    refused("no transforms of int64", (4, 4, 4), int)
    refused("a shape is three lengths", (4, 4))
    refused("an array of 4x0x4 has no elements", (4, 0, 4))
    refused("has not one place for each of", (4, 4, 4), decomposition="2d", grid=(5, 5))
    refused("a batch has at least one array", (4, 4, 4), batch=0)
    refused('unknown packing "type": there are copy, derived, blocked', (4, 4, 4), packing="type")
    refused("a derived type is for the schedule exchange", (4, 4, 4), packing="derived")
    refused("tile is a number from 0 to 2^31, not -1", (4, 4, 4), schedule="tiled", tile=-1)
    refused("a tile has at least one plane", (4, 4, 4), schedule="tiled", tile=0)
    refused("rows is a number from 0 to 2^31", (4, 4, 4), decomposition="2d", grid=(2**32 + 1, 1))
    refused("a shape is three lengths", (4, 4, 2**70))
    refused("is larger than memory can be", (2**30, 2**30, 2**30))
    if COMM.size > 1:
        refused("but 4x4x5 on rank 1", (4, 4, 4 + (COMM.rank == 1)))

    # Python may end with a transform that was not freed.
    KEPT.append(Transform(COMM, (4, 4, 4), schedule="tiled", effort="estimate"))

    path = sys.argv[1]
    if COMM.rank == 0:
        save_wisdom(path)
    COMM.Barrier()
    load_wisdom(path)
    if COMM.rank == 0:
        print(f"{COMM.size} ranks: all as numpy has it")


main()
