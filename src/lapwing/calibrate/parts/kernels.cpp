#include "lapwing/calibrate/parts/kernels.hpp"

#include "lapwing/calibrate/sampling/sample_interleaved.hpp"

namespace lapwing {

void MemoryKernels::add_to(std::vector<Kernel>& kernels) {
    constexpr auto bytes = static_cast<double>(elements * sizeof(double));
    kernels.push_back({"add", bytes, [this] { add_(a_.data(), b_.data(), 0, elements, [] {}); }});
    kernels.push_back({MemoryCopy::name, bytes,
                       [this] { copy_(b_.data(), a_.data(), elements * sizeof(double)); }});
}

void measure_kernels(const Sampling& sampling, const std::vector<Kernel>& kernels,
                     Profile& profile) {
    RankPair& pair = sampling.pair;
    const auto count = pair.from_first(static_cast<double>(kernels.size()));
    std::vector<Series> series(static_cast<std::size_t>(count),
                               Series(sampling.environment.clock()));
    const auto times = medians(
        sample_interleaved(sampling, "compute kernels", std::move(series), [&](std::size_t i) {
            if (!pair.first()) return 0.0;
            const double start = pair.now();
            kernels[i].run();
            return pair.now() - start;
        }));
    if (!pair.first()) return;
    for (std::size_t i = 0; i < times.size(); ++i)
        profile.kernels.emplace_back(kernels[i].name, kernels[i].amount / times[i]);
}

}  // namespace lapwing
