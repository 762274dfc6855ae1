"""Three-dimensional Fourier transforms of numpy arrays, distributed over an mpi4py communicator.

    from mpi4py import MPI
    from lapwing.fft import Transform

    transform = Transform(MPI.COMM_WORLD, (256, 256, 256))
    spectrum = transform.forward(mine)  # mine.shape == transform.input_shape

The C++ library `lapwing::fft` runs them. A transform is planned once and run often.
"""

import ctypes
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import LapwingError, needed
from .launch.native import find_transforms
from .transforms.ways import POLL_INTERVAL, STRIPS

_ALIGNMENT = 16  # bytes


class _Request(ctypes.Structure):
    """`lapwing_fft_request`."""

    _fields_ = (
        ("size", ctypes.c_size_t * 3),
        ("real", ctypes.c_int),
        ("single_precision", ctypes.c_int),
        ("schedule", ctypes.c_char_p),
        ("transport", ctypes.c_char_p),
        ("order", ctypes.c_char_p),
        ("effort", ctypes.c_char_p),
        ("decomposition", ctypes.c_char_p),
        ("window", ctypes.c_int),
        ("grid", ctypes.c_int * 2),
        ("tile", ctypes.c_size_t),
        ("strips", ctypes.c_size_t),
        ("poll_interval", ctypes.c_double),
        ("batch", ctypes.c_size_t),
        ("packing", ctypes.c_char_p),
        ("block", ctypes.c_size_t),
        ("padding", ctypes.c_size_t),
    )


class _Box(ctypes.Structure):
    """`lapwing_fft_box`."""

    _fields_ = (
        ("first", ctypes.c_size_t * 3),
        ("count", ctypes.c_size_t * 3),
        ("order", ctypes.c_size_t * 3),
    )


class Transform:
    """A planned transform of an array of `shape`. All methods are collective over `comm`.

    dtype: type of the array, complex or real, in single or double precision. A real array has half
    a spectrum: `shape[2] // 2 + 1` elements along the last axis.
    batch: number of arrays in a transform. Arrays then have a first axis of this length. None: one
    array, without that axis.
    transport: None takes the usual transport of the schedule.
    grid: rows and columns.
    poll_interval: seconds.
    schedule, order, effort, decomposition, tile, window, strips, packing, block, padding: as in
    C++, see docs/ft-reference.md.

    Raises `LapwingError`, the same on all ranks, if the transform is impossible, or if ranks ask
    for different ones.
    """

    def __init__(
        self,
        comm: Any,
        shape: tuple[int, int, int],
        dtype: npt.DTypeLike = np.complex128,
        *,
        schedule: str = "slabs",
        transport: str | None = None,
        order: str = "transposed",
        decomposition: str = "1d",
        grid: tuple[int, int] = (0, 0),
        tile: int = 1,
        window: int = 0,
        strips: int = STRIPS,
        poll_interval: float = POLL_INTERVAL,
        batch: int | None = None,
        packing: str = "copy",
        block: int = 1,
        padding: int = 0,
        effort: str = "measure",
    ) -> None:
        self._plan = None
        self.dtype = np.dtype(dtype)
        _require_sane(self.dtype, shape, grid, batch)
        numbers = {"tile": tile, "window": window, "strips": strips, "batch": batch or 1}
        numbers |= {"block": block, "padding": padding}
        _require_counts(**numbers, rows=grid[0], columns=grid[1])
        names = {"schedule": schedule, "transport": transport, "order": order, "effort": effort}
        names |= {"decomposition": decomposition, "packing": packing}
        self.shape = tuple(int(length) for length in shape)
        self._arrays: tuple[int, ...] = () if batch is None else (batch,)
        self._complex = np.result_type(self.dtype, np.complex64)
        request = _Request(
            size=self.shape,
            real=self.dtype.kind == "f",
            single_precision=self._complex.itemsize == 8,
            grid=tuple(grid),
            poll_interval=poll_interval,
            **numbers,
            **{name: None if text is None else text.encode() for name, text in names.items()},
        )
        self._native = _load()
        self._over = _mpi().Is_finalized
        self._plan = self._native.lapwing_fft_plan(_address(comm), ctypes.byref(request))
        if not self._plan:
            raise LapwingError(_reason(self._native))
        self._bytes: int = self._native.lapwing_fft_bytes(self._plan)
        self._space: _Box = self._native.lapwing_fft_space(self._plan)
        self._spectrum: _Box = self._native.lapwing_fft_spectrum(self._plan)

    def __del__(self) -> None:
        self.free()

    def free(self) -> None:
        """Free the transform. Call this on all ranks: the garbage collector frees at any time."""
        # Python may end after MPI, which is needed to free anything.
        if self._plan and not self._over():
            self._native.lapwing_fft_free(self._plan)
        self._plan = None

    @property
    def input_shape(self) -> tuple[int, ...]:
        """The shape of this rank's part of the array; of a batch, of all its arrays."""
        return self._arrays + _shape(self._space)

    @property
    def input_slices(self) -> tuple[slice, ...]:
        """Where this rank's part lies in the array."""
        return _slices(self._space)

    @property
    def output_shape(self) -> tuple[int, ...]:
        """The shape of this rank's part of the spectrum, after the axis of a batch.

        Its axis i is axis `output_axes[i]` of the whole spectrum.
        """
        return self._arrays + _shape(self._spectrum)

    @property
    def output_axes(self) -> tuple[int, ...]:
        """The order of the spectrum's axes: (1, 0, 2), or (0, 1, 2) in natural order."""
        return tuple(self._spectrum.order)

    @property
    def output_slices(self) -> tuple[slice, ...]:
        """Where this rank's part lies in the spectrum, transposed to `output_axes`."""
        return _slices(self._spectrum)

    def forward(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Transform this rank's part of an array; returns this rank's part of its spectrum."""
        numbers = self._taken(array, self.dtype, self.input_shape)
        return self._run(
            self._native.lapwing_fft_forward, numbers, self._complex, self.output_shape
        )

    def inverse(self, spectrum: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Transform back, unscaled: the result is the array times its number of elements."""
        numbers = self._taken(spectrum, self._complex, self.output_shape)
        return self._run(self._native.lapwing_fft_inverse, numbers, self.dtype, self.input_shape)

    def _run(
        self, call: Any, numbers: npt.NDArray[Any], dtype: np.dtype[Any], shape: tuple[int, ...]
    ) -> npt.NDArray[Any]:
        out = self._room()
        if call(self._plan, numbers.ctypes.data, out.ctypes.data) != 0:
            raise LapwingError(_reason(self._native))
        return self._arrays_in(out, dtype, shape)

    def _room(self) -> npt.NDArray[np.uint8]:
        """Memory for all arrays of a transform."""
        return _aligned(self._bytes * int(np.prod(self._arrays, dtype=int)))

    def _arrays_in(
        self, room: npt.NDArray[np.uint8], dtype: np.dtype[Any], shape: tuple[int, ...]
    ) -> npt.NDArray[Any]:
        """Memory as an array of `shape`; the arrays of a batch begin some bytes apart."""
        count = int(np.prod(shape[len(self._arrays) :]))
        return room.view(dtype).reshape(*self._arrays, -1)[..., :count].reshape(shape)

    def _taken(
        self, array: npt.NDArray[Any], dtype: np.dtype[Any], shape: tuple[int, ...]
    ) -> npt.NDArray[Any]:
        """`array` itself if the library can read it in place, else a copy."""
        if not self._plan:
            raise LapwingError("lapwing.fft: this transform has been freed")
        if array.shape != shape or array.dtype != dtype:
            raise LapwingError(
                f"lapwing.fft: this rank's part is {dtype} of shape {shape}, "
                f"not {array.dtype} of shape {array.shape}"
            )
        readable = array.flags.c_contiguous and array.ctypes.data % _ALIGNMENT == 0
        if readable and array.size > 0 and not self._arrays:
            return array
        room = self._room()
        self._arrays_in(room, dtype, shape)[...] = array
        return room


def save_wisdom(path: str | os.PathLike[str]) -> None:
    """Write FFTW's wisdom of this process to a file. One rank saves for all."""
    native = _load()
    if native.lapwing_fft_save_wisdom(os.fsencode(path)) != 0:
        raise LapwingError(_reason(native))


def load_wisdom(path: str | os.PathLike[str]) -> None:
    """Read the wisdom that `save_wisdom` wrote. Each rank reads it before it plans."""
    native = _load()
    if native.lapwing_fft_load_wisdom(os.fsencode(path)) != 0:
        raise LapwingError(_reason(native))


def _mpi() -> Any:
    return needed("mpi4py.MPI", "lapwing.fft", "mpi")


def _address(comm: Any) -> int:
    """The address of the MPI communicator in mpi4py's object."""
    address: int = _mpi()._addressof(comm)
    return address


def _load() -> ctypes.CDLL:
    """The library of transforms for the MPI that mpi4py is linked with."""
    version: str = _mpi().Get_library_version()
    family = "any"
    if version.startswith("Open MPI"):
        family = "openmpi"
    elif version.startswith("MPICH"):
        family = "mpich"
    path = find_transforms(family)
    try:
        native = ctypes.CDLL(path)
    except OSError as error:
        raise LapwingError(f"{path}: cannot be loaded: {error}") from None
    native.lapwing_fft_error.restype = ctypes.c_char_p
    native.lapwing_fft_plan.restype = ctypes.c_void_p
    native.lapwing_fft_plan.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    native.lapwing_fft_free.argtypes = [ctypes.c_void_p]
    native.lapwing_fft_bytes.restype = ctypes.c_size_t
    native.lapwing_fft_bytes.argtypes = [ctypes.c_void_p]
    for box in (native.lapwing_fft_space, native.lapwing_fft_spectrum):
        box.restype = _Box
        box.argtypes = [ctypes.c_void_p]
    for run in (native.lapwing_fft_forward, native.lapwing_fft_inverse):
        run.argtypes = [ctypes.c_void_p] * 3
    for file in (native.lapwing_fft_save_wisdom, native.lapwing_fft_load_wisdom):
        file.argtypes = [ctypes.c_char_p]
    return native


def _reason(native: ctypes.CDLL) -> str:
    text: bytes = native.lapwing_fft_error()
    return text.decode(errors="replace")


def _shape(box: _Box) -> tuple[int, ...]:
    return tuple(int(box.count[axis]) for axis in box.order)


def _slices(box: _Box) -> tuple[slice, ...]:
    return tuple(
        slice(int(box.first[axis]), int(box.first[axis] + box.count[axis])) for axis in box.order
    )


def _require_sane(
    dtype: np.dtype[Any], shape: tuple[int, ...], grid: tuple[int, ...], batch: int | None
) -> None:
    """Refuse arrays that the library has no transforms for."""
    if dtype.char not in "fdFD":
        raise LapwingError(
            f"lapwing.fft: no transforms of {dtype}: float32, float64, complex64, complex128"
        )
    if len(shape) != 3 or not all(_is_count(length) for length in shape):
        raise LapwingError(f"lapwing.fft: a shape is three lengths, not {shape}")
    if len(grid) != 2:
        raise LapwingError(f"lapwing.fft: a grid is rows and columns, not {grid}")
    if batch is not None and batch < 1:
        raise LapwingError(f"lapwing.fft: a batch has at least one array, not {batch}")


def _require_counts(**numbers: Any) -> None:
    """Refuse numbers that do not fit the library's integers, by their names."""
    for name, number in numbers.items():
        if not _is_count(number):
            raise LapwingError(f"lapwing.fft: {name} is a number from 0 to 2^31, not {number}")


def _is_count(number: Any) -> bool:
    """Whether a number fits the library's integers: from 0 to 2^31 - 1."""
    return isinstance(number, int | np.integer) and bool(0 <= number < 2**31)


def _aligned(size: int) -> npt.NDArray[np.uint8]:
    """Memory of `size` bytes, aligned as arrays need it."""
    room = np.empty(size + _ALIGNMENT, dtype=np.uint8)
    begin = -room.ctypes.data % _ALIGNMENT
    return room[begin : begin + size]
