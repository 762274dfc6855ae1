// Parallel bzip2 by blocks: every rank compresses its share, rank 0 writes, and collects while the
// next blocks are compressed. Any bzip2 reads the result.
//
//   example-compress FILE FILE.bz2
#include <bzlib.h>
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <lapwing/compute/rates.hpp>
#include <lapwing/lapwing.hpp>
#include <lapwing/pipeline/gather_varying.hpp>
#include <span>
#include <vector>

namespace {

constexpr std::uint64_t block = 900'000;  // bytes, the largest that bzip2 knows

void compress(const char* from, const char* to) {
    lapwing::GatherVarying ranks;
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    const auto count = static_cast<std::uint64_t>(ranks.size());
    const std::uint64_t blocks = (std::filesystem::file_size(from) + block - 1) / block;
    std::ifstream in(from, std::ios::binary);
    std::ofstream out;
    if (ranks.is_root()) out.open(to, std::ios::binary);

    lapwing::Plan plan;  // a block of each rank to a message
    plan.messages = lapwing::Messages::uniform((blocks + count - 1) / count, 1);
    plan.window = 4;
    plan.poll_interval = lapwing::simulated_time ? 0 : 1e-3;
    std::vector<char> plain(block);
    std::vector<char> packed(block + block / 100 + 600);
    lapwing::pipeline(
        plan, plan.messages.volume(),
        [&](std::uint64_t step, lapwing::Buffer& buffer) {
            if (step * count + rank >= blocks) return;  // this rank's last turn may be none
            in.seekg(static_cast<std::streamoff>((step * count + rank) * block));
            in.read(plain.data(), block);
            const auto bytes = static_cast<unsigned>(in.gcount());
            auto size = static_cast<unsigned>(packed.size());
            if (BZ2_bzBuffToBuffCompress(packed.data(), &size, plain.data(), bytes, 9, 0, 0) != 0)
                throw std::runtime_error("bzip2 failed");
            if constexpr (lapwing::simulated_time)
                lapwing::charge(bytes / lapwing::simulated_rate("bzip2"));
            in.clear();
            buffer.append(packed.data(), size);
        },
        [&](lapwing::Buffer& buffer) { return ranks.gather(buffer.data(), buffer.size()); },
        [&](lapwing::Buffer&, lapwing::GatherVarying::Request& request) {
            request.for_each_arrived([&](std::span<const std::byte> part) {
                out.write(reinterpret_cast<const char*>(part.data()),
                          static_cast<std::streamsize>(part.size()));
            });
        });
    if (!ranks.is_root()) return;
    out.close();
    if (!out) throw std::runtime_error(std::string(to) + ": cannot be written");
    std::printf("%llu blocks on %d ranks, %llu bytes to %llu\n",
                static_cast<unsigned long long>(blocks), ranks.size(),
                static_cast<unsigned long long>(std::filesystem::file_size(from)),
                static_cast<unsigned long long>(std::filesystem::file_size(to)));
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int status = 2;
    if (argc == 3) {
        try {
            compress(argv[1], argv[2]);
            status = 0;
        } catch (const std::exception& error) {
            std::fprintf(stderr, "example-compress: %s\n", error.what());
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    } else {
        std::fprintf(stderr, "usage: example-compress FILE FILE.bz2\n");
    }
    MPI_Finalize();
    return status;
}
