#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/simulate/engine/wait_queue.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::simulate {

/// Matches messages of a `Graph` with receives, as MPI does. A message meets the receive of its
/// source and tag that was posted first, a receive the message that arrived first. Messages and
/// receives of one source, one tag and one rank are a channel, which is known before the graph
/// runs. Only for receives from any source or of any tag there is a search.
class GraphMatching {
  public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    explicit GraphMatching(const Graph& graph);

    /// The channel of a send or a receive.
    [[nodiscard]] std::uint32_t channel(std::uint32_t node) const { return channel_[node]; }

    /// A message, whose key is its channel, has arrived at `rank`. Returns the receive that it
    /// matches; if there is none, keeps the message and returns `none`.
    std::uint32_t arrived(Rank rank, const Pending& message);

    /// `receive` of `rank` is posted. Sets the `id` of `message` to the send of the message that it
    /// matches; if there is none, keeps the receive and returns false.
    bool posted(Rank rank, std::uint32_t receive, Pending& message);

    /// Receives and messages that have not been matched.
    struct Left {
        std::vector<std::uint32_t> receives;  ///< nodes
        /// The rank that each message was sent to, and the node that sent it.
        std::vector<std::pair<Rank, std::uint32_t>> messages;
    };
    [[nodiscard]] Left left() const;

  private:
    struct Channel {
        std::uint32_t first_receive = none;
        std::uint32_t last_receive = none;
        std::uint32_t first_message = none;  ///< by the node that sent it
        std::uint32_t last_message = none;
    };
    /// The posted receives of a rank from any source or of any tag, and, where there are such, all
    /// messages that are kept, oldest first.
    struct Open {
        bool used = false;
        std::vector<std::uint32_t> receives;
        std::vector<std::uint32_t> messages;
    };

    [[nodiscard]] bool matches(const Node& receive, const Node& send, Rank from) const {
        return (receive.peer == any || receive.peer == from) &&
               (receive.tag == any || receive.tag == send.tag);
    }
    void take_message(std::uint32_t channel);

    const Graph& graph_;
    std::vector<std::uint32_t> channel_;  ///< [node]
    std::vector<std::uint32_t> next_;     ///< of its channel [node]
    std::vector<std::uint64_t> posting_;  ///< number of a receive in the order of posting [node]
    std::vector<Channel> channels_;
    std::vector<Open> open_;  ///< [rank]
    std::uint64_t postings_ = 0;
    std::vector<Rank> rank_of_;  ///< [node], where a rank has open receives
};

}  // namespace lapwing::simulate
