#include "lapwing/plan/evaluate/engine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/simulate/program/graph_writer.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing {
namespace {

/// As many updates of shared links take the engine as long as all else about a message (counted
/// with `valgrind --tool=callgrind`).
constexpr double link_updates_per_message = 55;

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
    for (std::uint64_t peer = 0; peer < peers; ++peer)
        for (auto at = candidate.messages.begin(); at != Messages::End{}; ++at)
            all.push_back({*at, at.index(), at.offset(), peer});
    if (peers > 1 && candidate.order == PeerOrder::interleaved)
        std::ranges::stable_sort(all, {}, &Item::index);
    return all;
}

class ScheduleWriter {
  public:
    ScheduleWriter(const Workload& workload, const Candidate& candidate,
                   const simulate::MeasuredMachine& costs, const OneSidedMessages& one_sided)
        : candidate_(candidate),
          workload_(workload),
          fetches_(workload.direction == Direction::fetch),
          one_way_(is_one_way(workload)),
          one_sided_(one_sided),
          writer_(graph_, costs, one_sided.pulled) {}

    simulate::Graph write() {
        for (rank_ = 0; rank_ < workload_.ranks; ++rank_) {
            writer_.begin_rank();
            if (!one_way_ || rank_ <= workload_.peers) write_rank();
        }
        return std::move(graph_);
    }

  private:
    void write_rank() {
        const bool hub = one_way_ && rank_ == 0;
        const bool many = hub || is(Pattern::alltoall) || is(Pattern::halo);
        const auto all = items(candidate_, many ? workload_.peers : 1);
        auto window = static_cast<std::size_t>(candidate_.window);
        if (hub && is(Pattern::congested)) window *= workload_.peers;
        // Who is read from waits for nothing.
        if (one_sided_.pulled && !computes()) window = all.size();
        open_streams(hub);
        const auto bytes = static_cast<double>(candidate_.messages.volume()) *
                           static_cast<double>(shares_window(workload_) ? workload_.peers : 1);
        const double t = computes() ? workload_.compute / bytes : 0;
        const bool halves = workload_.direction == Direction::both && !one_way_;
        const double before = before_ = fetches_ ? 0 : halves ? t / 2 : t;
        // Pipelines consume a message before they start the next; collectives are pipelines.
        const bool ahead = computes() && fetches_ && !is(Pattern::collective);
        const std::size_t burst =
            ahead ? std::min(static_cast<std::size_t>(candidate_.burst), window) : 0;
        const bool unknown = is(Pattern::collective) && !workload_.sizes_known;

        started_.clear();
        std::vector<std::pair<std::size_t, std::size_t>>
            in_flight;  // first of `started_`, how many
        in_flight.reserve(all.size());
        const auto start = [&](const Item& item, bool sizes) {
            const std::size_t first = started_.size();
            sizes ? to_all(all.size() + item.index, sizeof(std::uint64_t), true) : transfer(item);
            return std::pair(first, started_.size() - first);
        };
        const auto await = [&](std::size_t number) {
            const auto [first, count] = in_flight[number];
            writer_.await(std::span(started_).subspan(first, count));
        };
        std::size_t opened = 0;  // collectives whose sizes were there, and whose data is in flight
        const auto open = [&](std::size_t until) {
            for (; unknown && opened < until; ++opened) {
                await(opened);
                in_flight[opened] = start(all[opened], false);
            }
        };
        bool just_initiated = false;  // its sizes had no time to arrive
        const auto initiate = [&](std::size_t until) {
            while (in_flight.size() < std::min(until, all.size())) {
                const Item& item = all[in_flight.size()];
                if (before > 0) writer_.compute(before * static_cast<double>(item.size));
                if (in_flight.size() >= window || before > 0) open(in_flight.size());
                in_flight.push_back(start(item, unknown));
                just_initiated = true;
            }
        };
        initiate(window);
        for (std::size_t awaited = 0; awaited < all.size(); ++awaited) {
            if (burst > 0) initiate(awaited / burst * burst + window);
            open(std::max(awaited + 1, in_flight.size() - (just_initiated ? 1 : 0)));
            await(awaited);
            just_initiated = false;
            if (ahead && burst == 0) initiate(awaited + 1 + window);
            if (t > before) writer_.compute((t - before) * static_cast<double>(all[awaited].size));
            if (!ahead) initiate(awaited + 1 + window);
        }
    }
    /// Where rank 0 makes offers to several ranks, one after another, the later ones begin later. A
    /// rank 0 that computes has to make them first; one that waits for data has the time.
    void open_streams(bool hub) {
        const double each = one_sided_.offer_interval;
        if (hub && !fetches_) writer_.compute(each * static_cast<double>(workload_.peers - 1));
        if (one_way_ && !hub) writer_.compute(each * static_cast<double>(rank_ - 1));
    }
    [[nodiscard]] bool is(Pattern pattern) const { return workload_.pattern == pattern; }
    [[nodiscard]] bool computes() const {
        return !one_way_ || (rank_ == 0) != is(Pattern::congested);
    }
    /// Initiates what one message stands for; what is awaited of it is in `started_`.
    void transfer(const Item& item) {
        const auto& [size, index, begin, peer] = item;
        if (peer > 0 && index == 0) writer_.compute(one_sided_.offer_receive);
        if (peer == 0 && index == 0 && computes())
            writer_.compute(
                std::max(0.0, one_sided_.offered - before_ * static_cast<double>(size)));
        if (one_way_) {
            const std::uint64_t partner = rank_ == 0 ? peer + 1 : 0;
            started_.push_back(computes() == fetches_ ? writer_.receive(partner, index, size)
                                                      : writer_.send(partner, index, size));
        } else if (is(Pattern::buckets)) {
            for (std::uint64_t i = 0; i + 1 < workload_.ranks; ++i) {
                started_.push_back(writer_.send(other(i), index, size));
                started_.push_back(writer_.receive(other(i), index, size));
            }
        } else if (is(Pattern::collective)) {
            // A part to each of the other ranks and one from each, in whole grains.
            const std::uint64_t grains = workload_.grain * (workload_.ranks - 1);
            const auto part = [&](std::uint64_t bytes) {
                return (bytes + grains - 1) / grains * workload_.grain;
            };
            to_all(index, part(begin + size) - part(begin), false);
        } else if (is(Pattern::alltoall) && !candidate_.staggered) {
            // All ranks receive from the other rank of this number, and so send to those to whom
            // this rank has this number.
            started_.push_back(writer_.receive(other(peer), index, size));
            for (std::uint64_t i = 0; i + 1 < workload_.ranks; ++i)
                if (peer == (rank_ < other(i) ? rank_ : rank_ - 1))
                    writer_.send(other(i), index, size);
        } else {
            const auto [from, to] = partners(peer);
            started_.push_back(writer_.receive(from, index, size));
            writer_.send(to, index, size);
        }
    }
    /// `bytes` to each of the other ranks and from each, all receives first.
    void to_all(std::uint64_t tag, std::uint64_t bytes, bool staggered) {
        const std::uint64_t ranks = workload_.ranks;
        for (std::uint64_t i = 0; i + 1 < ranks; ++i)
            started_.push_back(
                writer_.receive(staggered ? (rank_ + 1 + i) % ranks : other(i), tag, bytes));
        for (std::uint64_t i = 0; i + 1 < ranks; ++i)
            started_.push_back(
                writer_.send(staggered ? (rank_ + ranks - 1 - i) % ranks : other(i), tag, bytes));
    }
    /// The other ranks, in their order, from number 0.
    [[nodiscard]] std::uint64_t other(std::uint64_t i) const { return i < rank_ ? i : i + 1; }
    /// The rank that a message of this peer comes from, and the one it goes to, as far away on the
    /// other side. Neighbours in a halo are to the right, to the left, two to the right …, or on a
    /// grid right, left, below and above.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> partners(std::uint64_t peer) const {
        const bool halo = is(Pattern::halo);
        const std::uint64_t ranks = workload_.ranks;
        const std::uint64_t rows = halo && workload_.peers == 4 ? near_square_rows(ranks) : 0;
        const std::uint64_t columns = rows > 0 ? ranks / rows : ranks;
        const std::uint64_t row = rank_ / columns;
        const std::uint64_t column = rank_ % columns;
        const bool down = rows > 0 && peer >= 2;
        const auto at = [&](std::uint64_t step) {
            return down ? (row + step) % rows * columns + column
                        : row * columns + (column + step) % columns;
        };
        const std::uint64_t away = !halo ? peer + 1 : rows > 0 ? 1 : peer / 2 + 1;
        const std::uint64_t ahead = at(away);
        const std::uint64_t behind = at((down ? rows : columns) - away);
        return halo && peer % 2 == 1 ? std::pair(behind, ahead) : std::pair(ahead, behind);
    }

    const Candidate& candidate_;
    const Workload& workload_;
    bool fetches_;
    bool one_way_;  ///< data goes one way
    const OneSidedMessages& one_sided_;
    simulate::Graph graph_;
    simulate::GraphWriter writer_;
    std::uint64_t rank_ = 0;
    double before_ = 0;  ///< seconds that it computes for a byte before it sends that
    std::vector<simulate::GraphWriter::Transfer> started_;  ///< of this rank
};

simulate::MeasuredMachine machine_of(const LinkCosts& link, const std::optional<Topology>& topology,
                                     bool charge_receive_overhead) {
    return {{.between_nodes = simulate::tables_of(link),
             .topology = topology,
             .within_node = {},
             .strided = nullptr},
            {.topology = {}, .stride = {}, .charge_receive_overhead = charge_receive_overhead}};
}

}  // namespace

simulate::Graph write_schedule(const Workload& workload, const Candidate& candidate,
                               const simulate::MeasuredMachine& costs,
                               const OneSidedMessages& one_sided) {
    return ScheduleWriter(workload, candidate, costs, one_sided).write();
}

Engine::Engine(const LinkCosts& link, const std::optional<Topology>& topology)
    : nic_(link.nic),
      one_sided_(link.one_sided),
      costs_(machine_of(link, topology, true)),
      machine_(machine_of(link, topology, false)) {}

double Engine::cost(const Workload& workload, const Candidate& candidate) const {
    const auto count = static_cast<double>(candidate.messages.count());
    const auto ranks = static_cast<double>(workload.ranks);
    const auto peers = static_cast<double>(workload.peers);
    const Pattern pattern = workload.pattern;
    const bool all = pattern == Pattern::collective || pattern == Pattern::buckets;
    const bool congested = pattern == Pattern::congested;
    const double senders = pattern == Pattern::stream               ? 2
                           : congested || pattern == Pattern::multi ? 1
                                                                    : ranks;
    const double messages = senders * peers * count * (workload.sizes_known ? 1 : 2);
    // What a message costs where links are shared: about the least that was counted, where messages
    // come and go together.
    const double shared = all && count > 1   ? 1 + ranks * peers / 32
                          : all || congested ? 1 + peers / 8
                                             : 1.4;
    return nic_ == Nic::serialising ? messages : messages * shared;
}

EngineResult Engine::run(const Workload& workload, const Candidate& candidate, double most) const {
    constexpr double tick = 1e-9 / static_cast<double>(simulate::MeasuredMachine::nanosecond);
    constexpr double unlimited = 1e15;
    const auto link_updates =
        static_cast<std::uint64_t>(std::min(most, unlimited) * link_updates_per_message);
    const auto result = simulate::simulate(write_schedule(workload, candidate, costs_, one_sided_),
                                           machine_, {.link_updates = link_updates});
    return {.seconds = result.ended ? static_cast<double>(result.finish) * tick
                                    : std::numeric_limits<double>::infinity(),
            .cost = static_cast<double>(result.messages) +
                    static_cast<double>(result.link_updates) / link_updates_per_message};
}

}  // namespace lapwing
