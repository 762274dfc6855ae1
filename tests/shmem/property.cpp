// Over OpenSHMEM every template gives the same result as the blocking loop, to the bit, for any
// number of steps, tile, window, size and remainder.
#include <mpi.h>
#include <shmem.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../support/check.hpp"
#include "../support/every_template.hpp"
#include "../support/random.hpp"
#include "lapwing/transport/arena.hpp"
#include "lapwing/transport/shmem/session.hpp"
#include "lapwing/transport/shmem/shmem.hpp"
#include "lapwing/transport/shmem/symmetric_memory.hpp"

namespace {

/// The transport, with the memory that it can receive into.
class WithMemory : public lapwing::Shmem {
  public:
    explicit WithMemory(lapwing::SymmetricMemory& all)
        : Shmem(all), arena_({all.data(), all.size()}) {}
    [[nodiscard]] lapwing::Arena::Part memory(std::size_t bytes) { return arena_.allocate(bytes); }

  private:
    lapwing::Arena arena_;
};

}  // namespace

int main(int argc, char** argv) {
    int failed = 0;
    {
        const lapwing::ShmemSession session(argc, argv);
        lapwing::SymmetricMemory memory(std::size_t{32} << 20);
        {
            WithMemory transport(memory);
            const int ranks = shmem_n_pes();
            lapwing::test::Random random(33 + static_cast<std::uint64_t>(ranks));
            lapwing::test::Group(transport, shmem_my_pe(), ranks)
                .check(random, std::max(1, 6 / ranks), lapwing::test::usual_steps(ranks));
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    return failed == 0 ? 0 : 1;
}
