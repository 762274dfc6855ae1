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

/// The links that a message holds on its way, from its sender's node to its receiver's.
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

/// How nodes are connected: through one switch in which nothing contends, or as a fat tree of two
/// levels, with switches that are leaves and links from each leaf up, each as fast as a node's. A
/// message between leaves goes up by the link that its receiver's number says (d mod k, as
/// InfiniBand's routing of fat trees has it), and down by the one of that number.
class Topology {
  public:
    /// One switch.
    Topology() = default;
    /// A fat tree of `below` nodes under a leaf switch, which has `uplinks`. A program on fewer
    /// than `nodes` is spread evenly over them; where there are more than `nodes` (or none are
    /// said) it is on one leaf after the other. Throws `std::invalid_argument` if one of the first
    /// two is 0.
    Topology(std::uint32_t below, std::uint32_t uplinks, std::uint32_t nodes = 0)
        : below_(below), uplinks_(uplinks), nodes_(nodes) {
        if (below == 0 || uplinks == 0)
            throw std::invalid_argument("a leaf switch must have a node and an uplink");
    }
    /// As it was measured.
    explicit Topology(const lapwing::Topology& measured);

    /// Of `text`: "flat", "fat-tree:BELOW,UPLINKS" or "fat-tree:BELOW,UPLINKS,NODES", and then
    /// there are no more than these. Throws `std::invalid_argument` with one line.
    static Topology from_text(std::string_view text);

    [[nodiscard]] bool flat() const { return below_ == 0; }

    /// The topology as `used` nodes, numbered from 0, see it.
    class View {
      public:
        /// Throws `std::invalid_argument` if there are no more than fewer nodes.
        View(const Topology& topology, std::uint32_t used);

        [[nodiscard]] std::uint32_t links() const { return links_; }
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
        /// Where in the machine a node is.
        [[nodiscard]] std::uint32_t place(std::uint32_t node) const {
            return static_cast<std::uint32_t>(std::uint64_t{node} * places_ / used_);
        }
        [[nodiscard]] std::uint32_t leaf(std::uint32_t place) const { return place / below_; }

        std::uint32_t below_;
        std::uint32_t uplinks_;
        std::uint32_t used_;
        std::uint32_t places_;  ///< over which the nodes are spread
        std::uint32_t first_uplink_;
        std::uint32_t links_;
    };

  private:
    std::uint32_t below_ = 0;
    std::uint32_t uplinks_ = 0;
    std::uint32_t nodes_ = 0;
    bool whole_ = false;  ///< there are no more nodes
};

}  // namespace lapwing::simulate
