#include "lapwing/profile/table.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace lapwing {
namespace {

/// The position of a size in a table: between entries `low` and `low + 1`, at `share` of the
/// distance.
struct Position {
    std::size_t low = 0;
    double share = 0;
};

Position find(const std::vector<std::uint64_t>& sizes, double size) {
    const auto above = std::upper_bound(
        sizes.begin(), sizes.end(), size,
        [](double value, std::uint64_t entry) { return value < static_cast<double>(entry); });
    if (above == sizes.begin()) return {};
    const auto low = static_cast<std::size_t>(above - sizes.begin()) - 1;
    if (above == sizes.end()) return {low, 0};
    const auto from = static_cast<double>(sizes[low]);
    return {low, (size - from) / (static_cast<double>(*above) - from)};
}

double between(double low, double high, double share) { return low + share * (high - low); }

}  // namespace

double interpolate(const std::vector<std::uint64_t>& sizes, const std::vector<double>& values,
                   double size) {
    if (sizes.empty()) return 0;
    const auto [low, share] = find(sizes, size);
    return share > 0 ? between(values[low], values[low + 1], share) : values[low];
}

double extrapolate(const std::vector<std::uint64_t>& sizes, const std::vector<double>& values,
                   double size) {
    const double at = interpolate(sizes, values, size);
    const std::size_t count = sizes.size();
    if (count < 2 || size <= static_cast<double>(sizes.back())) return at;
    const auto largest = static_cast<double>(sizes.back());
    const double slope =
        (at - values[count - 2]) / (largest - static_cast<double>(sizes[count - 2]));
    return at + (size - largest) * std::clamp(slope, 0.0, std::max(0.0, at / largest));
}

void insert_row(std::vector<std::uint64_t>& sizes, std::uint64_t size,
                const std::vector<ColumnValue>& cells) {
    const auto found = std::lower_bound(sizes.begin(), sizes.end(), size);
    const auto place = found - sizes.begin();
    const bool there = found != sizes.end() && *found == size;
    if (!there) sizes.insert(found, size);
    for (const auto& [column, value] : cells) {
        if (there) {
            (*column)[static_cast<std::size_t>(place)] = value;
        } else {
            column->insert(column->begin() + place, value);
        }
    }
}

LinearCost fit_line(const std::vector<std::uint64_t>& sizes, const std::vector<double>& values,
                    double largest) {
    // Weighted least squares. The weight 1/value^2 makes the error relative: small messages, which
    // determine the base, then count as much as large ones, which determine the slope.
    double w = 0;
    double wx = 0;
    double wy = 0;
    double wxx = 0;
    double wxy = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto x = static_cast<double>(sizes[i]);
        const double y = values[i];
        if (i > 0 && x > largest) break;
        if (y <= 0) continue;
        const double weight = 1 / (y * y);
        w += weight;
        wx += weight * x;
        wy += weight * y;
        wxx += weight * x * x;
        wxy += weight * x * y;
    }
    if (w == 0) return {};
    const double spread = w * wxx - wx * wx;
    if (spread <= 1e-12 * w * wxx) return {wy / w, 0};
    const double slope = (w * wxy - wx * wy) / spread;
    const double base = (wy - slope * wx) / w;
    if (slope < 0) return {wy / w, 0};
    if (base < 0) return {0, wxy / wxx};
    return {base, slope};
}

double send_overhead(const LinkCosts& link, double size, int burst) {
    const auto& table = link.overhead;
    if (table.sizes.empty() || table.bursts.empty()) return link.loggp.o_s;
    const auto above = std::upper_bound(table.bursts.begin(), table.bursts.end(), burst);
    const auto column = above == table.bursts.begin()
                            ? 0
                            : static_cast<std::size_t>(above - table.bursts.begin()) - 1;
    const auto [low, share] = find(table.sizes, size);
    const double at = table.send[low][column];
    return share > 0 ? between(at, table.send[low + 1][column], share) : at;
}

double receive_overhead(const LinkCosts& link, double size) {
    const auto& table = link.overhead;
    return table.sizes.empty() ? link.loggp.o_r : interpolate(table.sizes, table.receive, size);
}

double gap_per_byte(const LinkCosts& link, double size) {
    const auto& table = link.bandwidth;
    if (table.sizes.empty()) return link.loggp.G;
    const double bytes_per_second = interpolate(table.sizes, table.unidirectional, size);
    return bytes_per_second > 0 ? 1 / bytes_per_second : link.loggp.G;
}

double two_way_gap(const LinkCosts& link) {
    const auto& table = link.bandwidth;
    if (table.sizes.empty() || table.bidirectional.back() <= 0) return 0;
    return 2 / table.bidirectional.back();
}

bool shares_wire(const LinkCosts& link, std::uint64_t size) {
    return link.nic == Nic::sharing && size > link.in_order_up_to;
}

const Log3P* find_strided_costs(const Profile& profile) {
    if (!profile.log3p || profile.log3p->sizes.empty() || profile.log3p->strides.empty())
        return nullptr;
    return &*profile.log3p;
}

const Log3P& strided_costs(const Profile& profile) {
    if (const Log3P* const costs = find_strided_costs(profile)) return *costs;
    throw std::invalid_argument(
        "the profile does not say what strided messages cost (log3p): lapwing calibrate --only "
        "log3p measures it");
}

}  // namespace lapwing
