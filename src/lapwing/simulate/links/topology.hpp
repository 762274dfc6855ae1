#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "lapwing/profile/interconnect.hpp"
#include "lapwing/profile/placement.hpp"
#include "lapwing/profile/topology.hpp"
#include "lapwing/simulate/links/path.hpp"

namespace lapwing::simulate {

/// How nodes are connected, and which of them a program uses. Its links are those of a `View` where
/// that is `plain`, and of `Routes` in every case.
class Topology {
  public:
    /// One switch.
    Topology() = default;
    /// A fat tree of leaf switches with `below` nodes and `uplinks` each. A program on fewer than
    /// `nodes` is spread evenly over them; one on more, or with `nodes` 0, fills one leaf switch
    /// after the other. Throws `std::invalid_argument` if `below` or `uplinks` is 0.
    Topology(std::uint32_t below, std::uint32_t uplinks, std::uint32_t nodes = 0)
        : interconnect_{.shape = FatTree{.below = below, .uplinks = uplinks, .nodes = nodes}} {
        if (below == 0 || uplinks == 0)
            throw std::invalid_argument("a leaf switch must have a node and an uplink");
    }
    explicit Topology(Interconnect interconnect, Placement placement = {});
    /// The topology of a profile. Throws `std::invalid_argument` as those of its texts do.
    explicit Topology(const lapwing::Topology& measured);

    /// Reads an `Interconnect`. Throws `std::invalid_argument` with one line.
    static Topology from_text(std::string_view text);
    /// The same nodes, used in another way.
    void place(const Placement& placement) { placement_ = placement; }

    [[nodiscard]] const Interconnect& interconnect() const { return interconnect_; }
    [[nodiscard]] const Placement& placement() const { return placement_; }
    /// Whether nothing contends but interfaces.
    [[nodiscard]] bool flat() const;
    /// Whether it is one switch or a fat tree whose links are all as fast as the one interface of a
    /// node, and nodes are used as usual.
    [[nodiscard]] bool plain() const;

    /// The links between the nodes of a `plain` topology, numbered from 0, that a program uses. In
    /// a fat tree each leaf switch has uplinks. A message between leaf switches goes up and down by
    /// uplink d mod k, as InfiniBand routes fat trees. Here d is its receiver's number and k the
    /// number of uplinks.
    class View {
      public:
        using Path = simulate::Path;
        /// A link carries one message at a time, or gives all messages its bandwidth of 1.
        static constexpr bool uniform = true;

        /// Throws `std::invalid_argument` if `used` exceeds the nodes of a topology that says how
        /// many it has.
        View(const Topology& topology, std::uint32_t used);

        [[nodiscard]] std::uint32_t links() const { return links_; }
        [[nodiscard]] std::uint32_t nodes() const { return used_; }
        /// The number of links between switches on the path.
        [[nodiscard]] std::uint32_t hops(std::uint32_t from, std::uint32_t to) const {
            return below_ == 0 || leaf(place(from)) == leaf(place(to)) ? 0 : 2;
        }
        /// The most that one message gets of any link on a path.
        [[nodiscard]] static constexpr double rate(const Path&) { return 1; }
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

        std::uint32_t below_ = 0;
        std::uint32_t uplinks_ = 0;
        std::uint32_t used_;
        std::uint32_t places_ = 0;  ///< positions over which the nodes are spread
        std::uint32_t first_uplink_;
        std::uint32_t links_;
    };

  private:
    Interconnect interconnect_;
    Placement placement_;
};

/// Throws `std::invalid_argument` if a program on `used` nodes needs more than there are.
void require_nodes(const Interconnect& interconnect, std::uint32_t used);

}  // namespace lapwing::simulate
