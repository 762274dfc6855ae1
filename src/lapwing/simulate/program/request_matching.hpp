#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/simulate/program/requests.hpp"

namespace lapwing::simulate {

/// Matches messages with receives as MPI does. A message meets the receive of its source, tag and
/// context that was posted first, a receive the message that arrived first. What matches neither is
/// kept, by its channel: source, destination, tag and context. Memory grows with what is kept.
class RequestMatching {
  public:
    static constexpr std::uint32_t none = Request::none;

    RequestMatching(Requests& requests, Rank ranks);

    /// The message of a send has arrived. Returns the receive that it matches; if there is none,
    /// keeps it and returns `none`.
    std::uint32_t arrived(std::uint32_t send);
    /// A receive is posted. Returns the send of the message that it matches; if there is none,
    /// keeps it and returns `none`.
    std::uint32_t posted(std::uint32_t receive);

    /// The first message that is kept at `rank`; `none` if there is none.
    [[nodiscard]] std::uint32_t kept(Rank rank) const { return hosts_[rank].first_message; }

  private:
    /// What waits for the other side: messages or receives, never both.
    struct Channel {
        std::uint32_t first = none;  ///< `none`: the slot is free
        std::uint32_t last = none;
    };
    struct Host {
        std::uint32_t first_message = none;  ///< by the time of their arrival
        std::uint32_t last_message = none;
        std::vector<std::uint32_t> open;  ///< receives from any source or of any tag
    };

    [[nodiscard]] static bool same_channel(const Request& a, const Request& b) {
        return a.from == b.from && a.to == b.to && a.tag == b.tag && a.context == b.context;
    }
    [[nodiscard]] static std::uint64_t hash(const Request& request);
    [[nodiscard]] std::size_t home(const Request& request) const {
        return hash(request) & (channels_.size() - 1);
    }
    /// The slot of a request's channel, or the free one where it belongs.
    [[nodiscard]] std::size_t find(const Request& request) const;
    void append(std::size_t slot, std::uint32_t number);
    std::uint32_t take_first(std::size_t slot);
    void erase(std::size_t slot);
    void grow();
    std::uint32_t take_open(const Request& send, std::uint64_t earlier_than);
    std::uint32_t take_message(std::uint32_t receive);
    void keep_message(std::uint32_t send);
    void unkeep_message(std::uint32_t send);

    Requests& requests_;
    std::vector<Channel> channels_;  ///< a hash table, at most half full
    std::size_t used_ = 0;
    std::vector<Host> hosts_;
    std::uint64_t postings_ = 0;
};

}  // namespace lapwing::simulate
