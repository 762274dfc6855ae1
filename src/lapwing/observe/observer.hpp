#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lapwing/observe/requests.hpp"
#include "lapwing/observe/table.hpp"
#include "lapwing/observe/traffic.hpp"

namespace lapwing::observe {

/// One call as it was seen: where from (an index into `Table::call`), and when, in seconds.
struct Seen {
    std::uint32_t call = 0;
    double start = 0;
    double end = 0;
};

/// Follows the calls of one rank and sums them up as exchanges. Never allocates.
///
/// An exchange is a collective, or messages that belong together: those initiated before anything
/// is waited for, and those that follow so closely that no more than packing lies between.
/// Computation is what lies between calls. That before an exchange, and that after it, could hide
/// it; that behind it, from its last initiation to its last completion, does so already.
class Observer {
  public:
    /// `table`: where to sum up; its calls are entered by the caller. `now`: seconds.
    Observer(Table& table, double now) : table_(table), last_end_(now) { table.begun = now; }

    /// A call that is complete when it returns.
    void blocking(const Seen& seen, const Traffic& traffic) {
        Exchange& exchange = enter(seen, traffic);
        exchange.waiting += seen.end - seen.start;
        leave(seen);
    }

    /// A call that returned a request.
    void initiated(const Seen& seen, const Traffic& traffic, std::uint64_t handle) {
        Exchange& exchange = enter(seen, traffic);
        exchange.initiating += seen.end - seen.start;
        follow(exchange, {handle, traffic, 0, 0, true, false});
        leave(seen);
    }

    /// A request was made that may be started many times. Costs nothing worth recording.
    void prepared(const Traffic& traffic, std::uint64_t handle) {
        if (!requests_.put({handle, traffic, 0, 0, false, true})) ++table_.lost;
    }

    /// Such requests were started by one call.
    template <class Handles>
    void started(const Seen& seen, const Handles& handles) {
        bool known = false;
        for (const std::uint64_t handle : handles) {
            Request* const request = requests_.find(handle);
            if (!request) continue;
            Exchange& exchange = known ? exchanges_[current_] : enter(seen, request->traffic);
            if (known) add(exchange, seen, request->traffic);
            known = true;
            follow(exchange, {handle, request->traffic, 0, 0, true, true});
        }
        if (!known) return;
        exchanges_[current_].initiating += seen.end - seen.start;
        leave(seen);
    }

    /// A call that waited for requests, or asked for them, and found these complete. One that found
    /// none is no end of a computation.
    template <class Handles>
    void completed(const Seen& seen, const Handles& handles) {
        double share = seen.end - seen.start;  // goes to the exchange that is met first
        bool known = false;
        for (const std::uint64_t handle : handles) {
            Request* const request = requests_.find(handle);
            if (!request || !request->under_way) continue;
            request->under_way = false;
            const bool persistent = request->persistent;
            const std::uint32_t place = request->exchange;
            const bool there = exchanges_[place].serial == request->serial;
            if (!persistent) requests_.erase(handle);
            if (!there) continue;
            if (!known) arrive(seen.start, nullptr, nullptr);
            known = true;
            Exchange& exchange = exchanges_[place];
            exchange.completing = true;
            if (current_ != none) exchanges_[current_].completing = true;
            exchange.waiting += share;
            share = 0;
            exchange.computed_at_end = computed_;
            add_member(exchange, seen.call);
            --exchange.under_way;
        }
        if (known) leave(seen);
    }

    /// A request is freed before it is complete, or one that could be started is no longer needed.
    void forgotten(std::uint64_t handle) {
        Request* const request = requests_.find(handle);
        if (!request) return;
        leave_exchange(*request);
        requests_.erase(handle);
    }

    /// The program is done: what is left is summed up.
    void finish(double now) {
        arrive(now, nullptr, nullptr);
        last_end_ = now;
        for (Exchange& exchange : exchanges_)
            if (exchange.open) commit(exchange, 0);
        table_.now = now;
        table_.finished = 1;
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Exchange {
        bool open = false;
        bool completing = false;   // something of it was waited for
        std::uint32_t serial = 0;  // tells it from others that had its place
        std::uint32_t head = 0;
        std::uint32_t round_call = none;  // the first call to do with another rank, and which
        std::int32_t round_peer = Traffic::nobody;
        std::uint32_t under_way = 0;
        std::uint32_t members = 0;
        std::uint32_t peers = 0;
        std::uint32_t messages = 0;
        Traffic first;
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        std::uint64_t largest_sent = 0;
        std::uint64_t largest_received = 0;
        double initiating = 0;
        double waiting = 0;
        double before = 0;
        double computed_at_start = 0;
        double computed_at_initiation = 0;
        double computed_at_end = 0;
        std::array<std::uint32_t, Record::most_members> member{};
        std::array<std::int32_t, Record::most_peers> peer{};
    };
    static constexpr std::size_t most_open = 64;
    // What may lie between two messages that belong together: a call or two, and copying the
    // larger of them out and in at 1 GB/s each.
    static constexpr double closely = 1e-6;
    static constexpr double packing = 2e-9;

    /// The exchange that a call takes part in; a new one if it belongs to none.
    Exchange& enter(const Seen& seen, const Traffic& traffic) {
        arrive(seen.start, &seen, &traffic);
        if (current_ == none) {
            begin(seen, traffic);
        } else {
            exchanges_[current_].computed_at_initiation = computed_;
            exchanges_[current_].computed_at_end = computed_;
        }
        Exchange& exchange = exchanges_[current_];
        add(exchange, seen, traffic);
        return exchange;
    }

    /// A call begins at `start`: computation has ended. Exchanges that are over are summed up, but
    /// for the one that this call continues.
    void arrive(double start, const Seen* seen, const Traffic* traffic) {
        const double gap = std::max(0.0, start - last_end_);
        computed_ += gap;
        gap_ = gap;
        if (current_ != none && traffic && !continues(exchanges_[current_], *seen, *traffic))
            current_ = none;
        for (std::uint32_t i = 0; i < open_; ++i) {
            Exchange& exchange = exchanges_[i];
            if (!exchange.open || exchange.under_way != 0) continue;
            if (i == current_ && traffic) continue;
            if (i == current_) current_ = none;
            commit(exchange, computed_ - exchange.computed_at_end);
        }
        while (open_ != 0 && !exchanges_[open_ - 1].open) --open_;
    }

    [[nodiscard]] bool continues(const Exchange& exchange, const Seen& seen,
                                 const Traffic& traffic) const {
        if (traffic.operation != Operation::messages ||
            exchange.first.operation != Operation::messages)
            return false;
        // Until something is waited for, all is still being initiated.
        if (exchange.under_way != 0) return !exchange.completing;
        // A loop that comes round.
        if (seen.call == exchange.round_call && traffic.peer == exchange.round_peer) return false;
        // A receive says how much it has room for, which may be far more than will come.
        const std::uint64_t largest =
            exchange.largest_sent ? exchange.largest_sent : exchange.largest_received;
        return gap_ <= closely + packing * static_cast<double>(largest);
    }

    void begin(const Seen& seen, const Traffic& traffic) {
        std::uint32_t free = 0;
        while (free < open_ && exchanges_[free].open) ++free;
        if (free == most_open) {  // never to be completed, it seems
            free = 0;
            commit(exchanges_[0], 0);
        }
        open_ = std::max(open_, free + 1);
        Exchange& exchange = exchanges_[free];
        exchange = {};
        exchange.open = true;
        exchange.serial = ++begun_;
        exchange.head = seen.call;
        exchange.first = traffic;
        exchange.before = gap_;
        exchange.computed_at_start = computed_;
        exchange.computed_at_initiation = computed_;
        exchange.computed_at_end = computed_;
        current_ = free;
    }

    void add(Exchange& exchange, const Seen& seen, const Traffic& traffic) {
        // What continues an exchange that was complete is packed and initiated later.
        exchange.completing = false;
        exchange.messages += 1;
        exchange.sent += traffic.sent;
        exchange.received += traffic.received;
        exchange.largest_sent = std::max(exchange.largest_sent, traffic.sent);
        exchange.largest_received = std::max(exchange.largest_received, traffic.received);
        Call& call = table_.call[seen.call];
        call.sent += traffic.sent;
        call.received += traffic.received;
        add_member(exchange, seen.call);
        if (traffic.operation != Operation::messages || traffic.peer == Traffic::nobody) return;
        if (exchange.round_call == none) {
            exchange.round_call = seen.call;
            exchange.round_peer = traffic.peer;
        }
        const auto end = exchange.peer.begin() + exchange.peers;
        if (std::find(exchange.peer.begin(), end, traffic.peer) == end &&
            exchange.peers < Record::most_peers)
            exchange.peer[exchange.peers++] = traffic.peer;
    }

    static void add_member(Exchange& exchange, std::uint32_t call) {
        const auto end = exchange.member.begin() + exchange.members;
        if (std::find(exchange.member.begin(), end, call) == end &&
            exchange.members < Record::most_members)
            exchange.member[exchange.members++] = call;
    }

    void follow(Exchange& exchange, Request request) {
        request.exchange = current_;
        request.serial = exchange.serial;
        // The handle of a request that was lost sight of may come again.
        if (const Request* const known = requests_.find(request.handle)) leave_exchange(*known);
        if (requests_.put(request))
            ++exchange.under_way;
        else
            ++table_.lost;
    }
    void leave_exchange(const Request& request) {
        Exchange& exchange = exchanges_[request.exchange];
        if (request.under_way && exchange.serial == request.serial) --exchange.under_way;
    }

    void leave(const Seen& seen) {
        last_end_ = seen.end;
        Call& call = table_.call[seen.call];
        call.count += 1;
        call.time += seen.end - seen.start;
        table_.now = seen.end;
        table_.computed = computed_;
    }

    void commit(Exchange& exchange, double after) {
        exchange.open = false;
        const std::uint64_t bytes = exchange.sent ? exchange.sent : exchange.received;
        const auto size_class = static_cast<std::uint32_t>(std::bit_width(bytes));
        Record* const record = find(exchange, size_class);
        if (!record) {
            ++table_.lost;
            return;
        }
        const double spent = exchange.initiating + exchange.waiting;
        record->least = record->count == 0 ? spent : std::min(record->least, spent);
        record->count += 1;
        record->messages += exchange.messages;
        record->sent += exchange.sent;
        record->received += exchange.received;
        record->size += exchange.first.size;
        record->blocking += exchange.initiating == 0 ? 1 : 0;
        record->initiating += exchange.initiating;
        record->waiting += exchange.waiting;
        record->before += exchange.before;
        record->packing += exchange.computed_at_initiation - exchange.computed_at_start;
        record->behind += exchange.computed_at_end - exchange.computed_at_initiation;
        record->after += after;
        for (std::uint32_t i = 0; i < exchange.members; ++i)
            insert(record->member, record->members, exchange.member[i]);
        for (std::uint32_t i = 0; i < exchange.peers; ++i)
            insert(record->peer, record->peers, exchange.peer[i]);
    }

    template <class Set, class Value>
    static void insert(Set& set, std::uint32_t& used, Value value) {
        const auto end = set.begin() + used;
        if (std::find(set.begin(), end, value) == end && used < set.size()) set[used++] = value;
    }

    [[nodiscard]] Record* find(const Exchange& exchange, std::uint32_t size_class) {
        const auto ranks = static_cast<std::uint32_t>(exchange.first.ranks);
        std::size_t i = (exchange.head * 31U + size_class * 7U + ranks) & (index_.size() - 1);
        for (; index_[i] != 0; i = (i + 1) & (index_.size() - 1)) {
            Record& record = table_.record[index_[i] - 1];
            if (record.head == exchange.head && record.size_class == size_class &&
                record.ranks == ranks)
                return &record;
        }
        if (table_.records == Table::most_records) return nullptr;
        Record& record = table_.record[table_.records];
        record.operation = exchange.first.operation;
        record.ranks = ranks;
        record.head = exchange.head;
        record.size_class = size_class;
        index_[i] = static_cast<std::uint16_t>(++table_.records);
        return &record;
    }

    Table& table_;
    Requests requests_;
    std::array<Exchange, most_open> exchanges_{};
    std::array<std::uint16_t, 2 * Table::most_records> index_{};  // records + 1, hashed
    std::uint32_t begun_ = 0;
    std::uint32_t open_ = 0;        // slots that may be in use
    std::uint32_t current_ = none;  // what a message may still belong to
    double last_end_ = 0;
    double computed_ = 0;
    double gap_ = 0;
};

}  // namespace lapwing::observe
