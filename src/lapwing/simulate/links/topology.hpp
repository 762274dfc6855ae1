#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lapwing/profile/topology.hpp"

namespace lapwing::simulate {

/// A one-way link, by its number.
using Link = std::uint32_t;

/// The links from a sender's node to a receiver's: one to four.
class Path {
  public:
    static constexpr std::size_t most = 4;

    void add(Link link) { links_[count_++] = link; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] const Link* begin() const { return links_.data(); }
    [[nodiscard]] const Link* end() const { return links_.data() + count_; }

  private:
    std::array<Link, most> links_{};
    std::uint32_t count_ = 0;
};

/// How nodes are connected: through one switch without contention, or in a fat tree of two levels.
/// In the tree each leaf switch has uplinks, each as fast as a node's link. A message between leaf
/// switches goes up and down by uplink d mod k, where d is its receiver's number and k the number
/// of uplinks, as InfiniBand routes fat trees.
class Topology {
  public:
    /// One switch.
    Topology() = default;
    /// A fat tree of leaf switches with `below` nodes and `uplinks` each. A program on fewer than
    /// `nodes` is spread evenly over them; one on more, or with `nodes` 0, fills one leaf switch
    /// after the other. Throws `std::invalid_argument` if `below` or `uplinks` is 0.
    Topology(std::uint32_t below, std::uint32_t uplinks, std::uint32_t nodes = 0)
        : below_(below), uplinks_(uplinks), nodes_(nodes) {
        if (below == 0 || uplinks == 0)
            throw std::invalid_argument("a leaf switch must have a node and an uplink");
    }
    /// The topology of a profile.
    explicit Topology(const lapwing::Topology& measured);

    /// Reads "flat", "fat-tree:BELOW,UPLINKS" or "fat-tree:BELOW,UPLINKS,NODES", which has no more
    /// than these nodes. Throws `std::invalid_argument` with one line.
    static Topology from_text(std::string_view text);

    [[nodiscard]] bool flat() const { return below_ == 0; }

    /// The links between the nodes, numbered from 0, that a program uses.
    class View {
      public:
        /// Throws `std::invalid_argument` if `used` exceeds the nodes of a topology that says how
        /// many it has.
        View(const Topology& topology, std::uint32_t used);

        [[nodiscard]] std::uint32_t links() const { return links_; }
        /// Whether two nodes have a leaf switch in common.
        [[nodiscard]] bool near(std::uint32_t from, std::uint32_t to) const {
            return below_ == 0 || leaf(place(from)) == leaf(place(to));
        }
        [[nodiscard]] Path path(std::uint32_t from, std::uint32_t to) const {
            Path path;
            path.add(2 * from);
            if (below_ != 0) {
                const std::uint32_t target = place(to);
                const std::uint32_t up = leaf(place(from));
                const std::uint32_t down = leaf(target);
                if (up != down) {
                    const std::uint32_t number = target % uplinks_;
                    path.add(first_uplink_ + 2 * (up * uplinks_ + number));
                    path.add(first_uplink_ + 2 * (down * uplinks_ + number) + 1);
                }
            }
            path.add(2 * to + 1);
            return path;
        }

      private:
        /// The position of a node in the machine.
        [[nodiscard]] std::uint32_t place(std::uint32_t node) const {
            return static_cast<std::uint32_t>(std::uint64_t{node} * places_ / used_);
        }
        [[nodiscard]] std::uint32_t leaf(std::uint32_t place) const { return place / below_; }

        std::uint32_t below_;
        std::uint32_t uplinks_;
        std::uint32_t used_;
        std::uint32_t places_;  ///< positions over which the nodes are spread
        std::uint32_t first_uplink_;
        std::uint32_t links_;
    };

  private:
    std::uint32_t below_ = 0;
    std::uint32_t uplinks_ = 0;
    std::uint32_t nodes_ = 0;
    bool whole_ = false;  ///< there are no nodes beyond `nodes_`
};

}  // namespace lapwing::simulate
