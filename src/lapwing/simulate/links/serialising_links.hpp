#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/links/path.hpp"

namespace lapwing::simulate {

/// Links that carry one message at a time, or one on each lane. A message cuts through: it starts
/// when all links of its path are free, and holds them until its last byte has left them. When a
/// link becomes free, the first message that waits for it and can start does so; a message that is
/// blocked elsewhere lets others pass. A node's interface considers the first `window` messages
/// that wait to leave by it; those behind wait for their turn to be considered.
///
/// Messages that leave their links at one time do so in SimGrid's order: a message has the place of
/// the link of its path that was touched last. A link is touched when a message of its path
/// departs, starts or ends, and with it all links of the message that is on it.
///
/// `Routing`: the links, and those that a message takes, `Topology::View` or `Routes`.
template <class Routing>
class SerialisingLinks {
  public:
    static constexpr std::size_t window = 64;

    /// `credit`: ticks of transmission that a link gives away after it was idle; see
    /// `MeasuredMachine::credit`.
    explicit SerialisingLinks(Routing routing, Time credit = 0)
        : routing_(std::move(routing)),
          credit_(credit),
          buckets_(credit > 0 ? routing_.nodes() : 0, {.left = credit, .end = 0}),
          on_(routing_.links()),
          touches_(routing_.links()),
          waiting_(routing_.links()),
          senders_(routing_.nodes()) {}

    /// The number of links between the switches of two nodes.
    [[nodiscard]] std::uint32_t hops(std::uint32_t from, std::uint32_t to) const {
        return routing_.hops(from, to);
    }

    /// A message from node `from` to node `to` departs; it enters later.
    void announce(std::uint32_t from, std::uint32_t to, Time now) {
        for (const Link link : routing_.path(from, to)) touch(link, now);
    }

    /// The first byte of `message`, from node `from` to node `to`, is at its links. Returns whether
    /// it starts; if not, `leave` of another message starts it.
    bool enter(const Event& message, std::uint32_t from, std::uint32_t to, Time now) {
        Sender& sender = senders_[from];
        if (sender.considered == window) {
            sender.behind.push_back({message, to});
            return false;
        }
        const Path path = routing_.path(from, to);
        if (free(path)) {
            take(path, now);
            return true;
        }
        wait(message, from, path);
        return false;
    }

    /// Ticks that a message from node `from` to node `to`, which needs `wire` on interfaces, holds
    /// its links from `now` on: longer where one is slower. What its sender's link has saved while
    /// it was idle, at most the credit, takes no time: a traffic shaper's token bucket.
    [[nodiscard]] Time hold(std::uint32_t from, [[maybe_unused]] std::uint32_t to, Time wire,
                            Time now) {
        if constexpr (!Routing::uniform)
            wire = std::llround(static_cast<double>(wire) / routing_.rate(routing_.path(from, to)));
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
        const Path path = routing_.path(from, to);
        touch(*path.begin(), now);
        for (const Link link : path) {
            release(link, path);
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
        for (const Link link : routing_.path(from, to)) {
            const Touch& touch = touches_[link];
            if (touch.time > last.time || (touch.time == last.time && touch.place < last.place))
                last = touch;
        }
        return last.place;
    }

  private:
    using Path = typename Routing::Path;
    /// The paths of the messages on a link.
    using OnLink = std::conditional_t<Routing::uniform, Path, std::vector<Path>>;

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
        typename Path::Places places{};  ///< in the lists of its links
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
        return std::all_of(path.begin(), path.end(), [&](Link link) {
            if constexpr (Routing::uniform)
                return on_[link].empty();
            else
                return on_[link].size() < routing_.lanes(link);
        });
    }
    void take(const Path& path, Time now) {
        for (const Link link : path) {
            if constexpr (Routing::uniform)
                on_[link] = path;
            else
                on_[link].push_back(path);
        }
        touch(*path.begin(), now);
    }
    void release(Link link, [[maybe_unused]] const Path& path) {
        if constexpr (Routing::uniform) {
            on_[link] = {};
        } else {
            // Those of equal messages are interchangeable.
            const auto same = [&](const Path& on) { return on.begin() == path.begin(); };
            on_[link].erase(std::find_if(on_[link].begin(), on_[link].end(), same));
        }
    }
    /// Only the first touch at a time counts. It touches all links of the message on this one.
    void touch(Link link, Time now) {
        if (touches_[link].time == now) return;
        touches_[link] = {now, ++last_place_};
        if constexpr (Routing::uniform) {
            for (const Link other : on_[link]) touch(other, now);
        } else {
            for (const Path& path : on_[link])
                for (const Link other : path) touch(other, now);
        }
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
        if constexpr (!Routing::uniform)
            message.places.resize(static_cast<std::size_t>(path.end() - path.begin()));
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
        wait(next.event, from, routing_.path(from, next.to));
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

    Routing routing_;
    Time credit_;
    std::vector<Bucket> buckets_;  ///< [node]
    std::vector<OnLink> on_;       ///< [link]
    std::vector<Touch> touches_;   ///< [link]: the last
    std::uint64_t last_place_ = 0;
    std::vector<std::vector<Waiting>> waiting_;  ///< [link]
    std::vector<Message> messages_;
    std::vector<std::uint32_t> spare_;
    std::vector<Sender> senders_;  ///< [node]
};

}  // namespace lapwing::simulate
