#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "lapwing/simulate/links/sharing_links.hpp"

// What `SharingLinks` does when flows come and go. Each routing compiles it by itself.

namespace lapwing::simulate {

/// The group that a flow joins, if need be a new one.
template <class Routing>
std::uint32_t SharingLinks<Routing>::group_of(const Flow& flow) {
    const Path path = routing_.path(flow.from, flow.to);
    for (const std::uint32_t number : links_[*path.begin()].groups)
        if (groups_[number].carries(flow)) return number;
    std::uint32_t number = 0;
    if (spare_.empty()) {
        number = static_cast<std::uint32_t>(groups_.size());
        groups_.emplace_back(flow);
        shares_.push_back({path});
        new_rates_.push_back(0);
        next_.push_back(never);
        in_component_.push_back(0);
    } else {
        number = spare_.back();
        spare_.pop_back();
        groups_[number].begin(flow);
        shares_[number].path = path;
    }
    for (const Link link : path) links_[link].groups.push_back(number);
    return number;
}

/// Groups without flows leave their links, and their numbers can be used again.
template <class Routing>
void SharingLinks<Routing>::remove_emptied() {
    for (const std::uint32_t number : emptied_) {
        if (groups_[number].size() > 0) continue;  // another flow has come at the same time
        for (const Link link : shares_[number].path) {
            auto& on = links_[link].groups;
            *std::find(on.begin(), on.end(), number) = on.back();
            on.pop_back();
        }
        spare_.push_back(number);
    }
    emptied_.clear();
}

template <class Routing>
void SharingLinks<Routing>::forget_components() {
    for (const Link link : reached_) links_[link].disturbed = links_[link].reached = false;
    disturbed_.clear();
    reached_.clear();
    component_.clear();
    component_ends_.clear();
    first_.clear();
}

/// All flows on the links of a group are to have new rates.
template <class Routing>
void SharingLinks<Routing>::disturb_path(std::uint32_t number) {
    for (const Link link : shares_[number].path) disturb(link);
}

template <class Routing>
void SharingLinks<Routing>::disturb(Link link) {
    if (links_[link].disturbed) return;
    links_[link].disturbed = true;
    disturbed_.push_back(link);
}

/// Finds all links and groups whose rates depend on the links that were disturbed.
template <class Routing>
void SharingLinks<Routing>::find_components() {
    std::size_t next = 0;
    for (const Link disturbed : disturbed_) {
        const std::size_t before = component_.size();
        reach(disturbed);
        for (; next < reached_.size(); ++next) {
            const auto& groups = links_[reached_[next]].groups;
            link_updates_ += 1 + groups.size();
            for (const std::uint32_t number : groups)
                if (!in_component_[number]) join_component(number);
        }
        if (component_.size() > before) component_ends_.push_back(component_.size());
    }
}

template <class Routing>
void SharingLinks<Routing>::reach(Link number) {
    State& link = links_[number];
    if (link.reached) return;
    link.reached = true;
    link.room = bandwidth(number);
    link.weight = 0;
    reached_.push_back(number);
}

template <class Routing>
void SharingLinks<Routing>::join_component(std::uint32_t number) {
    const Share& share = shares_[number];
    if (share.weight == 0) return;
    in_component_[number] = 1;
    new_rates_[number] = 0;
    component_.push_back(number);
    for (const Link link : share.path) {
        reach(link);
        links_[link].weight += share.weight;
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
    return routing_.rate(shares_[number].path) / groups_[number].weight();
}

/// Progressive filling: finds the links that are full first, gives the flows on them their rates,
/// and goes on with the links that are left.
template <class Routing>
void SharingLinks<Routing>::fill_links() {
    open_ = reached_;
    for (std::size_t rated = 0; rated < component_.size();) {
        double least = std::numeric_limits<double>::max();
        const auto rate = [&](std::uint32_t number) {
            const Share& share = shares_[number];
            new_rates_[number] = least;
            ++rated;
            for (const Link other : share.path) {
                State& passed = links_[other];
                passed.room = std::max(0.0, passed.room - least * share.weight);
                passed.weight -= share.weight;
            }
        };
        link_updates_ += open_.size();
        std::erase_if(open_, [&](Link number) {
            const State& link = links_[number];
            if (link.weight <= same_weight) return true;
            least = std::min(least, link.room / link.weight);
            return false;
        });
        const auto open = [&](std::uint32_t number) {
            return in_component_[number] && new_rates_[number] == 0;
        };
        if constexpr (!Routing::uniform) {
            link_updates_ += component_.size();
            for (const std::uint32_t on : component_)
                if (open(on)) least = std::min(least, most_of_one(on));
            for (const std::uint32_t on : component_)
                if (open(on) && most_of_one(on) <= least * (1 + same_weight)) rate(on);
        }
        for (const Link number : open_) {
            const State& link = links_[number];
            if (link.weight <= same_weight || link.room > least * link.weight * (1 + same_weight))
                continue;
            link_updates_ += link.groups.size();
            for (const std::uint32_t on : link.groups)
                if (open(on)) rate(on);
        }
    }
}

/// Gives the groups of a component the rates that `fill_links` has found, and finds those in which
/// something happens first.
template <class Routing>
void SharingLinks<Routing>::set_rates(std::size_t begin, std::size_t end, Time now) {
    double least = std::numeric_limits<double>::max();
    ticks_.clear();
    for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t number = component_[i];
        in_component_[number] = 0;
        FlowGroup& group = groups_[number];
        const double rate = group.rate();
        const double new_rate = new_rates_[number] * group.weight();
        if (std::abs(new_rate - rate) > same_rate * rate) group.set_rate(new_rate, now);
        ticks_.push_back(group.ticks_to_next(now));
        least = std::min(least, ticks_.back());
    }
    if (static_cast<double>(now) + least > static_cast<double>(longest_time)) too_long();
    const Time first = now + std::llround(least);
    for (std::size_t i = begin; i < end; ++i) {
        Time& known = next_[component_[i]];
        if (ticks_[i - begin] > least + 1 || now + std::llround(ticks_[i - begin]) > first) {
            known = never;
        } else if (known != first) {
            known = first;
            first_.push_back(component_[i]);
        }
    }
}

}  // namespace lapwing::simulate
