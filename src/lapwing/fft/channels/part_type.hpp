#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>

#include "lapwing/transport/collective/rank_parts.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing::fft {

/// Owns the MPI type of the parts of several planes for one rank, which are not contiguous.
class PartType {
  public:
    /// Where the parts are, in bytes.
    struct Layout {
        std::size_t planes = 0;
        std::size_t part = 0;   ///< of each plane
        std::size_t apart = 0;  ///< from a part to the next
        std::size_t begin = 0;  ///< of the first part
    };

    /// `unit`: the type of `bytes` bytes, of which a part is a multiple.
    PartType(MPI_Datatype unit, const Layout& layout, std::size_t bytes) {
        if (layout.planes * layout.part == 0) return;
        MPI_Datatype parts = MPI_DATATYPE_NULL;
        check_mpi(MPI_Type_create_hvector(collective::checked_count(layout.planes),
                                          collective::checked_count(layout.part / bytes),
                                          static_cast<MPI_Aint>(layout.apart), unit, &parts),
                  "MPI_Type_create_hvector");
        const int one = 1;
        const auto begin = static_cast<MPI_Aint>(layout.begin);
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
    /// How many of this type to send: 0 if there are no parts, otherwise 1.
    [[nodiscard]] int count() const { return handle_ == MPI_BYTE ? 0 : 1; }

  private:
    MPI_Datatype handle_ = MPI_BYTE;
};

}  // namespace lapwing::fft
