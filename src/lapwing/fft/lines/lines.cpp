#include "lapwing/fft/lines/lines.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "lapwing/fft/lines/fftw.hpp"

namespace lapwing::fft {
namespace {

unsigned flags_of(Effort effort, bool aligned) {
    return FFTW_PRESERVE_INPUT | (aligned ? 0U : FFTW_UNALIGNED) | flags_of(effort);
}

}  // namespace

template <class Real>
Lines<Real>::Lines(const LineProblem<Real>& problem, Sign sign, Effort effort) {
    using F = Fftw<Real>;
    const LineShape& from = problem.from;
    const LineShape& to = problem.to;
    if (from.length != to.length || from.count != to.count)
        throw std::invalid_argument("fft: lines are transformed into as many of the same length");
    if (from.length == 0 || from.count == 0) return;
    const auto whole = [](std::size_t number) { return static_cast<std::ptrdiff_t>(number); };
    const typename F::Dimension line = {whole(from.length), whole(from.stride), whole(to.stride)};
    const typename F::Dimension lines = {whole(from.count), whole(from.distance),
                                         whole(to.distance)};
    plan_ = F::plan(1, &line, 1, &lines, F::data(problem.in), F::data(problem.out),
                    static_cast<int>(sign), flags_of(effort, problem.aligned));
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
    // FFTW_PRESERVE_INPUT: it only reads `in`.
    F::execute(static_cast<typename F::Plan>(plan_), F::data(const_cast<Complex*>(in)),
               F::data(out));
}

template class Lines<float>;
template class Lines<double>;

}  // namespace lapwing::fft
