#include "lapwing/fft/simulated/rates.hpp"

#include <algorithm>
#include <cmath>

#include "lapwing/model/packing.hpp"

namespace lapwing::fft {

double Rates::lines(std::size_t length, std::size_t count) const {
    const auto n = static_cast<double>(length);
    return 5 * n * std::log2(n) * static_cast<double>(count) / fft;
}

double Rates::packing(double bytes, double written) const {
    if (log3p == nullptr || written > static_cast<double>(log3p->sizes.back())) return bytes / copy;
    return bytes / written * interpolate(log3p->sizes, log3p->T_mem, written);
}

double Rates::gathering(double bytes, double block, double stride) const {
    if (log3p == nullptr) return 0;
    const auto typed = [&](double apart) {
        return model::packing(*log3p, bytes, model::element_stride(*log3p, block, apart)).derived;
    };
    return std::max(0.0, typed(stride) - typed(block)) / 2;
}

}  // namespace lapwing::fft
