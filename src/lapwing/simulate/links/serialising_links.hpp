#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/links/topology.hpp"

namespace lapwing::simulate {

/// Links that carry one message at a time. A message cuts through: it starts when all links of its
/// path are free, and holds them until its last byte has left them. When a link becomes free, the
/// first message that waits for it and can start does so; a message that is blocked elsewhere lets
/// others pass. A node's interface considers the first `window` messages that wait to leave by it;
/// those behind wait for their turn to be considered.
///
/// Messages that leave their links at one time do so in SimGrid's order: a message has the place of
/// the link of its path that was touched last. A link is touched when a message of its path
/// departs, starts or ends, and with it all links of the message that is on it.
class SerialisingLinks {
  public:
    static constexpr std::size_t window = 64;

    /// `credit`: ticks of transmission that a link gives away after it was idle; see
    /// `MeasuredMachine::credit`.
    explicit SerialisingLinks(const Topology::View& topology, Time credit = 0)
        : topology_(topology),
          credit_(credit),
          buckets_(credit > 0 ? topology.links() / 2 : 0, {.left = credit, .end = 0}),
          on_(topology.links()),
          touches_(topology.links()),
          waiting_(topology.links()),
          senders_(topology.links() / 2) {}

    /// Whether two nodes have a leaf switch in common.
    [[nodiscard]] bool near(std::uint32_t from, std::uint32_t to) const {
        return topology_.near(from, to);
    }

    /// A message from node `from` to node `to` departs; it enters later.
    void announce(std::uint32_t from, std::uint32_t to, Time now) {
        for (const Link link : topology_.path(from, to)) touch(link, now);
    }

    /// The first byte of `message`, from node `from` to node `to`, is at its links. Returns whether
    /// it starts; if not, `leave` of another message starts it.
    bool enter(const Event& message, std::uint32_t from, std::uint32_t to, Time now) {
        Sender& sender = senders_[from];
        if (sender.considered == window) {
            sender.behind.push_back({message, to});
            return false;
        }
        const Path path = topology_.path(from, to);
        if (free(path)) {
            take(path, now);
            return true;
        }
        wait(message, from, path);
        return false;
    }

    /// Ticks that a message of node `from`, which needs `wire`, holds its links from `now` on. What
    /// its sender's link has saved while it was idle, at most the credit, takes no time: a traffic
    /// shaper's token bucket.
    [[nodiscard]] Time hold(std::uint32_t from, Time wire, Time now) {
        if (credit_ == 0) return wire;
        Bucket& bucket = buckets_[from];
        const Time saved = std::min(credit_, bucket.left + now - bucket.end);
        const Time given = std::min(saved, wire);
        bucket = {.left = saved - given, .end = now + wire - given};
        return wire - given;
    }

    /// A message leaves its links. They become free one after the other, and go to messages that
    /// wait for them: `start(message)` is called for each.
    template <class Start>
    void leave(std::uint32_t from, std::uint32_t to, Time now, Start&& start) {
        const Path path = topology_.path(from, to);
        touch(*path.begin(), now);
        for (const Link link : path) {
            on_[link] = {};
            const auto& waiting = waiting_[link];
            std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
            std::uint32_t chosen = 0;
            for (const Waiting& each : waiting) {
                if (each.order >= first || !free(each.path)) continue;
                first = each.order;
                chosen = each.message;
            }
            if (first != std::numeric_limits<std::uint64_t>::max()) go(chosen, now, start);
        }
    }

    /// The place of the message that is under way from `from` to `to` among those that leave their
    /// links at the same time.
    [[nodiscard]] std::uint64_t place(std::uint32_t from, std::uint32_t to) const {
        Touch last;
        for (const Link link : topology_.path(from, to)) {
            const Touch& touch = touches_[link];
            if (touch.time > last.time || (touch.time == last.time && touch.place < last.place))
                last = touch;
        }
        return last.place;
    }

  private:
    /// A message that is considered, in the list of a link on its path.
    struct Waiting {
        std::uint64_t order;
        Path path;
        std::uint32_t message;  ///< in `messages_`
    };
    struct Message {
        Event event;
        std::uint32_t from = 0;
        Path path;
        std::array<std::uint32_t, Path::most> places{};  ///< in the lists of its links
    };
    /// The credit that a link had left when it was last busy.
    struct Bucket {
        Time left = 0;
        Time end = 0;
    };
    struct Touch {
        Time time = -1;
        std::uint64_t place = 0;
    };
    struct Behind {
        Event event;
        std::uint32_t to;
    };
    struct Sender {
        std::size_t considered = 0;
        std::deque<Behind> behind;
    };

    [[nodiscard]] bool free(const Path& path) const {
        return std::all_of(path.begin(), path.end(), [&](Link link) { return on_[link].empty(); });
    }
    void take(const Path& path, Time now) {
        for (const Link link : path) on_[link] = path;
        touch(*path.begin(), now);
    }
    /// Only the first touch at a time counts. It touches all links of the message on this one.
    void touch(Link link, Time now) {
        if (touches_[link].time == now) return;
        touches_[link] = {now, ++last_place_};
        for (const Link other : on_[link]) touch(other, now);
    }

    void wait(const Event& event, std::uint32_t from, const Path& path) {
        std::uint32_t index = 0;
        if (spare_.empty()) {
            index = static_cast<std::uint32_t>(messages_.size());
            messages_.emplace_back();
        } else {
            index = spare_.back();
            spare_.pop_back();
        }
        Message& message = messages_[index];
        message.event = event;
        message.from = from;
        message.path = path;
        std::size_t i = 0;
        for (const Link link : path) {
            message.places[i++] = static_cast<std::uint32_t>(waiting_[link].size());
            waiting_[link].push_back({event.order, path, index});
        }
        ++senders_[from].considered;
    }

    /// A message that waited starts, and its interface considers one more.
    template <class Start>
    void go(std::uint32_t index, Time now, Start&& start) {
        Message& message = messages_[index];
        std::size_t i = 0;
        for (const Link link : message.path) remove(link, message.places[i++]);
        take(message.path, now);
        const std::uint32_t from = message.from;
        start(message.event);
        spare_.push_back(index);
        Sender& sender = senders_[from];
        --sender.considered;
        if (sender.behind.empty()) return;
        const Behind next = sender.behind.front();
        sender.behind.pop_front();
        wait(next.event, from, topology_.path(from, next.to));
    }
    /// Removes an entry from a link's list; the last of the list takes its place.
    void remove(Link link, std::uint32_t place) {
        auto& list = waiting_[link];
        const Waiting moved = list.back();
        list[place] = moved;
        list.pop_back();
        if (place == list.size()) return;
        Message& message = messages_[moved.message];
        const auto at = std::find(moved.path.begin(), moved.path.end(), link);
        message.places[static_cast<std::size_t>(at - moved.path.begin())] = place;
    }

    Topology::View topology_;
    Time credit_;
    std::vector<Bucket> buckets_;  ///< [node]
    std::vector<Path> on_;         ///< [link]: path of the message that is on it
    std::vector<Touch> touches_;   ///< [link]: the last
    std::uint64_t last_place_ = 0;
    std::vector<std::vector<Waiting>> waiting_;  ///< [link]
    std::vector<Message> messages_;
    std::vector<std::uint32_t> spare_;
    std::vector<Sender> senders_;  ///< [node]
};

}  // namespace lapwing::simulate
