#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/fft/puts/puts.hpp"
#include "lapwing/transport/rma/rma.hpp"

namespace lapwing::fft {

/// Puts of MPI, into a window.
class RmaPuts final : public Puts {
  public:
    /// Collective over `ranks`.
    RmaPuts(MPI_Comm ranks, std::size_t bytes) : rma_(ranks, bytes) {}

    [[nodiscard]] std::byte* data() const override { return rma_.data(); }
    [[nodiscard]] const Communicator& communicator() const override { return rma_.communicator(); }
    [[nodiscard]] Request put(const void* from, std::size_t bytes, int rank,
                              std::size_t offset) override {
        return rma_.put(from, bytes, rank, offset);
    }
    /// Each request has flushed its target.
    void flush() override {}
    void sync() override { rma_.sync(); }

  private:
    Rma rma_;
};

}  // namespace lapwing::fft
