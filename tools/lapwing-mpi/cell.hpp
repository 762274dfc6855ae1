#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/pipeline/templates.hpp"
#include "lapwing/plan/peer_order.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing::tools {

/// One uniform way to run a pattern.
struct Cell {
    std::uint64_t message = 0;  ///< bytes
    int burst = 1;              ///< b of template E; 0 where messages are initiated one by one
    int window = 2;             ///< messages in flight
    PeerOrder order = PeerOrder::contiguous;
    bool staggered = true;
    Packing packing = Packing::none;  ///< of strided data
};

/// What there is to cut, and in which ways.
struct CellSpace {
    std::uint64_t volume = 0;     ///< bytes of one sequence of messages
    std::uint64_t grain = 1;      ///< bytes; sizes are multiples of it
    std::uint64_t sequences = 1;  ///< of messages that share a window, such as those of all peers
    std::uint64_t smallest = 1;   ///< message, bytes
    bool bursts = true;           ///< template E; otherwise windows
    bool windows = true;          ///< whether how many are in flight is a choice at all
};

/// Every uniform (S, b) of a sweep, or (S, window): in powers of two. Not split is one of them.
inline std::vector<Cell> uniform_cells(const CellSpace& space) {
    constexpr std::uint64_t most_messages = 8192;
    constexpr int longest_burst = 64;
    std::vector<Cell> cells;
    const auto add = [&](std::uint64_t size, std::uint64_t count) {
        const std::uint64_t all = count * space.sequences;
        if (!space.windows) {
            cells.push_back({.message = size, .burst = 0, .window = static_cast<int>(all)});
            return;
        }
        for (int in_turn = 1; in_turn <= longest_burst; in_turn *= 2) {
            if (static_cast<std::uint64_t>(in_turn) > all && in_turn > 1) break;
            Cell cell{.message = size, .burst = in_turn, .window = in_turn};
            if (space.bursts) {
                cell.window = outstanding(Schedule::E, in_turn);
            } else {
                cell.burst = 0;
            }
            cells.push_back(cell);
        }
    };
    for (std::uint64_t size = space.smallest; size <= space.volume && size != 0; size *= 2) {
        const std::uint64_t count = (space.volume + size - 1) / size;
        if (count <= most_messages && size % space.grain == 0) add(size, count);
    }
    // A volume that is no power of two is not split in its last row either.
    if (cells.empty() || cells.back().message < space.volume) add(space.volume, 1);
    return cells;
}

/// The cells once for each order of peers.
inline std::vector<Cell> in_orders(const std::vector<Cell>& cells,
                                   const std::vector<PeerOrder>& orders) {
    std::vector<Cell> all;
    for (const PeerOrder order : orders) {
        for (Cell cell : cells) {
            cell.order = order;
            all.push_back(cell);
        }
    }
    return all;
}

/// The cell as a plan: for patterns that initiate their messages one by one.
inline Plan plan_of(const Cell& cell, std::uint64_t volume) {
    Plan plan;
    plan.messages = Messages::uniform(volume, cell.message, sizeof(double));
    plan.window = cell.window;
    plan.order = cell.order;
    plan.staggered = cell.staggered;
    plan.packing = cell.packing;
    return plan;
}

}  // namespace lapwing::tools
