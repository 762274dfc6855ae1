// A wavefront: the edit distance of two texts. Every cell of its table needs its left, its upper
// and its upper left neighbour. Each rank has some columns. The column left of them streams in, row
// by row, and their last column is sent on by a pipeline, so that all ranks soon compute at once.
//
//   example-wavefront [LETTERS]
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <lapwing/compute/rates.hpp>
#include <lapwing/lapwing.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../argument.hpp"
#include "../seconds.hpp"

namespace {

std::string text(std::size_t letters, unsigned seed) {
    std::string made;
    for (std::size_t i = 0; i < letters; ++i) {
        seed = seed * 1664525U + 1013904223U;
        made += static_cast<char>('a' + (seed >> 24) % 4);
    }
    return made;
}

/// Some columns of the table, computed row by row.
class Columns {
  public:
    /// For `letters` of the second text, from its letter `first` on.
    Columns(std::string letters, std::size_t first)
        : letters_(std::move(letters)), corner_(static_cast<int>(first)), row_(letters_.size()) {
        std::iota(row_.begin(), row_.end(), corner_ + 1);
    }
    /// Computes the row of the next `letter`, right of cell `left`. Returns its last cell.
    int next(char letter, int left) {
        int diagonal = std::exchange(corner_, left);
        for (std::size_t j = 0; j < row_.size(); ++j) {
            const int changed = diagonal + (letters_[j] == letter ? 0 : 1);
            diagonal = row_[j];
            row_[j] = left = std::min({changed, diagonal + 1, left + 1});
        }
        if constexpr (lapwing::simulated_time)
            lapwing::charge(static_cast<double>(row_.size() * sizeof(int)) /
                            lapwing::simulated_rate("add"));
        return left;
    }

  private:
    std::string letters_;
    int corner_;
    std::vector<int> row_;
};

/// Returns the distance, on the last rank.
int distance(lapwing::TwoSided& transport, const std::string& a, const std::string& b,
             const lapwing::Plan& plan) {
    const auto rank = static_cast<std::size_t>(transport.rank());
    const auto ranks = static_cast<std::size_t>(transport.size());
    const std::size_t first = b.size() * rank / ranks;
    Columns columns(b.substr(first, b.size() * (rank + 1) / ranks - first), first);
    const bool last = rank + 1 == ranks;
    int result = 0;

    // Left of the first rank is the table's first column, left of the others the rank before.
    std::vector<int> left(a.size());
    std::iota(left.begin(), left.end(), 1);
    const auto rows = [&](auto&& left_of) {
        std::uint64_t message = 0;
        lapwing::pipeline(
            plan, a.size(),
            [&](std::uint64_t row, lapwing::Buffer& buffer) {
                result = columns.next(a[row], left_of(row));
                buffer.append(&result, sizeof result);
            },
            [&](lapwing::Buffer& buffer) {
                if (last) return lapwing::TwoSided::Request();
                return transport.send(buffer.data(), buffer.size(), transport.rank() + 1,
                                      lapwing::stream_tag(transport, plan.messages, message++));
            });
    };
    if (rank == 0) {
        rows([&](std::uint64_t row) { return left[row]; });
        return result;
    }
    const lapwing::Source source{transport, transport.rank() - 1, std::span(left)};
    auto stream = lapwing::stream<int>(source, plan);
    auto piece = stream.begin();
    std::uint64_t end = (*piece).data.size();  // rows that have arrived
    rows([&](std::uint64_t row) {
        if (row == end) {
            ++piece;
            end += (*piece).data.size();
        }
        return left[row];
    });
    return result;
}

int run(std::size_t letters) {
    lapwing::TwoSided transport;
    const std::string a = text(letters, 1);
    const std::string b = text(letters + letters / 7, 2);

    const auto timed = [&](std::uint64_t rows, int& result) {
        lapwing::Plan plan;
        plan.messages =
            lapwing::Messages::uniform(a.size() * sizeof(int), rows * sizeof(int), sizeof(int));
        plan.window = 4;
        return seconds([&] { result = distance(transport, a, b, plan); });
    };
    int whole = 0;
    int tiled = 0;
    // All rows in one message: one rank computes after the other.
    const double one_by_one = timed(a.size(), whole);
    const double wavefront = timed(std::max<std::uint64_t>(1, a.size() / 64), tiled);

    const int last = transport.size() - 1;
    MPI_Bcast(&whole, 1, MPI_INT, last, MPI_COMM_WORLD);
    MPI_Bcast(&tiled, 1, MPI_INT, last, MPI_COMM_WORLD);
    int serial = 0;
    Columns all(b, 0);
    for (std::size_t row = 0; row < a.size(); ++row)
        serial = all.next(a[row], static_cast<int>(row) + 1);
    if (transport.rank() == 0) {
        std::printf("edit distance %d on %d ranks, %d in serial\n", tiled, transport.size(),
                    serial);
        std::printf("one after the other %.6e s, as a wavefront %.6e s\n", one_by_one, wavefront);
    }
    return tiled == serial && whole == serial ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return lapwing::program("example-wavefront", argc, argv, [&] {
        return run(static_cast<std::size_t>(argument(argc, argv, 1, "LETTERS", 4000)));
    });
}
