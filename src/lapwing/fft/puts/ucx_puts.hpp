#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "lapwing/fft/puts/puts.hpp"
#include "lapwing/transport/ucx/ucx.hpp"

namespace lapwing::fft {

/// Puts of UCX, into a registered region.
class UcxPuts final : public Puts {
  public:
    /// Collective over `ranks`.
    UcxPuts(MPI_Comm ranks, std::size_t bytes)
        : ucx_(ranks, bytes), put_to_(static_cast<std::size_t>(ucx_.size())) {}

    [[nodiscard]] std::byte* data() const override { return ucx_.region().data(); }
    [[nodiscard]] const Communicator& communicator() const override { return ucx_.communicator(); }
    [[nodiscard]] Request put(const void* from, std::size_t bytes, int rank,
                              std::size_t offset) override {
        put_to_[static_cast<std::size_t>(rank)] = true;
        return ucx_.put(from, bytes, rank, offset);
    }
    void flush() override {
        std::vector<UcxRequest> flushes;
        for (int rank = 0; rank < ucx_.size(); ++rank)
            if (std::exchange(put_to_[static_cast<std::size_t>(rank)], false))
                flushes.push_back(ucx_.flush(rank));
        for (UcxRequest& each : flushes) each.wait();
    }
    void sync() override { const auto calls = ucx_.worker().lock(); }

  private:
    Ucx ucx_;
    std::vector<char> put_to_;  ///< since the last flush, by rank
};

}  // namespace lapwing::fft
