"""The types of elements, in C++, Fortran and MPI."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Element:
    """A type: its names, and the bytes of one element."""

    cpp: str
    fortran: str
    mpi: str
    size: int


BYTE = Element("std::byte", "integer(c_int8_t)", "MPI_BYTE", 1)

# By the names in `record.ELEMENTS`; Fortran has no unsigned integers.
_ELEMENTS = {
    "byte": BYTE,
    "char": Element("char", "character(c_char)", "MPI_CHAR", 1),
    "int16": Element("std::int16_t", "integer(c_int16_t)", "MPI_INT16_T", 2),
    "int32": Element("std::int32_t", "integer(c_int32_t)", "MPI_INT32_T", 4),
    "int64": Element("std::int64_t", "integer(c_int64_t)", "MPI_INT64_T", 8),
    "uint32": Element("std::uint32_t", "integer(c_int32_t)", "MPI_UINT32_T", 4),
    "uint64": Element("std::uint64_t", "integer(c_int64_t)", "MPI_UINT64_T", 8),
    "float": Element("float", "real(c_float)", "MPI_FLOAT", 4),
    "double": Element("double", "real(c_double)", "MPI_DOUBLE", 8),
    "complex float": Element(
        "std::complex<float>", "complex(c_float_complex)", "MPI_C_FLOAT_COMPLEX", 8
    ),
    "complex double": Element(
        "std::complex<double>", "complex(c_double_complex)", "MPI_C_DOUBLE_COMPLEX", 16
    ),
}


def element_of(name: str, *sizes: float) -> Element:
    """The type of this name in a record; bytes if it is not known or does not divide the sizes."""
    found = _ELEMENTS.get(name, BYTE)
    return found if all(round(size) % found.size == 0 for size in sizes) else BYTE
