#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "lapwing/observe/open_exchange.hpp"
#include "lapwing/observe/table.hpp"

namespace lapwing::observe {

/// Sums up exchanges in the records of a table: one record for all that begin at the same call with
/// about as many bytes and ranks. Never allocates.
class Records {
  public:
    explicit Records(Table& table) : table_(table) {}

    /// Adds an exchange that is over, `after` seconds of computation before the next call. Returns
    /// whether there was room.
    bool add(const OpenExchange& exchange, double after) {
        const std::uint64_t bytes = exchange.sent ? exchange.sent : exchange.received;
        const auto size_class = static_cast<std::uint32_t>(std::bit_width(bytes));
        Record* const record = find(exchange, size_class);
        if (!record) return false;
        const double spent = exchange.initiating + exchange.waiting;
        record->least = record->count == 0 ? spent : std::min(record->least, spent);
        record->squares += spent * spent;
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
        record->beside += std::min(exchange.before, after);
        for (std::uint32_t i = 0; i < exchange.members; ++i)
            OpenExchange::insert(record->member, record->members, exchange.member[i]);
        for (std::uint32_t i = 0; i < exchange.peers; ++i)
            OpenExchange::insert(record->peer, record->peers, exchange.peer[i]);
        for (std::uint32_t i = 0; i < exchange.routes; ++i)
            OpenExchange::merge(record->route, record->routes, exchange.route[i]);
        return true;
    }

  private:
    /// The record that an exchange belongs to, entered if it is new; null where there is no room.
    [[nodiscard]] Record* find(const OpenExchange& exchange, std::uint32_t size_class) {
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
        record.element = exchange.element;
        record.root = exchange.first.to.peer;
        index_[i] = static_cast<std::uint16_t>(++table_.records);
        return &record;
    }

    Table& table_;
    std::array<std::uint16_t, 2 * Table::most_records>
        index_{};  // hash table: record + 1; 0: empty
};

}  // namespace lapwing::observe
