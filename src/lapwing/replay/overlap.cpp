#include "lapwing/replay/overlap.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "lapwing/replay/cut_messages.hpp"

namespace lapwing::replay {
namespace {

using record::Kind;
using record::Record;

/// A phase of messages: what it initiates, and what it waits for. Receives are started at once.
/// Each piece to send leaves when its part of the computation before it is done. The rank awaits
/// each piece that comes before its part of the computation behind it. In one piece, messages leave
/// at once, and are awaited when all of that is computed.
class Phase {
  public:
    /// `before`, `after`: nanoseconds of computation that it hides behind.
    Phase(const Overlap& how, std::uint64_t before, std::uint64_t after, CutMessages& made,
          RequestNumbers& numbers)
        : before_(before),
          after_(after),
          steps_(std::max(1U, how.pieces)),
          window_(std::max(1U, how.under_way())),
          made_(made),
          numbers_(numbers),
          awaited_(steps_) {}

    /// Adds records `begin` to `end` of an exchange.
    void add(const Exchange& exchange, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const KeptRecord& record = exchange.records[i];
            if (record->kind == Kind::wait) {
                made_.compute(record->computed);
                waited_ += record->duration;
                for (const std::uint64_t request : record.requests()) awaited(request);
            } else {
                initiate(*record, exchange.pieces_of(i));
            }
        }
        run(*exchange.records[begin]);
    }

  private:
    struct Sent {
        Record record{};
        std::uint32_t pieces = 1;
        std::vector<std::uint64_t> requests{};
        bool awaited = false;
    };

    void initiate(Record message, Pieces pieces) {
        if (record::receives(message.kind)) {
            auto made = made_.start_receive(message, pieces.received);
            message.computed = message.duration = 0;
            if (message.kind == Kind::start_receive)
                numbers_.add(message.request, std::move(made));
            else
                await(std::move(made));
        }
        if (!record::sends(message.kind)) return;
        made_.compute(std::exchange(message.computed, 0));
        sent_.push_back({.record = message,
                         .pieces = pieces.sent,
                         .requests = {},
                         .awaited = message.kind != Kind::start_send});
        if (steps_ == 1) send(sent_.back(), 0);
    }
    /// A wait for a recorded request.
    void awaited(std::uint64_t request) {
        const auto own = std::find_if(sent_.rbegin(), sent_.rend(), [&](const Sent& each) {
            return !each.awaited && each.record.request == request;
        });
        if (own != sent_.rend())
            own->awaited = true;
        else
            await(numbers_.take(request));
    }
    /// What was received by step, the rest at the end.
    void await(RequestNumbers::Made made) {
        for (std::size_t i = 0; i < made.numbers.size(); ++i)
            awaited_[made.receives ? i * steps_ / made.numbers.size() : steps_ - 1].push_back(
                made.numbers[i]);
    }
    void run(const Record& as) {
        std::uint32_t waited = 0;
        if (steps_ == 1) made_.compute(before_ + std::exchange(after_, 0));
        for (std::uint32_t step = 0; steps_ > 1 && step < steps_; ++step) {
            made_.compute(part_of(before_, step, steps_));
            for (Sent& each : sent_) send(each, step);
            if (step + 1 >= window_ && step + 1 < steps_) wait(waited++, as);
        }
        for (Sent& each : sent_) {
            RequestNumbers::Made made{.numbers = std::move(each.requests), .receives = false};
            if (each.awaited)
                await(std::move(made));
            else
                numbers_.add(each.record.request, std::move(made));
        }
        while (waited < steps_) wait(waited++, as);
    }
    /// What has been computed of a message by a step, and not been sent.
    void send(Sent& message, std::uint32_t step) {
        const auto done = std::size_t{step + 1} * message.pieces / steps_;
        for (std::size_t piece = message.requests.size(); piece < done; ++piece)
            message.requests.push_back(made_.start_send(
                message.record, static_cast<std::uint32_t>(piece), message.pieces));
    }
    void wait(std::uint32_t step, const Record& as) {
        const bool last = step + 1 == steps_;
        if (last || !awaited_[step].empty())
            made_.wait(std::move(awaited_[step]), as, last ? waited_ : 0);
        made_.compute(part_of(after_, step, steps_));
    }

    std::uint64_t before_;
    std::uint64_t after_;
    std::uint32_t steps_;
    std::uint32_t window_;
    CutMessages& made_;
    RequestNumbers& numbers_;
    std::vector<Sent> sent_;
    std::vector<std::vector<std::uint64_t>> awaited_;  ///< requests that each step waits for
    std::uint64_t waited_ = 0;                         ///< for so long, when it was recorded
};

void overlap_messages(const Exchange& exchange, const Overlap& how, std::uint64_t before,
                      std::uint64_t after, CutMessages& made, RequestNumbers& numbers) {
    const std::size_t count = exchange.phases.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t end = i + 1 < count ? exchange.phases[i + 1] : exchange.records.size();
        Phase phase(how, part_of(before, i, count), part_of(after, i, count), made, numbers);
        phase.add(exchange, exchange.phases[i], end);
    }
}

void overlap_collective(const KeptRecord& whole, const Overlap& how, std::uint64_t before,
                        std::uint64_t after, CutMessages& made, RequestNumbers& numbers) {
    const std::uint32_t pieces = std::max(1U, how.pieces);
    std::vector<std::uint64_t> requests;
    std::uint32_t waited = 0;
    const auto wait = [&] {
        made.wait({requests[waited]}, *whole);
        made.compute(part_of(after, waited, pieces));
        ++waited;
    };
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        made.compute(part_of(before, piece, pieces));
        KeptRecord part(whole);
        part->kind = Kind::start_collective;
        if (piece > 0) part->computed = part->duration = 0;
        part->request = requests.emplace_back(numbers.make());
        part->bytes = part_of(whole->bytes, piece, pieces);
        for (std::uint64_t& block : part.blocks()) block = part_of(block, piece, pieces);
        made.add(std::move(part));
        if (piece + 1 >= how.under_way() && piece + 1 < pieces) wait();
    }
    while (waited < pieces) wait();
}

/// A record of a request, for each of those that it became.
void keep_forgotten(const KeptRecord& record, RequestNumbers& numbers, CutMessages& made) {
    KeptRecord forgotten(record);
    for (const std::uint64_t number : numbers.take(record->request).numbers) {
        forgotten->request = number;
        numbers.release(number);
        made.add(forgotten);
        forgotten->computed = forgotten->duration = 0;
    }
    made.compute(forgotten->computed);
}

void keep_record(const KeptRecord& record, Pieces pieces, RequestNumbers& numbers,
                 CutMessages& made) {
    switch (record->kind) {
        case Kind::start_receive:
            return numbers.add(record->request, made.start_receive(*record, pieces.received));
        case Kind::start_send:
            return numbers.add(record->request,
                               {.numbers = {made.start_send(*record, 0, 1)}, .receives = false});
        case Kind::start_collective: {
            KeptRecord started(record);
            started->request = numbers.make();
            numbers.add(record->request, {.numbers = {started->request}, .receives = false});
            return made.add(std::move(started));
        }
        case Kind::wait: {
            std::vector<std::uint64_t> requests;
            for (const std::uint64_t request : record.requests())
                for (const std::uint64_t number : numbers.take(request).numbers)
                    requests.push_back(number);
            made.compute(record->computed);
            return made.wait(std::move(requests), *record, record->duration);
        }
        case Kind::forget:
            return keep_forgotten(record, numbers, made);
        default:
            made.add(record);
    }
}

}  // namespace

void keep(const Exchange& exchange, RequestNumbers& numbers, std::deque<KeptRecord>& records) {
    CutMessages made(numbers, records);
    for (std::size_t i = 0; i < exchange.records.size(); ++i)
        keep_record(exchange.records[i], exchange.pieces_of(i), numbers, made);
}

std::uint64_t overlap(Exchange exchange, const Overlap& how, std::uint64_t after,
                      RequestNumbers& numbers, std::deque<KeptRecord>& records) {
    const bool messages = exchange.kind == Exchange::Kind::messages;
    // Messages that are whole do not depend on the computation on one side of them.
    const bool behind_before = how.before() && !(messages && how.pieces <= 1 && how.after());
    std::uint64_t& first = exchange.records.front()->computed;
    const std::uint64_t before = behind_before ? std::exchange(first, 0) : 0;
    const std::uint64_t hiding = how.after() ? after : 0;
    CutMessages made(numbers, records);
    if (messages)
        overlap_messages(exchange, how, before, hiding, made, numbers);
    else
        overlap_collective(exchange.records.front(), how, before, hiding, made, numbers);
    return made.take_computed() + after - hiding;
}

}  // namespace lapwing::replay
