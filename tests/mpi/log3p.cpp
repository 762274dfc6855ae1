// log_3P, measured too briefly to be good, has the form it must have; strided data arrives.
#include "lapwing/calibrate/parts/log3p.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../support/check.hpp"
#include "lapwing/compute/memory_copy.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/transport/mpi/strided_type.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

void strided_data_arrives(int rank) {
    for (const int stride : {1, 2, 7}) {
        const lapwing::StridedType type(100, stride);
        int bytes = 0;
        MPI_Type_size(type.get(), &bytes);
        CHECK(bytes == 800);
        std::vector<double> out(700);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(i + 1);
        std::vector<double> in(700);
        MPI_Sendrecv(out.data(), 1, type.get(), rank, 0, in.data(), 1, type.get(), rank, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const auto step = static_cast<std::size_t>(stride);
        for (std::size_t i = 0; i < in.size(); ++i)
            CHECK(in[i] == (i % step == 0 && i < 100 * step ? out[i] : 0));

        const lapwing::MemoryCopy copy;
        std::vector<double> packed(100);
        std::vector<double> unpacked(700);
        copy.pack(packed.data(), out.data(), 100, step);
        copy.unpack(unpacked.data(), packed.data(), 100, step);
        CHECK(unpacked == in);
    }
}

lapwing::Profile measured(lapwing::TwoSided& transport, const lapwing::Log3POptions& options,
                          lapwing::Profile profile = {}) {
    const bool first = transport.rank() == 0;
    lapwing::TwoSidedPair pair(transport, first, 1 - transport.rank());
    profile.loggp.G = 1;
    lapwing::NoiseCounts noise;
    lapwing::EnvironmentMonitor environment(pair);
    lapwing::Context context{
        pair,
        MPI_COMM_WORLD,
        {pair, environment, noise, {.accuracy = 1, .budget = 0.02, .least = 3}, {}}};
    measure_log3p(context, options, profile);
    CHECK(profile.log3p.has_value() == first);
    return profile;
}

void tables(lapwing::TwoSided& transport) {
    lapwing::Log3POptions options;
    options.sizes = {1024, 8192, 16384};
    options.strides = {16, 1024};
    options.span = std::uint64_t{1} << 20;  // 8 KB at 1 KB just fit
    options.longest = 10;
    options.refine = false;
    const auto profile = measured(transport, options);
    if (transport.rank() != 0) return;
    validate(profile);
    const auto& t = *profile.log3p;
    CHECK(t.sizes == options.sizes);
    CHECK(t.strides == options.strides);
    CHECK(t.element == 8);
    for (std::size_t i = 0; i < t.sizes.size(); ++i) {
        CHECK(t.T_mem[i] > 0);
        CHECK(t.isolated[i] > 0);
        CHECK(t.o_net[i] == std::max(0.0, t.peer[i] - t.o_mw[i]));
        for (std::size_t j = 0; j < t.strides.size(); ++j) {
            CHECK(t.packing[i][j] > 0);
            for (const auto* grid : {&t.remote, &t.packed, &t.isolated_strided, &t.isolated_packed})
                CHECK((*grid)[i][j] > 0);
            const double sum = t.o_mw[i] + t.l_mw[i][j] + t.o_net[i];
            CHECK(std::abs(t.ratio[i][j] * t.remote[i][j] - sum) < 1e-9 * sum);
        }
    }
    // What was too far apart is in proportion to the size before, and said to be.
    CHECK(t.remote[2][1] > 0);
    CHECK(t.packing[2][1] == 2 * t.packing[1][1]);
    CHECK(t.l_mw[2][1] == 2 * t.l_mw[1][1]);
    std::vector<std::string> expected;
    for (const std::string grid :
         {"l_mw", "packing", "remote", "packed", "isolated_strided", "isolated_packed", "ratio"})
        expected.push_back("log3p." + grid + "[2][1]");
    CHECK(profile.interpolated == expected);
    CHECK(lapwing::profile_from_json(to_json(profile)).log3p->isolated_packed == t.isolated_packed);
}

/// Sizes end where a message takes too long; the first is measured in any case.
void slow_wire(lapwing::TwoSided& transport) {
    lapwing::Log3POptions options;
    options.sizes = {1024, 8192, 16384};
    options.strides = {64};
    options.longest = 0;
    const auto profile = measured(transport, options);
    if (transport.rank() != 0) return;
    validate(profile);
    CHECK(profile.log3p->sizes == std::vector<std::uint64_t>{1024});
    CHECK(profile.log3p->remote[0][0] > 0);
}

/// The sizes that rank 0 knows messages to bend at are in the table too, where it has any there, in
/// whole elements on both sides.
void known_bends(lapwing::TwoSided& transport) {
    lapwing::Log3POptions options;
    options.sizes = {1024, 4096};
    options.strides = {64};
    options.longest = 10;
    lapwing::Profile known;
    if (transport.rank() == 0)
        known.latency = {.sizes = {8, 1004, 1536, 2052, 3072, 8192},
                         .half_round_trip = std::vector<double>(6, 1e-6),
                         .bandwidth = std::vector<double>(6, 1e9)};
    const auto profile = measured(transport, options, known);
    if (transport.rank() != 0) return;
    const auto& sizes = profile.log3p->sizes;
    CHECK(std::is_sorted(sizes.begin(), sizes.end()));
    CHECK((sizes.front() == 1024 && sizes.back() == 4096));
    for (const std::uint64_t size : {1536, 2048, 2056, 3072})
        CHECK(std::count(sizes.begin(), sizes.end(), size) == 1);
    CHECK(std::count(sizes.begin(), sizes.end(), 2052) == 0);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        lapwing::TwoSided transport;
        strided_data_arrives(transport.rank());
        tables(transport);
        slow_wire(transport);
        known_bends(transport);
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
