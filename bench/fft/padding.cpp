// What padding gains where elements of a column are a power of two apart (Bell and others 2006,
// section 6), and whether columns that are gathered into a buffer still need it. 256 columns of 256
// elements at a time, the rows of the array `apart` elements apart, and as many and eight; always
// others, of 256 MB, so that no cache has them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/fft/lines/columns.hpp"
#include "lapwing/fft/lines/lines.hpp"

namespace {

using Complex = std::complex<double>;
using lapwing::fft::Columns;
using lapwing::fft::Effort;
using lapwing::fft::Lines;
using lapwing::fft::Sign;

constexpr std::size_t length = 256;
constexpr std::size_t columns = 256;

std::size_t apart(const benchmark::State& state) {
    return static_cast<std::size_t>(state.range(0) + state.range(1));
}

/// An array of about 256 MB, and which of its columns are next.
class Array {
  public:
    explicit Array(std::size_t apart)
        : apart_(apart), data_(elements / length / apart_of(apart) * length * apart, 1) {}

    [[nodiscard]] Complex* first() { return data_.data(); }
    void clear() {
        std::fill(data_.begin(), data_.end(), Complex(0));
    }  // so that values stay small
    [[nodiscard]] Complex* next() {
        column_ += columns;
        if (column_ + columns > apart_) {
            column_ = 0;
            plane_ += length * apart_;
            if (plane_ + length * apart_ > data_.size()) plane_ = 0;
        }
        return data_.data() + plane_ + column_;
    }

  private:
    static constexpr std::size_t elements = std::size_t{1} << 24;
    static std::size_t apart_of(std::size_t apart) { return apart / columns * columns; }

    std::size_t apart_;
    std::vector<Complex> data_;
    std::size_t plane_ = 0;
    std::size_t column_ = 0;
};

/// Columns in their place, by FFTW.
void in_place(benchmark::State& state) {
    Array array(apart(state));
    const lapwing::fft::LineShape shape = {length, columns, apart(state), 1};
    const Lines<double> lines({shape, shape, array.first(), array.first(), false}, Sign::forward,
                              Effort::measure);
    array.clear();
    for (auto _ : state) {
        Complex* const data = array.next();
        lines(data, data);
    }
}

/// A few columns at a time, gathered, as our transforms do.
void gathered(benchmark::State& state) {
    Array array(apart(state));
    Columns<double> lines(length, columns, Sign::forward, Effort::measure);
    array.clear();
    for (auto _ : state) {
        Complex* const data = array.next();
        lines(data, apart(state), data, apart(state));
    }
}

void cases(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"apart", "padding"})->Unit(benchmark::kMicrosecond);
    for (const std::int64_t apart : {256, 4096, 65536})
        for (const std::int64_t padding : {0, 8}) bench->Args({apart, padding});
    // Whatever else a machine does makes a run longer, never shorter.
    bench->ComputeStatistics("least", [](const std::vector<double>& times) {
        return *std::min_element(times.begin(), times.end());
    });
}

BENCHMARK(in_place)->Apply(cases);
BENCHMARK(gathered)->Apply(cases);

}  // namespace
