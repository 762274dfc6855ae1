#include "lapwing/simulate/costs/copies.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/model/computation.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::simulate {
namespace {

double copy_per_byte(const Profile& profile) {
    if (profile.collectives && profile.collectives->copy > 0) return profile.collectives->copy;
    return model::computation(profile, "copy").value_or(profile.loggp.G);
}

}  // namespace

MessageCosts::Tables tables_of_copies(const Profile& profile) {
    const double empty = send_overhead(profile, 0, 1) + receive_overhead(profile, 0);
    std::vector<std::uint64_t> sizes{0};
    std::vector<double> seconds{empty};
    if (profile.log3p && !profile.log3p->sizes.empty()) {
        const Log3P& table = *profile.log3p;
        seconds.front() = std::min(empty, table.o_mw.front() + table.T_mem.front());
        for (std::size_t i = 0; i < table.sizes.size(); ++i)
            insert_row(sizes, table.sizes[i], {{&seconds, table.o_mw[i] + table.T_mem[i]}});
    } else {
        constexpr std::uint64_t large = std::uint64_t{1} << 20U;
        sizes.push_back(large);
        seconds.push_back(empty + static_cast<double>(large) * copy_per_byte(profile));
    }
    for (double& each : seconds) each /= 2;
    MessageCosts::Tables tables;
    tables.overhead_sizes = std::move(sizes);
    tables.send = seconds;
    tables.receive = std::move(seconds);
    tables.on_links = false;
    return tables;
}

}  // namespace lapwing::simulate
