#include "lapwing/plan/evaluate/schedule_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/plan/costs/pattern_line.hpp"
#include "lapwing/simulate/program/graph_writer.hpp"

namespace lapwing {
namespace {

using simulate::Graph;
using Transfer = simulate::GraphWriter::Transfer;

/// A message of a rank.
struct Item {
    std::uint64_t size = 0;   ///< bytes
    std::uint64_t index = 0;  ///< among the messages with its peer
    std::uint64_t begin = 0;  ///< bytes with its peer before it
    std::uint64_t peer = 0;   ///< which of its rank's peers, from 0
};

/// The messages with `peers` peers in the candidate's order.
std::vector<Item> items(const Candidate& candidate, std::uint64_t peers) {
    std::vector<Item> all;
    for (auto at = candidate.messages.begin(); at != Messages::End{}; ++at)
        for (std::uint64_t peer = 0; peer < peers; ++peer)
            all.push_back({*at, at.index(), at.offset(), peer});
    if (candidate.order == PeerOrder::contiguous)
        std::stable_sort(all.begin(), all.end(),
                         [](const Item& a, const Item& b) { return a.peer < b.peer; });
    return all;
}

/// How many of `all` messages are initiated by when, with `window` in flight: another one for each
/// arrival, or the next burst when one has been consumed (as the pipelines' `Arrivals` does).
class Refill {
  public:
    Refill(int burst, std::size_t window, std::size_t all)
        : burst_(std::min(static_cast<std::size_t>(burst), window)), window_(window), all_(all) {}

    /// Before message number `awaited` is awaited.
    [[nodiscard]] std::size_t before(std::size_t awaited) const {
        return burst_ == 0 ? 0 : std::min(awaited / burst_ * burst_ + window_, all_);
    }
    /// When it has arrived, before it is consumed.
    [[nodiscard]] std::size_t after(std::size_t awaited) const {
        return burst_ > 0 ? 0 : std::min(awaited + 1 + window_, all_);
    }

  private:
    std::size_t burst_;
    std::size_t window_;
    std::size_t all_;
};

/// Writes the schedule of one candidate.
class ScheduleWriter {
  public:
    ScheduleWriter(const Workload& workload, const Candidate& candidate,
                   const simulate::MeasuredMachine& costs)
        : candidate_(candidate), workload_(workload), writer_(graph_, costs) {}

    Graph write() {
        const std::uint64_t ranks = workload_.ranks;
        for (rank_ = 0; rank_ < ranks; ++rank_) {
            writer_.begin_rank();
            switch (workload_.pattern) {
                case Pattern::stream:
                    if (workload_.direction == Direction::both) {
                        exchange(1);
                    } else {
                        one_way(rank_ == 0, 1, true);
                    }
                    break;
                case Pattern::multi:
                    one_way(rank_ == 0, workload_.peers, rank_ <= workload_.peers);
                    break;
                case Pattern::congested:
                    one_way(rank_ != 0, workload_.peers, true);
                    break;
                case Pattern::alltoall:
                case Pattern::halo:
                    exchange(workload_.peers);
                    break;
                case Pattern::collective:
                case Pattern::buckets:
                    exchange(1);
                    break;
            }
        }
        return std::move(graph_);
    }

  private:
    using Transfers = std::vector<Transfer>;

    /// Computation, seconds per byte of a message.
    [[nodiscard]] double t() const {
        const auto all = static_cast<double>(candidate_.messages.volume()) *
                         static_cast<double>(shares_window(workload_) ? workload_.peers : 1);
        return workload_.compute / all;
    }

    /// A rank of a pattern in which data goes one way.
    void one_way(bool computes, std::uint64_t peers, bool takes_part) {
        if (!takes_part) return;
        const bool one = rank_ == 0 && workload_.pattern != Pattern::stream;
        const bool many = one || workload_.pattern == Pattern::stream;
        const auto all = items(candidate_, many ? peers : 1);
        const bool fetches = workload_.direction == Direction::fetch;
        const bool receives = computes == fetches;
        auto window = static_cast<std::size_t>(candidate_.window);
        if (workload_.pattern == Pattern::congested && one) window *= peers;
        const auto partner = [&](const Item& item) {
            if (workload_.pattern == Pattern::stream) return 1 - rank_;
            return rank_ == 0 ? item.peer + 1 : 0;
        };
        const bool produces = computes && !fetches;
        Transfers transfers;
        const auto initiate = [&] {
            const Item& item = all[transfers.size()];
            if (produces) writer_.compute(t() * static_cast<double>(item.size));
            transfers.push_back(receives ? writer_.receive(partner(item), item.index, item.size)
                                         : writer_.send(partner(item), item.index, item.size));
        };
        while (transfers.size() < std::min(window, all.size())) initiate();
        const Refill refill(computes && fetches ? candidate_.burst : 0, window, all.size());
        for (std::size_t awaited = 0; awaited < all.size(); ++awaited) {
            while (transfers.size() < refill.before(awaited)) initiate();
            writer_.await(transfers[awaited]);
            while (transfers.size() < refill.after(awaited)) initiate();
            if (computes && fetches) writer_.compute(t() * static_cast<double>(all[awaited].size));
        }
    }

    /// A rank of a two-way pattern.
    void exchange(std::uint64_t peers) {
        const auto all = items(candidate_, peers);
        const auto window = static_cast<std::size_t>(candidate_.window);
        const bool fetches = workload_.direction == Direction::fetch;
        const bool both = workload_.direction == Direction::both;
        const double before = fetches ? 0 : both ? t() / 2 : t();
        const double after = t() - before;
        // Pipelines consume a message before they start the next; collectives are pipelines.
        const bool ahead = fetches && workload_.pattern != Pattern::collective;
        const bool unknown = workload_.pattern == Pattern::collective && !workload_.sizes_known;
        std::vector<Transfers> in_flight;
        std::size_t opened = 0;  // collectives whose data is in flight
        const auto open = [&](std::size_t until) {
            for (; unknown && opened < until; ++opened) {
                writer_.await(in_flight[opened]);
                in_flight[opened] = transfer(all[opened]);
            }
        };
        bool just_initiated = false;  // its sizes had no time to arrive
        const auto initiate = [&](bool at_start) {
            const Item& item = all[in_flight.size()];
            writer_.compute(before * static_cast<double>(item.size));
            if (!at_start || before > 0) open(in_flight.size());
            in_flight.push_back(unknown ? sizes_of(item, all.size()) : transfer(item));
            just_initiated = true;
        };
        while (in_flight.size() < std::min(window, all.size())) initiate(true);
        const Refill refill(ahead ? candidate_.burst : 0, window, all.size());
        for (std::size_t awaited = 0; awaited < all.size(); ++awaited) {
            while (in_flight.size() < refill.before(awaited)) initiate(false);
            open(std::max(awaited + 1, in_flight.size() - (just_initiated ? 1 : 0)));
            writer_.await(in_flight[awaited]);
            just_initiated = false;
            while (ahead && in_flight.size() < refill.after(awaited)) initiate(false);
            writer_.compute(after * static_cast<double>(all[awaited].size));
            if (!ahead && in_flight.size() < all.size()) initiate(false);
        }
    }
    /// Initiates what one message of a two-way pattern stands for. Returns what is awaited of it.
    Transfers transfer(const Item& item) {
        if (workload_.pattern == Pattern::collective) return collective(item);
        if (workload_.pattern == Pattern::buckets) return sum(item);
        const auto give = [&](std::uint64_t to) { writer_.send(to, item.index, item.size); };
        if (workload_.pattern == Pattern::alltoall && !candidate_.staggered) {
            // All ranks receive from the other rank of this number, and so send to those to whom
            // this rank has this number.
            const std::uint64_t from = item.peer < rank_ ? item.peer : item.peer + 1;
            const Transfer receive = writer_.receive(from, item.index, item.size);
            for_others([&](std::uint64_t other) {
                if (item.peer == (rank_ < other ? rank_ : rank_ - 1)) give(other);
            });
            return {receive};
        }
        const auto [from, to] = partners(item.peer);
        const Transfer receive = writer_.receive(from, item.index, item.size);
        give(to);
        return {receive};
    }
    /// A part to each of the other ranks and one from each, in whole grains.
    Transfers collective(const Item& item) {
        const std::uint64_t all = workload_.grain * (workload_.ranks - 1);
        const auto part = [&](std::uint64_t bytes) {
            return (bytes + all - 1) / all * workload_.grain;
        };
        return flat(item.index, part(item.begin + item.size) - part(item.begin));
    }
    /// The sizes of the parts, sent ahead, for one of `items` messages: a staggered all-to-all of
    /// equal parts.
    Transfers sizes_of(const Item& item, std::size_t items) {
        const std::uint64_t ranks = workload_.ranks;
        const std::uint64_t tag = items + item.index;
        Transfers transfers;
        for (std::uint64_t away = 1; away < ranks; ++away)
            transfers.push_back(
                writer_.receive((rank_ + away) % ranks, tag, sizeof(std::uint64_t)));
        for (std::uint64_t away = 1; away < ranks; ++away)
            transfers.push_back(
                writer_.send((rank_ + ranks - away) % ranks, tag, sizeof(std::uint64_t)));
        return transfers;
    }
    /// `bytes` to each of the other ranks and from each, all receives first.
    Transfers flat(std::uint64_t tag, std::uint64_t bytes) {
        Transfers transfers;
        for_others(
            [&](std::uint64_t other) { transfers.push_back(writer_.receive(other, tag, bytes)); });
        for_others(
            [&](std::uint64_t other) { transfers.push_back(writer_.send(other, tag, bytes)); });
        return transfers;
    }
    /// All of a message to each of the other ranks, and all of theirs.
    Transfers sum(const Item& item) {
        Transfers transfers;
        for_others([&](std::uint64_t other) {
            transfers.push_back(writer_.send(other, item.index, item.size));
            transfers.push_back(writer_.receive(other, item.index, item.size));
        });
        return transfers;
    }
    template <class Action>
    void for_others(Action&& action) const {
        for (std::uint64_t other = 0; other < workload_.ranks; ++other)
            if (other != rank_) action(other);
    }
    /// Ranks that a message comes from and goes to.
    struct Partners {
        std::uint64_t from = 0;
        std::uint64_t to = 0;
    };
    /// The peer of this number, and the rank as far away on the other side.
    [[nodiscard]] Partners partners(std::uint64_t peer) const {
        const std::uint64_t ranks = workload_.ranks;
        const bool halo = workload_.pattern == Pattern::halo;
        if (const std::uint64_t rows = near_square_rows(ranks);
            halo && workload_.peers == 4 && rows > 0)
            return on_grid(peer, rows, ranks / rows);
        // To the right, to the left, two to the right …
        const std::uint64_t away = halo ? peer / 2 + 1 : peer + 1;
        const Partners right{(rank_ + away) % ranks, (rank_ + ranks - away) % ranks};
        return halo && peer % 2 == 1 ? Partners{right.to, right.from} : right;
    }
    /// The same on a grid: neighbours are right, left, below and above.
    [[nodiscard]] Partners on_grid(std::uint64_t peer, std::uint64_t rows,
                                   std::uint64_t columns) const {
        const std::uint64_t row = rank_ / columns;
        const std::uint64_t column = rank_ % columns;
        const bool across = peer < 2;
        const auto at = [&](std::uint64_t step) {
            return across ? row * columns + (column + step) % columns
                          : (row + step) % rows * columns + column;
        };
        const std::uint64_t after = at(1);
        const std::uint64_t before = at((across ? columns : rows) - 1);
        return peer % 2 == 0 ? Partners{after, before} : Partners{before, after};
    }

    const Candidate& candidate_;
    const Workload& workload_;
    Graph graph_;
    simulate::GraphWriter writer_;
    std::uint64_t rank_ = 0;
};

}  // namespace

Graph write_schedule(const Workload& workload, const Candidate& candidate,
                     const simulate::MeasuredMachine& costs) {
    return ScheduleWriter(workload, candidate, costs).write();
}

}  // namespace lapwing
