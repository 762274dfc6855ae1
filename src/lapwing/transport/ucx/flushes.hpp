#pragma once

#include <cstdint>

#include "lapwing/transport/ucx/request.hpp"
#include "lapwing/transport/ucx/transfer.hpp"
#include "lapwing/transport/ucx/ucx.hpp"

namespace lapwing {

/// The flushes of the puts to one rank, of which one is under way at a time.
class UcxFlushes {
  public:
    /// Whether a flush that began after the last put of a transfer is complete. Begins one where
    /// none is under way; a later one is for all transfers that came meanwhile.
    bool is_flushed(Ucx& ucx, UcxTransfer& transfer) {
        if (begun_ > complete_ && flush_.complete()) complete_ = begun_;
        if (transfer.flush == 0) transfer.flush = begun_ + 1;
        if (transfer.flush > begun_ && begun_ == complete_) {
            flush_ = ucx.flush(transfer.peer);
            ++begun_;
            if (flush_.complete()) complete_ = begun_;
        }
        return transfer.flush <= complete_;
    }

  private:
    std::uint64_t begun_ = 0;
    std::uint64_t complete_ = 0;
    UcxRequest flush_;
};

}  // namespace lapwing
