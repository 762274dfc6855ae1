#pragma once

#include <cstddef>

#include "lapwing/fft/distribution/route.hpp"

namespace lapwing::fft {

/// What one rank has and sends in a transpose, counted in elements; `Route` counts in bytes.
class TransposeLayout {
  public:
    /// `member`: this rank's number in the group of the route. `element`: bytes of one element.
    TransposeLayout(const Route& route, int member, std::size_t element)
        : route_(route), member_(member), element_(element) {}

    [[nodiscard]] const Route& route() const { return route_; }
    [[nodiscard]] int member() const { return member_; }
    /// Planes that this rank has before the transpose.
    [[nodiscard]] std::size_t planes() const { return route_.planes(member_); }
    /// Elements of a plane, of its part for `target`, and of the parts before that one.
    [[nodiscard]] std::size_t plane_length() const { return route_.plane(member_) / element_; }
    [[nodiscard]] std::size_t part_length(int target) const {
        return route_.part(member_, target) / element_;
    }
    [[nodiscard]] std::size_t part_begin(int target) const {
        return route_.part_begin(member_, target) / element_;
    }
    /// Elements before piece `index` in the part of `plane` for `target`.
    [[nodiscard]] std::size_t piece_begin(int target, std::size_t plane, std::size_t index) const {
        return route_.piece_begin(member_, target, plane, index) / element_;
    }
    [[nodiscard]] std::size_t element() const { return element_; }

  private:
    Route route_;
    int member_;
    std::size_t element_;
};

}  // namespace lapwing::fft
