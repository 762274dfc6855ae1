#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "lapwing/observe/event_recorder.hpp"
#include "lapwing/observe/open_exchange.hpp"
#include "lapwing/observe/records.hpp"
#include "lapwing/observe/requests.hpp"
#include "lapwing/observe/table.hpp"
#include "lapwing/observe/traffic.hpp"
#include "lapwing/record/packing.hpp"

namespace lapwing::observe {

/// Follows the calls of one rank and sums them up as exchanges. Never allocates.
///
/// An exchange is a collective, or messages that belong together. These are initiated before the
/// first wait, or follow so closely that only packing can lie between.
///
/// Computation is the time between calls. Computation right before and right after an exchange
/// could hide it; computation from its last initiation to its last completion does so already.
class Observer {
  public:
    /// `table`: where to sum up; the caller enters the calls there. `now`: seconds. `events`: where
    /// to keep events; null: nowhere.
    Observer(Table& table, double now, EventRing* events = nullptr)
        : table_(table), records_(table), events_(events), last_end_(now) {
        table.begun = now;
    }

    /// A call that is complete when it returns.
    void blocking(const TimedCall& timed, const Traffic& traffic) {
        OpenExchange& exchange = enter(timed, traffic);
        exchange.waiting += timed.end - timed.start;
        events_.call(timed, traffic);
        events_.departure(timed, traffic);
        events_.arrival(timed, traffic, events_.post(traffic));
        leave(timed);
    }

    /// A call that made a request, which is under way when it returns.
    void initiated(const TimedCall& timed, const Traffic& traffic, std::uint64_t handle) {
        OpenExchange& exchange = enter(timed, traffic);
        exchange.initiating += timed.end - timed.start;
        events_.call(timed, traffic);
        events_.departure(timed, traffic);
        follow(exchange, {handle, traffic, 0, 0, events_.post(traffic), true, false});
        leave(timed);
    }

    /// A persistent request was made, but not started. The call's time is not recorded.
    void prepared(const Traffic& traffic, std::uint64_t handle) {
        if (!requests_.put({handle, traffic, 0, 0, 0, false, true})) ++table_.lost;
    }

    /// A call that started persistent requests.
    template <class Handles>
    void started(const TimedCall& timed, const Handles& handles) {
        bool known = false;
        for (const std::uint64_t handle : handles) {
            Request* const request = requests_.find(handle);
            if (!request) continue;
            OpenExchange& exchange = known ? exchanges_[current_] : enter(timed, request->traffic);
            if (known) add(exchange, timed, request->traffic);
            known = true;
            events_.departure(timed, request->traffic);
            const std::uint64_t posted = events_.post(request->traffic);
            follow(exchange, {handle, request->traffic, 0, 0, posted, true, true});
        }
        if (!known) return;
        events_.call(timed, {});
        exchanges_[current_].initiating += timed.end - timed.start;
        leave(timed);
    }

    /// A call that waited for requests, or tested them, and found these complete. A call that found
    /// none complete does not end a computation.
    template <class Handles>
    void completed(const TimedCall& timed, const Handles& handles) {
        double share = timed.end - timed.start;  // all of it goes to the first exchange
        bool known = false;
        bool seen = false;
        for (const std::uint64_t handle : handles) {
            Request* const request = requests_.find(handle);
            if (!request || !request->under_way) continue;
            request->under_way = false;
            events_.arrival(timed, request->traffic, request->posted);
            seen = true;
            const bool persistent = request->persistent;
            const std::uint32_t place = request->exchange;
            const bool there = exchanges_[place].serial == request->serial;
            if (!persistent) requests_.erase(handle);
            if (!there) continue;
            if (!known) arrive(timed.start, nullptr, nullptr);
            known = true;
            OpenExchange& exchange = exchanges_[place];
            exchange.completing = true;
            if (current_ != none) exchanges_[current_].completing = true;
            exchange.waiting += share;
            share = 0;
            exchange.computed_at_end = computed_;
            exchange.add_member(timed.call);
            --exchange.under_way;
        }
        if (seen) events_.call(timed, {});
        if (known) leave(timed);
    }

    /// A request was freed, maybe before it was complete.
    void forgotten(std::uint64_t handle) {
        Request* const request = requests_.find(handle);
        if (!request) return;
        leave_exchange(*request);
        requests_.erase(handle);
    }

    /// The program has ended: sums up the exchanges that are left.
    void finish(double now) {
        arrive(now, nullptr, nullptr);
        last_end_ = now;
        for (OpenExchange& exchange : exchanges_)
            if (exchange.open) close(exchange, 0);
        table_.now = now;
        table_.finished = 1;
    }

  private:
    static constexpr std::uint32_t none = OpenExchange::none;

    static constexpr std::size_t most_open = 64;

    /// The exchange that a call belongs to: the current one, or a new one.
    OpenExchange& enter(const TimedCall& timed, const Traffic& traffic) {
        arrive(timed.start, &timed, &traffic);
        if (current_ == none) {
            begin(timed, traffic);
        } else {
            exchanges_[current_].computed_at_initiation = computed_;
            exchanges_[current_].computed_at_end = computed_;
        }
        OpenExchange& exchange = exchanges_[current_];
        add(exchange, timed, traffic);
        return exchange;
    }

    /// A call begins at `start`, and computation has ended. Sums up the exchanges that are over,
    /// except the one that this call continues.
    void arrive(double start, const TimedCall* timed, const Traffic* traffic) {
        const double gap = std::max(0.0, start - last_end_);
        computed_ += gap;
        gap_ = gap;
        if (current_ != none && traffic && !continues(exchanges_[current_], *timed, *traffic))
            current_ = none;
        for (std::uint32_t i = 0; i < open_; ++i) {
            OpenExchange& exchange = exchanges_[i];
            if (!exchange.open || exchange.under_way != 0) continue;
            if (i == current_ && traffic) continue;
            if (i == current_) current_ = none;
            close(exchange, computed_ - exchange.computed_at_end);
        }
        while (open_ != 0 && !exchanges_[open_ - 1].open) --open_;
    }

    [[nodiscard]] bool continues(const OpenExchange& exchange, const TimedCall& timed,
                                 const Traffic& traffic) const {
        if (traffic.operation != Operation::messages ||
            exchange.first.operation != Operation::messages)
            return false;
        // Until something is waited for, the program is still initiating.
        if (exchange.under_way != 0) return !exchange.completing;
        // The first call again, with the same peer: the next iteration of a loop.
        if (timed.call == exchange.round_call && traffic.peer() == exchange.round_peer)
            return false;
        // Sends are preferred: a receive says how much it has room for, which may be far more.
        const std::uint64_t largest =
            exchange.largest_sent ? exchange.largest_sent : exchange.largest_received;
        return gap_ <= 1e-9 * record::packing_time(largest);
    }

    void begin(const TimedCall& timed, const Traffic& traffic) {
        std::uint32_t free = 0;
        while (free < open_ && exchanges_[free].open) ++free;
        if (free == most_open) {  // no room: the first one will not be completed, it seems
            free = 0;
            close(exchanges_[0], 0);
        }
        open_ = std::max(open_, free + 1);
        OpenExchange& exchange = exchanges_[free];
        exchange = {};
        exchange.open = true;
        exchange.serial = ++begun_;
        exchange.head = timed.call;
        exchange.first = traffic;
        exchange.before = gap_;
        exchange.computed_at_start = computed_;
        exchange.computed_at_initiation = computed_;
        exchange.computed_at_end = computed_;
        current_ = free;
    }

    void add(OpenExchange& exchange, const TimedCall& timed, const Traffic& traffic) {
        exchange.add(timed.call, traffic);
        Call& call = table_.call[timed.call];
        call.sent += traffic.sent;
        call.received += traffic.received;
    }

    void follow(OpenExchange& exchange, Request request) {
        request.exchange = current_;
        request.serial = exchange.serial;
        // A known handle: its old request ended without being noticed.
        if (const Request* const known = requests_.find(request.handle)) leave_exchange(*known);
        if (requests_.put(request))
            ++exchange.under_way;
        else
            ++table_.lost;
    }
    void leave_exchange(const Request& request) {
        OpenExchange& exchange = exchanges_[request.exchange];
        if (request.under_way && exchange.serial == request.serial) --exchange.under_way;
    }

    void leave(const TimedCall& timed) {
        last_end_ = timed.end;
        Call& call = table_.call[timed.call];
        call.count += 1;
        call.time += timed.end - timed.start;
        table_.now = timed.end;
        table_.computed = computed_;
    }

    /// An exchange is over, `after` seconds of computation before the next call.
    void close(OpenExchange& exchange, double after) {
        exchange.open = false;
        if (!records_.add(exchange, after)) ++table_.lost;
    }

    Table& table_;
    Records records_;
    Requests requests_;
    EventRecorder events_;
    std::array<OpenExchange, most_open> exchanges_{};
    std::uint32_t begun_ = 0;
    std::uint32_t open_ = 0;        // slots that may be in use
    std::uint32_t current_ = none;  // slot of the exchange that the next message may belong to
    double last_end_ = 0;           // moment when the last call ended
    double computed_ = 0;           // seconds of computation so far
    double gap_ = 0;                // seconds of computation before the present call
};

}  // namespace lapwing::observe
