#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/engine/wait_queue.hpp"
#include "lapwing/simulate/program/schedule.hpp"
#include "lapwing/simulate/program/start_order.hpp"
#include "lapwing/simulate/program/unexpected_messages.hpp"

namespace lapwing::simulate {

/// The program of a `Machine` that runs a `Schedule`. All that it keeps of a rank is how far the
/// rank is. A message carries the step of its receiver, so comparing two numbers matches it; a
/// receive becomes an event only if its message is there first.
template <Schedule S>
class StepProgram {
  public:
    explicit StepProgram(const S& schedule) : schedule_(schedule), states_(schedule.ranks()) {}

    // What a machine asks and tells: see `Machine`.

    template <class M>
    void begin(M& machine) {
        for (Rank rank = 0; rank < states_.size(); ++rank) enter(machine, rank, 0);
    }

    [[nodiscard]] static constexpr std::size_t pair_of(std::uint32_t /*id*/) { return 0; }
    [[nodiscard]] Send send(Rank host, std::uint32_t step, std::uint32_t index) const {
        return schedule_.send(host, step, order_.sent(states_[host].order, index));
    }
    void send_started(Rank, std::uint32_t) {}
    template <class M>
    void sent(M& machine, Rank host, std::uint32_t, bool eager) {
        if (eager) ended(machine, host);
    }
    [[nodiscard]] static Time calculation(Rank, std::uint32_t) { return 0; }
    [[nodiscard]] static bool is_receive_overhead(std::uint32_t) { return false; }
    template <class M>
    void calculated(M&, Rank, std::uint32_t) {}

    template <class M>
    void arrived(M& machine, Rank host, const Pending& message) {
        State& state = states_[host];
        const bool next = state.next_ahead != 0 && message.key == state.step + 1;
        const bool before = state.was_ahead != 0 && message.key == state.step;
        const bool now = message.key == state.step || next;
        const bool posted =
            before || (now && (state.posting < machine.now() ||
                               (state.posting == machine.now() && state.place < message.place)));
        if (posted) {
            meet(machine, host, message);
            return;
        }
        unexpected_.add(host, message);
        ++state.unexpected;
        if (now) await_posting(machine, host);
    }

    template <class M>
    void delivered(M& machine, Rank host, const Pending& message) {
        machine.receive_when_free(host, 0, message);
    }
    template <class M>
    void received(M& machine, Rank host, const Pending& message) {
        State& state = states_[host];
        if (message.key == state.step) {
            ended(machine, host);
        } else {
            ++state.received_ahead;
        }
    }
    template <class M>
    void send_over(M& machine, Rank host, std::uint32_t) {
        ended(machine, host);
    }

    /// The receives of a step are posted, and messages may have arrived before.
    template <class M>
    void receive(M& machine, const Event& event) {
        State& state = states_[event.host];
        // A message that arrives later at this very time, in whatever place, finds them posted.
        if (event.id == state.step) state.posting = machine.now() - 1;
        const std::uint32_t last = event.id + (schedule_.step(event.host, event.id).ahead ? 1 : 0);
        std::vector<Pending> messages;
        for (std::uint32_t step = event.id; step <= last; ++step) {
            unexpected_.take(event.host, step, messages);
            state.unexpected -= static_cast<std::uint32_t>(messages.size());
            if (messages.size() > 1) as_posted(event.host, step, messages);
            for (auto& message : messages) {
                message.unexpected = true;
                meet(machine, event.host, message);
            }
        }
    }

    void check_ended() const {
        for (Rank rank = 0; rank < states_.size(); ++rank)
            if (states_[rank].step < schedule_.steps(rank))
                throw Deadlock("rank " + std::to_string(rank) + " waits for ever in step " +
                               std::to_string(states_[rank].step) + " of " +
                               std::to_string(schedule_.steps(rank)));
    }

  private:
    struct State {
        Time posting = 0;         ///< when the step's receives are posted
        std::uint64_t place = 0;  ///< of the posting, among the events of its time
        std::uint32_t step = 0;
        std::uint32_t remaining = 0;       ///< operations of the step that have not ended
        std::uint32_t unexpected = 0;      ///< unexpected messages that are kept
        std::uint32_t received_ahead = 0;  ///< messages of the next step that have been received
        std::uint32_t order : 29 = 0;
        std::uint32_t awaited : 1 = 0;     ///< whether an event posts them
        std::uint32_t was_ahead : 1 = 0;   ///< whether they were posted with the step before
        std::uint32_t next_ahead : 1 = 0;  ///< whether the next step's are posted with them
    };

    /// Goes to `step`, or beyond it to the next that has operations.
    template <class M>
    void enter(M& machine, Rank rank, std::uint32_t step) {
        State& state = states_[rank];
        const std::uint32_t steps = schedule_.steps(rank);
        bool was_ahead = state.next_ahead != 0;
        Step now;
        for (;; ++step) {
            state.step = step;
            if (step == steps) return;
            now = schedule_.step(rank, step);
            machine.count_receives(now.receives);
            state.remaining = now.sends + now.receives - std::exchange(state.received_ahead, 0);
            if (state.remaining > 0) break;
            was_ahead = now.ahead;
        }
        state.order = order_.of(now) & 0x1FFFFFFFU;
        state.awaited = 0;
        state.was_ahead = was_ahead ? 1 : 0;
        state.next_ahead = now.ahead ? 1 : 0;
        const std::uint64_t place = machine.places(now.sends + now.receives);
        if (now.sends > 0) machine.ready_sends(rank, step, 0, now.sends, 0, place);
        if (now.receives > 0 || now.ahead) {
            state.posting = machine.posting(rank, 0);
            if constexpr (M::on_links) {
                for (std::uint32_t i = 0; !now.alternating && i < now.sends; ++i) {
                    const Send send = schedule_.send(rank, step, i);
                    state.posting += machine.send_overhead(rank, send.to, send.bytes);
                }
            }
            state.place = place + now.sends;
            if (state.unexpected > 0) await_posting(machine, rank);
        }
    }

    template <class M>
    void await_posting(M& machine, Rank rank) {
        State& state = states_[rank];
        if (state.awaited != 0) return;
        state.awaited = 1;
        machine.post(rank, state.step, state.posting, state.place);
    }

    template <class M>
    void ended(M& machine, Rank rank) {
        State& state = states_[rank];
        if (--state.remaining == 0) enter(machine, rank, state.step + 1);
    }

    /// A message is matched with its receive.
    template <class M>
    void meet(M& machine, Rank host, const Pending& message) {
        if constexpr (M::on_links) return machine.met(host, message);
        const bool rendezvous = machine.rendezvous(message.peer, host, message.size);
        if (rendezvous) machine.released(message.peer, 0);
        if (rendezvous && message.peer < host) ended(machine, message.peer);
        received(machine, host, message);
        if (rendezvous && message.peer > host) ended(machine, message.peer);
    }

    /// Sorts messages that are there by the order in which the receives of their step are posted.
    void as_posted(Rank host, std::uint32_t step, std::vector<Pending>& messages) const {
        std::vector<std::pair<Rank, std::uint32_t>> posted(schedule_.step(host, step).receives);
        for (std::uint32_t i = 0; i < posted.size(); ++i) {
            const std::uint32_t listed = order_.posted(states_[host].order, i);
            posted[i] = {schedule_.receive(host, step, listed).from, i};
        }
        std::sort(posted.begin(), posted.end());
        const auto place = [&](const Pending& message) {
            return std::lower_bound(posted.begin(), posted.end(), std::pair{message.peer, 0U})
                ->second;
        };
        std::stable_sort(messages.begin(), messages.end(),
                         [&](const auto& a, const auto& b) { return place(a) < place(b); });
    }

    const S& schedule_;
    std::vector<State> states_;
    UnexpectedMessages unexpected_;
    StartOrder order_;
};

}  // namespace lapwing::simulate
