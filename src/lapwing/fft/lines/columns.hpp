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

/// Transforms the columns of a two-dimensional array, a few adjacent ones at a time, and polls
/// between them. Each group is gathered into a buffer that fits a near cache, transformed there and
/// written to its destination. In place in the array, elements of a column are often a power of two
/// apart and evict each other from the caches (Bell et al. 2006, section 6, pad their arrays
/// against that).
template <class Real>
class Columns {
  public:
    using Complex = std::complex<Real>;

    Columns() = default;
    /// `length`: elements of a column. `columns`: number of adjacent columns.
    Columns(std::size_t length, std::size_t columns, Sign sign, Effort effort)
        : length_(length),
          columns_(columns),
          width_(std::min(columns, width(length))),
          gathered_(length * width_) {
        if (columns == 0) return;
        all_ = plan(width_, sign, effort);
        rest_ = plan(columns % width_, sign, effort);
    }

    /// Transforms the columns at `in` to `out`, which is `in` or does not overlap it. `in_stride`
    /// and `out_stride`: elements from an element of a column to the next.
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
    /// Prefetches the rows that come next: they are too far apart for the hardware's prefetcher.
    template <int access>
    static void prefetch(const Complex* from, std::size_t count) {
        constexpr std::size_t line = 64 / sizeof(Complex);
        for (std::size_t i = 0; i < count; i += line) __builtin_prefetch(from + i, access);
    }
    static constexpr int reading = 0;
    static constexpr int recorder = 1;
    /// How many rows of `count` elements to prefetch ahead: 8 KiB, a part of a first-level cache.
    static std::size_t ahead(std::size_t count) {
        constexpr std::size_t part = std::size_t{8} * 1024 / sizeof(Complex);
        return part / count;
    }
    /// Columns transformed together: as many as fit 128 KiB, a part of a second-level cache, but
    /// one to eight cache lines of each row.
    static std::size_t width(std::size_t length) {
        constexpr std::size_t room = std::size_t{128} * 1024 / sizeof(Complex);
        constexpr std::size_t least = 64 / sizeof(Complex);
        constexpr std::size_t most = 512 / sizeof(Complex);
        return std::clamp(room / length / least * least, least, most);
    }
    ChargedLines<Real> plan(std::size_t count, Sign sign, Effort effort) {
        const LineShape shape = {length_, count, width_, 1};
        return ChargedLines<Real>(
            Lines<Real>({shape, shape, gathered_.data(), gathered_.data()}, sign, effort));
    }

    std::size_t length_ = 0;
    std::size_t columns_ = 0;
    std::size_t width_ = 1;
    std::vector<Complex> gathered_;
    ChargedLines<Real> all_;
    ChargedLines<Real> rest_;  ///< the last group, if it has fewer columns
};

}  // namespace lapwing::fft
