#pragma once

#include <cstddef>
#include <cstring>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/no_data.hpp"
#include "lapwing/compute/rates.hpp"

namespace lapwing {

/// Where blocks of elements lie: the first of them, and elements from the start of one to the next.
template <class Element>
struct Spread {
    Element* first;
    std::size_t stride;
};

/// Copies `count` blocks of `length` elements. Source and destination must not overlap.
template <class Element>
void copy_blocks(const Spread<Element>& to, const Spread<const Element>& from, std::size_t count,
                 std::size_t length) {
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < length; ++k)
            to.first[i * to.stride + k] = from.first[i * from.stride + k];
}

/// The kernel "copy": copies in memory.
class MemoryCopy {
  public:
    static constexpr const char* name = "copy";

    /// Copies `bytes`. Source and destination must not overlap.
    void operator()(void* to, const void* from, std::size_t bytes) const {
        if (!no_data()) std::memcpy(to, from, bytes);
        // The compiler must not leave out a copy that the next one makes again.
        asm volatile("" : : "r"(to) : "memory");
        charge_bytes(bytes);
    }
    /// Packs by hand (Cameron 2007, section 4.3.2): copies `count` elements that lie `stride`
    /// elements apart to where they lie side by side.
    template <class Element>
    void pack(Element* to, const Element* from, std::size_t count, std::size_t stride) const {
        for (std::size_t i = 0, j = 0; i < count; ++i, j += stride) to[i] = from[j];
        asm volatile("" : : "r"(to) : "memory");
        charge_bytes(count * sizeof(Element));
    }
    /// The way back.
    template <class Element>
    void unpack(Element* to, const Element* from, std::size_t count, std::size_t stride) const {
        for (std::size_t i = 0, j = 0; i < count; ++i, j += stride) to[j] = from[i];
        asm volatile("" : : "r"(to) : "memory");
        charge_bytes(count * sizeof(Element));
    }
    /// `copy_blocks`: packs, unpacks, or both.
    template <class Element>
    void blocks(const Spread<Element>& to, const Spread<const Element>& from, std::size_t count,
                std::size_t length) const {
        copy_blocks(to, from, count, length);
        asm volatile("" : : "r"(to.first) : "memory");
        charge_bytes(count * length * sizeof(Element));
    }

  private:
    void charge_bytes(std::size_t bytes) const {
        if constexpr (simulated_time) charge(static_cast<double>(bytes) * seconds_per_byte_);
    }

    double seconds_per_byte_ = simulated_time ? 1 / simulated_rate(name) : 0;
};

}  // namespace lapwing
