#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/replay/path_costs.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/program/call.hpp"
#include "lapwing/simulate/program/request_matching.hpp"
#include "lapwing/simulate/program/requests.hpp"

namespace lapwing::replay {

/// A message, as it counts on a path: it belongs to the call that sends it.
struct PathMessage {
    simulate::Rank from = 0;
    simulate::Rank to = 0;
    std::uint64_t bytes = 0;
    std::uint32_t site = 0;

    /// How often L counts in it, and G: between two ranks once, and for each byte but the first.
    [[nodiscard]] double latencies() const { return from == to ? 0 : 1; }
    [[nodiscard]] double gaps() const {
        return from == to || bytes == 0 ? 0 : static_cast<double>(bytes - 1);
    }
};

/// Goes through a program once, as if nothing contended for processors or links (LogGPS: Ino,
/// Fujimoto, Hagihara 2001). A rank makes its calls until it waits for what has not happened yet;
/// which rank is next has no influence on the times. A wait receives its messages in the order in
/// which their receives were started.
///
/// `Clocks` says what a time is: its type `Clock`, made without arguments at the beginning, and
///   void compute(Clock&, double nanoseconds)
///   void overhead(Clock&, double nanoseconds, const PathMessage&)   a processor's, at either end
///   void fly(Clock&, double nanoseconds, const PathMessage&)
///   Clock later(const Clock&, const Clock&)
template <class Clocks>
class Walk {
  public:
    using Clock = typename Clocks::Clock;

    Walk(simulate::CallSource& source, const PathCosts& costs, Clocks& clocks)
        : source_(source),
          costs_(costs),
          clocks_(clocks),
          ranks_(source.ranks()),
          matching_(requests_, source.ranks()) {}

    /// The time at which the last rank ends. Throws `simulate::Deadlock`.
    Clock run() {
        for (Rank rank = 0; rank < ranks_.size(); ++rank) ready_.push_back(rank);
        while (!ready_.empty()) {
            const Rank rank = ready_.back();
            ready_.pop_back();
            advance(rank);
        }
        Clock last{};
        for (Rank rank = 0; rank < ranks_.size(); ++rank) {
            if (!ranks_[rank].ended)
                throw simulate::Deadlock("the program deadlocks: " + source_.place(rank) +
                                         " waits for something that never happens");
            last = clocks_.later(last, ranks_[rank].clock);
        }
        return last;
    }

  private:
    using Call = simulate::Call;
    using Rank = simulate::Rank;
    using Request = simulate::Request;
    static constexpr std::uint32_t none = Request::none;

    struct RankState {
        Clock clock{};
        std::vector<std::vector<std::uint32_t>> groups{};  ///< requests that were started
        std::vector<std::uint32_t> awaited{};
        std::size_t unfinished = 0;  ///< of those
        bool ended = false;
    };
    /// What is known of a request besides: when it was ready, and when it is over.
    struct Times {
        Clock ready{};
        Clock end{};
        PathMessage message{};
        double receive = 0;  ///< of a receive: the overhead of its message, nanoseconds
        bool over = false;
        bool awaited = false;
        bool forgotten = false;
    };

    void advance(Rank rank) {
        RankState& state = ranks_[rank];
        if (!state.awaited.empty()) end_wait(state);
        for (;;) {
            const Call call = source_.next(rank);
            switch (call.kind) {
                case Call::Kind::compute:
                    clocks_.compute(state.clock, static_cast<double>(call.size));
                    break;
                case Call::Kind::send:
                    send(rank, call);
                    break;
                case Call::Kind::receive:
                    receive(rank, call);
                    break;
                case Call::Kind::wait:
                    if (!wait(state, call)) return;
                    break;
                case Call::Kind::forget:
                    forget(state, call);
                    break;
                case Call::Kind::end:
                    state.ended = true;
                    return;
            }
        }
    }

    std::uint32_t start(Rank rank, const Call& call) {
        const std::uint32_t number = requests_.add(simulate::request_of(call, rank));
        if (times_.size() <= number) times_.resize(number + 1);
        RankState& state = ranks_[rank];
        if (state.groups.size() <= call.group) state.groups.resize(std::size_t{call.group} + 1);
        state.groups[call.group].push_back(number);
        times_[number] = {.ready = state.clock};
        return number;
    }
    void send(Rank rank, const Call& call) {
        const auto cost = costs_.message(rank, call.peer, call.size);
        const PathMessage message{rank, call.peer, call.size, call.site};
        clocks_.overhead(ranks_[rank].clock, cost.send, message);
        const std::uint32_t number = start(rank, call);
        times_[number].message = message;
        times_[number].over = !cost.blocks;
        times_[number].end = times_[number].ready;
        const std::uint32_t matched = matching_.arrived(number);
        if (matched != none) meet(number, matched);
    }
    void receive(Rank rank, const Call& call) {
        const std::uint32_t number = start(rank, call);
        const std::uint32_t matched = matching_.posted(number);
        if (matched != none) meet(matched, number);
    }
    void meet(std::uint32_t send, std::uint32_t receive) {
        const PathMessage message = times_[send].message;
        const auto cost = costs_.message(message.from, message.to, message.bytes);
        Clock left = times_[send].ready;
        if (cost.waits) left = clocks_.later(left, times_[receive].ready);
        requests_[send].matched = true;
        if (cost.blocks) {
            times_[send].end = left;
            over(send);
        } else {
            remove_if_done(send);
        }
        clocks_.fly(left, cost.flight, message);
        times_[receive].end = std::move(left);
        times_[receive].message = message;
        times_[receive].receive = cost.receive;
        over(receive);
    }
    void over(std::uint32_t number) {
        times_[number].over = true;
        if (!times_[number].awaited) return remove_if_done(number);
        const Request& request = requests_[number];
        const Rank rank = request.receives ? request.to : request.from;
        if (--ranks_[rank].unfinished == 0) ready_.push_back(rank);
    }

    /// Returns whether the rank goes on at once.
    bool wait(RankState& state, const Call& call) {
        for (const std::uint32_t group : call.groups) {
            if (group >= state.groups.size()) continue;
            for (const std::uint32_t number : state.groups[group]) {
                state.awaited.push_back(number);
                times_[number].awaited = true;
                if (!times_[number].over) ++state.unfinished;
            }
            state.groups[group].clear();
        }
        if (state.unfinished > 0) return false;
        end_wait(state);
        return true;
    }
    void end_wait(RankState& state) {
        for (const std::uint32_t number : state.awaited) {
            Times& times = times_[number];
            state.clock = clocks_.later(state.clock, times.end);
            if (requests_[number].receives)
                clocks_.overhead(state.clock, times.receive, times.message);
            times.forgotten = true;
            remove_if_done(number);
        }
        state.awaited.clear();
    }
    void forget(RankState& state, const Call& call) {
        for (const std::uint32_t group : call.groups) {
            if (group >= state.groups.size()) continue;
            for (const std::uint32_t number : state.groups[group]) {
                times_[number].forgotten = true;
                remove_if_done(number);
            }
            state.groups[group].clear();
        }
    }
    void remove_if_done(std::uint32_t number) {
        const Request& request = requests_[number];
        if (!times_[number].over || !times_[number].forgotten) return;
        if (!request.receives && !request.matched) return;
        times_[number] = {};  // lets go of its clocks
        requests_.remove(number);
    }

    simulate::CallSource& source_;
    const PathCosts& costs_;
    Clocks& clocks_;
    std::vector<RankState> ranks_;
    simulate::Requests requests_;
    std::vector<Times> times_;  ///< [number of the request]
    simulate::RequestMatching matching_;
    std::vector<Rank> ready_;
};

}  // namespace lapwing::replay
