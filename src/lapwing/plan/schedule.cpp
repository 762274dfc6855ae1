#include "lapwing/plan/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lapwing/plan/grid_rows.hpp"
#include "lapwing/simulate/program/graph_writer.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing {
namespace {

using simulate::Graph;
using Transfer = simulate::GraphWriter::Transfer;

/// A message of a rank: its place among those with its peer, and which peer that is.
struct Item {
    std::uint64_t size = 0;
    std::uint64_t index = 0;
    std::uint64_t begin = 0;  ///< bytes of those before it
    std::uint64_t peer = 0;   ///< from 0
};

/// The messages with `peers` peers in the plan's order.
std::vector<Item> items(const Plan& plan, std::uint64_t peers) {
    std::vector<Item> all;
    for (auto at = plan.messages.begin(); at != Messages::End{}; ++at)
        for (std::uint64_t peer = 0; peer < peers; ++peer)
            all.push_back({*at, at.index(), at.offset(), peer});
    if (plan.order == PeerOrder::contiguous)
        std::stable_sort(all.begin(), all.end(),
                         [](const Item& a, const Item& b) { return a.peer < b.peer; });
    return all;
}

/// Whether the messages of all peers share a rank's window, rather than that a message in flight
/// stands for one to each of them.
bool shares_window(const Workload& workload) {
    return workload.pattern == Pattern::multi || workload.pattern == Pattern::alltoall ||
           workload.pattern == Pattern::halo;
}

/// So many looks at links take as long as all else about a message.
constexpr double looks_per_message = 55;

/// Messages of all ranks.
double messages_of(const Plan& plan) {
    const Workload& workload = plan.workload;
    const auto count = static_cast<double>(plan.messages.count());
    const auto ranks = static_cast<double>(workload.ranks);
    const auto peers = static_cast<double>(workload.peers);
    switch (workload.pattern) {
        case Pattern::stream:
            return 2 * count;
        case Pattern::multi:
        case Pattern::congested:
            return peers * count;
        case Pattern::collective:
            return ranks * peers * count * (workload.sizes_known ? 1 : 2);
        default:
            return ranks * peers * count;
    }
}

/// What a message takes where links are shared, as so many where they are not: about the least that
/// was counted, which is where messages come and go together.
double sharing(const Plan& plan) {
    const Workload& workload = plan.workload;
    const auto ranks = static_cast<double>(workload.ranks);
    const auto peers = static_cast<double>(workload.peers);
    switch (workload.pattern) {
        case Pattern::congested:
            return 1 + peers / 8;
        case Pattern::collective:
        case Pattern::buckets:
            return plan.messages.count() > 1 ? 1 + ranks * peers / 32 : 1 + peers / 8;
        default:
            return 1.4;
    }
}

/// How many messages are to have been initiated, of `all`, `window` in flight: one for each that
/// has arrived, or the next burst of them when one has been consumed. See `Arrivals`.
class Refill {
  public:
    Refill(int burst, std::size_t window, std::size_t all)
        : burst_(std::min(static_cast<std::size_t>(burst), window)), window_(window), all_(all) {}

    /// Before the message of this number is awaited.
    [[nodiscard]] std::size_t before(std::size_t awaited) const {
        return burst_ == 0 ? 0 : std::min(awaited / burst_ * burst_ + window_, all_);
    }
    /// When it has arrived.
    [[nodiscard]] std::size_t after(std::size_t awaited) const {
        return burst_ > 0 ? 0 : std::min(awaited + 1 + window_, all_);
    }

  private:
    std::size_t burst_;
    std::size_t window_;
    std::size_t all_;
};

/// Writes a plan out.
class Script {
  public:
    Script(const Plan& plan, const simulate::MeasuredMachine& costs)
        : plan_(plan), workload_(plan.workload), writer_(graph_, costs) {}

    Graph write() {
        const std::uint64_t ranks = workload_.ranks;
        for (rank_ = 0; rank_ < ranks; ++rank_) {
            writer_.begin_rank();
            switch (workload_.pattern) {
                case Pattern::stream:
                    if (workload_.direction == Direction::both) {
                        exchange(1);
                    } else {
                        one_way(computes_at(0), 1, true);
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

    /// Whether this rank of a stream computes, where rank 0 is the one that does.
    [[nodiscard]] bool computes_at(std::uint64_t rank) const { return rank_ == rank; }
    [[nodiscard]] double t() const {
        const auto all = static_cast<double>(plan_.messages.volume()) *
                         static_cast<double>(shares_window(workload_) ? workload_.peers : 1);
        return workload_.compute / all;
    }

    /// One end of a pattern in which data goes one way.
    void one_way(bool computes, std::uint64_t peers, bool takes_part) {
        if (!takes_part) return;
        const bool one = rank_ == 0 && workload_.pattern != Pattern::stream;
        const bool many = one || workload_.pattern == Pattern::stream;
        const auto all = items(plan_, many ? peers : 1);
        const bool fetches = workload_.direction == Direction::fetch;
        const bool receives = computes == fetches;
        auto window = static_cast<std::size_t>(plan_.window);
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
        const Refill refill(computes && fetches ? plan_.burst : 0, window, all.size());
        for (std::size_t awaited = 0; awaited < all.size(); ++awaited) {
            while (transfers.size() < refill.before(awaited)) initiate();
            writer_.await(transfers[awaited]);
            while (transfers.size() < refill.after(awaited)) initiate();
            if (computes && fetches) writer_.compute(t() * static_cast<double>(all[awaited].size));
        }
    }

    /// What a rank of a two-way pattern does.
    void exchange(std::uint64_t peers) {
        const auto all = items(plan_, peers);
        const auto window = static_cast<std::size_t>(plan_.window);
        const bool fetches = workload_.direction == Direction::fetch;
        const bool both = workload_.direction == Direction::both;
        const double before = fetches ? 0 : both ? t() / 2 : t();
        const double after = t() - before;
        // Pipelines, and those of collectives are, consume before they start the next.
        const bool ahead = fetches && workload_.pattern != Pattern::collective;
        const bool unknown = workload_.pattern == Pattern::collective && !workload_.sizes_known;
        std::vector<Transfers> under_way;
        std::size_t opened = 0;  // collectives whose data is under way
        const auto open = [&](std::size_t until) {
            for (; unknown && opened < until; ++opened) {
                writer_.await(under_way[opened]);
                under_way[opened] = transfer(all[opened]);
            }
        };
        bool just_initiated = false;  // then sizes had no time to arrive
        const auto initiate = [&](bool at_start) {
            const Item& item = all[under_way.size()];
            writer_.compute(before * static_cast<double>(item.size));
            if (!at_start || before > 0) open(under_way.size());
            under_way.push_back(unknown ? sizes_of(item, all.size()) : transfer(item));
            just_initiated = true;
        };
        while (under_way.size() < std::min(window, all.size())) initiate(true);
        const Refill refill(ahead ? plan_.burst : 0, window, all.size());
        for (std::size_t awaited = 0; awaited < all.size(); ++awaited) {
            while (under_way.size() < refill.before(awaited)) initiate(false);
            open(std::max(awaited + 1, under_way.size() - (just_initiated ? 1 : 0)));
            writer_.await(under_way[awaited]);
            just_initiated = false;
            while (ahead && under_way.size() < refill.after(awaited)) initiate(false);
            writer_.compute(after * static_cast<double>(all[awaited].size));
            if (!ahead && under_way.size() < all.size()) initiate(false);
        }
    }
    /// Initiates what one message of a two-way pattern stands for: what is to be awaited of it.
    Transfers transfer(const Item& item) {
        if (workload_.pattern == Pattern::collective) return collective(item);
        if (workload_.pattern == Pattern::buckets) return sum(item);
        const auto give = [&](std::uint64_t to) { writer_.send(to, item.index, item.size); };
        if (workload_.pattern == Pattern::alltoall && !plan_.staggered) {
            // The other of this number, and those of whom this rank is the other of this number.
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
    /// A part to each of the others and one from each, both whole grains.
    Transfers collective(const Item& item) {
        const std::uint64_t all = workload_.grain * (workload_.ranks - 1);
        const auto part = [&](std::uint64_t bytes) {
            return (bytes + all - 1) / all * workload_.grain;
        };
        return flat(item.index, part(item.begin + item.size) - part(item.begin));
    }
    /// How large the parts are, which goes ahead of them: `items` are all there are. An all-to-all
    /// of equal parts, which libraries begin with another rank on each.
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
    /// `bytes` to each of the others and from each, all receives first.
    Transfers flat(std::uint64_t tag, std::uint64_t bytes) {
        Transfers transfers;
        for_others(
            [&](std::uint64_t other) { transfers.push_back(writer_.receive(other, tag, bytes)); });
        for_others(
            [&](std::uint64_t other) { transfers.push_back(writer_.send(other, tag, bytes)); });
        return transfers;
    }
    /// All of it to each of the others and all of theirs.
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
    /// Where a message comes from the peer of this number, and goes to as far on the other side.
    [[nodiscard]] Partners partners(std::uint64_t peer) const {
        const std::uint64_t ranks = workload_.ranks;
        const bool halo = workload_.pattern == Pattern::halo;
        if (const std::uint64_t rows = grid_rows(ranks); halo && workload_.peers == 4 && rows > 0)
            return on_grid(peer, rows, ranks / rows);
        // To the right, to the left, two to the right …
        const std::uint64_t away = halo ? peer / 2 + 1 : peer + 1;
        const Partners right{(rank_ + away) % ranks, (rank_ + ranks - away) % ranks};
        return halo && peer % 2 == 1 ? Partners{right.to, right.from} : right;
    }
    /// The same where neighbours are right, left, below and above.
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

    const Plan& plan_;
    const Workload& workload_;
    Graph graph_;
    simulate::GraphWriter writer_;
    std::uint64_t rank_ = 0;
};

}  // namespace

Graph schedule(const Plan& plan, const simulate::MeasuredMachine& costs) {
    return Script(plan, costs).write();
}

Rehearsal::Rehearsal(const Profile& profile)
    : nic_(profile.nic),
      costs_(profile, simulate::Rank{1}),
      machine_(profile, {.topology = {}, .stride = {}, .charge_receive_overhead = false}) {}

double Rehearsal::effort(const Plan& plan) const {
    const double messages = messages_of(plan);
    return nic_ == Nic::serialising ? messages : messages * sharing(plan);
}

Rehearsed Rehearsal::play(const Plan& plan, double most) const {
    constexpr double tick = 1e-9 / static_cast<double>(simulate::MeasuredMachine::nanosecond);
    constexpr double longest = 1e15;
    const auto most_looks = static_cast<std::uint64_t>(std::min(most, longest) * looks_per_message);
    const auto played = simulate::simulate(schedule(plan, costs_), machine_, most_looks);
    return {.seconds = played.ended ? static_cast<double>(played.finish) * tick
                                    : std::numeric_limits<double>::infinity(),
            .effort = static_cast<double>(played.messages) +
                      static_cast<double>(played.link_updates) / looks_per_message};
}

}  // namespace lapwing
