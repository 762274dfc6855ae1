#pragma once

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstddef>

#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// A count and a datatype for any number of bytes: MPI_BYTE up to the largest `int`, beyond it one
/// element of a type of its own. The end of the scope frees that type. (MPI keeps it for messages
/// under way.)
class ByteType {
  public:
    /// `largest`: the most MPI_BYTEs; tests make it smaller.
    explicit ByteType(std::size_t bytes, std::size_t largest = INT_MAX) {
        if (bytes <= largest) {
            count_ = static_cast<int>(bytes);
            return;
        }
        const std::size_t chunk = std::min(std::size_t{1} << 30, largest);
        MPI_Datatype chunks = MPI_DATATYPE_NULL;
        check_mpi(MPI_Type_vector(static_cast<int>(bytes / chunk), static_cast<int>(chunk),
                                  static_cast<int>(chunk), MPI_BYTE, &chunks),
                  "MPI_Type_vector");
        const int lengths[] = {1, static_cast<int>(bytes % chunk)};
        const MPI_Aint places[] = {0, static_cast<MPI_Aint>(bytes / chunk * chunk)};
        const MPI_Datatype types[] = {chunks, MPI_BYTE};
        check_mpi(MPI_Type_create_struct(2, lengths, places, types, &type_),
                  "MPI_Type_create_struct");
        check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
        MPI_Type_free(&chunks);
        count_ = 1;
    }
    ByteType(const ByteType&) = delete;
    ByteType& operator=(const ByteType&) = delete;
    ~ByteType() {
        if (type_ != MPI_BYTE) MPI_Type_free(&type_);
    }

    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] MPI_Datatype type() const { return type_; }

  private:
    int count_ = 1;
    MPI_Datatype type_ = MPI_BYTE;
};

}  // namespace lapwing
