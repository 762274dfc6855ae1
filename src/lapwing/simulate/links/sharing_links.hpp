#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/links/flow_group.hpp"
#include "lapwing/simulate/links/topology.hpp"

namespace lapwing::simulate {

/// Links whose bandwidth the messages on them share. Rates are max-min fair (Bertsekas, Gallager
/// 1992): all grow together until a link is full, those on it stay, the others grow on. Of two
/// messages of different weight the heavier gets so much more of a link that both are on.
class SharingLinks {
  public:
    /// Messages that are on a link at the same time have an effect on each other.
    static constexpr bool shared = true;

    explicit SharingLinks(const Topology::View& topology)
        : topology_(topology), links_(topology.links()) {}

    /// Whether two nodes have a leaf switch in common.
    [[nodiscard]] bool near(std::uint32_t from, std::uint32_t to) const {
        return topology_.near(from, to);
    }

    /// `message` goes, from node `from` to node `to`; alone it would be on its links for `wire`
    /// ticks, and is there `early` ticks before they are free. The rates are those of `settle`.
    void enter(const Event& message, std::uint32_t from, std::uint32_t to, Time wire, Time early,
               Time now, double weight) {
        const std::uint32_t number = group_of(from, to, early, weight);
        groups_[number].group.enter(message, wire, now);
        disturb_path(number);
    }

    /// Whether group `number` has been told this time by `settle`, and no other since.
    [[nodiscard]] bool due(std::uint32_t number, Time now) const {
        return groups_[number].next == now;
    }
    /// A group is `due`: calls `there(message)` for each of its messages that is there, and
    /// `over(message)` for each whose links are free.
    template <class There, class Over>
    void proceed(std::uint32_t number, Time now, There&& there, Over&& over) {
        Traffic& traffic = groups_[number];
        const std::size_t before = traffic.group.size();
        traffic.group.proceed(now, there, over);
        traffic.next = never;
        change(number);
        if (traffic.group.size() < before) disturb_path(number);
    }
    [[nodiscard]] bool unsettled() const { return !disturbed_.empty() || !changed_.empty(); }
    /// How often a link or what is on it was looked at to share it out: what all of it took.
    [[nodiscard]] std::uint64_t link_updates() const { return looks_; }

    /// Shares out anew what has changed, now that all that happens at this time has happened;
    /// `next(number, time)` is called for each group of which something happens at another time
    /// than before.
    template <class Next>
    void settle(Time now, Next&& next) {
        find_component();
        share_out();
        for (const std::uint32_t number : component_) {
            Traffic& traffic = groups_[number];
            traffic.in_component = false;
            const double rate = traffic.group.rate();
            if (std::abs(traffic.new_rate - rate) <= rounding * rate) continue;
            traffic.group.set_rate(traffic.new_rate, now);
            change(number);
        }
        for (const std::uint32_t number : changed_) {
            Traffic& traffic = groups_[number];
            traffic.changed = false;
            if (traffic.group.size() == 0) {
                give_back(number);
                continue;
            }
            const Time time = traffic.group.next(now);
            if (time == traffic.next) continue;
            traffic.next = time;
            next(number, time);
        }
        for (const Link link : disturbed_) links_[link].in_component = false;
        disturbed_.clear();
        component_.clear();
        changed_.clear();
    }

  private:
    struct Traffic {
        FlowGroup group;
        double new_rate = 0;
        Time next = never;  ///< when something happens
        bool in_component = false;
        bool changed = false;
    };
    struct State {
        std::vector<std::uint32_t> groups;
        double room = 1;    ///< of the link that no rate has taken yet
        double weight = 0;  ///< of its messages that have no rate yet
        bool in_component = false;
    };
    static constexpr Time never = -1;
    static constexpr double rounding = 1e-12;  ///< within which rates are the same

    /// The group that a message joins, if need be a new one.
    std::uint32_t group_of(std::uint32_t from, std::uint32_t to, Time early, double weight) {
        const Path path = topology_.path(from, to);
        for (const std::uint32_t number : links_[*path.begin()].groups)
            if (groups_[number].group.carries(from, to, early)) return number;
        std::uint32_t number = 0;
        Traffic traffic{.group = FlowGroup(from, to, path, early, weight)};
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
    void give_back(std::uint32_t number) {
        Traffic& traffic = groups_[number];
        traffic.next = never;
        for (const Link link : traffic.group.path()) {
            auto& on = links_[link].groups;
            *std::find(on.begin(), on.end(), number) = on.back();
            on.pop_back();
        }
        spare_.push_back(number);
    }
    /// Of a group it is to be found out when something happens next.
    void change(std::uint32_t number) {
        if (groups_[number].changed) return;
        groups_[number].changed = true;
        changed_.push_back(number);
    }
    void disturb_path(std::uint32_t number) {
        change(number);
        for (const Link link : groups_[number].group.path()) disturb(link);
    }
    void disturb(Link link) {
        if (links_[link].in_component) return;
        links_[link].in_component = true;
        disturbed_.push_back(link);
    }
    /// All links and groups whose rates depend on the links that were disturbed.
    void find_component() {
        for (std::size_t next = 0; next < disturbed_.size();) {
            State& link = links_[disturbed_[next++]];
            link.room = 1;
            link.weight = 0;
            looks_ += 1 + link.groups.size();
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
    static double weight_of(const FlowGroup& group) {
        return group.weight() * static_cast<double>(group.size());
    }
    void share_out() {
        open_ = disturbed_;
        constexpr double same = 1e-9;
        for (std::size_t rated = 0; rated < component_.size();) {
            double least = std::numeric_limits<double>::max();
            looks_ += open_.size();
            std::erase_if(open_, [&](Link number) {
                const State& link = links_[number];
                if (link.weight <= same) return true;
                least = std::min(least, link.room / link.weight);
                return false;
            });
            for (const Link number : open_) {
                const State& link = links_[number];
                if (link.weight <= same || link.room > least * link.weight * (1 + same)) continue;
                looks_ += link.groups.size();
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

    Topology::View topology_;
    std::vector<Traffic> groups_;
    std::vector<std::uint32_t> spare_;
    std::vector<State> links_;
    std::vector<Link> disturbed_;
    std::vector<Link> open_;
    std::vector<std::uint32_t> component_;
    std::vector<std::uint32_t> changed_;
    std::uint64_t looks_ = 0;
};

}  // namespace lapwing::simulate
