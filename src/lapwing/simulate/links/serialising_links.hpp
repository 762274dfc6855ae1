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

/// Links that carry one message at a time. A message cuts through: it holds all links of its path
/// until it is over, and waits until all of them are free. When a link becomes free, of the
/// messages that wait for it the one that came first of those that can go, goes: one that is
/// blocked elsewhere lets others pass. An interface looks at the first `window` messages that wait
/// to leave by it; those behind wait for their turn to be looked at.
///
/// Of messages that end at one time the order is SimGrid's: a message takes its place when one of
/// its links was last looked at, because a message on it came into being, began or ended.
class SerialisingLinks {
  public:
    static constexpr std::size_t window = 64;

    /// `credit`: ticks that a link gives away after a rest; see `MeasuredMachine::credit`.
    explicit SerialisingLinks(const Topology::View& topology, Time credit = 0)
        : topology_(topology),
          credit_(credit),
          buckets_(credit > 0 ? topology.links() / 2 : 0, {.left = credit, .end = 0}),
          on_(topology.links()),
          looks_(topology.links()),
          waiting_(topology.links()),
          senders_(topology.links() / 2) {}

    /// Whether two nodes have a leaf switch in common.
    [[nodiscard]] bool near(std::uint32_t from, std::uint32_t to) const {
        return topology_.near(from, to);
    }

    /// A message from node `from` to node `to` has come into being; it enters later.
    void come(std::uint32_t from, std::uint32_t to, Time now) {
        for (const Link link : topology_.path(from, to)) look(link, now);
    }

    /// `message`, from node `from` to node `to`, wants to go. Whether it does; if not, `leave` of
    /// another starts it.
    bool enter(const Event& message, std::uint32_t from, std::uint32_t to, Time now) {
        Sender& sender = senders_[from];
        if (sender.looked_at == window) {
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

    /// How long a message of node `from`, which takes `wire` ticks, holds its links from `now` on.
    /// What its sender's link has saved up while it rested, at most the credit, takes no time: a
    /// shaper's bucket of tokens.
    [[nodiscard]] Time hold(std::uint32_t from, Time wire, Time now) {
        if (credit_ == 0) return wire;
        Bucket& bucket = buckets_[from];
        const Time saved = std::min(credit_, bucket.left + now - bucket.end);
        const Time given = std::min(saved, wire);
        bucket = {.left = saved - given, .end = now + wire - given};
        return wire - given;
    }

    /// A message that went is over: its links are free, one after the other, and go to those that
    /// wait; `start(message)` is called for each of them.
    template <class Start>
    void leave(std::uint32_t from, std::uint32_t to, Time now, Start&& start) {
        const Path path = topology_.path(from, to);
        look(*path.begin(), now);
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

    /// The place, among those that end at the same time, of the message that is on its way from
    /// `from` to `to`.
    [[nodiscard]] std::uint64_t place(std::uint32_t from, std::uint32_t to) const {
        Look last;
        for (const Link link : topology_.path(from, to)) {
            const Look& look = looks_[link];
            if (look.time > last.time || (look.time == last.time && look.place < last.place))
                last = look;
        }
        return last.place;
    }

  private:
    /// A message that is looked at, in the list of a link on its path.
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
    /// What a link had left to give away when it was last busy.
    struct Bucket {
        Time left = 0;
        Time end = 0;
    };
    /// When a link was last looked at, and in which place.
    struct Look {
        Time time = -1;
        std::uint64_t place = 0;
    };
    struct Behind {
        Event event;
        std::uint32_t to;
    };
    struct Sender {
        std::size_t looked_at = 0;
        std::deque<Behind> behind;
    };

    [[nodiscard]] bool free(const Path& path) const {
        return std::all_of(path.begin(), path.end(), [&](Link link) { return on_[link].empty(); });
    }
    void take(const Path& path, Time now) {
        for (const Link link : path) on_[link] = path;
        look(*path.begin(), now);
    }
    /// Once at a time, and with it at all links of the message that is on it.
    void look(Link link, Time now) {
        if (looks_[link].time == now) return;
        looks_[link] = {now, ++last_place_};
        for (const Link other : on_[link]) look(other, now);
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
        ++senders_[from].looked_at;
    }

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
        --sender.looked_at;
        if (sender.behind.empty()) return;
        const Behind next = sender.behind.front();
        sender.behind.pop_front();
        wait(next.event, from, topology_.path(from, next.to));
    }
    /// The last of the list takes the place.
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
    std::vector<Path> on_;         ///< [link], of the message that is on it
    std::vector<Look> looks_;      ///< [link]
    std::uint64_t last_place_ = 0;
    std::vector<std::vector<Waiting>> waiting_;  ///< [link]
    std::vector<Message> messages_;
    std::vector<std::uint32_t> spare_;
    std::vector<Sender> senders_;  ///< [node]
};

}  // namespace lapwing::simulate
