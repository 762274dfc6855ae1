#include "lapwing/replay/program_graph.hpp"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lapwing/replay/recorded_calls.hpp"

namespace lapwing::replay {
namespace {

using simulate::Call;
using simulate::Graph;
using simulate::Node;
using simulate::Operation;

constexpr std::uint64_t world = 0;  ///< context of `MPI_COMM_WORLD`

/// A tag for each pair of a context and a tag.
class Tags {
  public:
    [[nodiscard]] std::uint32_t of(std::uint64_t context, std::uint64_t tag) {
        if (tag == Call::any_tag) return simulate::any;
        if (context == world && tag < first_new) return static_cast<std::uint32_t>(tag);
        const auto next = static_cast<std::uint32_t>(first_new + numbers_.size());
        return numbers_.try_emplace({context, tag}, next).first->second;
    }

  private:
    static constexpr std::uint64_t first_new = std::uint64_t{1} << 31U;  // MPI's are below
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> numbers_;
};

/// Whether each rank could tell its messages apart without communicators.
class Contexts {
  public:
    explicit Contexts(Rank ranks) : ranks_(ranks) {}

    void message(Rank to, std::uint64_t context) {
        Received& received = ranks_[to];
        received.several = received.several || (received.any && received.context != context);
        received.any = true;
        received.context = context;
    }
    void open_receive(Rank rank) { ranks_[rank].open = true; }
    void check() const {
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            if (ranks_[rank].open && ranks_[rank].several)
                throw std::invalid_argument(
                    "rank " + std::to_string(rank) +
                    " receives messages of any tag, and gets messages of several communicators, "
                    "which a schedule cannot tell apart");
    }

  private:
    struct Received {
        std::uint64_t context = 0;
        bool any = false;
        bool several = false;
        bool open = false;  ///< has a receive of any tag
    };
    std::vector<Received> ranks_;
};

/// Writes calls into a graph.
class ProgramWriter {
  public:
    explicit ProgramWriter(simulate::CallSource& source)
        : source_(source), contexts_(source.ranks()) {}

    Graph write() {
        for (rank_ = 0; rank_ < source_.ranks(); ++rank_) {
            graph_.ranks.push_back({static_cast<std::uint32_t>(graph_.nodes.size()), 0});
            after_.clear();
            groups_.clear();
            for (Call call = source_.next(rank_); call.kind != Call::Kind::end;
                 call = source_.next(rank_))
                add(call);
        }
        contexts_.check();
        set_sizes_of_receives();
        return std::move(graph_);
    }

  private:
    void add(const Call& call) {
        switch (call.kind) {
            case Call::Kind::compute:
                if (call.size > 0)
                    follow(node({.operation = Operation::calculation, .size = call.size}), false);
                break;
            case Call::Kind::send:
                contexts_.message(call.peer, call.context);
                message(Operation::send, call);
                break;
            case Call::Kind::receive:
                if (call.tag == Call::any_tag) contexts_.open_receive(rank_);
                message(Operation::receive, call);
                break;
            case Call::Kind::wait:
                for (const std::uint32_t group : call.groups)
                    for (const std::uint32_t each : take(group))
                        after_.push_back({.on = each, .started = false});
                break;
            default:
                for (const std::uint32_t group : call.groups) (void)take(group);
        }
    }
    void message(Operation operation, const Call& call) {
        const std::uint32_t added = node({.operation = operation,
                                          .peer = call.peer,
                                          .tag = tags_.of(call.context, call.tag),
                                          .size = call.size});
        if (groups_.size() <= call.group) groups_.resize(std::size_t{call.group} + 1);
        groups_[call.group].push_back(added);
        follow(added, true);
    }
    /// Adds an operation that follows what came before.
    std::uint32_t node(const Node& added) {
        const auto number = static_cast<std::uint32_t>(graph_.nodes.size());
        graph_.nodes.push_back(added);
        ++graph_.ranks.back().count;
        for (const simulate::Requirement& each : after_)
            graph_.requirements.push_back({number, each.on, each.started});
        return number;
    }
    /// The next operation follows this one: its start, or its end.
    void follow(std::uint32_t on, bool started) {
        after_.clear();
        after_.push_back({.on = on, .started = started});
    }
    std::vector<std::uint32_t> take(std::uint32_t group) {
        return group < groups_.size() ? std::exchange(groups_[group], {})
                                      : std::vector<std::uint32_t>{};
    }

    /// Of messages with one source, destination and tag, the first send belongs to the first
    /// receive.
    void set_sizes_of_receives() {
        struct Sent {
            std::vector<std::uint64_t> sizes;
            std::size_t received = 0;
        };
        std::map<std::tuple<Rank, Rank, std::uint32_t>, Sent> channels;
        each_node([&](Rank rank, const Node& node) {
            if (node.operation == Operation::send)
                channels[{rank, node.peer, node.tag}].sizes.push_back(node.size);
        });
        each_node([&](Rank rank, Node& node) {
            if (node.operation != Operation::receive) return;
            const auto found = channels.find({node.peer, rank, node.tag});
            if (found == channels.end()) return;
            Sent& sent = found->second;
            if (sent.received < sent.sizes.size()) node.size = sent.sizes[sent.received++];
        });
    }
    template <class Visit>
    void each_node(const Visit& visit) {
        for (Rank rank = 0; rank < graph_.ranks.size(); ++rank) {
            const auto [first, count] = graph_.ranks[rank];
            for (std::uint32_t i = first; i < first + count; ++i) visit(rank, graph_.nodes[i]);
        }
    }

    simulate::CallSource& source_;
    Graph graph_;
    Tags tags_;
    Contexts contexts_;
    Rank rank_ = 0;
    std::vector<simulate::Requirement> after_;  ///< what the next operation follows
    std::vector<std::vector<std::uint32_t>> groups_;
};

}  // namespace

Graph program_graph(simulate::CallSource& source) { return ProgramWriter(source).write(); }

Graph program_graph(const record::Recording& recording, const Options& options) {
    RecordedCalls calls(recording, options);
    return program_graph(calls);
}

}  // namespace lapwing::replay
