#include "lapwing/fft/distribution/message_count.hpp"

#include <cstddef>

namespace lapwing::fft {
namespace {

/// Messages from one member of the route's group to another, for one array.
std::uint64_t messages_between(const Route& route, int source, int target, const Options& options) {
    if (route.stages() > 1) {
        std::uint64_t sent = 0;
        for (std::size_t i = 0; i < route.messages(source, target); ++i)
            if (route.bytes(source, target, i) > 0) ++sent;
        return sent;
    }
    const std::uint64_t all_to_alls = options.schedule == Schedule::tiled
                                          ? (route.planes(source) + options.tile - 1) / options.tile
                                          : 1;
    return route.messages(source, target) * all_to_alls;
}

}  // namespace

std::uint64_t message_count(const std::vector<TransposeStep>& steps, const Options& options,
                            Targets targets) {
    std::uint64_t all = 0;
    for (const TransposeStep& step : steps)
        for (int target = 0; target < step.route.ranks(); ++target)
            if (targets == Targets::all || target != step.member)
                all += messages_between(step.route, step.member, target, options);
    return all * options.batch;
}

}  // namespace lapwing::fft
