#include "lapwing/simulate/links/sharing_links.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lapwing::simulate {

namespace {

constexpr double same_rate = 1e-12;   ///< relative difference below which two rates are the same
constexpr double same_weight = 1e-9;  ///< weight, or relative room, that is rounding and no more

}  // namespace

/// The group that a flow joins, if need be a new one.
std::uint32_t SharingLinks::group_of(const Flow& flow) {
    const Path path = topology_.path(flow.from, flow.to);
    for (const std::uint32_t number : links_[*path.begin()].groups)
        if (groups_[number].group.carries(flow)) return number;
    std::uint32_t number = 0;
    Traffic traffic{.group = FlowGroup(flow, path)};
    if (spare_.empty()) {
        number = static_cast<std::uint32_t>(groups_.size());
        groups_.push_back(std::move(traffic));
    } else {
        number = spare_.back();
        spare_.pop_back();
        groups_[number] = std::move(traffic);
    }
    for (const Link link : path) links_[link].groups.push_back(number);
    return number;
}

/// A group without flows leaves its links, and its number can be used again.
void SharingLinks::remove(std::uint32_t number) {
    Traffic& traffic = groups_[number];
    traffic.next = never;
    for (const Link link : traffic.group.path()) {
        auto& on = links_[link].groups;
        *std::find(on.begin(), on.end(), number) = on.back();
        on.pop_back();
    }
    spare_.push_back(number);
}

/// `reallocate` is to find out when something happens next in a group.
void SharingLinks::change(std::uint32_t number) {
    if (groups_[number].changed) return;
    groups_[number].changed = true;
    changed_.push_back(number);
}

/// Flows have joined or left a group: all flows on its links are to have new rates.
void SharingLinks::disturb_path(std::uint32_t number) {
    change(number);
    for (const Link link : groups_[number].group.path()) disturb(link);
}

void SharingLinks::disturb(Link link) {
    if (links_[link].in_component) return;
    links_[link].in_component = true;
    disturbed_.push_back(link);
}

/// Finds all links and groups whose rates depend on the links that were disturbed.
void SharingLinks::find_component() {
    for (std::size_t next = 0; next < disturbed_.size();) {
        State& link = links_[disturbed_[next++]];
        link.room = 1;
        link.weight = 0;
        link_updates_ += 1 + link.groups.size();
        for (const std::uint32_t number : link.groups) {
            Traffic& traffic = groups_[number];
            if (traffic.group.size() == 0) continue;
            link.weight += weight_of(traffic.group);
            if (traffic.in_component) continue;
            traffic.in_component = true;
            traffic.new_rate = 0;
            component_.push_back(number);
            for (const Link other : traffic.group.path()) disturb(other);
        }
    }
}

/// Progressive filling: finds the links that are full first, gives the flows on them their rates,
/// and goes on with the links that are left.
void SharingLinks::fill_links() {
    open_ = disturbed_;
    for (std::size_t rated = 0; rated < component_.size();) {
        double least = std::numeric_limits<double>::max();
        link_updates_ += open_.size();
        std::erase_if(open_, [&](Link number) {
            const State& link = links_[number];
            if (link.weight <= same_weight) return true;
            least = std::min(least, link.room / link.weight);
            return false;
        });
        for (const Link number : open_) {
            const State& link = links_[number];
            if (link.weight <= same_weight || link.room > least * link.weight * (1 + same_weight))
                continue;
            link_updates_ += link.groups.size();
            for (const std::uint32_t on : link.groups) {
                Traffic& traffic = groups_[on];
                const FlowGroup& group = traffic.group;
                if (traffic.new_rate > 0 || group.size() == 0) continue;
                traffic.new_rate = least * group.weight();
                ++rated;
                for (const Link other : group.path()) {
                    State& passed = links_[other];
                    passed.room = std::max(0.0, passed.room - least * weight_of(group));
                    passed.weight -= weight_of(group);
                }
            }
        }
    }
}

void SharingLinks::set_rates(Time now) {
    for (const std::uint32_t number : component_) {
        Traffic& traffic = groups_[number];
        traffic.in_component = false;
        const double rate = traffic.group.rate();
        if (std::abs(traffic.new_rate - rate) <= same_rate * rate) continue;
        traffic.group.set_rate(traffic.new_rate, now);
        change(number);
    }
}

}  // namespace lapwing::simulate
