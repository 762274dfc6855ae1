#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lapwing/simulate/links/sharing_links.hpp"

// What `SharingLinks` does when flows come and go. Each routing compiles it by itself.

namespace lapwing::simulate {

/// The group that a flow joins, if need be a new one.
template <class Routing>
std::uint32_t SharingLinks<Routing>::group_of(const Flow& flow) {
    const Path path = routing_.path(flow.from, flow.to);
    for (const std::uint32_t number : links_[*path.begin()].groups)
        if (groups_[number].group.carries(flow)) return number;
    std::uint32_t number = 0;
    if (spare_.empty()) {
        number = static_cast<std::uint32_t>(groups_.size());
        groups_.push_back({.group = FlowGroup(flow, path)});
    } else {
        number = spare_.back();
        spare_.pop_back();
        groups_[number].group.begin(flow, path);
    }
    for (const Link link : path) links_[link].groups.push_back(number);
    return number;
}

/// A group without flows leaves its links, and its number can be used again.
template <class Routing>
void SharingLinks<Routing>::remove(std::uint32_t number) {
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
template <class Routing>
void SharingLinks<Routing>::change(std::uint32_t number) {
    if (groups_[number].changed) return;
    groups_[number].changed = true;
    changed_.push_back(number);
}

/// Flows have joined or left a group: all flows on its links are to have new rates.
template <class Routing>
void SharingLinks<Routing>::disturb_path(std::uint32_t number) {
    change(number);
    for (const Link link : groups_[number].group.path()) disturb(link);
}

template <class Routing>
void SharingLinks<Routing>::disturb(Link link) {
    if (links_[link].in_component) return;
    links_[link].in_component = true;
    disturbed_.push_back(link);
}

/// Finds all links and groups whose rates depend on the links that were disturbed.
template <class Routing>
void SharingLinks<Routing>::find_component() {
    for (std::size_t next = 0; next < disturbed_.size();) {
        State& link = links_[disturbed_[next++]];
        link.room = bandwidth(disturbed_[next - 1]);
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

/// The bandwidth of a link, in those of an interface.
template <class Routing>
double SharingLinks<Routing>::bandwidth(Link link) const {
    if constexpr (Routing::uniform)
        return 1;
    else
        return routing_.lanes(link) * routing_.rate(link);
}

/// The level at which a flow of a group has all that one message can have of its links.
template <class Routing>
double SharingLinks<Routing>::most_of_one(std::uint32_t number) const {
    const FlowGroup& group = groups_[number].group;
    return routing_.rate(group.path()) / group.weight();
}

/// Progressive filling: finds the links that are full first, gives the flows on them their rates,
/// and goes on with the links that are left.
template <class Routing>
void SharingLinks<Routing>::fill_links() {
    open_ = disturbed_;
    for (std::size_t rated = 0; rated < component_.size();) {
        double least = std::numeric_limits<double>::max();
        const auto rate = [&](Traffic& traffic) {
            const FlowGroup& group = traffic.group;
            traffic.new_rate = least * group.weight();
            ++rated;
            for (const Link other : group.path()) {
                State& passed = links_[other];
                passed.room = std::max(0.0, passed.room - least * weight_of(group));
                passed.weight -= weight_of(group);
            }
        };
        link_updates_ += open_.size();
        std::erase_if(open_, [&](Link number) {
            const State& link = links_[number];
            if (link.weight <= same_weight) return true;
            least = std::min(least, link.room / link.weight);
            return false;
        });
        if constexpr (!Routing::uniform) {
            link_updates_ += component_.size();
            const auto open = [&](std::uint32_t on) { return groups_[on].new_rate == 0; };
            for (const std::uint32_t on : component_)
                if (open(on)) least = std::min(least, most_of_one(on));
            for (const std::uint32_t on : component_) {
                if (open(on) && most_of_one(on) <= least * (1 + same_weight)) rate(groups_[on]);
            }
        }
        for (const Link number : open_) {
            const State& link = links_[number];
            if (link.weight <= same_weight || link.room > least * link.weight * (1 + same_weight))
                continue;
            link_updates_ += link.groups.size();
            for (const std::uint32_t on : link.groups) {
                Traffic& traffic = groups_[on];
                if (traffic.new_rate == 0 && traffic.group.size() > 0) rate(traffic);
            }
        }
    }
}

template <class Routing>
void SharingLinks<Routing>::set_rates(Time now) {
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
