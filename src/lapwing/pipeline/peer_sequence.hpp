#pragma once

#include <vector>

namespace lapwing {

/// The peers of one rank in a two-way exchange, in the order in which it takes them.
struct PeerSequence {
    std::vector<int> from;             ///< ranks that it receives from, one after another
    std::vector<std::vector<int>> to;  ///< `to[k]`: the ranks whose k-th sender is this rank
};

/// The all-to-all of `ranks` ranks, seen from `rank` (Iancu and Strohmaier 2007, section 3.4).
///
/// `staggered`: it receives from rank + 1 first, then from rank + 2, and no two ranks receive from
/// the same one at once. Otherwise all receive from rank 0 first, then from rank 1, and so on.
[[nodiscard]] inline PeerSequence alltoall_sequence(int rank, int ranks, bool staggered) {
    PeerSequence sequence;
    for (int place = 0; place + 1 < ranks; ++place) {
        const int distance = place + 1;
        std::vector<int> to;
        if (staggered) {
            sequence.from.push_back((rank + distance) % ranks);
            to.push_back((rank + ranks - distance) % ranks);
        } else {
            sequence.from.push_back(place < rank ? place : place + 1);
            // Ranks leave themselves out: this one is number `rank` of those after it, and number
            // `rank - 1` of those before it.
            for (int other = 0; other < ranks; ++other)
                if (other != rank && place == (rank < other ? rank : rank - 1)) to.push_back(other);
        }
        sequence.to.push_back(to);
    }
    return sequence;
}

/// A ring: every rank exchanges with the next one and the previous one; of two ranks, with the
/// other.
[[nodiscard]] inline PeerSequence ring_sequence(int rank, int ranks) {
    const int next = (rank + 1) % ranks;
    const int previous = (rank + ranks - 1) % ranks;
    if (next == previous) return {{next}, {{next}}};
    return {{next, previous}, {{previous}, {next}}};
}

/// A torus of `rows` x `columns` ranks, numbered row by row: every rank exchanges with its
/// neighbours right and left, below and above. Both are at least 3, so that these are four
/// different ranks.
[[nodiscard]] inline PeerSequence torus_sequence(int rank, int rows, int columns) {
    const int row = rank / columns;
    const int column = rank % columns;
    const auto at = [&](int r, int c) {
        return (r + rows) % rows * columns + (c + columns) % columns;
    };
    const int right = at(row, column + 1);
    const int left = at(row, column - 1);
    const int below = at(row + 1, column);
    const int above = at(row - 1, column);
    return {{right, left, below, above}, {{left}, {right}, {above}, {below}}};
}

}  // namespace lapwing
