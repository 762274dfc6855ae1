#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "lapwing/compute/no_data.hpp"

#ifdef LAPWING_SMPI
#include <mpi.h>

#include <new>
#endif

namespace lapwing {

/// An array of `Element`s, zero at first. Where a simulated program moves no data (`no_data`), it
/// has addresses and next to no memory, and nothing that is written stays what it was.
template <class Element>
class Storage {
  public:
    Storage() = default;
    explicit Storage(std::size_t size) : size_(size) {
#ifdef LAPWING_SMPI
        if (no_data()) {
            if (size == 0) return;
            empty_ = SMPI_SHARED_MALLOC(size * sizeof(Element));
            if (empty_ == nullptr) throw std::bad_alloc();
            return;
        }
#endif
        elements_.resize(size);
    }
    Storage(Storage&& other) noexcept
        : size_(std::exchange(other.size_, 0)),
          elements_(std::move(other.elements_)),
          empty_(std::exchange(other.empty_, nullptr)) {}
    Storage& operator=(Storage&& other) noexcept {
        std::swap(size_, other.size_);
        std::swap(elements_, other.elements_);
        std::swap(empty_, other.empty_);
        return *this;
    }
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    ~Storage() {
#ifdef LAPWING_SMPI
        if (empty_ != nullptr) SMPI_SHARED_FREE(empty_);
#endif
    }

    [[nodiscard]] Element* data() {
        return empty_ != nullptr ? static_cast<Element*>(empty_) : elements_.data();
    }
    [[nodiscard]] const Element* data() const {
        return empty_ != nullptr ? static_cast<const Element*>(empty_) : elements_.data();
    }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    std::size_t size_ = 0;
    std::vector<Element> elements_;
    void* empty_ = nullptr;
};

}  // namespace lapwing
