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

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

// A refusal is worded only where there is one: small plans are made in microseconds.
std::string named(const Workload& workload) { return std::string(name(workload.pattern)); }

void check(const Workload& workload) {
    if (workload.volume == 0) refuse("volume must be above 0 bytes");
    if (workload.volume > most_bytes) refuse("volume must be at most 2^53 bytes");
    if (workload.grain == 0) refuse("grain must be above 0 bytes");
    if (!is_amount(workload.compute))
        refuse("compute must be a finite number of seconds, 0 or more");
    if (!is_amount(workload.uncertainty)) refuse("uncertainty must be a finite share, 0 or more");
    if ((workload.stride == 0) != (workload.block == 0))
        refuse("stride and block go together: bytes, or 0 for no gaps");
    if (workload.stride < workload.block)
        refuse("stride must be at least the block, " + std::to_string(workload.block) + " bytes");
    if (workload.stride > most_bytes) refuse("stride must be at most 2^53 bytes");
    const bool collective =
        workload.pattern == Pattern::collective || workload.pattern == Pattern::buckets;
    const bool one_sided = is_put(workload.transport) || is_get(workload.transport);
    if (collective && one_sided)
        refuse("pattern " + named(workload) + " has a transport of its own, collectives");
    if (workload.transport == MessageTransport::partitioned && !is_one_way(workload))
        refuse("pattern " + named(workload) +
               " sends both ways: partitioned messages are for streams, multi and congested");
    if (!workload.sizes_known && workload.pattern != Pattern::collective)
        refuse("sizes that depend on data are for pattern collective, not for " + named(workload));
}

void complete_ranks(Workload& workload) {
    std::uint64_t& ranks = workload.ranks;
    std::uint64_t& peers = workload.peers;
    if (workload.pattern == Pattern::stream) {
        if (peers == 0) peers = 1;
        if (peers != 1)
            refuse("a stream has 1 peer, not " + std::to_string(peers) + ": see pattern multi");
    }
    if (ranks == 0 && peers == 0) refuse(named(workload) + " needs a number of ranks, or of peers");
    if (ranks > most_ranks || peers >= most_ranks) refuse("ranks must be at most 2^20");
    if (ranks == 0) ranks = peers + 1;
    if (ranks < 2) refuse(named(workload) + " needs 2 ranks or more");
    if (peers == 0) peers = ranks - 1;
    if (peers >= ranks) refuse("peers must be fewer than the ranks, " + std::to_string(ranks));
    if (with_all(workload.pattern) && peers + 1 != ranks)
        refuse(named(workload) + " of " + std::to_string(ranks) +
               " ranks has as many peers but one: leave peers out");
}

}  // namespace

bool with_all(Pattern pattern) {
    return pattern == Pattern::congested || pattern == Pattern::alltoall ||
           pattern == Pattern::collective || pattern == Pattern::buckets;
}

Workload complete(const Workload& workload) {
    check(workload);
    Workload whole = workload;
    complete_ranks(whole);
    if (whole.pattern == Pattern::buckets) whole.direction = Direction::produce;
    return whole;
}

Workload over_one_transport(Workload workload) {
    if (workload.transport == MessageTransport::any)
        workload.transport = MessageTransport::two_sided;
    return workload;
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
