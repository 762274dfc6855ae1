#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lapwing {

/// On which nodes of a machine the ranks of a program are.
struct Placement {
    enum class Order {
        usual,        ///< `spread` on a fat tree that says how many nodes it has; `consecutive`
        consecutive,  ///< consecutive ranks on a node, and consecutive nodes
        spread,       ///< consecutive ranks on a node, and nodes evenly spread over all
        round_robin,  ///< consecutive ranks on consecutive nodes, from the first again and again
        random,       ///< consecutive ranks on a node, and nodes drawn at random
        listed,       ///< consecutive ranks on a node, and the nodes of a list
    };
    Order order = Order::usual;
    std::uint64_t seed = 0;            ///< of random nodes
    std::vector<std::uint32_t> nodes;  ///< of the list, each once

    /// Reads "consecutive", "spread", "round-robin", "random:SEED", or a list such as "0,7,16-31".
    /// Throws `std::invalid_argument` with one line.
    [[nodiscard]] static Placement from_text(std::string_view text);
};

}  // namespace lapwing
