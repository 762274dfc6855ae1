#pragma once

#include "lapwing/observe/traffic.hpp"
#include "mpi_weak.hpp"

namespace lapwing::observe {

/// What the elements of a predefined data type are; `unknown` of derived ones.
inline Element element_of(MPI_Datatype type) {
    // Of Fortran's names some are the same as C's, depending on the MPI: the first one found
    // counts.
    const struct {
        MPI_Datatype type;
        Element element;
    } known[] = {
        // NOLINT(modernize-avoid-c-arrays): of as many as there are
        {MPI_DOUBLE, Element::float64},
        {MPI_DOUBLE_PRECISION, Element::float64},
        {MPI_DOUBLE_COMPLEX, Element::complex128},
        {MPI_C_DOUBLE_COMPLEX, Element::complex128},
        {MPI_FLOAT, Element::float32},
        {MPI_INT, Element::int32},
        {MPI_INTEGER, sizeof(MPI_Fint) == 8 ? Element::int64 : Element::int32},
        {MPI_BYTE, Element::byte},
        {MPI_CHAR, Element::character},
        {MPI_LONG, sizeof(long) == 8 ? Element::int64 : Element::int32},
        {MPI_UNSIGNED, Element::unsigned32},
        {MPI_REAL, Element::float32},
        {MPI_COMPLEX, Element::complex64},
        {MPI_C_FLOAT_COMPLEX, Element::complex64},
        {MPI_CHARACTER, Element::character},
        {MPI_LONG_LONG, Element::int64},
        {MPI_INT64_T, Element::int64},
        {MPI_UINT64_T, Element::unsigned64},
        {MPI_UNSIGNED_LONG, sizeof(long) == 8 ? Element::unsigned64 : Element::unsigned32},
        {MPI_INT32_T, Element::int32},
        {MPI_SHORT, Element::int16},
#ifdef LAPWING_SMPI
        // There Fortran's names are other types than C's.
        {MPI_COMPLEX8, Element::complex64},
        {MPI_COMPLEX16, Element::complex128},
        {MPI_REAL8, Element::float64},
#endif
    };
    for (const auto& each : known)
        if (each.type == type) return each.element;
    return Element::unknown;
}

}  // namespace lapwing::observe
