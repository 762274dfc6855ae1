#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/compute/page_vector.hpp"

namespace lapwing {

/// Memory for the messages of an operation. On a simulated cluster all ranks are in one process,
/// and nobody looks at the data. There all ranks share one piece of memory.
class CallMemory {
  public:
    explicit CallMemory(std::size_t bytes)
#ifdef LAPWING_SMPI
        : bytes_(bytes), data_(bytes > 0 ? SMPI_SHARED_MALLOC(bytes) : nullptr) {
    }
    CallMemory(const CallMemory&) = delete;
    CallMemory& operator=(const CallMemory&) = delete;
    ~CallMemory() {
        if (data_ != nullptr) SMPI_SHARED_FREE(data_);
    }
    [[nodiscard]] void* data() { return data_; }
    [[nodiscard]] std::size_t size() const { return bytes_; }

  private:
    std::size_t bytes_;
    void* data_;
#else
        : bytes_(bytes, std::byte{1}) {
    }
    [[nodiscard]] void* data() { return bytes_.data(); }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

  private:
    PageVector<std::byte> bytes_;
#endif
};

}  // namespace lapwing
