#include "lapwing/fft/lines/real_line.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "lapwing/fft/lines/fftw.hpp"

namespace lapwing::fft {

template <class Real>
RealLine<Real>::RealLine(std::size_t length, Effort effort)
    : length_(length), numbers_(length / 2 + 1), spectrum_(length / 2 + 1) {
    using F = Fftw<Real>;
    if (length == 0 || length > INT_MAX)
        throw std::invalid_argument("fft: a line of real numbers has 1 to 2^31 - 1 of them");
    auto* const numbers = reinterpret_cast<Real*>(numbers_.data());
    auto* const spectrum = F::data(spectrum_.data());
    const int n = static_cast<int>(length);
    const unsigned flags = flags_of(effort);
    forward_ = F::plan_forward(n, numbers, spectrum, flags);
    inverse_ = F::plan_inverse(n, spectrum, numbers, flags);
    if (forward_ == nullptr || inverse_ == nullptr)
        throw std::runtime_error("fft: FFTW has no way to transform such lines");
    operations_ = 2.5 * static_cast<double>(length) * std::log2(static_cast<double>(length));
}

template <class Real>
RealLine<Real>::RealLine(RealLine&& other) noexcept {
    *this = std::move(other);
}

template <class Real>
RealLine<Real>& RealLine<Real>::operator=(RealLine&& other) noexcept {
    std::swap(length_, other.length_);
    std::swap(numbers_, other.numbers_);  // FFTW's plans hold their addresses, which swapping keeps
    std::swap(spectrum_, other.spectrum_);
    std::swap(forward_, other.forward_);
    std::swap(inverse_, other.inverse_);
    std::swap(operations_, other.operations_);
    return *this;
}

template <class Real>
RealLine<Real>::~RealLine() {
    using F = Fftw<Real>;
    if (forward_ != nullptr) F::destroy(static_cast<typename F::Plan>(forward_));
    if (inverse_ != nullptr) F::destroy(static_cast<typename F::Plan>(inverse_));
}

template <class Real>
void RealLine<Real>::forward(const Real* from, Complex* to) {
    using F = Fftw<Real>;
    std::copy_n(from, length_, reinterpret_cast<Real*>(numbers_.data()));
    F::execute_plan(static_cast<typename F::Plan>(forward_));
    std::copy(spectrum_.begin(), spectrum_.end(), to);
}

template <class Real>
void RealLine<Real>::inverse(const Complex* from, Real* to) {
    using F = Fftw<Real>;
    std::copy_n(from, spectrum_.size(), spectrum_.begin());
    F::execute_plan(static_cast<typename F::Plan>(inverse_));
    std::copy_n(reinterpret_cast<const Real*>(numbers_.data()), length_, to);
}

template class RealLine<float>;
template class RealLine<double>;

}  // namespace lapwing::fft
