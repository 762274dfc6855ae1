#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace lapwing {

/// Allocates memory that begins at a page of 4096 bytes.
template <class Element>
struct PageAllocator {
    using value_type = Element;
    static constexpr std::align_val_t page{4096};

    PageAllocator() = default;
    // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): as allocators do
    template <class Other>
    PageAllocator(const PageAllocator<Other>&) {}

    [[nodiscard]] Element* allocate(std::size_t count) {
        return static_cast<Element*>(::operator new(count * sizeof(Element), page));
    }
    void deallocate(Element* memory, std::size_t) { ::operator delete(memory, page); }

    bool operator==(const PageAllocator&) const = default;
};

/// A vector for messages that are timed: those that do not begin at a page take up to an eighth
/// longer.
template <class Element>
using PageVector = std::vector<Element, PageAllocator<Element>>;

}  // namespace lapwing
