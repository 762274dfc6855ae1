#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lapwing::replay {

/// What the messages of one call site have of a path.
struct PathShare {
    double overhead = 0;   ///< nanoseconds of processors
    double flight = 0;     ///< nanoseconds under way
    double overheads = 0;  ///< how often o counts
    double latencies = 0;  ///< how often L does
    double gaps = 0;       ///< how often G does: bytes
};

/// The longest paths to all places that a program is at: a tree, as two of them differ from some
/// place on. A node holds the sum of what lies between its parent and itself. The tree forgets what
/// is no path any more. Where no path ends or branches, it adds up the parts before and behind a
/// node. So there are at most twice as many nodes as places.
class PathTree {
  public:
    /// The end of a path. Copies end in the same place.
    class End {
      public:
        End() = default;
        End(const End& other) : tree_(other.tree_), node_(other.node_) {
            if (tree_) ++tree_->nodes_[node_].ends;
        }
        End(End&& other) noexcept
            : tree_(std::exchange(other.tree_, nullptr)), node_(other.node_) {}
        End& operator=(End other) noexcept {
            std::swap(tree_, other.tree_);
            std::swap(node_, other.node_);
            return *this;
        }
        ~End() {
            if (tree_) tree_->release(node_);
        }

      private:
        friend class PathTree;
        PathTree* tree_ = nullptr;  ///< null: the path is empty
        std::uint32_t node_ = 0;
    };

    /// A path goes on: by computation, nanoseconds, or by a share of a call site's messages.
    void compute(End& end, double nanoseconds) { own(end).computed += nanoseconds; }
    void add(End& end, std::uint32_t site, const PathShare& share) {
        add_to(own(end).shares, site, share);
    }

    /// A whole path: nanoseconds of computation, and the share of each site below `sites`.
    struct Sum {
        double computed = 0;
        std::vector<PathShare> sites;
    };
    [[nodiscard]] Sum sum(const End& end, std::size_t sites) const;

    /// How many nodes were in use at once.
    [[nodiscard]] std::size_t most_nodes() const { return nodes_.size(); }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    using Shares = std::vector<std::pair<std::uint32_t, PathShare>>;
    struct Node {
        std::uint32_t parent = none;
        std::uint32_t ends = 0;      ///< that are there
        std::uint32_t children = 0;  ///< how many
        std::uint32_t mixed = 0;     ///< their numbers, by exclusive or: of one, its number
        double computed = 0;
        Shares shares{};
    };

    static void add_to(Shares& shares, std::uint32_t site, const PathShare& share);
    /// The node of an end that is the only one there.
    Node& own(End& end);
    [[nodiscard]] std::uint32_t make(std::uint32_t parent);
    void release(std::uint32_t node);
    void tidy(std::uint32_t node);
    void merge_into_child(std::uint32_t node);
    void free(std::uint32_t node);

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> free_;
};

}  // namespace lapwing::replay
