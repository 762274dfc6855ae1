#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "lapwing/simulate/event.hpp"
#include "lapwing/simulate/time.hpp"
#include "lapwing/simulate/topology.hpp"

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
    /// ticks. The rates are those of `settle`.
    void enter(const Event& message, std::uint32_t from, std::uint32_t to, Time wire, Time now,
               double weight) {
        std::uint32_t index = 0;
        if (spare_.empty()) {
            index = static_cast<std::uint32_t>(flows_.size());
            flows_.emplace_back();
        } else {
            index = spare_.back();
            spare_.pop_back();
        }
        Flow& flow = flows_[index];
        flow.message = message;
        flow.path = topology_.path(from, to);
        flow.left = static_cast<double>(wire);
        flow.weight = weight;
        flow.rate = 0;
        flow.since = now;
        flow.end = std::numeric_limits<Time>::max();
        for (const Link link : flow.path) {
            links_[link].flows.push_back(index);
            disturb(link);
        }
    }

    /// Whether the message of number `index` ends now, and has not been told another end since.
    [[nodiscard]] bool ends(std::uint32_t index, Time now) const {
        return flows_[index].end == now;
    }
    /// It is over: what it was.
    Event leave(std::uint32_t index) {
        Flow& flow = flows_[index];
        for (const Link link : flow.path) {
            auto& on = links_[link].flows;
            *std::find(on.begin(), on.end(), index) = on.back();
            on.pop_back();
            disturb(link);
        }
        flow.end = -1;
        spare_.push_back(index);
        return flow.message;
    }
    [[nodiscard]] bool unsettled() const { return !disturbed_.empty(); }

    /// Shares out anew what has changed, now that all that happens at this time has happened;
    /// `ends(index, time)` is called for each message that ends at another time than before. Throws
    /// `std::invalid_argument` beyond what `Time` holds.
    template <class Ends>
    void settle(Time now, Ends&& ends) {
        find_component();
        share_out();
        for (const std::uint32_t index : component_) {
            Flow& flow = flows_[index];
            flow.left -= flow.rate * static_cast<double>(now - flow.since);
            flow.since = now;
            flow.rate = flow.new_rate;
            flow.in_component = false;
            const double rest = std::max(0.0, flow.left) / flow.rate;
            // Half of what there is, so that what follows has room too.
            constexpr double longest = 0.5 * static_cast<double>(std::numeric_limits<Time>::max());
            if (static_cast<double>(now) + rest > longest)
                throw std::invalid_argument("messages take longer than simulated time can tell");
            const Time end = now + static_cast<Time>(std::llround(rest));
            if (end == flow.end) continue;
            flow.end = end;
            ends(index, end);
        }
        for (const Link link : disturbed_) links_[link].in_component = false;
        disturbed_.clear();
        component_.clear();
    }

  private:
    struct Flow {
        Event message;
        Path path;
        double left = 0;  ///< ticks at full rate
        double weight = 1;
        double rate = 0;  ///< share of a link
        double new_rate = 0;
        Time since = 0;
        Time end = 0;
        bool in_component = false;
    };
    struct State {
        std::vector<std::uint32_t> flows;
        double room = 1;    ///< of the link that no rate has taken yet
        double weight = 0;  ///< of its messages that have no rate yet
        bool in_component = false;
    };

    void disturb(Link link) {
        if (links_[link].in_component) return;
        links_[link].in_component = true;
        disturbed_.push_back(link);
    }
    /// All links and messages whose rates depend on the links that were disturbed.
    void find_component() {
        for (std::size_t next = 0; next < disturbed_.size();) {
            State& link = links_[disturbed_[next++]];
            link.room = 1;
            link.weight = 0;
            for (const std::uint32_t index : link.flows) {
                Flow& flow = flows_[index];
                link.weight += flow.weight;
                if (flow.in_component) continue;
                flow.in_component = true;
                flow.new_rate = 0;
                component_.push_back(index);
                for (const Link other : flow.path) disturb(other);
            }
        }
    }
    void share_out() {
        open_ = disturbed_;
        constexpr double same = 1e-9;
        for (std::size_t rated = 0; rated < component_.size();) {
            double least = std::numeric_limits<double>::max();
            std::erase_if(open_, [&](Link number) {
                const State& link = links_[number];
                if (link.weight <= same) return true;
                least = std::min(least, link.room / link.weight);
                return false;
            });
            for (const Link number : open_) {
                const State& link = links_[number];
                if (link.weight <= same || link.room > least * link.weight * (1 + same)) continue;
                for (const std::uint32_t index : link.flows) {
                    Flow& flow = flows_[index];
                    if (flow.new_rate > 0) continue;
                    flow.new_rate = least * flow.weight;
                    ++rated;
                    for (const Link other : flow.path) {
                        links_[other].room = std::max(0.0, links_[other].room - flow.new_rate);
                        links_[other].weight -= flow.weight;
                    }
                }
            }
        }
    }

    Topology::View topology_;
    std::vector<Flow> flows_;
    std::vector<std::uint32_t> spare_;
    std::vector<State> links_;
    std::vector<Link> disturbed_;
    std::vector<Link> open_;
    std::vector<std::uint32_t> component_;
};

}  // namespace lapwing::simulate
