#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "lapwing/compute/no_data.hpp"

#ifdef LAPWING_SMPI
#include <mpi.h>

#include <new>
#endif

namespace lapwing {

/// An array of elements, zero at first. If a simulated program runs without data (`no_data`), it
/// has addresses but next to no memory. Everything written there is lost.
template <class Element>
class Storage {
  public:
    Storage() = default;
    explicit Storage(std::size_t size) : size_(size) {
#ifdef LAPWING_SMPI
        if (no_data()) {
            if (size == 0) return;
            empty_.reset(SMPI_SHARED_MALLOC(size * sizeof(Element)));
            if (!empty_) throw std::bad_alloc();
            return;
        }
#endif
        elements_.resize(size);
    }
    [[nodiscard]] Element* data() {
        return empty_ ? static_cast<Element*>(empty_.get()) : elements_.data();
    }
    [[nodiscard]] const Element* data() const {
        return empty_ ? static_cast<const Element*>(empty_.get()) : elements_.data();
    }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    struct Release {
        void operator()([[maybe_unused]] void* memory) const {
#ifdef LAPWING_SMPI
            SMPI_SHARED_FREE(memory);
#endif
        }
    };

    std::size_t size_ = 0;
    std::vector<Element> elements_;
    std::unique_ptr<void, Release> empty_;  ///< addresses without content
};

}  // namespace lapwing
