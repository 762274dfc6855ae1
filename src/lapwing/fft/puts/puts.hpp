#pragma once

#include <cstddef>
#include <utility>
#include <variant>

#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/rma/rma.hpp"
#ifdef LAPWING_UCX
#include "lapwing/transport/ucx/request.hpp"
#endif
#ifdef LAPWING_OSHMEM
#include "lapwing/transport/shmem/operations.hpp"
#endif

namespace lapwing::fft {

/// One-sided puts into memory that every rank has, by any library. Lines and drivers know no more
/// of them, so that they are compiled once for all.
class Puts {
  public:
    /// A put of any library: complete when its memory is free again.
    class Request {
      public:
        Request() = default;
        template <class Of>
        explicit(false) Request(Of request) : of_(std::move(request)) {}

        bool test() {
            return std::visit([](auto& of) { return of.test(); }, of_);
        }
        void wait() {
            std::visit([](auto& of) { of.wait(); }, of_);
        }

      private:
        std::variant<CompleteRequest, Rma::Flushed
#ifdef LAPWING_UCX
                     ,
                     UcxRequest
#endif
#ifdef LAPWING_OSHMEM
                     ,
                     shmem::PendingOperation
#endif
                     >
            of_;
    };

    Puts() = default;
    Puts(const Puts&) = delete;
    Puts& operator=(const Puts&) = delete;
    virtual ~Puts() = default;

    /// This rank's memory.
    [[nodiscard]] virtual std::byte* data() const = 0;
    [[nodiscard]] virtual const Communicator& communicator() const = 0;
    /// Puts into the memory of a rank, `offset` bytes from its start.
    [[nodiscard]] virtual Request put(const void* from, std::size_t bytes, int rank,
                                      std::size_t offset) = 0;
    /// Returns when all puts of this rank have arrived. Its requests are complete.
    virtual void flush() = 0;
    /// Makes what others have put visible to this rank's loads.
    virtual void sync() = 0;
};

}  // namespace lapwing::fft
