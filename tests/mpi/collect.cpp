// The results of pieces of work that all ranks share are collected at the root in their order,
// whatever their sizes, the tiles and the root's share.
#include "lapwing/pipeline/collect.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "../support/check.hpp"
#include "../support/random.hpp"
#include "lapwing/transport/program.hpp"

using lapwing::Buffer;
using lapwing::GatherPlan;
using lapwing::GatherVarying;
using lapwing::Messages;
using lapwing::test::Random;

namespace {

/// The result of a piece: sometimes nothing, sometimes too much to be sent eagerly.
std::vector<std::byte> result_of(std::uint64_t piece) {
    Random random(piece);
    const auto bytes = random.chance(0.2) ? 0.0 : random.log_uniform(1, 100'000);
    return std::vector<std::byte>(static_cast<std::size_t>(bytes),
                                  static_cast<std::byte>(piece % 251));
}

/// Compares what arrives with what was sent.
class Expected {
  public:
    void arrived(std::span<const std::byte> data) {
        if (same_ && place_ + data.size() <= all_.size())
            same_ = std::ranges::equal(data, std::span(all_).subspan(place_, data.size()));
        place_ += data.size();
    }
    void add(const std::vector<std::byte>& result) {
        all_.insert(all_.end(), result.begin(), result.end());
    }
    [[nodiscard]] bool complete() const { return same_ && place_ == all_.size(); }

  private:
    std::vector<std::byte> all_;
    std::size_t place_ = 0;
    bool same_ = true;
};

void in_order(GatherVarying& gathers, std::uint64_t pieces, const GatherPlan& how) {
    std::uint64_t worked = 0;
    std::uint64_t all = 0;
    Expected expected;
    for (std::uint64_t piece = 0; piece < pieces; ++piece) expected.add(result_of(piece));
    lapwing::collect(
        gathers, pieces, how,
        [&](std::uint64_t piece, Buffer& buffer) {
            const auto result = result_of(piece);
            buffer.append(result.data(), result.size());
            ++worked;
        },
        [&](std::span<const std::byte> results) {
            CHECK(gathers.is_root());
            expected.arrived(results);
        });
    if (gathers.is_root()) CHECK(expected.complete());
    MPI_Allreduce(&worked, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == pieces);
}

void too_few(GatherVarying& gathers) {
    lapwing::on_failure(lapwing::OnFailure::rethrow);
    bool refused = false;
    try {
        const auto pieces = static_cast<std::uint64_t>(gathers.size());
        lapwing::collect(
            gathers, pieces + 1, lapwing::gather_with({}, gathers.size(), pieces),
            [](std::uint64_t, Buffer&) {}, [](std::span<const std::byte>) {});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
    lapwing::on_failure(lapwing::OnFailure::end_job);
}

int run() {
    GatherVarying gathers;
    for (const std::uint64_t pieces : {0, 1, 7, 40}) {
        for (const std::uint64_t tile : {1, 3})
            in_order(gathers, pieces,
                     lapwing::gather_with({.tile = tile, .window = 2}, gathers.size(), pieces));
    }
    // Tiles of unequal size, and a root that does less.
    GatherPlan unequal;
    unequal.plan.messages = Messages::of({1, 2, 5, 40}, 1);
    unequal.plan.window = 3;
    unequal.root_share = 0.5;
    in_order(gathers, 40, unequal);
    too_few(gathers);
    int failed = 0;
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return lapwing::program("test-collect", argc, argv, run); }
