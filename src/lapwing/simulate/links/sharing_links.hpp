#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/links/flow_group.hpp"
#include "lapwing/simulate/links/path.hpp"

namespace lapwing::simulate {

/// Links whose bandwidth flows share. Rates are max-min fair (Bertsekas, Gallager 1992): the rates
/// of all flows grow together until a link is full; flows on that link keep their rate, the others
/// grow on. Of two flows on a link, rates are in proportion to their weights.
///
/// Flows of one path are a `FlowGroup`, which has a number. Rates change only in `reallocate`, once
/// all flows that come or go at one time have done so.
///
/// `Routing`: which links there are and which of them a flow takes, `Topology::View` or `Routes`.
template <class Routing>
class SharingLinks {
  public:
    /// Flows that are on a link at the same time slow each other down.
    static constexpr bool shared = true;

    explicit SharingLinks(Routing routing)
        : routing_(std::move(routing)), links_(routing_.links()) {}

    /// The number of links between the switches of two nodes.
    [[nodiscard]] std::uint32_t hops(std::uint32_t from, std::uint32_t to) const {
        return routing_.hops(from, to);
    }

    /// `flow` begins. It has no rate before `reallocate`.
    void enter(const Flow& flow, Time now) {
        const std::uint32_t number = group_of(flow);
        groups_[number].group.enter(flow.message, flow.wire, now);
        disturb_path(number);
    }

    /// Whether `reallocate` has said that something happens now in group `number`, and has not
    /// changed that since.
    [[nodiscard]] bool due(std::uint32_t number, Time now) const {
        return groups_[number].next == now;
    }
    /// Goes on with a group that is `due`: calls `delivered(message)` for each of its messages that
    /// is delivered now, and `ended(message)` for each whose links are free now.
    template <class Delivered, class Ended>
    void proceed(std::uint32_t number, Time now, Delivered&& delivered, Ended&& ended) {
        Traffic& traffic = groups_[number];
        const std::size_t before = traffic.group.size();
        traffic.group.proceed(now, delivered, ended);
        traffic.next = never;
        change(number);
        if (traffic.group.size() < before) disturb_path(number);
    }
    /// Whether flows have come or gone since the last `reallocate`.
    [[nodiscard]] bool outdated() const { return !disturbed_.empty() || !changed_.empty(); }
    /// What all of `reallocate` has cost so far: how often a link or a group on it was visited.
    [[nodiscard]] std::uint64_t link_updates() const { return link_updates_; }

    /// Gives flows their new rates, once all else of this time has happened. Calls
    /// `next(number, time)` for each group whose next message is delivered, or whose next flow
    /// ends, at another time than before.
    template <class Next>
    void reallocate(Time now, Next&& next) {
        find_component();
        fill_links();
        set_rates(now);
        for (const std::uint32_t number : changed_) {
            Traffic& traffic = groups_[number];
            traffic.changed = false;
            if (traffic.group.size() == 0) {
                remove(number);
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
    using Path = typename Routing::Path;
    using FlowGroup = simulate::FlowGroup<Path>;

    struct Traffic {
        FlowGroup group;
        double new_rate = 0;
        Time next = never;  ///< when something happens in the group
        bool in_component = false;
        bool changed = false;
    };
    struct State {
        std::vector<std::uint32_t> groups;
        double room = 1;    ///< bandwidth of the link that no rate has taken yet
        double weight = 0;  ///< of all its flows that have no rate yet
        bool in_component = false;
    };
    static constexpr Time never = -1;
    static constexpr double same_rate = 1e-12;   ///< relative difference of rates that are the same
    static constexpr double same_weight = 1e-9;  ///< weight, or relative room, that is rounding

    static double weight_of(const FlowGroup& group) {
        return group.weight() * static_cast<double>(group.size());
    }

    std::uint32_t group_of(const Flow& flow);
    void remove(std::uint32_t number);
    void change(std::uint32_t number);
    void disturb_path(std::uint32_t number);
    void disturb(Link link);
    void find_component();
    void fill_links();
    [[nodiscard]] double bandwidth(Link link) const;
    [[nodiscard]] double most_of_one(std::uint32_t number) const;
    void set_rates(Time now);

    Routing routing_;
    std::vector<Traffic> groups_;
    std::vector<std::uint32_t> spare_;  ///< numbers of groups that are no longer used
    std::vector<State> links_;
    std::vector<Link> disturbed_;           ///< links whose flows are to have new rates
    std::vector<Link> open_;                ///< of these, links that still have room
    std::vector<std::uint32_t> component_;  ///< groups that are to have new rates
    std::vector<std::uint32_t> changed_;    ///< groups in which something may happen next
    std::uint64_t link_updates_ = 0;
};

}  // namespace lapwing::simulate
