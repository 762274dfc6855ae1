#pragma once

#include <cstddef>

#include "lapwing/compute/page_vector.hpp"

namespace lapwing {

/// A copy of `bytes` that lie together: `MPI_Pack`, by which MPI's own copies are timed and not
/// those of a program.
class PackedCopy {
  public:
    static constexpr std::size_t bytes = std::size_t{4} << 20;

    PackedCopy() : from_(bytes, std::byte{1}), to_(bytes) {}
    void copy();

  private:
    PageVector<std::byte> from_;
    PageVector<std::byte> to_;
};

}  // namespace lapwing
