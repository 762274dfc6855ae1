#include "lapwing/calibrate/benchmarks/local_work.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "lapwing/compute/charge.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {
namespace {

constexpr std::size_t doubles = LocalWorkBenchmarks::bytes / sizeof(double);

void touch(std::byte* buffer) {
    constexpr std::size_t page = 4096;
    volatile std::byte* const memory = buffer;  // which the compiler must not leave untouched
    for (std::size_t at = 0; at < LocalWorkBenchmarks::buffer_bytes; at += page)
        memory[at] = std::byte{1};
}

struct Free {
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): what MPI's temporary buffers come from
    void operator()(void* memory) const { std::free(memory); }
};

}  // namespace

LocalWorkBenchmarks::LocalWorkBenchmarks(RankPair& pair)
    : pair_(pair),
      own_(doubles, 1.0),
      other_(doubles, 1.0),
      packed_(blocks * sizeof(double)),
      kept_(simulated_time ? 0 : buffer_bytes) {
    // Every other double, so that no two of them lie together.
    for (int i = 0; i < blocks; ++i) places_.push_back(2 * i);
}

/// Seconds that `work` takes if both ranks begin it together.
double LocalWorkBenchmarks::timed(const std::function<void()>& work) {
    pair_.barrier();
    const double start = pair_.now();
    work();
    return std::max(0.0, pair_.now() - start);
}

double LocalWorkBenchmarks::combine() {
    return timed([this] {
        check_mpi(MPI_Reduce_local(other_.data(), own_.data(), static_cast<int>(doubles),
                                   MPI_DOUBLE, MPI_SUM),
                  "MPI_Reduce_local");
    });
}

void LocalWorkBenchmarks::pack(const void* from, int count, MPI_Datatype type) {
    int position = 0;
    check_mpi(MPI_Pack(from, count, type, packed_.data(), static_cast<int>(packed_.size()),
                       &position, MPI_COMM_SELF),
              "MPI_Pack");
}

double LocalWorkBenchmarks::copy() {
    return timed([this] { copy_.copy(); });
}

double LocalWorkBenchmarks::pack_blocks() {
    return timed([this] {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        check_mpi(MPI_Type_create_indexed_block(blocks, 1, places_.data(), MPI_DOUBLE, &type),
                  "MPI_Type_create_indexed_block");
        check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
        pack(own_.data(), 1, type);
        check_mpi(MPI_Type_free(&type), "MPI_Type_free");
    });
}

double LocalWorkBenchmarks::pack_whole() {
    return timed([this] { pack(own_.data(), blocks, MPI_DOUBLE); });
}

double LocalWorkBenchmarks::touch_fresh() {
    if (simulated_time) return 0;
    return timed([] {
        // NOLINTNEXTLINE(cppcoreguidelines-no-malloc)
        const std::unique_ptr<void, Free> buffer(std::malloc(buffer_bytes));
        if (!buffer) throw std::bad_alloc();
        touch(static_cast<std::byte*>(buffer.get()));
    });
}

double LocalWorkBenchmarks::touch_kept() {
    if (simulated_time) return 0;
    return timed([this] { touch(kept_.data()); });
}

}  // namespace lapwing
