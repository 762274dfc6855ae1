#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "lapwing/io/file.hpp"
#include "lapwing/io/goal.hpp"
#include "lapwing/io/goal_labels.hpp"
#include "lapwing/io/goal_limits.hpp"
#include "lapwing/io/goal_scanner.hpp"
#include "lapwing/record/mapped_file.hpp"

namespace lapwing {
namespace {

using simulate::Graph;
using simulate::Node;
using simulate::Operation;

/// Reads a whole GOAL text.
class GoalReader {
  public:
    explicit GoalReader(std::string_view text) : scanner_(text) { graph_.pairs.clear(); }

    Graph read() {
        scanner_.skip_lines();
        const char* const start = scanner_.at();
        if (!scanner_.keyword("num_ranks")) scanner_.fail(start, "num_ranks expected");
        const char* const number = scanner_.next();
        const std::uint64_t ranks = scanner_.integer("the number of ranks", most_ranks);
        if (ranks == 0) scanner_.fail(number, "there must be a rank");
        // Each rank needs a block: more ranks than characters cannot be meant.
        if (ranks > scanner_.size())
            scanner_.fail(number, "more ranks than the file has characters");
        graph_.ranks.resize(ranks);
        written_.resize(ranks);
        for (scanner_.skip_lines(); !scanner_.at_end(); scanner_.skip_lines()) rank();
        const auto missing = std::find(written_.begin(), written_.end(), false);
        if (missing != written_.end())
            scanner_.fail(scanner_.at(),
                          "rank " + std::to_string(missing - written_.begin()) + " has no block");
        if (graph_.pairs.empty()) graph_.pairs.emplace_back(0, 0);
        return std::move(graph_);
    }

  private:
    /// Reads the block of a rank.
    void rank() {
        const char* const start = scanner_.next();
        if (!scanner_.keyword("rank")) scanner_.fail(start, "\"rank\" expected");
        const char* const number = scanner_.next();
        const std::uint64_t rank = scanner_.integer("a rank", most_ranks);
        if (rank >= graph_.ranks.size()) scanner_.fail(number, no_such_rank(rank));
        if (written_[rank])
            scanner_.fail(number, "rank " + std::to_string(rank) + " has a block already");
        written_[rank] = true;
        rank_ = static_cast<std::uint32_t>(rank);
        scanner_.skip_lines();
        if (!scanner_.character('{')) scanner_.fail(scanner_.at(), "\"{\" expected");
        labels_.clear();
        forward_.clear();
        const std::size_t first = graph_.nodes.size();
        for (;;) {
            scanner_.skip_lines();
            if (scanner_.at_end())
                scanner_.fail(scanner_.at(),
                              "\"}\" expected, the end of rank " + std::to_string(rank));
            if (scanner_.character('}')) break;
            statement();
        }
        for (const auto& [waiting, on, started] : forward_)
            depend(labelled(waiting), labelled(on), started);
        graph_.ranks[rank] = {static_cast<std::uint32_t>(first),
                              static_cast<std::uint32_t>(graph_.nodes.size() - first)};
    }

    /// Reads a line of a block: an operation, with a label or without, or a dependence.
    void statement() {
        if (operation()) return;
        const auto name = scanner_.label();
        if (scanner_.character(':')) {
            const char* const start = scanner_.next();
            if (!operation()) scanner_.fail(start, "send, recv or calc expected");
            if (!labels_.add(name, static_cast<std::uint32_t>(graph_.nodes.size() - 1)))
                scanner_.fail(name.data(), "label " + std::string(name) + " is used already");
            return;
        }
        const char* const word = scanner_.next();
        const bool started = scanner_.keyword("irequires");
        if (!started && !scanner_.keyword("requires"))
            scanner_.fail(word, "\":\", requires or irequires expected");
        const auto on = scanner_.label();
        scanner_.end_of_line();
        const std::uint32_t waits = labels_.find(name);
        const std::uint32_t for_it = labels_.find(on);
        if (waits == GoalLabels::none || for_it == GoalLabels::none) {
            forward_.push_back({name, on, started});
        } else {
            depend(waits, for_it, started);
        }
    }

    /// The operation with the label `name`. Refuses it if there is none.
    [[nodiscard]] std::uint32_t labelled(std::string_view name) const {
        const std::uint32_t found = labels_.find(name);
        if (found == GoalLabels::none)
            scanner_.fail(name.data(), "rank " + std::to_string(rank_) + " has no operation " +
                                           std::string(name));
        return found;
    }
    void depend(std::uint32_t operation, std::uint32_t on, bool started) {
        graph_.requirements.push_back({operation, on, started});
    }

    /// Reads an operation if one comes next.
    bool operation() {
        Node node;
        const char* const start = scanner_.next();
        if (*start == 's' && scanner_.keyword("send")) {
            node.operation = Operation::send;
        } else if (*start == 'r' && scanner_.keyword("recv")) {
            node.operation = Operation::receive;
        } else if (*start == 'c' && scanner_.keyword("calc")) {
            node.operation = Operation::calculation;
        } else {
            return false;
        }
        const bool message = node.operation != Operation::calculation;
        node.size = message ? scanner_.integer("a size", most_bytes)
                            : scanner_.integer("a time", most_nanoseconds);
        if (message) {
            if (!scanner_.keyword("b")) scanner_.fail(scanner_.at(), "\"b\" expected, for bytes");
            peer(node);
        }
        options(node);
        scanner_.end_of_line();
        if (graph_.nodes.size() == most_operations) scanner_.fail(start, "too many operations");
        graph_.nodes.push_back(node);
        return true;
    }
    void peer(Node& node) {
        const bool send = node.operation == Operation::send;
        if (!scanner_.keyword(send ? "to" : "from"))
            scanner_.fail(scanner_.at(), send ? "\"to\" expected" : "\"from\" expected");
        const char* const start = scanner_.next();
        if (!send && scanner_.wildcard()) {
            node.peer = simulate::any;
            return;
        }
        const std::uint64_t rank = scanner_.integer("a rank", most_ranks);
        if (rank >= graph_.ranks.size()) scanner_.fail(start, no_such_rank(rank));
        node.peer = static_cast<std::uint32_t>(rank);
    }
    void options(Node& node) {
        std::uint8_t cpu = 0;
        std::uint8_t nic = 0;
        if (node.operation != Operation::calculation && scanner_.keyword("tag")) {
            if (node.operation == Operation::receive && scanner_.wildcard()) {
                node.tag = simulate::any;
            } else {
                node.tag = static_cast<std::uint32_t>(scanner_.integer("a tag", most_ranks));
            }
        }
        if (scanner_.keyword("cpu"))
            cpu = static_cast<std::uint8_t>(scanner_.integer("a processor", 255));
        if (scanner_.keyword("nic"))
            nic = static_cast<std::uint8_t>(scanner_.integer("an interface", 255));
        const auto pair = pair_of(graph_, cpu, nic);
        if (!pair) scanner_.fail(scanner_.at(), too_many_pairs);
        node.pair = *pair;
    }
    [[nodiscard]] std::string no_such_rank(std::uint64_t rank) const {
        return "there is no rank " + std::to_string(rank) + ", num_ranks is " +
               std::to_string(graph_.ranks.size());
    }

    /// A dependence on an operation that comes later in the block.
    struct Forward {
        std::string_view waiting;
        std::string_view on;
        bool started;
    };

    GoalScanner scanner_;
    Graph graph_;
    std::vector<bool> written_;  ///< whether a rank had its block
    GoalLabels labels_;
    std::vector<Forward> forward_;
    std::uint32_t rank_ = 0;
};

}  // namespace

simulate::Graph goal_from_text(std::string_view text) {
    // The scanner may look at the character behind the end, so there must be one.
    const std::string terminated(text);
    return GoalReader(terminated).read();
}

bool is_goal(std::span<const std::uint8_t> file) {
    if (is_binary_goal(file)) return true;
    GoalScanner scanner({reinterpret_cast<const char*>(file.data()), file.size()});
    try {
        scanner.skip_lines();
    } catch (const std::runtime_error&) {
        return false;
    }
    return scanner.keyword("num_ranks");
}

simulate::Graph load_goal(const std::string& path) {
    const auto naming = [&](const auto& read) {
        try {
            return read();
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(path + ": " + error.what());
        }
    };
    std::error_code unknown;
    if (std::filesystem::is_regular_file(path, unknown)) {
        const record::MappedFile file(path);
        if (is_binary_goal(file.bytes()))
            return naming([&] { return goal_from_binary(file.bytes()); });
    }
    const std::string text = read_file(path);
    return naming([&] { return GoalReader(text).read(); });
}

}  // namespace lapwing
