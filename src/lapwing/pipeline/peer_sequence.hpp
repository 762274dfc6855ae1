#pragma once

#include <vector>

namespace lapwing {

/// Whom a rank of a two-way exchange receives from, one peer after another, and which ranks receive
/// from it meanwhile: `to[k]` have this rank as their k-th.
struct PeerSequence {
    std::vector<int> from;
    std::vector<std::vector<int>> to;
};

/// The all-to-all of `ranks` ranks, seen from `rank`. Staggered, it receives from the rank behind
/// it first, then from the one behind that, and no two ranks receive from the same one at once;
/// otherwise all receive from rank 0 first, then from rank 1, and so on (Iancu and Strohmaier 2007,
/// section 3.4).
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
            // Of the ranks behind this one it is number `rank`, of those before it one less.
            for (int other = 0; other < ranks; ++other)
                if (other != rank && place == (rank < other ? rank : rank - 1)) to.push_back(other);
        }
        sequence.to.push_back(to);
    }
    return sequence;
}

/// A ring: every rank exchanges with the one behind it and the one before it; with the one other
/// rank where there are but two.
[[nodiscard]] inline PeerSequence ring_sequence(int rank, int ranks) {
    const int behind = (rank + 1) % ranks;
    const int before = (rank + ranks - 1) % ranks;
    if (behind == before) return {{behind}, {{behind}}};
    return {{behind, before}, {{before}, {behind}}};
}

/// A grid of `rows` times `columns` ranks, row by row, without borders: every rank exchanges with
/// those right and left of it, below and above. Both at least 3, so that these are four ranks.
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
