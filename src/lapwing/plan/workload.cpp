#include "lapwing/plan/workload.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "lapwing/plan/names.hpp"

namespace lapwing {
namespace {

// Above this a size in bytes is no longer exact as a double, nor is any machine that large.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 53;
constexpr std::uint64_t most_ranks = std::uint64_t{1} << 20;

void check_amounts(const Workload& workload) {
    if (workload.volume == 0) throw std::invalid_argument("volume must be above 0 bytes");
    if (workload.volume > most_bytes)
        throw std::invalid_argument("volume must be at most 2^53 bytes");
    if (workload.grain == 0) throw std::invalid_argument("grain must be above 0 bytes");
    if (!std::isfinite(workload.compute) || workload.compute < 0)
        throw std::invalid_argument("compute must be a finite number of seconds, 0 or more");
    if (!std::isfinite(workload.uncertainty) || workload.uncertainty < 0)
        throw std::invalid_argument("uncertainty must be a finite share, 0 or more");
}

void check_stride(const Workload& workload) {
    if ((workload.stride == 0) != (workload.block == 0))
        throw std::invalid_argument("stride and block go together: bytes, or 0 for no gaps");
    if (workload.stride < workload.block)
        throw std::invalid_argument("stride must be at least the block, " +
                                    std::to_string(workload.block) + " bytes");
    if (workload.stride > most_bytes)
        throw std::invalid_argument("stride must be at most 2^53 bytes");
}

void check_transport(const Workload& workload) {
    const bool collective =
        workload.pattern == Pattern::collective || workload.pattern == Pattern::buckets;
    const bool one_sided =
        workload.transport == MessageTransport::put || workload.transport == MessageTransport::get;
    if (collective && one_sided)
        throw std::invalid_argument("pattern " + std::string(name(workload.pattern)) +
                                    " has a transport of its own, collectives");
    if (!workload.sizes_known && workload.pattern != Pattern::collective)
        throw std::invalid_argument(
            "sizes that depend on data are for pattern collective, not for " +
            std::string(name(workload.pattern)));
}

void complete_ranks(Workload& workload) {
    const std::string name(lapwing::name(workload.pattern));
    if (workload.pattern == Pattern::stream) {
        if (workload.peers == 0) workload.peers = 1;
        if (workload.peers > 1)
            throw std::invalid_argument("a stream has 1 peer, not " +
                                        std::to_string(workload.peers) + ": see pattern multi");
    }
    if (workload.ranks == 0 && workload.peers == 0)
        throw std::invalid_argument(name + " needs a number of ranks, or of peers");
    if (workload.ranks > most_ranks || workload.peers >= most_ranks)
        throw std::invalid_argument("ranks must be at most 2^20");
    if (workload.ranks == 0) workload.ranks = workload.peers + 1;
    if (workload.ranks < 2) throw std::invalid_argument(name + " needs 2 ranks or more");
    if (workload.peers == 0) workload.peers = workload.ranks - 1;
    if (workload.peers >= workload.ranks)
        throw std::invalid_argument("peers must be fewer than the ranks, " +
                                    std::to_string(workload.ranks));
    if (with_all(workload.pattern) && workload.peers + 1 != workload.ranks)
        throw std::invalid_argument(name + " of " + std::to_string(workload.ranks) +
                                    " ranks has as many peers but one: leave peers out");
}

}  // namespace

bool with_all(Pattern pattern) {
    return pattern == Pattern::congested || pattern == Pattern::alltoall ||
           pattern == Pattern::collective || pattern == Pattern::buckets;
}

Workload complete(const Workload& workload) {
    check_amounts(workload);
    check_stride(workload);
    check_transport(workload);
    Workload whole = workload;
    complete_ranks(whole);
    if (whole.pattern == Pattern::buckets) whole.direction = Direction::produce;
    return whole;
}

std::uint64_t peer_volume(const Workload& workload) {
    if (!shares_window(workload)) return workload.volume;
    const std::uint64_t part = workload.volume / workload.peers;
    const bool no_grain_is_cut =
        part % workload.grain == 0 || workload.volume % workload.grain != 0;
    if (workload.volume % workload.peers == 0 && no_grain_is_cut) return part;
    return (part / workload.grain + 1) * workload.grain;
}

std::uint64_t near_square_rows(std::uint64_t ranks) {
    auto rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(ranks)));
    while (rows >= 3 && ranks % rows != 0) --rows;
    return rows >= 3 ? rows : 0;
}

}  // namespace lapwing
