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

void require(bool condition, const std::string& otherwise) {
    if (!condition) throw std::invalid_argument(otherwise);
}

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

void check(const Workload& workload) {
    require(workload.volume > 0, "volume must be above 0 bytes");
    require(workload.volume <= most_bytes, "volume must be at most 2^53 bytes");
    require(workload.grain > 0, "grain must be above 0 bytes");
    require(is_amount(workload.compute), "compute must be a finite number of seconds, 0 or more");
    require(is_amount(workload.uncertainty), "uncertainty must be a finite share, 0 or more");
    require((workload.stride == 0) == (workload.block == 0),
            "stride and block go together: bytes, or 0 for no gaps");
    require(workload.stride >= workload.block,
            "stride must be at least the block, " + std::to_string(workload.block) + " bytes");
    require(workload.stride <= most_bytes, "stride must be at most 2^53 bytes");
    const std::string pattern(name(workload.pattern));
    const bool collective =
        workload.pattern == Pattern::collective || workload.pattern == Pattern::buckets;
    const bool one_sided =
        workload.transport == MessageTransport::put || workload.transport == MessageTransport::get;
    require(!collective || !one_sided,
            "pattern " + pattern + " has a transport of its own, collectives");
    require(workload.sizes_known || workload.pattern == Pattern::collective,
            "sizes that depend on data are for pattern collective, not for " + pattern);
}

void complete_ranks(Workload& workload) {
    const std::string pattern(name(workload.pattern));
    std::uint64_t& ranks = workload.ranks;
    std::uint64_t& peers = workload.peers;
    if (workload.pattern == Pattern::stream) {
        if (peers == 0) peers = 1;
        require(peers == 1,
                "a stream has 1 peer, not " + std::to_string(peers) + ": see pattern multi");
    }
    require(ranks > 0 || peers > 0, pattern + " needs a number of ranks, or of peers");
    require(ranks <= most_ranks && peers < most_ranks, "ranks must be at most 2^20");
    if (ranks == 0) ranks = peers + 1;
    require(ranks >= 2, pattern + " needs 2 ranks or more");
    if (peers == 0) peers = ranks - 1;
    require(peers < ranks, "peers must be fewer than the ranks, " + std::to_string(ranks));
    require(!with_all(workload.pattern) || peers + 1 == ranks,
            pattern + " of " + std::to_string(ranks) +
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
