#include <bit>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/io/goal.hpp"
#include "lapwing/io/goal_limits.hpp"

namespace lapwing {
namespace {

using simulate::Graph;
using simulate::Node;
using simulate::Operation;
using Bytes = std::span<const std::uint8_t>;

constexpr std::uint64_t magic = 4223;
constexpr std::uint64_t magic_of_spent = 2342;  // LogGOPSim overwrote it: its --save-mem
constexpr std::size_t header_bytes = 14;        // magic, ranks, highest processor and interface
constexpr std::size_t operation_bytes = 39;

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

template <class Number>
Number number_at(const std::uint8_t* at) {
    Number number;
    std::memcpy(&number, at, sizeof number);
    return number;
}
std::uint32_t word(Bytes words, std::size_t index) {
    return number_at<std::uint32_t>(words.data() + 4 * index);
}

[[noreturn]] void refuse(const std::string& what) { throw std::runtime_error(what); }

/// What the file says of one operation.
struct Stored {
    std::uint32_t waits_for;  ///< operations
    std::uint8_t type;
    std::uint32_t peer;
    std::uint64_t size;
    std::uint32_t tag;
    std::uint8_t processor;
    std::uint8_t interface;
    std::uint32_t dependents;  ///< operations that wait for its end
    std::uint32_t first_dependent;
    std::uint32_t start_dependents;  ///< operations that wait for its start
    std::uint32_t first_start_dependent;

    explicit Stored(const std::uint8_t* at)
        : waits_for(number_at<std::uint32_t>(at)),
          type(at[4]),
          peer(number_at<std::uint32_t>(at + 5)),
          size(number_at<std::uint64_t>(at + 9)),
          tag(number_at<std::uint32_t>(at + 17)),
          processor(at[21]),
          interface(at[22]),
          dependents(number_at<std::uint32_t>(at + 23)),
          first_dependent(number_at<std::uint32_t>(at + 27)),
          start_dependents(number_at<std::uint32_t>(at + 31)),
          first_start_dependent(number_at<std::uint32_t>(at + 35)) {}
};

/// The bytes of a rank.
struct Part {
    std::uint32_t operations = 0;
    Bytes roots;       ///< operations that wait for none
    Bytes stored;      ///< operations
    Bytes dependents;  ///< operations that wait for others, in the order of these
    [[nodiscard]] Stored operation(std::uint32_t index) const {
        return Stored(stored.data() + std::size_t{operation_bytes} * index);
    }
};

/// Reads a whole binary schedule. Ranks and their operations follow each other without gaps, so
/// that a file never names more than it holds.
class BinaryGoalReader {
  public:
    explicit BinaryGoalReader(Bytes file) : file_(file) { graph_.pairs.clear(); }

    Graph read() {
        const std::vector<Part> parts = read_parts();
        for (rank_ = 0; rank_ < parts.size(); ++rank_) read_rank(parts[rank_]);
        if (graph_.pairs.empty()) graph_.pairs.emplace_back(0, 0);
        return std::move(graph_);
    }

  private:
    /// Where the operations of each rank are.
    std::vector<Part> read_parts() {
        if (number_at<std::uint64_t>(file_.data()) == magic_of_spent)
            refuse("LogGOPSim has used it up (--save-mem): convert the text once more");
        if (file_.size() < header_bytes) refuse("it is cut off");
        const auto ranks = number_at<std::uint32_t>(file_.data() + 8);
        if (ranks == 0 || ranks > (file_.size() - header_bytes) / 16)
            refuse("it says that there are " + std::to_string(ranks) +
                   " ranks, and has no room for so many");
        std::vector<Part> parts(ranks);
        std::uint64_t begin = header_bytes + 16 * std::uint64_t{ranks};
        std::uint64_t operations = 0;
        std::uint64_t dependents = 0;
        for (rank_ = 0; rank_ < ranks; ++rank_) {
            parts[rank_] = read_part(begin);
            operations += parts[rank_].operations;
            dependents += parts[rank_].dependents.size() / 4;
        }
        if (begin != file_.size()) refuse("bytes follow the operations of the last rank");
        if (operations > most_operations || dependents > most_operations)
            refuse("too many operations");
        graph_.ranks.reserve(ranks);
        graph_.nodes.reserve(operations);
        graph_.requirements.reserve(dependents);
        return parts;
    }

    /// The part of the present rank, which begins at byte `begin`. Moves `begin` to its end.
    Part read_part(std::uint64_t& begin) {
        const std::uint8_t* const bounds = file_.data() + header_bytes + 16 * std::size_t{rank_};
        // They are counted from the end of the magic number.
        const std::uint64_t its_begin = number_at<std::uint64_t>(bounds);
        const std::uint64_t its_end = number_at<std::uint64_t>(bounds + 8);
        const std::uint64_t most = file_.size() - 8;
        if (its_begin != begin - 8)
            refuse_rank("its operations begin at " + std::to_string(its_begin) + ", not " +
                        std::to_string(begin - 8));
        if (its_end > most)
            refuse_rank("it is cut off: it ends at " + std::to_string(its_end) +
                        ", and the file at " + std::to_string(most));
        if (its_end < its_begin || its_end - its_begin < 8)
            refuse_rank("it ends before it says how many operations it has");
        Bytes bytes = file_.subspan(begin, its_end - its_begin);
        begin = its_end + 8;

        Part part;
        part.operations = word(bytes, 0);
        const std::uint64_t roots = 4 * std::uint64_t{word(bytes, 1)};
        const std::uint64_t stored = operation_bytes * std::uint64_t{part.operations};
        bytes = bytes.subspan(8);
        if (roots + stored > bytes.size() || (bytes.size() - roots - stored) % 4 != 0)
            refuse_rank("it says that it has " + std::to_string(part.operations) +
                        " operations, of which " + std::to_string(roots / 4) +
                        " wait for none, and has no room for just these");
        part.roots = bytes.first(roots);
        part.stored = bytes.subspan(roots, stored);
        part.dependents = bytes.subspan(roots + stored);
        return part;
    }

    void read_rank(const Part& part) {
        const auto first = static_cast<std::uint32_t>(graph_.nodes.size());
        graph_.ranks.push_back({first, part.operations});
        waits_for_.assign(part.operations, 0);
        std::uint64_t told = 0;  // dependents of operations so far
        for (std::uint32_t i = 0; i < part.operations; ++i) {
            const Stored stored = part.operation(i);
            graph_.nodes.push_back(node(stored, i));
            told = depend(part, i, {stored.dependents, stored.first_dependent}, told, false);
            told = depend(part, i, {stored.start_dependents, stored.first_start_dependent}, told,
                          true);
        }
        if (told != part.dependents.size() / 4)
            refuse_rank("more operations that wait for others than its operations say");
        check_roots(part);
    }

    Node node(const Stored& stored, std::uint32_t index) {
        constexpr std::uint8_t send = 1;
        constexpr std::uint8_t receive = 2;
        constexpr std::uint8_t calculation = 3;
        Node node;
        node.size = stored.size;
        if (stored.type < send || stored.type > calculation)
            refuse_operation(index,
                             "there is no type " + std::to_string(stored.type) + " of operations");
        if (stored.type == calculation) {
            node.operation = Operation::calculation;
        } else {
            node.operation = stored.type == send ? Operation::send : Operation::receive;
            node.peer = stored.peer;
            node.tag = stored.tag;
            const bool open = stored.type == receive && stored.peer == simulate::any;
            if (!open && stored.peer >= number_of_ranks())
                refuse_operation(index, "there is no rank " + std::to_string(stored.peer) + " of " +
                                            std::to_string(number_of_ranks()));
            if (stored.type == send && stored.tag == simulate::any)
                refuse_operation(index, "a send has no tag");
        }
        const std::uint64_t most = stored.type == calculation ? most_nanoseconds : most_bytes;
        if (stored.size > most)
            refuse_operation(index, (stored.type == calculation ? "a time must be at most "
                                                                : "a size must be at most ") +
                                        std::to_string(most));
        if (stored.processor > file_[12] || stored.interface > file_[13])
            refuse_operation(
                index, "it has processor " + std::to_string(stored.processor) + " and interface " +
                           std::to_string(stored.interface) + ", and the file's highest are " +
                           std::to_string(file_[12]) + " and " + std::to_string(file_[13]));
        const auto pair = pair_of(graph_, stored.processor, stored.interface);
        if (!pair) refuse_operation(index, too_many_pairs);
        node.pair = *pair;
        return node;
    }

    struct Listed {
        std::uint32_t count;
        std::uint32_t first;
    };
    /// Adds what waits for an operation of the present rank: the list after the first `told`.
    /// Returns how many are told then.
    std::uint64_t depend(const Part& part, std::uint32_t on, const Listed& list, std::uint64_t told,
                         bool started) {
        if (list.count == 0) return told;
        if (list.first != told || list.count > part.dependents.size() / 4 - told)
            refuse_operation(on, "it says that " + std::to_string(list.count) +
                                     " operations wait for it, from the list's place " +
                                     std::to_string(list.first) + " on, which cannot be");
        const std::uint32_t first = graph_.ranks.back().first;
        for (std::uint32_t i = 0; i < list.count; ++i) {
            const std::uint32_t waiting = word(part.dependents, told + i);
            if (waiting >= part.operations)
                refuse_operation(on, "operation " + std::to_string(waiting + std::uint64_t{1}) +
                                         " waits for it, and the rank has " +
                                         std::to_string(part.operations));
            ++waits_for_[waiting];
            graph_.requirements.push_back({first + waiting, first + on, started});
        }
        return told + list.count;
    }

    /// What the file says of how many operations each one waits for is what their lists say.
    void check_roots(const Part& part) const {
        std::size_t roots = 0;
        for (std::uint32_t i = 0; i < part.operations; ++i) {
            const std::uint32_t waits_for = part.operation(i).waits_for;
            if (waits_for != waits_for_[i])
                refuse_operation(i, "it says that it waits for " + std::to_string(waits_for) +
                                        " operations, and " + std::to_string(waits_for_[i]) +
                                        " say so");
            if (waits_for > 0) continue;
            if (roots == part.roots.size() / 4 || word(part.roots, roots) != i)
                refuse_operation(i, "it waits for none, and is not where the rank lists these");
            ++roots;
        }
        if (roots != part.roots.size() / 4)
            refuse_rank("it lists more operations that wait for none than there are");
    }

    [[nodiscard]] std::size_t number_of_ranks() const {
        return number_at<std::uint32_t>(file_.data() + 8);
    }
    [[noreturn]] void refuse_rank(const std::string& what) const {
        refuse("rank " + std::to_string(rank_) + ": " + what);
    }
    [[noreturn]] void refuse_operation(std::uint32_t index, const std::string& what) const {
        refuse("rank " + std::to_string(rank_) + ", operation " +
               std::to_string(index + std::uint64_t{1}) + ": " + what);
    }

    Bytes file_;
    Graph graph_;
    std::uint32_t rank_ = 0;
    std::vector<std::uint32_t> waits_for_;  ///< operations, of each of the present rank
};

}  // namespace

bool is_binary_goal(Bytes file) {
    if (file.size() < sizeof magic) return false;
    const auto first = number_at<std::uint64_t>(file.data());
    return first == magic || first == magic_of_spent;
}

simulate::Graph goal_from_binary(Bytes file) {
    if (!is_binary_goal(file)) refuse("it is no binary schedule");
    return BinaryGoalReader(file).read();
}

}  // namespace lapwing
