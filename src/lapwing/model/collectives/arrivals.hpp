#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// How a rank receives several messages.
enum class Receives : std::uint8_t {
    at_once,       ///< as they come
    in_turn,       ///< asks for one after another
    in_turn_ahead  ///< likewise, but asks for the next before it has the one before
};

/// A message on its way to a rank.
struct Arrival {
    MessageCost cost;
    double ready = 0;       ///< when its sender begins to send it
    bool own_node = false;  ///< it comes from the rank's own node, through no interface

    [[nodiscard]] double at() const { return ready + cost.send + cost.latency; }
};

/// Seconds until a rank has received two messages for which it has asked from the start. `second`
/// is the one that passes last if both come together.
[[nodiscard]] inline double received_both(const Network& network, const Arrival& first,
                                          const Arrival& second) {
    const bool swapped = second.at() < first.at();
    const Arrival& sooner = swapped ? second : first;
    const Arrival& later = swapped ? first : second;
    double there = sooner.at() + sooner.cost.wire;
    const bool meet = !sooner.own_node && !later.own_node && later.at() < there;
    const double then = (meet ? there : later.at()) + later.cost.wire;
    if (meet && network.sharing) there = then;
    return std::max(there + sooner.cost.receive, then) + later.cost.receive;
}

/// The messages that a rank receives, in the order of its receives. Its interface takes them in the
/// order of their arrival, or they share it; its processor takes them in the order of the receives.
class Arrivals {
  public:
    Arrivals(const Network& network, Receives receives)
        : ranks_per_node_(network.ranks_per_node), sharing_(network.sharing), receives_(receives) {}

    void clear() {
        messages_.clear();
        interface_ = 0;
    }
    /// Adds a message whose sender, the rank `distance` after this one, begins to send it at
    /// `ready` seconds. Of messages that come together the one from the last rank passes first.
    void add(const MessageCost& cost, double ready, std::uint64_t distance) {
        messages_.push_back({cost, ready + cost.send, 0, distance, distance});
    }
    /// Seconds until all have been received.
    [[nodiscard]] double received() {
        if (messages_.empty()) return 0;
        return messages_.front().cost.waits && receives_ != Receives::at_once ? asked_for()
                                                                              : came();
    }

  private:
    struct Message {
        MessageCost cost;
        double sent;   ///< when the sender's processor is done with it
        double there;  ///< when it has passed the interface
        std::uint64_t distance;
        std::uint64_t rank;  ///< of messages that come together that with the largest is first
    };

    /// Messages that wait for their receives come in the order of these.
    [[nodiscard]] double asked_for() {
        if (receives_ == Receives::in_turn_ahead) return ahead();
        double last = 0;
        for (auto& each : messages_) {
            each.there = std::max(each.sent, last) + each.cost.latency + each.cost.wire;
            last = each.there + each.cost.receive;
        }
        return last;
    }

    /// The rank goes on to the next receive when one has ended, and has then asked for the one
    /// after that, too. Of two that it has asked for it takes up the one that is there first.
    [[nodiscard]] double ahead() {
        double now = 0;
        std::size_t asked = 0;
        std::vector<bool> done(messages_.size(), false);
        for (std::size_t next = 0; next < messages_.size();) {
            const std::size_t begin = asked;
            asked = std::min(next + 2, messages_.size());
            for (std::size_t i = begin; i < asked; ++i)
                if (messages_[i].there < now)
                    messages_[i].cost.receive += messages_[i].cost.unexpected;
            if (messages_.front().cost.waits) {
                for (std::size_t i = begin; i < asked; ++i) {
                    if (messages_[i].sent > now) continue;
                    // Messages that were waiting leave in the order in which they are asked for.
                    messages_[i].sent = now;
                    messages_[i].rank = ~std::uint64_t{i};
                }
                pass(begin, asked);
            }
            std::size_t first = next;
            if (asked > next + 1 && !done[next + 1] && sooner(next + 1, next)) first = next + 1;
            now = std::max(now, messages_[first].there) + messages_[first].cost.receive;
            done[first] = true;
            while (next < messages_.size() && done[next]) ++next;
        }
        return now;
    }
    [[nodiscard]] bool sooner(std::size_t a, std::size_t b) const {
        return messages_[a].there < messages_[b].there;
    }

    /// Lets the messages from `begin` to `end` pass the interface, after all earlier ones.
    void pass(std::size_t begin, std::size_t end) {
        const auto arrival = [&](std::size_t i) {
            return messages_[i].sent + messages_[i].cost.latency;
        };
        order_.clear();
        for (std::size_t i = begin; i < end; ++i) order_.push_back(i);
        std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
            return arrival(a) < arrival(b) ||
                   (arrival(a) == arrival(b) && messages_[a].rank > messages_[b].rank);
        });
        for (const auto i : order_) {
            auto& each = messages_[i];
            each.there = arrival(i) + each.cost.wire;
            // From its own node it comes through no interface.
            if (each.distance < ranks_per_node_) continue;
            each.there = interface_ = std::max(interface_, arrival(i)) + each.cost.wire;
        }
        // Messages that are on their way at the same time arrive together.
        for (std::size_t k = order_.size(); sharing_ && k-- > 1;)
            if (arrival(order_[k]) < messages_[order_[k - 1]].there)
                messages_[order_[k - 1]].there = messages_[order_[k]].there;
    }

    [[nodiscard]] double came() {
        pass(0, messages_.size());
        if (receives_ == Receives::in_turn_ahead) return ahead();
        double done = 0;
        for (std::size_t k = 0; k < order_.size(); ++k) {
            const auto& each = messages_[receives_ == Receives::at_once ? order_[k] : k];
            // All at once are posted from the start: none is unexpected.
            done = receives_ == Receives::at_once ? std::max(done, each.there) + each.cost.receive
                                                  : each.cost.received(each.there, done);
        }
        return done;
    }

    std::uint64_t ranks_per_node_;
    bool sharing_;
    Receives receives_;
    double interface_ = 0;
    std::vector<Message> messages_;
    std::vector<std::size_t> order_;
};

}  // namespace lapwing::model
