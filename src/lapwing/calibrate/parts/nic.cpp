#include <algorithm>

#include "lapwing/calibrate/parts/message_measurement.hpp"

namespace lapwing {
namespace {

/// The number of the shortest size, 16 KiB at least, from which on a message occupies the wire for
/// at least `overheads` times its initiation and `trips` times half a short round trip. The same on
/// both ranks.
std::size_t wire_bound_from(const MessageMeasurement& m, double overheads, double trips) {
    constexpr std::uint64_t shortest = 16384;
    std::size_t found = m.sizes.size() - 1;
    for (std::size_t i = found; m.pair.first() && i-- > 0 && m.sizes[i] >= shortest;) {
        const double overhead = m.profile.overhead.send[i].back();
        const double least = std::max(overheads * overhead, trips * m.trips.front().median);
        if (m.wire(m.sizes[i]) < least) break;
        found = i;
    }
    return static_cast<std::size_t>(m.pair.from_first(static_cast<double>(found)));
}

/// Whether two messages of `size` bytes at once share the wire: then the first arrives with the
/// second. On a wire that serialises them it arrives as soon as if it were alone. The same on both
/// ranks; takes the share of the time from `begin` to `end`.
bool shares_wire_at(MessageMeasurement& m, std::uint64_t size, double begin, double end) {
    Series one;
    Series first;
    Series both;
    auto campaign = m.campaign(begin, end);
    const int times = m.times_a_visit(2 * m.wire(size));
    campaign.add("messages side by side", {&one, &first, &both}, [&] {
        for (int i = 0; i < times; ++i) {
            one.add(m.benchmarks.flood(size, 1));
            both.add(m.benchmarks.flood(size, 2));
        }
        m.benchmarks.first_of_two(size, size, times, first);
    });
    campaign.run();
    const bool sharing = first.median() - one.median() > 0.5 * (both.median() - one.median());
    return m.pair.from_first(sharing ? 1 : 0) != 0;
}

}  // namespace

/// The messages must be long enough for the second to be sent while the first is on its way, and
/// short enough for MPI not to interleave them as it likes.
void measure_nic(MessageMeasurement& m) {
    const std::size_t from = wire_bound_from(m, 8, 0);
    // The wire may give the shortest of these more bandwidth than it can keep up.
    std::size_t i = std::min(from + 1, m.sizes.size() - 1);
    if (!shares_wire_at(m, m.sizes[i], 0.64, 0.66)) return;
    m.profile.nic = Nic::sharing;
    // Shorter messages may leave in order all the same.
    const std::size_t least = wire_bound_from(m, 4, 4);
    double begin = 0.66;
    for (int tries = 0; tries < 4 && i > least; ++tries, begin += 0.005) {
        if (shares_wire_at(m, m.sizes[--i], begin, begin + 0.005)) continue;
        m.profile.in_order_up_to = m.sizes[i];
        return;
    }
}

}  // namespace lapwing
