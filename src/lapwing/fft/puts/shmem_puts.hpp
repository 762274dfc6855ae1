#pragma once

#include <mpi.h>
#include <shmem.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "lapwing/fft/puts/puts.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/shmem/operations.hpp"
#include "lapwing/transport/shmem/pes.hpp"
#include "lapwing/transport/shmem/symmetric_memory.hpp"

namespace lapwing::fft {

/// Puts of OpenSHMEM, into symmetric memory, which all PEs make together.
class ShmemPuts final : public Puts {
  public:
    /// Collective over `ranks`. Throws `std::invalid_argument` if they are not all PEs.
    ShmemPuts(MPI_Comm ranks, std::size_t bytes)
        : ranks_(ranks), pes_(pes_of(ranks_)), memory_(bytes) {}
    ~ShmemPuts() override { count_.quiet(); }
    ShmemPuts(const ShmemPuts&) = delete;
    ShmemPuts& operator=(const ShmemPuts&) = delete;

    [[nodiscard]] std::byte* data() const override { return memory_.data(); }
    [[nodiscard]] const Communicator& communicator() const override { return ranks_; }
    [[nodiscard]] Request put(const void* from, std::size_t bytes, int rank,
                              std::size_t offset) override {
        if (bytes == 0) return {};
        shmem_putmem_nbi(data() + offset, from, bytes, pes_[static_cast<std::size_t>(rank)]);
        return shmem::PendingOperation(count_);
    }
    void flush() override { count_.quiet(); }
    void sync() override {}

  private:
    static std::vector<int> pes_of(const Communicator& ranks) {
        if (ranks.size() != shmem_n_pes())
            throw std::invalid_argument("fft: over OpenSHMEM all PEs transform together");
        return shmem::pes_of(ranks.get());
    }

    Communicator ranks_;
    std::vector<int> pes_;  ///< by rank
    SymmetricMemory memory_;
    shmem::PendingOperation::Count count_;
};

}  // namespace lapwing::fft
