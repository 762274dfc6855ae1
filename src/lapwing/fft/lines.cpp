#include "lapwing/fft/lines.hpp"

#include <fftw3.h>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace lapwing::fft {
namespace {

/// FFTW's names for a precision.
template <class Real>
struct Fftw;

template <>
struct Fftw<double> {
    using Plan = fftw_plan;
    using Dimension = fftw_iodim64;
    static constexpr auto* plan = fftw_plan_guru64_dft;
    static constexpr auto* execute = fftw_execute_dft;
    static constexpr auto* destroy = fftw_destroy_plan;
    static fftw_complex* data(std::complex<double>* numbers) {
        return reinterpret_cast<fftw_complex*>(numbers);
    }
};

template <>
struct Fftw<float> {
    using Plan = fftwf_plan;
    using Dimension = fftwf_iodim64;
    static constexpr auto* plan = fftwf_plan_guru64_dft;
    static constexpr auto* execute = fftwf_execute_dft;
    static constexpr auto* destroy = fftwf_destroy_plan;
    static fftwf_complex* data(std::complex<float>* numbers) {
        return reinterpret_cast<fftwf_complex*>(numbers);
    }
};

unsigned flags_of(Effort effort, bool aligned) {
    unsigned flags = FFTW_PRESERVE_INPUT;
    if (!aligned) flags |= FFTW_UNALIGNED;
    switch (effort) {
        case Effort::estimate:
            return flags | FFTW_ESTIMATE;
        case Effort::measure:
            return flags | FFTW_MEASURE;
        case Effort::patient:
            return flags | FFTW_PATIENT;
    }
    return flags;
}

}  // namespace

template <class Real>
Lines<Real>::Lines(const LineShape& from, const LineShape& to, Sign sign, Effort effort,
                   Complex* in, Complex* out, bool aligned) {
    using F = Fftw<Real>;
    if (from.length != to.length || from.count != to.count)
        throw std::invalid_argument("fft: lines are transformed into as many of the same length");
    if (from.length == 0 || from.count == 0) return;
    const auto whole = [](std::size_t number) { return static_cast<std::ptrdiff_t>(number); };
    const typename F::Dimension line = {whole(from.length), whole(from.stride), whole(to.stride)};
    const typename F::Dimension lines = {whole(from.count), whole(from.distance),
                                         whole(to.distance)};
    plan_ = F::plan(1, &line, 1, &lines, F::data(in), F::data(out), static_cast<int>(sign),
                    flags_of(effort, aligned));
    if (plan_ == nullptr) throw std::runtime_error("fft: FFTW has no way to transform such lines");
    const auto length = static_cast<double>(from.length);
    operations_ = 5 * length * std::log2(length) * static_cast<double>(from.count);
}

template <class Real>
Lines<Real>::Lines(Lines&& other) noexcept
    : plan_(std::exchange(other.plan_, nullptr)),
      operations_(std::exchange(other.operations_, 0)) {}

template <class Real>
Lines<Real>& Lines<Real>::operator=(Lines&& other) noexcept {
    std::swap(plan_, other.plan_);
    std::swap(operations_, other.operations_);
    return *this;
}

template <class Real>
Lines<Real>::~Lines() {
    if (plan_ != nullptr) Fftw<Real>::destroy(static_cast<typename Fftw<Real>::Plan>(plan_));
}

template <class Real>
void Lines<Real>::operator()(const Complex* in, Complex* out) const {
    using F = Fftw<Real>;
    if (plan_ == nullptr) return;
    // It only reads `in`, see flags_of.
    F::execute(static_cast<typename F::Plan>(plan_), F::data(const_cast<Complex*>(in)),
               F::data(out));
}

template class Lines<float>;
template class Lines<double>;

}  // namespace lapwing::fft
