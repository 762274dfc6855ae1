#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/wait_queue.hpp"
#include "lapwing/simulate/program/call.hpp"
#include "lapwing/simulate/program/request_matching.hpp"
#include "lapwing/simulate/program/requests.hpp"

namespace lapwing::simulate {

/// The program of a `Machine` whose ranks make calls, one after the other, as an MPI program does.
/// Memory grows with the ranks and with what is under way, not with the number of calls.
///
/// On links a message that has arrived keeps its receiver's processor busy once the rank waits for
/// it: until then the rank computes.
class CallProgram {
  public:
    explicit CallProgram(CallSource& source)
        : source_(source), ranks_(source.ranks()), matching_(requests_, source.ranks()) {}

    // What a machine asks and tells: see `Machine`.

    template <class M>
    void begin(M& machine) {
        for (Rank rank = 0; rank < ranks_.size(); ++rank) advance(machine, rank);
    }

    struct Message {
        Rank to;
        std::uint64_t bytes;
        std::uint32_t key;
    };

    [[nodiscard]] static constexpr std::size_t pair_of(std::uint32_t /*id*/) { return 0; }
    [[nodiscard]] Message send(Rank, std::uint32_t number, std::uint32_t) const {
        const Request& request = requests_[number];
        return {request.to, request.bytes, 0};
    }
    void send_started(Rank, std::uint32_t) {}
    template <class M>
    void sent(M& machine, Rank host, std::uint32_t number, bool eager) {
        if (eager) requests_[number].over = true;
        advance(machine, host);
    }
    [[nodiscard]] Time calculation(Rank host, std::uint32_t) const {
        return static_cast<Time>(ranks_[host].computation);
    }
    [[nodiscard]] static bool is_receive_overhead(std::uint32_t) { return false; }
    template <class M>
    void calculated(M& machine, Rank host, std::uint32_t) {
        advance(machine, host);
    }

    template <class M>
    void arrived(M& machine, Rank host, const Pending& message) {
        const std::uint32_t receive = matching_.arrived(message.id);
        if (receive != RequestMatching::none) meet(machine, host, message, receive);
    }
    /// A receive is posted.
    template <class M>
    void receive(M& machine, const Event& event) {
        const std::uint32_t send = matching_.posted(event.id);
        if (send != RequestMatching::none)
            meet(machine, event.host,
                 {.place = event.place(),
                  .size = requests_[send].bytes,
                  .peer = requests_[send].from,
                  .id = send,
                  .unexpected = true},
                 event.id);
        advance(machine, event.host);
    }
    /// On links, a message that has met its receive is there.
    template <class M>
    void delivered(M& machine, Rank host, const Pending& message) {
        Request& receive = requests_[message.key];
        if (receive.awaited || receive.released) return machine.receive_when_free(host, 0, message);
        receive.arrived = true;
        receive.message = message;
    }
    template <class M>
    void received(M& machine, Rank, const Pending& message) {
        end(machine, message.key);
    }
    template <class M>
    void send_over(M& machine, Rank, std::uint32_t number) {
        end(machine, number);
    }

    /// Throws `Deadlock` if a rank has not ended, or if a message was not received.
    void check_ended() const;

  private:
    static constexpr std::uint32_t none = Request::none;

    /// What a rank waits for that has not ended, in words.
    [[nodiscard]] std::string awaited_by(Rank rank) const;

    /// Requests in the order in which they were started.
    struct Group {
        std::uint32_t first = none;
        std::uint32_t last = none;
    };
    struct RankState {
        std::uint64_t computation = 0;  ///< nanoseconds of the present one
        std::uint32_t awaited = 0;      ///< requests that it waits for
        bool ended = false;
        std::vector<Group> groups;
    };

    /// The rank makes its calls up to one that takes time.
    template <class M>
    void advance(M& machine, Rank rank) {
        RankState& state = ranks_[rank];
        for (;;) {
            const Call call = source_.next(rank);
            switch (call.kind) {
                case Call::Kind::compute:
                    if (call.size == 0) break;
                    state.computation = call.size;
                    return machine.ready_calculation(rank, 0, 0, machine.places(1));
                case Call::Kind::send: {
                    const std::uint32_t number = start(rank, call);
                    return machine.ready_sends(rank, number, 0, 1, 0, machine.places(1));
                }
                case Call::Kind::receive: {
                    const std::uint32_t number = start(rank, call);
                    machine.count_receives(1);
                    return machine.ready_receive(rank, number, 0, machine.places(1));
                }
                case Call::Kind::wait:
                    ++state.awaited;  // itself: so that nothing that ends now lets the rank go on
                    for (const std::uint32_t group : call.groups) await(machine, rank, group);
                    if (--state.awaited > 0) return;
                    break;
                case Call::Kind::forget:
                    for (const std::uint32_t group : call.groups) forget(machine, rank, group);
                    break;
                case Call::Kind::end:
                    state.ended = true;
                    return;
            }
        }
    }

    /// A request of a call's group.
    std::uint32_t start(Rank rank, const Call& call) {
        auto& groups = ranks_[rank].groups;
        if (groups.size() <= call.group) groups.resize(std::size_t{call.group} + 1);
        const std::uint32_t number = requests_.add(request_of(call, rank));
        Group& group = groups[call.group];
        (group.first == none ? group.first : requests_[group.last].in_group) = number;
        group.last = number;
        return number;
    }

    /// Calls `visit(number)` for the requests of a group, which is empty then.
    template <class Visit>
    void each_of_group(Rank rank, std::uint32_t group, Visit&& visit) {
        auto& groups = ranks_[rank].groups;
        if (group >= groups.size()) return;
        std::uint32_t number = groups[group].first;
        groups[group] = {};
        while (number != none) {
            const std::uint32_t next = requests_[number].in_group;
            visit(number);
            number = next;
        }
    }
    template <class M>
    void await(M& machine, Rank rank, std::uint32_t group) {
        each_of_group(rank, group, [&](std::uint32_t number) {
            Request& request = requests_[number];
            if (request.over) return release(number);
            request.awaited = true;
            ++ranks_[rank].awaited;
            if (request.arrived) receive_arrived(machine, rank, request);
        });
    }
    template <class M>
    void forget(M& machine, Rank rank, std::uint32_t group) {
        each_of_group(rank, group, [&](std::uint32_t number) {
            Request& request = requests_[number];
            const bool arrived = request.arrived;
            release(number);
            if (arrived) receive_arrived(machine, rank, request);
        });
    }
    template <class M>
    void receive_arrived(M& machine, Rank rank, Request& request) {
        request.arrived = false;
        request.message.place = machine.places(1);
        machine.receive_when_free(rank, 0, Pending(request.message));
    }

    /// A message has met its receive.
    template <class M>
    void meet(M& machine, Rank host, Pending message, std::uint32_t receive) {
        Request& send = requests_[message.id];
        send.matched = true;
        message.key = receive;
        if constexpr (M::on_links) {
            remove_if_done(message.id);
            return machine.met(host, message);
        }
        const Rank from = send.from;
        if (machine.rendezvous(from, host, send.bytes)) {
            machine.released(from, 0);
            end(machine, message.id);
        } else {
            remove_if_done(message.id);
        }
        end(machine, receive);
    }
    /// A request is over, and its rank may go on.
    template <class M>
    void end(M& machine, std::uint32_t number) {
        Request& request = requests_[number];
        request.over = true;
        if (!request.awaited) return remove_if_done(number);
        const Rank rank = request.receives ? request.to : request.from;
        release(number);
        if (--ranks_[rank].awaited == 0) advance(machine, rank);
    }
    void release(std::uint32_t number) {
        requests_[number].released = true;
        remove_if_done(number);
    }
    void remove_if_done(std::uint32_t number) {
        const Request& request = requests_[number];
        if (request.over && request.released && (request.receives || request.matched))
            requests_.remove(number);
    }

    CallSource& source_;
    std::vector<RankState> ranks_;
    Requests requests_;
    RequestMatching matching_;
};

}  // namespace lapwing::simulate
