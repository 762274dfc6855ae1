#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace lapwing::nas {

/// An array of numbers, all 0 at first. Until it is written, a large one takes addresses and no
/// memory: recorded ranks have arrays that nobody touches.
template <class Element>
class ZeroedArray {
    static_assert(std::is_arithmetic_v<Element>);

  public:
    ZeroedArray() = default;
    explicit ZeroedArray(std::size_t size)
        : size_(size), elements_(static_cast<Element*>(std::calloc(size, sizeof(Element)))) {
        if (size > 0 && !elements_) throw std::bad_alloc();
    }

    [[nodiscard]] Element* data() { return elements_.get(); }
    [[nodiscard]] const Element* data() const { return elements_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] Element& operator[](std::size_t i) { return elements_.get()[i]; }
    [[nodiscard]] const Element& operator[](std::size_t i) const { return elements_.get()[i]; }
    [[nodiscard]] std::span<Element> span() { return {data(), size_}; }
    [[nodiscard]] std::span<const Element> span() const { return {data(), size_}; }

  private:
    struct Free {
        void operator()(Element* memory) const { std::free(memory); }
    };

    std::size_t size_ = 0;
    std::unique_ptr<Element, Free> elements_;
};

}  // namespace lapwing::nas
