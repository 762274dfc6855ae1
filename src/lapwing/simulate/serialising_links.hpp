#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/simulate/event.hpp"
#include "lapwing/simulate/topology.hpp"

namespace lapwing::simulate {

/// Links that carry one message at a time. A message cuts through: it holds all links of its path
/// until it is over, and waits until all of them are free. Of those that wait for a link the one
/// that came into being first and can go, goes; one that cannot lets others pass.
///
/// A message waits at one link of its path that is busy, for it cannot go before that is free. When
/// it is, those that wait there are tried in order; what is blocked elsewhere then waits there.
class SerialisingLinks {
  public:
    explicit SerialisingLinks(const Topology::View& topology)
        : topology_(topology), links_(topology.links()) {}

    /// Whether two nodes have a leaf switch in common.
    [[nodiscard]] bool near(std::uint32_t from, std::uint32_t to) const {
        return topology_.near(from, to);
    }

    /// `message`, from the node of its `peer` to that of its `host`, wants to go. `nodes` are these
    /// two. Whether it does: if not, `settle` starts it later.
    bool enter(const Event& message, std::uint32_t from, std::uint32_t to) {
        const Path path = topology_.path(from, to);
        if (const Link* const busy = blocked(path); busy != path.end()) {
            wait(*busy, {message, from, to});
            return false;
        }
        take(path);
        return true;
    }

    /// A message that went is over: its links are free, one after the other, and go to those that
    /// wait; `start(message)` is called for each of them.
    template <class Start>
    void leave(std::uint32_t from, std::uint32_t to, Start&& start) {
        for (const Link number : topology_.path(from, to)) {
            links_[number].busy = false;
            while (!links_[number].busy && !links_[number].waiting.empty()) {
                auto& queue = links_[number].waiting;
                std::pop_heap(queue.begin(), queue.end(), After{});
                const Waiting first = queue.back();
                queue.pop_back();
                const Path path = topology_.path(first.from, first.to);
                if (const Link* const busy = blocked(path); busy != path.end()) {
                    wait(*busy, first);
                } else {
                    take(path);
                    start(first.message);
                }
            }
        }
    }

  private:
    struct Waiting {
        Event message;
        std::uint32_t from;
        std::uint32_t to;
    };
    struct After {
        bool operator()(const Waiting& a, const Waiting& b) const {
            return b.message.order < a.message.order;
        }
    };
    struct State {
        std::vector<Waiting> waiting;  ///< a heap, the first that came into being on top
        bool busy = false;
    };

    [[nodiscard]] const Link* blocked(const Path& path) const {
        return std::find_if(path.begin(), path.end(),
                            [&](Link link) { return links_[link].busy; });
    }
    void take(const Path& path) {
        for (const Link link : path) links_[link].busy = true;
    }
    void wait(Link link, const Waiting& message) {
        auto& waiting = links_[link].waiting;
        waiting.push_back(message);
        std::push_heap(waiting.begin(), waiting.end(), After{});
    }

    Topology::View topology_;
    std::vector<State> links_;
};

}  // namespace lapwing::simulate
