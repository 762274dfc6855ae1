#include "lapwing/replay/longest_path.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/program/request_matching.hpp"
#include "lapwing/simulate/program/requests.hpp"

namespace lapwing::replay {
namespace {

using simulate::Call;
using simulate::Rank;
using simulate::Request;
using simulate::RequestMatching;
using simulate::Requests;

constexpr std::uint32_t none = Request::none;

double nanoseconds(simulate::Time ticks) {
    return static_cast<double>(ticks) / simulate::MeasuredMachine::nanosecond;
}

/// Goes through a program once. A rank makes its calls until it waits for what has not happened
/// yet; which rank is next has no influence on the times.
class Walk {
  public:
    Walk(simulate::CallSource& source, const PathCosts& costs, Parameter parameter, double more,
         bool steepest)
        : source_(source),
          costs_(costs),
          parameter_(parameter),
          more_(more),
          steepest_(steepest),
          ranks_(source.ranks()),
          matching_(requests_, source.ranks()) {}

    Line run() {
        for (Rank rank = 0; rank < ranks_.size(); ++rank) ready_.push_back(rank);
        while (!ready_.empty()) {
            const Rank rank = ready_.back();
            ready_.pop_back();
            advance(rank);
        }
        Line last;
        for (Rank rank = 0; rank < ranks_.size(); ++rank) {
            if (!ranks_[rank].ended)
                throw simulate::Deadlock("the program deadlocks: " + source_.place(rank) +
                                         " waits for something that never happens");
            last = later(last, ranks_[rank].clock);
        }
        return last;
    }

  private:
    struct RankState {
        Line clock{};
        std::vector<std::vector<std::uint32_t>> groups{};  ///< requests that were started
        std::vector<std::uint32_t> awaited{};
        std::size_t unfinished = 0;  ///< of those
        bool ended = false;
    };
    /// What is known of a request besides: when it was ready, and when it is over.
    struct Times {
        Line ready{};
        Line end{};
        double receive = 0;  ///< of a receive: the overhead of its message, nanoseconds
        bool over = false;
        bool awaited = false;
        bool forgotten = false;
    };

    [[nodiscard]] Line later(const Line& a, const Line& b) const {
        if (a.value != b.value) return a.value > b.value ? a : b;
        return (a.slope > b.slope) == steepest_ ? a : b;
    }
    /// `line`, and `duration` nanoseconds in which the parameter counts `times` times.
    [[nodiscard]] Line after(const Line& line, double duration, double times) const {
        return {line.value + duration + times * more_, line.slope + times};
    }
    [[nodiscard]] double overheads() const { return parameter_ == Parameter::overhead ? 1 : 0; }
    [[nodiscard]] double times_in_flight(const Request& send) const {
        if (send.from == send.to) return 0;
        if (parameter_ == Parameter::latency) return 1;
        if (parameter_ == Parameter::gap && send.bytes > 0)
            return static_cast<double>(send.bytes - 1);
        return 0;
    }

    void advance(Rank rank) {
        RankState& state = ranks_[rank];
        if (!state.awaited.empty()) end_wait(state);
        for (;;) {
            const Call call = source_.next(rank);
            switch (call.kind) {
                case Call::Kind::compute:
                    state.clock.value += static_cast<double>(call.size);
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

    std::uint32_t start(Rank rank, const Call& call, Rank from, Rank to) {
        const std::uint32_t number = requests_.add({.from = from,
                                                    .to = to,
                                                    .bytes = call.size,
                                                    .tag = call.tag,
                                                    .context = call.context,
                                                    .receives = call.kind == Call::Kind::receive});
        if (times_.size() <= number) times_.resize(number + 1);
        RankState& state = ranks_[rank];
        if (state.groups.size() <= call.group) state.groups.resize(std::size_t{call.group} + 1);
        state.groups[call.group].push_back(number);
        times_[number] = {.ready = state.clock};
        return number;
    }
    void send(Rank rank, const Call& call) {
        const auto cost = costs_.message(rank, call.peer, call.size);
        Line& clock = ranks_[rank].clock;
        clock = after(clock, cost.send, overheads());
        const std::uint32_t number = start(rank, call, rank, call.peer);
        times_[number].over = !cost.blocks;
        times_[number].end = clock;
        const std::uint32_t matched = matching_.arrived(number);
        if (matched != none) meet(number, matched);
    }
    void receive(Rank rank, const Call& call) {
        const std::uint32_t number = start(rank, call, call.peer, rank);
        const std::uint32_t matched = matching_.posted(number);
        if (matched != none) meet(matched, number);
    }
    void meet(std::uint32_t send, std::uint32_t receive) {
        const Request& message = requests_[send];
        const auto cost = costs_.message(message.from, message.to, message.bytes);
        Line left = times_[send].ready;
        if (cost.waits) left = later(left, times_[receive].ready);
        times_[receive].end = after(left, cost.flight, times_in_flight(message));
        times_[receive].receive = cost.receive;
        requests_[send].matched = true;
        if (cost.blocks) {
            times_[send].end = left;
            over(send);
        } else {
            remove_if_done(send);
        }
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
            state.clock = later(state.clock, times_[number].end);
            if (requests_[number].receives)
                state.clock = after(state.clock, times_[number].receive, overheads());
            times_[number].forgotten = true;
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
        if (times_[number].over && times_[number].forgotten &&
            (request.receives || request.matched))
            requests_.remove(number);
    }

    simulate::CallSource& source_;
    const PathCosts& costs_;
    Parameter parameter_;
    double more_;
    bool steepest_;
    std::vector<RankState> ranks_;
    Requests requests_;
    std::vector<Times> times_;  ///< [number of the request]
    RequestMatching matching_;
    std::vector<Rank> ready_;
};

}  // namespace

MessageCost LogGOPSPathCosts::message(Rank from, Rank to, std::uint64_t bytes) const {
    const auto beyond_the_first = static_cast<double>(bytes > 0 ? bytes - 1 : 0);
    const bool rendezvous = machine_.rendezvous(from, to, bytes);
    return {.send = static_cast<double>(machine_.o) +
                    beyond_the_first * static_cast<double>(machine_.O),
            .flight = static_cast<double>(machine_.L) +
                      beyond_the_first * static_cast<double>(machine_.G),
            .receive = static_cast<double>(machine_.o) +
                       beyond_the_first * static_cast<double>(machine_.O),
            .waits = rendezvous,
            .blocks = rendezvous};
}

MessageCost MeasuredPathCosts::message(Rank from, Rank to, std::uint64_t bytes) const {
    const auto cost = machine_.cost(from, to, bytes);
    const auto between = cost.latency + cost.wire - cost.early - cost.overlap - cost.head_start;
    return {.send = nanoseconds(cost.send),
            .flight = std::max(0.0, nanoseconds(between)),
            .receive = nanoseconds(cost.receive),
            .waits = machine_.waits(bytes),
            .blocks = machine_.rendezvous(from, to, bytes)};
}

Line longest_path(simulate::CallSource& source, const PathCosts& costs, Parameter parameter,
                  double more, bool steepest) {
    return Walk(source, costs, parameter, more, steepest).run();
}

}  // namespace lapwing::replay
