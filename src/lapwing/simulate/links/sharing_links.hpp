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

/// Links whose bandwidth flows share. Rates are max-min fair (Bertsekas, Gallager 1992). The rates
/// of all flows grow together until a link is full. Flows on that link keep their rate, the others
/// grow on. Of two flows on a link, rates are in proportion to their weights.
///
/// Flows of one path are a `FlowGroup`, which has a number. Rates change only in `reallocate`, once
/// all flows that come or go at one time have done so.
///
/// `Routing`: the links, and those that a flow takes, `Topology::View` or `Routes`.
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
        groups_[number].enter(flow.message, flow.wire, now);
        shares_[number].weight = weight_of(groups_[number]);
        disturb_path(number);
    }

    /// Whether `reallocate` has said that something happens now in group `number`, and has not
    /// changed that since.
    [[nodiscard]] bool due(std::uint32_t number, Time now) const { return next_[number] == now; }
    /// Goes on with a group that is `due`: calls `delivered(message)` for each of its messages
    /// delivered now, and `ended(message)` for each whose links are free now.
    template <class Delivered, class Ended>
    void proceed(std::uint32_t number, Time now, Delivered&& delivered, Ended&& ended) {
        FlowGroup& group = groups_[number];
        group.proceed(now, delivered, ended);
        next_[number] = never;
        shares_[number].weight = weight_of(group);
        if (group.size() == 0) emptied_.push_back(number);
        disturb_path(number);
    }
    /// Whether something has happened since the last `reallocate`.
    [[nodiscard]] bool outdated() const { return !disturbed_.empty(); }
    /// What all of `reallocate` has cost so far: how often a link or a group on it was visited.
    [[nodiscard]] std::uint64_t link_updates() const { return link_updates_; }

    /// Gives flows their new rates, once all else of this time has happened. Of the groups whose
    /// rates depend on each other, calls `next(number, time)` for those in which something happens
    /// first. Rates then change again, and with them the times of all others. Throws
    /// `std::invalid_argument` beyond what `Time` holds.
    template <class Next>
    void reallocate(Time now, Next&& next) {
        find_components();
        fill_links();
        std::size_t begin = 0;
        for (const std::size_t end : component_ends_) {
            set_rates(begin, end, now);
            begin = end;
        }
        for (const std::uint32_t number : first_) next(number, next_[number]);
        remove_emptied();
        forget_components();
    }

  private:
    using Path = typename Routing::Path;

    /// A group's part of the links, read whenever rates change.
    struct Share {
        Path path;
        double weight = 0;  ///< of all its flows
    };
    struct State {
        std::vector<std::uint32_t> groups;
        double room = 1;    ///< bandwidth of the link that no rate has taken yet
        double weight = 0;  ///< of all its flows that have no rate yet
        bool disturbed = false;
        bool reached = false;
    };
    static constexpr Time never = -1;
    static constexpr double same_rate = 1e-12;   ///< relative difference of rates that are the same
    static constexpr double same_weight = 1e-9;  ///< weight, or relative room, that is rounding

    static double weight_of(const FlowGroup& group) {
        return group.weight() * static_cast<double>(group.size());
    }

    std::uint32_t group_of(const Flow& flow);
    void remove_emptied();
    void forget_components();
    void disturb_path(std::uint32_t number);
    void disturb(Link link);
    void find_components();
    void reach(Link number);
    void join_component(std::uint32_t number);
    void fill_links();
    [[nodiscard]] double bandwidth(Link link) const;
    [[nodiscard]] double most_of_one(std::uint32_t number) const;
    void set_rates(std::size_t begin, std::size_t end, Time now);

    Routing routing_;
    // By the numbers of groups.
    std::vector<FlowGroup> groups_;
    std::vector<Share> shares_;
    std::vector<double> new_rates_;  ///< of a flow of weight 1
    std::vector<Time> next_;         ///< when something happens, where `reallocate` has said so
    std::vector<std::uint8_t> in_component_;

    std::vector<std::uint32_t> spare_;    ///< numbers of groups that are no longer used
    std::vector<std::uint32_t> emptied_;  ///< groups whose last flow has ended
    std::vector<State> links_;
    std::vector<Link> disturbed_;           ///< links of groups in which something has happened
    std::vector<Link> reached_;             ///< links whose flows are to have new rates
    std::vector<Link> open_;                ///< of these, links that still have room
    std::vector<std::uint32_t> component_;  ///< groups that are to have new rates
    /// Where in `component_` those end whose rates depend on each other.
    std::vector<std::size_t> component_ends_;
    std::vector<double> ticks_;  ///< of a component: to what happens next in each of its groups
    /// Groups in which something happens first, unless they have been named for that time before.
    std::vector<std::uint32_t> first_;
    std::uint64_t link_updates_ = 0;
};

}  // namespace lapwing::simulate
