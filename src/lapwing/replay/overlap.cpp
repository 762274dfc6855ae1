#include "lapwing/replay/overlap.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace lapwing::replay {
namespace {

using record::Kind;
using record::Record;

/// Part `part` of `parts` parts that are equal, up to one, and add up to `whole`.
std::uint64_t part_of(std::uint64_t whole, std::uint64_t part, std::uint64_t parts) {
    const auto up_to = [&](std::uint64_t end) {
        return whole / parts * end + whole % parts * end / parts;
    };
    return up_to(part + 1) - up_to(part);
}

/// Requests that are made here have odd numbers, recorded ones even ones.
std::uint64_t made_request(std::uint64_t number) { return 2 * number + 1; }

KeptRecord wait_for(std::vector<std::uint64_t> requests, std::uint64_t computed, const Record& as) {
    KeptRecord wait(Record{.kind = Kind::wait, .computed = computed, .site = as.site});
    wait.requests() = std::move(requests);
    return wait;
}

/// Phases of messages: what each initiates, and then all its waits at once.
class Phases {
  public:
    explicit Phases(std::deque<KeptRecord>& made) : made_(made) {}

    /// Records `begin` to `end` are a phase, whose waits come behind `hiding` nanoseconds of
    /// computation. `computed`: what the first of them computed.
    void add(const Exchange& exchange, std::size_t begin, std::size_t end, std::uint64_t computed,
             std::uint64_t hiding) {
        requests_.clear();
        std::uint64_t waited = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const KeptRecord& record = exchange.records[i];
            if (i > begin) computed += record->computed;
            if (record->kind == Kind::wait) {
                waited += record->duration;
                for (const std::uint64_t request : record.requests())
                    requests_.push_back(kept_request(request));
            } else {
                initiate(*record, std::exchange(computed, 0));
            }
        }
        made_.push_back(wait_for(requests_, computed + hiding, *exchange.records[begin]));
        made_.back()->duration = waited;
    }

  private:
    void initiate(Record message, std::uint64_t computed) {
        message.computed = computed;
        message.request = kept_request(message.request);
        switch (message.kind) {
            case Kind::send:
                return start(message, Kind::start_send);
            case Kind::receive:
                return start(message, Kind::start_receive);
            case Kind::send_receive:
                start(message, Kind::start_receive);
                message.computed = 0;
                message.duration = 0;
                return start(message, Kind::start_send);
            default:
                made_.emplace_back(message);
        }
    }
    /// A call that was complete when it returned makes a request.
    void start(Record message, Kind kind) {
        message.kind = kind;
        message.request = made_request(blocking_++);
        requests_.push_back(message.request);
        made_.emplace_back(message);
    }

    std::deque<KeptRecord>& made_;
    std::vector<std::uint64_t> requests_;  ///< that the phase waits for
    std::uint64_t blocking_ = 0;           ///< calls that made requests
};

std::uint64_t overlap_messages(const Exchange& exchange, const Overlap& how, std::uint64_t after,
                               std::deque<KeptRecord>& made) {
    const bool before = how.side == Overlap::Side::before;
    const std::uint64_t first = exchange.records.front()->computed;
    const std::uint64_t hiding = before ? first : after;
    const std::size_t count = exchange.phases.size();
    Phases phases(made);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = exchange.phases[i];
        const std::size_t end = i + 1 < count ? exchange.phases[i + 1] : exchange.records.size();
        const std::uint64_t computed = exchange.records[begin]->computed;
        phases.add(exchange, begin, end, i == 0 && before ? 0 : computed,
                   part_of(hiding, i, count));
    }
    return before ? after : 0;
}

/// Piece `piece` of a collective, initiated.
KeptRecord piece_of(const KeptRecord& whole, std::uint32_t piece, std::uint32_t pieces,
                    std::uint64_t computed) {
    KeptRecord made(whole);
    made->kind = Kind::start_collective;
    made->computed = computed;
    made->duration = piece == 0 ? whole->duration : 0;
    made->request = made_request(piece);
    made->bytes = part_of(whole->bytes, piece, pieces);
    for (std::uint64_t& block : made.blocks()) block = part_of(block, piece, pieces);
    return made;
}

std::uint64_t overlap_collective(const Exchange& exchange, const Overlap& how, std::uint64_t after,
                                 std::deque<KeptRecord>& made) {
    const KeptRecord& whole = exchange.records.front();
    const bool behind_before = how.side != Overlap::Side::after;
    const bool behind_after = how.side != Overlap::Side::before;
    const std::uint32_t pieces = std::max(1U, how.pieces);
    const std::uint32_t window =
        how.side == Overlap::Side::both ? std::clamp(how.window, 1U, pieces) : pieces;
    std::uint64_t computed = 0;  // since the last record
    std::uint32_t waited = 0;
    const auto wait = [&] {
        made.push_back(wait_for({made_request(waited)}, std::exchange(computed, 0), *whole));
        if (behind_after) computed = part_of(after, waited, pieces);
        ++waited;
    };
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        if (behind_before) {
            computed += part_of(whole->computed, piece, pieces);
        } else if (piece == 0) {
            computed = whole->computed;
        }
        made.push_back(piece_of(whole, piece, pieces, std::exchange(computed, 0)));
        if (piece + 1 >= window && piece + 1 < pieces) wait();
    }
    while (waited < pieces) wait();
    return behind_after ? computed : after;
}

}  // namespace

std::uint64_t kept_request(std::uint64_t number) { return 2 * number; }

std::uint64_t overlap(const Exchange& exchange, const Overlap& how, std::uint64_t after,
                      std::deque<KeptRecord>& made) {
    return exchange.kind == Exchange::Kind::messages
               ? overlap_messages(exchange, how, after, made)
               : overlap_collective(exchange, how, after, made);
}

}  // namespace lapwing::replay
