#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>

#include "lapwing/transport/collective/collective.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing::fft {

/// Owns the MPI type of the parts of many planes that lie apart.
class PartType {
  public:
    /// Where they lie, in bytes.
    struct Lie {
        std::size_t planes = 0;
        std::size_t part = 0;   ///< of each
        std::size_t apart = 0;  ///< from one to the next
        std::size_t begin = 0;  ///< of the first
    };

    /// `unit`: the type of `bytes` bytes, of which a part has a whole number.
    PartType(MPI_Datatype unit, const Lie& lie, std::size_t bytes) {
        if (lie.planes * lie.part == 0) return;
        MPI_Datatype parts = MPI_DATATYPE_NULL;
        check_mpi(MPI_Type_create_hvector(Collective::checked_count(lie.planes),
                                          Collective::checked_count(lie.part / bytes),
                                          static_cast<MPI_Aint>(lie.apart), unit, &parts),
                  "MPI_Type_create_hvector");
        const int one = 1;
        const auto begin = static_cast<MPI_Aint>(lie.begin);
        check_mpi(MPI_Type_create_hindexed(1, &one, &begin, parts, &handle_),
                  "MPI_Type_create_hindexed");
        MPI_Type_free(&parts);
        check_mpi(MPI_Type_commit(&handle_), "MPI_Type_commit");
    }
    PartType(PartType&& other) noexcept : handle_(std::exchange(other.handle_, MPI_BYTE)) {}
    PartType& operator=(PartType&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    PartType(const PartType&) = delete;
    PartType& operator=(const PartType&) = delete;
    ~PartType() {
        if (handle_ != MPI_BYTE) MPI_Type_free(&handle_);
    }

    [[nodiscard]] MPI_Datatype get() const { return handle_; }
    /// Of this type: none where there are no parts.
    [[nodiscard]] int count() const { return handle_ == MPI_BYTE ? 0 : 1; }

  private:
    MPI_Datatype handle_ = MPI_BYTE;
};

}  // namespace lapwing::fft
