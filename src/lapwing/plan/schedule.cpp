#include "lapwing/plan/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "lapwing/simulate/graph_writer.hpp"

namespace lapwing {
namespace {

using simulate::Graph;

/// A message of a rank: its place among those with its peer, and which peer that is.
struct Item {
    std::uint64_t size = 0;
    std::uint64_t index = 0;
    std::uint64_t peer = 0;  ///< from 0
};

/// The messages with `peers` peers in the plan's order.
std::vector<Item> items(const Plan& plan, std::uint64_t peers) {
    std::vector<Item> all;
    for (auto at = plan.messages.begin(); at != Messages::End{}; ++at)
        for (std::uint64_t peer = 0; peer < peers; ++peer) all.push_back({*at, at.index(), peer});
    if (plan.order == PeerOrder::contiguous)
        std::stable_sort(all.begin(), all.end(),
                         [](const Item& a, const Item& b) { return a.peer < b.peer; });
    return all;
}

/// Writes a plan out.
class Script {
  public:
    explicit Script(const Plan& plan) : plan_(plan), workload_(plan.workload), writer_(graph_) {}

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
    using Nodes = std::vector<std::uint32_t>;

    /// Whether this rank of a stream computes, where rank 0 is the one that does.
    [[nodiscard]] bool computes_at(std::uint64_t rank) const { return rank_ == rank; }
    [[nodiscard]] double t() const {
        const auto all = static_cast<double>(plan_.messages.volume()) *
                         static_cast<double>(workload_.pattern == Pattern::multi ||
                                                     workload_.pattern == Pattern::alltoall ||
                                                     workload_.pattern == Pattern::halo
                                                 ? workload_.peers
                                                 : 1);
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
        Nodes nodes;
        std::size_t awaited = 0;
        const auto initiate = [&] {
            const Item& item = all[nodes.size()];
            if (produces) writer_.compute(t() * static_cast<double>(item.size));
            nodes.push_back(receives ? writer_.receive(partner(item), item.index, item.size)
                                     : writer_.send(partner(item), item.index, item.size));
        };
        while (nodes.size() < std::min(window, all.size())) initiate();
        for (; awaited < all.size(); ++awaited) {
            writer_.await(nodes[awaited]);
            if (nodes.size() < all.size()) initiate();
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
        std::vector<Nodes> nodes;
        const auto initiate = [&] {
            const Item& item = all[nodes.size()];
            writer_.compute(before * static_cast<double>(item.size));
            nodes.push_back(transfer(item));
        };
        while (nodes.size() < std::min(window, all.size())) initiate();
        for (std::size_t awaited = 0; awaited < all.size(); ++awaited) {
            for (const auto node : nodes[awaited]) writer_.await(node);
            if (fetches && nodes.size() < all.size()) initiate();
            writer_.compute(after * static_cast<double>(all[awaited].size));
            if (!fetches && nodes.size() < all.size()) initiate();
        }
    }
    /// Initiates what one message of a two-way pattern stands for.
    Nodes transfer(const Item& item) {
        const std::uint64_t ranks = workload_.ranks;
        Nodes nodes;
        const bool all =
            workload_.pattern == Pattern::collective || workload_.pattern == Pattern::buckets;
        const std::uint64_t others = ranks - 1;
        const std::uint64_t size = workload_.pattern == Pattern::collective
                                       ? (item.size + others - 1) / others
                                       : item.size;
        for (std::uint64_t i = 0; i < (all ? others : 1); ++i) {
            const auto [to, from] = partners(all ? i : item.peer);
            nodes.push_back(writer_.receive(from, item.index, size));
            nodes.push_back(writer_.send(to, item.index, size));
        }
        return nodes;
    }
    struct Partners {
        std::uint64_t to;
        std::uint64_t from;
    };
    /// Whom the message to the peer of this number goes to, and whom one comes from with it.
    [[nodiscard]] Partners partners(std::uint64_t peer) const {
        const std::uint64_t ranks = workload_.ranks;
        std::uint64_t distance = peer + 1;
        // To the right, to the left, two to the right …
        if (workload_.pattern == Pattern::halo)
            distance = peer % 2 == 0 ? peer / 2 + 1 : ranks - (peer / 2 + 1);
        return {(rank_ + distance) % ranks, (rank_ + ranks - distance % ranks) % ranks};
    }
    const Plan& plan_;
    const Workload& workload_;
    Graph graph_;
    simulate::GraphWriter writer_;
    std::uint64_t rank_ = 0;
};

}  // namespace

Graph schedule(const Plan& plan) { return Script(plan).write(); }

}  // namespace lapwing
