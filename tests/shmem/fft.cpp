// Transforms by puts of OpenSHMEM, against those by two-sided messages.
#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "../support/check.hpp"
#include "lapwing/fft/fft.hpp"
#include "lapwing/transport/shmem/session.hpp"

using lapwing::fft::Options;
using lapwing::fft::Schedule;
using lapwing::fft::Size;
using lapwing::fft::Transform;
using lapwing::fft::Transport;

namespace {

using Complex = std::complex<double>;

/// The spectrum, and what comes back, of an array that every rank fills with numbers of its own.
std::vector<Complex> there_and_back(const Size& size, const Options& options) {
    Transform<double> transform(MPI_COMM_WORLD, size, options);
    const std::size_t elements = transform.capacity() * options.batch;
    std::vector<Complex> in(elements);
    std::vector<Complex> out(elements);
    std::uint64_t state = 1 + static_cast<std::uint64_t>(shmem_my_pe());
    for (Complex& each : in) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        each = {static_cast<double>(state >> 40), static_cast<double>(state >> 50)};
    }
    transform.forward(in.data(), out.data());
    std::vector<Complex> both = out;
    transform.inverse(out.data(), in.data());
    both.insert(both.end(), in.begin(), in.end());
    return both;
}

void same_as_messages() {
    for (const Size& size : {Size{8, 6, 4}, Size{5, 7, 3}}) {
        for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::pencils,
                                    Schedule::strips, Schedule::tails}) {
            for (const std::size_t batch : {1, 2}) {
                Options options;
                options.schedule = schedule;
                options.batch = batch;
                options.effort = lapwing::fft::Effort::estimate;
                options.transport = Transport::two_sided;
                const auto expected = there_and_back(size, options);
                options.transport = Transport::shmem;
                const auto found = there_and_back(size, options);
                CHECK(std::memcmp(found.data(), expected.data(),
                                  expected.size() * sizeof(Complex)) == 0);
            }
        }
    }
}

void all_pes_take_part() {
    Options options;
    options.transport = Transport::shmem;
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, shmem_my_pe(), 0, &half);
    lapwing::test::check_throws<std::invalid_argument>(
        [&] {
            const Transform<double> alone(half, {4, 4, 4}, options);
        },
        "over OpenSHMEM all PEs transform together");
    MPI_Comm_free(&half);
}

}  // namespace

int main(int argc, char** argv) {
    int failed = 0;
    {
        const lapwing::ShmemSession session(argc, argv);
        same_as_messages();
        all_pes_take_part();
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    return failed == 0 ? 0 : 1;
}
