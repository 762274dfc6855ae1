#include "lapwing/replay/exchange_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lapwing/record/packing.hpp"

namespace lapwing::replay {
namespace {

using record::Kind;
using record::Record;

bool initiates(const Record& record) {
    return record::sends(record.kind) || record::receives(record.kind);
}
std::int64_t peer_of(const Record& record) {
    return record::sends(record.kind) ? record.sent.peer : record.received.peer;
}

/// An exchange of messages that is being read.
class Growing {
  public:
    explicit Growing(Exchange& exchange) : exchange_(exchange) {}

    /// Whether a record belongs to it.
    [[nodiscard]] bool continues(const Record& next) const {
        if (next.kind != Kind::wait && !initiates(next)) return false;
        // Until something is waited for, the program is still initiating.
        if (!under_way_ && peer_ != record::nobody && initiates(next) && next.site == round_site_ &&
            peer_of(next) == peer_)
            return false;
        return static_cast<double>(next.computed) <= record::packing_time(largest());
    }
    void add(KeptRecord next) {
        if (next->kind == Kind::wait) {
            if (exchange_.records.empty()) exchange_.phases.push_back(0);
            waited_ = true;
            under_way_ = false;
        } else {
            initiate(*next);
        }
        exchange_.records.push_back(std::move(next));
    }

  private:
    void initiate(const Record& message) {
        if (waited_ || exchange_.records.empty())
            exchange_.phases.push_back(exchange_.records.size());
        // What follows a blocking receive may depend on it.
        waited_ = message.kind == Kind::receive;
        under_way_ |= message.kind == Kind::start_send || message.kind == Kind::start_receive;
        if (!std::exchange(initiated_, true)) exchange_.site = message.site;
        if (peer_ == record::nobody && peer_of(message) != record::nobody) {
            round_site_ = message.site;
            peer_ = peer_of(message);
        }
        if (record::sends(message.kind) && message.sent.peer != record::nobody) {
            exchange_.sent += message.sent.bytes;
            sent_ = std::max(sent_, message.sent.bytes);
        }
        if (record::receives(message.kind) && message.received.peer != record::nobody) {
            exchange_.received += message.received.bytes;
            received_ = std::max(received_, message.received.bytes);
        }
    }
    /// A receive only says for how much it has room.
    [[nodiscard]] std::uint64_t largest() const { return sent_ > 0 ? sent_ : received_; }

    Exchange& exchange_;
    bool initiated_ = false;
    bool waited_ = false;     ///< since the last initiation
    bool under_way_ = false;  ///< requests, none of which has been waited for
    // Of the first initiation that has to do with another rank.
    std::uint64_t round_site_ = 0;
    std::int64_t peer_ = record::nobody;
    std::uint64_t sent_ = 0;  ///< bytes of the largest message
    std::uint64_t received_ = 0;
};

}  // namespace

bool ExchangeReader::next(Exchange& exchange) {
    if (!std::exchange(begun_, true)) read_ahead();
    exchange = {};
    if (!ahead_) return false;
    const Record& first = **ahead_;
    exchange.site = first.site;
    if (first.kind == Kind::wait || initiates(first)) {
        read_messages(exchange);
        return true;
    }
    if (first.kind == Kind::collective) exchange.kind = Exchange::Kind::collective;
    exchange.records.push_back(*std::move(ahead_));
    read_ahead();
    return true;
}

void ExchangeReader::read_messages(Exchange& exchange) {
    exchange.kind = Exchange::Kind::messages;
    Growing growing(exchange);
    do {
        growing.add(*std::move(ahead_));
        read_ahead();
    } while (ahead_ && growing.continues(**ahead_));
}

void ExchangeReader::read_ahead() {
    record::Record record;
    ahead_.reset();
    if (records_.next(record)) ahead_.emplace(record);
}

}  // namespace lapwing::replay
