#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace lapwing {

/// Memory that many ranks send from and receive into, and nobody reads. Simulated ranks, which are
/// in one process, share it. So a hundred ranks fit, and nobody copies anything.
class TrafficBuffer {
  public:
    /// `bytes`: of the largest message at least; as many messages lie side by side as fit.
    explicit TrafficBuffer(std::size_t bytes) : bytes_(bytes), memory_(allocate(2 * bytes)) {}

    /// Where message `index` of `size` bytes is sent from.
    [[nodiscard]] std::byte* out(std::size_t index, std::uint64_t size) {
        return memory_.get() + index % places(size) * size;
    }
    /// Where message `index` of `size` bytes is received.
    [[nodiscard]] std::byte* in(std::size_t index, std::uint64_t size) {
        return out(index, size) + bytes_;
    }

  private:
    [[nodiscard]] std::size_t places(std::uint64_t size) const {
        return std::max<std::size_t>(1, bytes_ / size);
    }

    struct Release {
        void operator()(std::byte* memory) const {
#ifdef LAPWING_SMPI
            smpi_shared_free(memory);
#else
            delete[] memory;
#endif
        }
    };
    static std::byte* allocate(std::size_t bytes) {
#ifdef LAPWING_SMPI
        return static_cast<std::byte*>(smpi_shared_malloc(bytes, "traffic", 0));
#else
        return new std::byte[bytes]();
#endif
    }

    std::size_t bytes_;
    std::unique_ptr<std::byte[], Release> memory_;
};

}  // namespace lapwing
