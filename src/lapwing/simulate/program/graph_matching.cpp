#include "lapwing/simulate/program/graph_matching.hpp"

#include <algorithm>
#include <utility>

namespace lapwing::simulate {
namespace {

/// Numbers channels in the order in which they are first seen: a hash table, at most half full.
class Channels {
  public:
    std::uint32_t number(Rank from, Rank to, std::uint32_t tag) {
        Slot& slot = find(from, to, tag);
        if (slot.number != GraphMatching::none) return slot.number;
        slot = {from, to, tag, count_};
        if (2 * std::size_t{++count_} > slots_.size()) grow();
        return count_ - 1;
    }
    [[nodiscard]] std::uint32_t count() const { return count_; }

  private:
    struct Slot {
        Rank from = 0;
        Rank to = 0;
        std::uint32_t tag = 0;
        std::uint32_t number = GraphMatching::none;
    };

    /// The slot of a channel, or the free one where it belongs.
    Slot& find(Rank from, Rank to, std::uint32_t tag) {
        std::uint64_t mixed = (std::uint64_t{from} << 32U | to) * 0x9E3779B97F4A7C15U;
        mixed = (mixed ^ mixed >> 29U ^ tag) * 0xBF58476D1CE4E5B9U;
        for (std::size_t i = mixed >> 20U;; ++i) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (slot.number == GraphMatching::none ||
                (slot.from == from && slot.to == to && slot.tag == tag))
                return slot;
        }
    }
    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        std::swap(old, slots_);
        for (const Slot& slot : old)
            if (slot.number != GraphMatching::none) find(slot.from, slot.to, slot.tag) = slot;
    }

    std::vector<Slot> slots_ = std::vector<Slot>(16);
    std::uint32_t count_ = 0;
};

}  // namespace

GraphMatching::GraphMatching(const Graph& graph)
    : graph_(graph),
      channel_(graph.nodes.size(), none),
      next_(graph.nodes.size(), none),
      open_(graph.ranks.size()) {
    Channels channels;
    bool any_open = false;
    for (Rank rank = 0; rank < graph.ranks.size(); ++rank) {
        const auto [first, count] = graph.ranks[rank];
        for (std::uint32_t i = first; i < first + count; ++i) {
            const Node& node = graph.nodes[i];
            if (node.operation == Operation::calculation) continue;
            if (node.operation == Operation::send) {
                channel_[i] = channels.number(rank, node.peer, node.tag);
            } else if (node.peer == any || node.tag == any) {
                open_[rank].used = any_open = true;
            } else {
                channel_[i] = channels.number(node.peer, rank, node.tag);
            }
        }
    }
    channels_.resize(channels.count());
    if (!any_open) return;
    posting_.resize(graph.nodes.size());
    rank_of_.resize(graph.nodes.size());
    for (Rank rank = 0; rank < graph.ranks.size(); ++rank)
        std::fill_n(rank_of_.begin() + graph.ranks[rank].first, graph.ranks[rank].count, rank);
}

std::uint32_t GraphMatching::arrived(Rank rank, const Pending& message) {
    Channel& channel = channels_[message.key];
    Open& open = open_[rank];
    std::uint32_t matched = channel.first_receive;
    if (open.used) {
        const Node& send = graph_.nodes[message.id];
        const auto found =
            std::find_if(open.receives.begin(), open.receives.end(), [&](std::uint32_t receive) {
                return matches(graph_.nodes[receive], send, message.peer);
            });
        if (found != open.receives.end() &&
            (matched == none || posting_[*found] < posting_[matched])) {
            matched = *found;
            open.receives.erase(found);
            return matched;
        }
        if (matched == none) open.messages.push_back(message.id);
    }
    if (matched != none) {
        channel.first_receive = next_[matched];
        return matched;
    }
    (channel.first_message == none ? channel.first_message : next_[channel.last_message]) =
        message.id;
    channel.last_message = message.id;
    next_[message.id] = none;
    return none;
}

void GraphMatching::take_message(std::uint32_t channel) {
    channels_[channel].first_message = next_[channels_[channel].first_message];
}

bool GraphMatching::posted(Rank rank, std::uint32_t receive, Pending& message) {
    const Node& node = graph_.nodes[receive];
    Open& open = open_[rank];
    std::uint32_t matched = none;
    if (channel_[receive] != none) {
        matched = channels_[channel_[receive]].first_message;
        if (matched != none && open.used)
            open.messages.erase(std::find(open.messages.begin(), open.messages.end(), matched));
    } else {
        const auto found = std::find_if(
            open.messages.begin(), open.messages.end(),
            [&](std::uint32_t send) { return matches(node, graph_.nodes[send], rank_of_[send]); });
        if (found != open.messages.end()) {
            matched = *found;
            open.messages.erase(found);
        }
    }
    if (matched != none) {
        // The oldest message that matches is the oldest of its channel.
        take_message(channel_[matched]);
        message.id = matched;
        return true;
    }
    if (open.used) posting_[receive] = postings_++;
    if (channel_[receive] == none) {
        open.receives.push_back(receive);
        return false;
    }
    Channel& channel = channels_[channel_[receive]];
    (channel.first_receive == none ? channel.first_receive : next_[channel.last_receive]) = receive;
    channel.last_receive = receive;
    next_[receive] = none;
    return false;
}

GraphMatching::Left GraphMatching::left() const {
    Left left;
    for (const auto& channel : channels_) {
        for (std::uint32_t i = channel.first_receive; i != none; i = next_[i])
            left.receives.push_back(i);
        for (std::uint32_t i = channel.first_message; i != none; i = next_[i])
            left.messages.emplace_back(graph_.nodes[i].peer, i);
    }
    for (const auto& open : open_)
        left.receives.insert(left.receives.end(), open.receives.begin(), open.receives.end());
    return left;
}

}  // namespace lapwing::simulate
