#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

#include "lapwing/compute/no_data.hpp"
#include "lapwing/fft/lines/charged_lines.hpp"
#include "lapwing/fft/lines/lines.hpp"
#include "lapwing/pipeline/window/poll.hpp"

namespace lapwing::fft {

/// Transforms the columns of an array of two axes, a few side by side at a time: they are gathered
/// in memory that the caches near a core hold, transformed there, and written to where they are
/// wanted. Columns that lie far apart, often a power of two, otherwise drive each other out of the
/// caches (Bell et al. 2006, section 6, pad their arrays instead). Polls between them.
template <class Real>
class Columns {
  public:
    using Complex = std::complex<Real>;

    Columns() = default;
    /// `length`: elements of a column. `columns`: how many there are, side by side.
    Columns(std::size_t length, std::size_t columns, Sign sign, Effort effort)
        : length_(length),
          columns_(columns),
          width_(std::min(columns, width(length))),
          gathered_(length * width_) {
        if (columns == 0) return;
        all_ = plan(width_, sign, effort);
        rest_ = plan(columns % width_, sign, effort);
    }

    /// Transforms the columns at `in` to `out`, the same place or one that does not overlap.
    /// `in_stride` and `out_stride`: elements between those of a column.
    void operator()(const Complex* in, std::size_t in_stride, Complex* out,
                    std::size_t out_stride) {
        for (std::size_t first = 0; first < columns_; first += width_) {
            const std::size_t here = std::min(width_, columns_ - first);
            if (!no_data()) gather(in + first, in_stride, here);
            (here == width_ ? all_ : rest_)(gathered_.data(), gathered_.data());
            if (!no_data()) scatter(out + first, out_stride, here);
            poll();
        }
    }

  private:
    void gather(const Complex* from, std::size_t stride, std::size_t count) {
        for (std::size_t i = 0; i < length_; ++i) {
            if (i + ahead(count) < length_)
                prefetch<reading>(from + (i + ahead(count)) * stride, count);
            std::copy_n(from + i * stride, count, gathered_.data() + i * width_);
        }
    }
    void scatter(Complex* to, std::size_t stride, std::size_t count) const {
        for (std::size_t i = 0; i < length_; ++i) {
            if (i + ahead(count) < length_)
                prefetch<recorder>(to + (i + ahead(count)) * stride, count);
            std::copy_n(gathered_.data() + i * width_, count, to + i * stride);
        }
    }
    /// Asks for what is wanted soon: it lies in pieces too far apart for a processor to foresee.
    template <int access>
    static void prefetch(const Complex* from, std::size_t count) {
        constexpr std::size_t line = 64 / sizeof(Complex);
        for (std::size_t i = 0; i < count; i += line) __builtin_prefetch(from + i, access);
    }
    static constexpr int reading = 0;
    static constexpr int recorder = 1;
    /// How many rows of `count` elements soon is: a part of a first-level cache.
    static std::size_t ahead(std::size_t count) {
        constexpr std::size_t part = std::size_t{8} * 1024 / sizeof(Complex);
        return part / count;
    }
    /// As many as fit in a part of a second-level cache; of each element some cache lines' worth.
    static std::size_t width(std::size_t length) {
        constexpr std::size_t room = std::size_t{128} * 1024 / sizeof(Complex);
        constexpr std::size_t least = 64 / sizeof(Complex);
        constexpr std::size_t most = 512 / sizeof(Complex);
        return std::clamp(room / length / least * least, least, most);
    }
    ChargedLines<Real> plan(std::size_t count, Sign sign, Effort effort) {
        const LineShape shape = {length_, count, width_, 1};
        return ChargedLines<Real>(
            Lines<Real>(shape, shape, sign, effort, gathered_.data(), gathered_.data()));
    }

    std::size_t length_ = 0;
    std::size_t columns_ = 0;
    std::size_t width_ = 1;
    std::vector<Complex> gathered_;
    ChargedLines<Real> all_;
    ChargedLines<Real> rest_;  ///< fewer columns than are gathered otherwise
};

}  // namespace lapwing::fft
