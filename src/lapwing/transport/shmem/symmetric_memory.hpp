#pragma once

#include <shmem.h>

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace lapwing {

/// Symmetric memory: every PE has it at the same place of its symmetric heap, where the others can
/// write to it and read from it. All PEs together make it, of the same size, and together give it
/// back. It holds zeros at first.
class SymmetricMemory {
  public:
    SymmetricMemory() = default;
    /// `bytes`: the same on all PEs. Throws `std::runtime_error` where the heap has no room.
    explicit SymmetricMemory(std::size_t bytes)
        : data_(static_cast<std::byte*>(shmem_calloc(bytes > 0 ? bytes : 1, 1))), size_(bytes) {
        if (data_ != nullptr) return;
        // The standard's name is SHMEM_SYMMETRIC_SIZE; Open MPI 4 reads another.
        const char* const heap = std::getenv("SHMEM_SYMMETRIC_HEAP_SIZE");
        throw std::runtime_error("no room for " + std::to_string(bytes) +
                                 " bytes in the symmetric heap (SHMEM_SYMMETRIC_HEAP_SIZE is " +
                                 (heap != nullptr ? heap : "not set") + "): set it higher");
    }
    SymmetricMemory(SymmetricMemory&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    SymmetricMemory& operator=(SymmetricMemory&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    SymmetricMemory(const SymmetricMemory&) = delete;
    SymmetricMemory& operator=(const SymmetricMemory&) = delete;
    /// Waits for all PEs. While an exception ends its scope they would never come: it leaves the
    /// memory.
    ~SymmetricMemory() {
        if (data_ != nullptr && std::uncaught_exceptions() <= exceptions_) shmem_free(data_);
    }

    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Whether the `bytes` from `place` on lie in it.
    [[nodiscard]] bool contains(const void* place, std::size_t bytes) const {
        const auto* const first = static_cast<const std::byte*>(place);
        return first >= data_ && bytes <= size_ &&
               static_cast<std::size_t>(first - data_) <= size_ - bytes;
    }

  private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace lapwing
