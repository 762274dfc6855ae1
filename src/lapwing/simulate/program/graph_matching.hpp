#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/simulate/engine/wait_queue.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::simulate {

/// Which receive of a `Graph` a message meets: the earliest posted of its source and tag, and of
/// several messages the earliest that arrived, as MPI has it. Messages and receives of one source,
/// one tag and one rank are a channel, known before anything is played; only receives from any
/// source or of any tag are searched for.
class GraphMatching {
  public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    explicit GraphMatching(const Graph& graph);

    /// The channel of a send or a receive.
    [[nodiscard]] std::uint32_t channel(std::uint32_t node) const { return channel_[node]; }

    /// A message of `channel` has arrived at `rank`: the receive it meets, or none; then it is
    /// kept.
    std::uint32_t arrived(Rank rank, const Pending& message);

    /// `receive` of `rank` is posted: the message it meets into `message`; false if there is none,
    /// and then the receive is kept.
    bool posted(Rank rank, std::uint32_t receive, Pending& message);

    /// Receives that no message has met and messages that no receive has met, by rank.
    struct Left {
        std::vector<std::uint32_t> receives;  ///< nodes
        std::vector<std::pair<Rank, std::uint32_t>>
            messages;  ///< at which rank, sent by which node
    };
    [[nodiscard]] Left left() const;

  private:
    struct Channel {
        std::uint32_t first_receive = none;
        std::uint32_t last_receive = none;
        std::uint32_t first_message = none;  ///< by the node that sent it
        std::uint32_t last_message = none;
    };
    /// Posted receives from anywhere and, where there are such, all messages kept, oldest first.
    struct Open {
        bool used = false;
        std::vector<std::uint32_t> receives;
        std::vector<std::uint32_t> messages;
    };

    [[nodiscard]] bool meets(const Node& receive, const Node& send, Rank from) const {
        return (receive.peer == any || receive.peer == from) &&
               (receive.tag == any || receive.tag == send.tag);
    }
    void take_message(std::uint32_t channel);

    const Graph& graph_;
    std::vector<std::uint32_t> channel_;  ///< [node]
    std::vector<std::uint32_t> next_;     ///< in its channel [node]
    std::vector<std::uint64_t> posting_;  ///< when a receive was posted, counted [node]
    std::vector<Channel> channels_;
    std::vector<Open> open_;  ///< [rank]
    std::uint64_t postings_ = 0;
    std::vector<Rank> rank_of_;  ///< [node], where a rank has open receives
};

}  // namespace lapwing::simulate
