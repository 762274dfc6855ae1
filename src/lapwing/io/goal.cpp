#include "lapwing/io/goal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "lapwing/io/file.hpp"

namespace lapwing {
namespace {

using simulate::Graph;
using simulate::Node;
using simulate::Operation;

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most_ranks = none - 1;
/// Sizes and times above these would not add up in 64 bits.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40U;
constexpr std::uint64_t most_nanoseconds = std::uint64_t{1} << 48U;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// Which operation of a rank has which label. Labels of the form l17 are looked up by their number.
class Labels {
  public:
    /// Forgets the labels of the rank before.
    void next_rank() {
        ++rank_;
        others_.clear();
    }
    /// False if there is such a label already.
    bool add(std::string_view label, std::uint32_t operation) {
        std::size_t number = 0;
        if (!numbered(label, number)) return others_.emplace(label, operation).second;
        if (number >= numbered_.size())
            numbered_.resize(std::max(number + 1, 2 * numbered_.size()));
        if (numbered_[number].rank == rank_) return false;
        numbered_[number] = {rank_, operation};
        return true;
    }
    [[nodiscard]] std::uint32_t find(std::string_view label) const {
        std::size_t number = 0;
        if (numbered(label, number))
            return number < numbered_.size() && numbered_[number].rank == rank_
                       ? numbered_[number].operation
                       : none;
        const auto found = others_.find(label);
        return found == others_.end() ? none : found->second;
    }

  private:
    /// l0 to l9999999, as they are written.
    static bool numbered(std::string_view label, std::size_t& number) {
        if (label.size() < 2 || label.size() > 8 || label[0] != 'l') return false;
        if (label[1] == '0' && label.size() > 2) return false;
        number = 0;
        for (const char c : label.substr(1)) {
            if (!is_digit(c)) return false;
            number = number * 10 + static_cast<std::size_t>(c - '0');
        }
        return true;
    }
    struct Numbered {
        std::uint32_t rank = 0;
        std::uint32_t operation = 0;
    };
    std::uint32_t rank_ = 0;
    std::vector<Numbered> numbered_;
    std::unordered_map<std::string_view, std::uint32_t> others_;
};

class Reader {
  public:
    explicit Reader(std::string_view text)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {
        graph_.pairs.clear();
    }

    Graph read() {
        skip_lines();
        const char* const start = at_;
        if (!keyword("num_ranks")) fail(start, "num_ranks expected");
        const char* const number = next();
        const std::uint64_t ranks = integer("the number of ranks", most_ranks);
        if (ranks == 0) fail(number, "there must be a rank");
        // Each needs a block, so a file is longer than that.
        if (ranks > static_cast<std::uint64_t>(end_ - begin_))
            fail(number, "more ranks than the file has characters");
        graph_.ranks.resize(ranks);
        written_.resize(ranks);
        for (skip_lines(); at_ != end_; skip_lines()) rank();
        const auto missing = std::find(written_.begin(), written_.end(), false);
        if (missing != written_.end())
            fail(at_, "rank " + std::to_string(missing - written_.begin()) + " has no block");
        if (graph_.pairs.empty()) graph_.pairs.emplace_back(0, 0);
        return std::move(graph_);
    }

  private:
    [[noreturn]] void fail(const char* where, const std::string& what) const {
        std::size_t line = 1;
        const char* start = begin_;
        for (const char* c = begin_; c != where; ++c) {
            if (*c != '\n') continue;
            ++line;
            start = c + 1;
        }
        throw std::runtime_error("line " + std::to_string(line) + ", column " +
                                 std::to_string(where - start + 1) + ": " + what);
    }

    // Characters.

    /// Over blanks and comments, which may go over several lines, but not over the end of a line.
    const char* next() {
        for (;;) {
            while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
            if (end_ - at_ < 2 || *at_ != '/') return at_;
            if (at_[1] == '/') {
                const void* line = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
                at_ = line == nullptr ? end_ : static_cast<const char*>(line);
            } else if (at_[1] == '*') {
                const std::string_view rest(at_ + 2, static_cast<std::size_t>(end_ - at_ - 2));
                const std::size_t close = rest.find("*/");
                if (close == std::string_view::npos) fail(at_, "a comment that does not end");
                at_ += close + 4;
            } else {
                return at_;
            }
        }
    }
    void skip_lines() {
        while (next() != end_ && *at_ == '\n') ++at_;
    }
    /// The word at the present place, if it is this one.
    bool keyword(std::string_view word) {
        const char* const start = next();
        if (static_cast<std::size_t>(end_ - start) < word.size() ||
            std::memcmp(start, word.data(), word.size()) != 0)
            return false;
        const char* const after = start + word.size();
        if (after != end_ && is_word(*after)) return false;
        at_ = after;
        return true;
    }
    bool character(char c) {
        if (next() == end_ || *at_ != c) return false;
        ++at_;
        return true;
    }
    std::uint64_t integer(const char* what, std::uint64_t most) {
        const char* const start = next();
        std::uint64_t value = 0;
        for (; at_ != end_ && is_digit(*at_); ++at_) {
            value = value * 10 + static_cast<std::uint64_t>(*at_ - '0');
            if (value > most)
                fail(start, std::string(what) + " must be at most " + std::to_string(most));
        }
        if (at_ == start) fail(start, std::string(what) + " expected, a whole number");
        return value;
    }
    std::string_view label() {
        const char* const start = next();
        if (at_ == end_ || !is_letter(*at_)) fail(start, "a label expected");
        while (at_ != end_ && is_word(*at_)) ++at_;
        return {start, static_cast<std::size_t>(at_ - start)};
    }
    void end_of_line() {
        if (next() != end_ && *at_ != '\n' && *at_ != '}')
            fail(at_, "the end of the line expected");
    }

    // Statements.

    void rank() {
        const char* const start = next();
        if (!keyword("rank")) fail(start, "\"rank\" expected");
        const char* const number = next();
        const std::uint64_t rank = integer("a rank", most_ranks);
        if (rank >= graph_.ranks.size()) fail(number, no_such_rank(rank));
        if (written_[rank]) fail(number, "rank " + std::to_string(rank) + " has a block already");
        written_[rank] = true;
        rank_ = static_cast<std::uint32_t>(rank);
        skip_lines();
        if (!character('{')) fail(at_, "\"{\" expected");
        labels_.next_rank();
        forward_.clear();
        const std::size_t first = graph_.nodes.size();
        for (;;) {
            skip_lines();
            if (at_ == end_) fail(at_, "\"}\" expected, the end of rank " + std::to_string(rank));
            if (character('}')) break;
            statement();
        }
        for (const auto& [waiting, on, started] : forward_)
            depend(operation(waiting), operation(on), started);
        graph_.ranks[rank] = {static_cast<std::uint32_t>(first),
                              static_cast<std::uint32_t>(graph_.nodes.size() - first)};
    }

    void statement() {
        if (operation()) return;
        const auto name = label();
        if (character(':')) {
            const char* const start = next();
            if (!operation()) fail(start, "send, recv or calc expected");
            if (!labels_.add(name, static_cast<std::uint32_t>(graph_.nodes.size() - 1)))
                fail(name.data(), "label " + std::string(name) + " is used already");
            return;
        }
        const char* const word = next();
        const bool started = keyword("irequires");
        if (!started && !keyword("requires")) fail(word, "\":\", requires or irequires expected");
        const auto on = label();
        end_of_line();
        const std::uint32_t waits = labels_.find(name);
        const std::uint32_t for_it = labels_.find(on);
        if (waits == none || for_it == none) {
            forward_.push_back({name, on, started});
        } else {
            depend(waits, for_it, started);
        }
    }

    [[nodiscard]] std::uint32_t operation(std::string_view name) const {
        const std::uint32_t found = labels_.find(name);
        if (found == none)
            fail(name.data(),
                 "rank " + std::to_string(rank_) + " has no operation " + std::string(name));
        return found;
    }
    void depend(std::uint32_t operation, std::uint32_t on, bool started) {
        graph_.requirements.push_back({operation, on, started});
    }

    /// Reads an operation if there is one.
    bool operation() {
        Node node;
        const char* const start = next();
        if (*start == 's' && keyword("send")) {
            node.operation = Operation::send;
        } else if (*start == 'r' && keyword("recv")) {
            node.operation = Operation::receive;
        } else if (*start == 'c' && keyword("calc")) {
            node.operation = Operation::calculation;
        } else {
            return false;
        }
        const bool message = node.operation != Operation::calculation;
        node.size = message ? integer("a size", most_bytes) : integer("a time", most_nanoseconds);
        if (message) {
            if (!keyword("b")) fail(at_, "\"b\" expected, for bytes");
            peer(node);
        }
        options(node);
        end_of_line();
        if (graph_.nodes.size() == none - 1) fail(start, "too many operations");
        graph_.nodes.push_back(node);
        return true;
    }
    void peer(Node& node) {
        const bool send = node.operation == Operation::send;
        if (!keyword(send ? "to" : "from"))
            fail(at_, send ? "\"to\" expected" : "\"from\" expected");
        const char* const start = next();
        if (!send && wildcard()) {
            node.peer = simulate::any;
            return;
        }
        const std::uint64_t rank = integer("a rank", most_ranks);
        if (rank >= graph_.ranks.size()) fail(start, no_such_rank(rank));
        node.peer = static_cast<std::uint32_t>(rank);
    }
    void options(Node& node) {
        std::uint8_t cpu = 0;
        std::uint8_t nic = 0;
        if (node.operation != Operation::calculation && keyword("tag")) {
            if (node.operation == Operation::receive && wildcard()) {
                node.tag = simulate::any;
            } else {
                node.tag = static_cast<std::uint32_t>(integer("a tag", most_ranks));
            }
        }
        if (keyword("cpu")) cpu = static_cast<std::uint8_t>(integer("a processor", 255));
        if (keyword("nic")) nic = static_cast<std::uint8_t>(integer("an interface", 255));
        node.pair = pair(cpu, nic);
    }
    bool wildcard() {
        if (end_ - next() < 2 || at_[0] != '-' || at_[1] != '1') return false;
        at_ += 2;
        return true;
    }
    std::uint8_t pair(std::uint8_t cpu, std::uint8_t nic) {
        auto& pairs = graph_.pairs;
        for (std::size_t i = 0; i < pairs.size(); ++i)
            if (pairs[i].first == cpu && pairs[i].second == nic)
                return static_cast<std::uint8_t>(i);
        if (pairs.size() == 256)
            fail(at_, "more than 256 different pairs of a processor and an interface");
        pairs.emplace_back(cpu, nic);
        return static_cast<std::uint8_t>(pairs.size() - 1);
    }
    [[nodiscard]] std::string no_such_rank(std::uint64_t rank) const {
        return "there is no rank " + std::to_string(rank) + ", num_ranks is " +
               std::to_string(graph_.ranks.size());
    }

    struct Forward {
        std::string_view waiting;
        std::string_view on;
        bool started;
    };

    const char* begin_;
    const char* at_;
    const char* end_;
    Graph graph_;
    std::vector<bool> written_;
    Labels labels_;
    std::vector<Forward> forward_;  ///< requirements of what comes later
    std::uint32_t rank_ = 0;
};

/// Text that grows; numbers without a detour.
class Writer {
  public:
    Writer& operator<<(std::string_view text) {
        text_ += text;
        return *this;
    }
    Writer& operator<<(std::uint64_t number) {
        std::array<char, 20> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        text_.append(digits.data(), end);
        return *this;
    }
    Writer& or_any(std::uint32_t number) {
        return number == simulate::any ? *this << "-1" : *this << std::uint64_t{number};
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

void write(Writer& out, const Graph& graph, const Node& node) {
    switch (node.operation) {
        case Operation::send:
            out << "send " << node.size << "b to " << node.peer << " tag " << node.tag;
            break;
        case Operation::receive:
            out << "recv " << node.size << "b from ";
            out.or_any(node.peer) << " tag ";
            out.or_any(node.tag);
            break;
        case Operation::calculation:
            out << "calc " << node.size;
            break;
    }
    const auto [cpu, nic] = graph.pairs[node.pair];
    if (cpu != 0) out << " cpu " << std::uint64_t{cpu};
    if (nic != 0) out << " nic " << std::uint64_t{nic};
    out << "\n";
}

}  // namespace

simulate::Graph goal_from_text(std::string_view text) {
    // The reader may look at the character at the end, so there must be one.
    const std::string terminated(text);
    return Reader(terminated).read();
}

simulate::Graph load_goal(const std::string& path) {
    const std::string text = read_file(path);
    try {
        return Reader(text).read();
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(path + ": " + error.what());
    }
}

std::string to_goal(const simulate::Graph& graph) {
    Writer out;
    out << "num_ranks " << graph.ranks.size() << "\n";
    // Dependences rank by rank, in the order in which they are.
    std::vector<std::uint32_t> rank_of(graph.nodes.size());
    for (std::uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
        std::fill_n(rank_of.begin() + graph.ranks[rank].first, graph.ranks[rank].count, rank);
    std::vector<std::size_t> first(graph.ranks.size() + 1);
    for (const auto& each : graph.requirements) ++first[rank_of[each.operation] + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint32_t> order(graph.requirements.size());
    auto next = first;
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[next[rank_of[graph.requirements[i].operation]]++] = i;

    for (std::uint32_t rank = 0; rank < graph.ranks.size(); ++rank) {
        const auto [begin, count] = graph.ranks[rank];
        out << "\nrank " << std::uint64_t{rank} << " {\n";
        for (std::uint32_t i = 0; i < count; ++i) {
            out << "l" << std::uint64_t{i + 1} << ": ";
            write(out, graph, graph.nodes[begin + i]);
        }
        for (std::size_t i = first[rank]; i < first[rank + 1]; ++i) {
            const simulate::Requirement& each = graph.requirements[order[i]];
            out << "l" << std::uint64_t{each.operation - begin + 1}
                << (each.started ? " irequires l" : " requires l")
                << std::uint64_t{each.on - begin + 1} << "\n";
        }
        out << "}\n";
    }
    return out.take();
}

}  // namespace lapwing
