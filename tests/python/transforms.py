"""Run by test_transform.py on several ranks: transforms against numpy's, of arrays like noise."""

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
    array = noise(shape, dtype)
    transform = Transform(COMM, shape, dtype, effort="estimate", **options)
    right = np.fft.fftn(array) if dtype in "FD" else np.fft.rfftn(array)
    mine = array[transform.input_slices]
    spectrum = transform.forward(mine)
    assert spectrum.shape == transform.output_shape
    expected = right.transpose(transform.output_axes)[transform.output_slices]
    assert off(spectrum, expected) < EXACT[dtype], (shape, dtype, options)
    assert off(mine, array[transform.input_slices]) == 0
    back = transform.inverse(spectrum) / array.size
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
    there_and_back((31, 6, 8), "d", schedule="exchange", decomposition="2d", grid=(1, COMM.size))

    refused('unknown schedule "slab": there are exchange, slabs', (4, 4, 4), schedule="slab")
    refused("no transforms of int64", (4, 4, 4), int)
    refused("a shape is three lengths", (4, 4))
    refused("an array of 4x0x4 has no elements", (4, 0, 4))
    refused("has not one place for each of", (4, 4, 4), decomposition="2d", grid=(5, 5))
    if COMM.size > 1:
        refused("but 4x4x5 on rank 1", (4, 4, 4 + (COMM.rank == 1)))

    # Python may end with a transform that nobody has freed.
    KEPT.append(Transform(COMM, (4, 4, 4), schedule="tiled", effort="estimate"))

    path = sys.argv[1]
    if COMM.rank == 0:
        save_wisdom(path)
    COMM.Barrier()
    load_wisdom(path)
    if COMM.rank == 0:
        print(f"{COMM.size} ranks: all as numpy has it")


main()
