#pragma once

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/mpi/request.hpp"

namespace lapwing {

/// All transfers of a rank that take several steps, each of which is an MPI request: an offer, the
/// data, an answer. A wait for one transfer moves all of them on, so that two ranks that wait for
/// each other's transfers do not wait for ever. An error is told to the request of its transfer.
class Transfers {
  public:
    class Transfer {
      public:
        /// `peer`: the rank it is to or from, for error messages.
        Transfer(Transfers& all, int peer) : all_(all), peer_(peer) {}
        Transfer(const Transfer&) = delete;
        Transfer& operator=(const Transfer&) = delete;
        virtual ~Transfer() {
            if (!complete()) all_.remove(*this);  // its constructor has failed
        }

        [[nodiscard]] bool complete() const { return index_ == none; }

      protected:
        [[nodiscard]] int peer() const { return peer_; }
        /// Called when a step has ended. Returns the request of the next step, `MPI_REQUEST_NULL`
        /// if that comes by `resume`, nothing after the last step.
        virtual std::optional<MPI_Request> next() = 0;

      private:
        friend Transfers;
        Transfers& all_;
        int peer_;
        std::size_t index_ = none;
        std::exception_ptr failure_;
    };

    /// Owns a transfer. Without one, it is complete.
    class Request {
      public:
        Request() = default;
        explicit Request(std::unique_ptr<Transfer> transfer) : transfer_(std::move(transfer)) {}
        Request(Request&&) noexcept = default;
        Request& operator=(Request&& other) noexcept {
            std::swap(transfer_, other.transfer_);
            return *this;
        }
        /// Waits: the buffer is in use until then. An error in that cannot be told to anybody.
        ~Request() {
            try {
                wait();
            } catch (...) {  // NOLINT(bugprone-empty-catch)
            }
        }

        bool test() {
            if (transfer_ == nullptr) return true;
            if (!transfer_->complete()) transfer_->all_.progress();
            tell_failure();
            return transfer_->complete();
        }
        void wait() {
            if (transfer_ == nullptr) return;
            transfer_->all_.wait(*transfer_);
            tell_failure();
        }

      private:
        /// Throws the error of this transfer, which may have come up in a wait for another.
        void tell_failure() const {
            if (transfer_->failure_ != nullptr) std::rethrow_exception(transfer_->failure_);
        }

        std::unique_ptr<Transfer> transfer_;
    };

    Transfers() = default;
    // Transfers point here.
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    /// Adds a transfer whose first step is `step`.
    void add(Transfer& transfer, MPI_Request step) {
        transfer.index_ = transfers_.size();
        transfers_.push_back(&transfer);
        requests_.push_back(step);
    }
    /// The same, and moves it on if that is complete already.
    void start(Transfer& transfer, MPI_Request step) {
        add(transfer, step);
        (void)test(transfer.index_);
    }
    /// The same of a transfer whose `next` says the first step, too.
    void start(Transfer& transfer) {
        if (const auto step = transfer.next()) add(transfer, *step);
    }
    /// Gives its next step to a transfer whose `next` had none.
    void resume(const Transfer& transfer, MPI_Request step) { requests_[transfer.index_] = step; }

    /// Moves a transfer on whose present step is known to have ended.
    void step_ended(const Transfer& transfer) {
        const std::size_t index = transfer.index_;
        ended(index, MPI_Wait(&requests_[index], MPI_STATUS_IGNORE), "MPI_Wait");
    }

    /// Moves all transfers on as far as possible without waiting.
    void progress() {
        // One by one: SMPI's MPI_Testany may say that none is left where one is.
        for (std::size_t index = 0; index < requests_.size();) {
            // Where a step has ended stands the next one now, or another transfer.
            if (requests_[index] == MPI_REQUEST_NULL || !test(index)) ++index;
        }
    }
    /// Moves all transfers on until `transfer` is complete.
    void wait(const Transfer& transfer) {
        while (!transfer.complete()) {
            int index = MPI_UNDEFINED;
            const int code = MPI_Waitany(count(), requests_.data(), &index, MPI_STATUS_IGNORE);
            if (index == MPI_UNDEFINED) {
                check_mpi(code, "MPI_Waitany");
                throw std::logic_error("rma: a transfer waits for one that has failed");
            }
            ended(static_cast<std::size_t>(index), code, "MPI_Waitany");
        }
    }

    /// A transfer of one step: a message.
    class Message final : public Transfer {
      public:
        Message(Transfers& all, int peer, MpiRequest message) : Transfer(all, peer) {
            MPI_Request handle = message.release();
            if (handle != MPI_REQUEST_NULL) all.add(*this, handle);
        }

      private:
        std::optional<MPI_Request> next() override { return std::nullopt; }
    };

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    /// Whether the step at `index` has ended. If so, its transfer goes on.
    bool test(std::size_t index) {
        int done = 0;
        const int code = MPI_Test(&requests_[index], &done, MPI_STATUS_IGNORE);
        if (done == 0 && code == MPI_SUCCESS) return false;
        ended(index, code, "MPI_Test");
        return true;
    }
    /// The step at `index` has ended with `code`, which `call` returned.
    void ended(std::size_t index, int code, const char* call) {
        Transfer& transfer = *transfers_[index];
        requests_[index] = MPI_REQUEST_NULL;
        std::optional<MPI_Request> step;
        try {
            check_mpi(code, call, transfer.peer_);
            step = transfer.next();
        } catch (...) {
            transfer.failure_ = std::current_exception();
        }
        if (step) {
            requests_[index] = *step;
        } else {
            remove(transfer);
        }
    }
    void remove(Transfer& transfer) {
        const std::size_t index = std::exchange(transfer.index_, none);
        transfers_[index] = transfers_.back();
        requests_[index] = requests_.back();
        transfers_.pop_back();
        requests_.pop_back();
        if (index < transfers_.size()) transfers_[index]->index_ = index;
    }
    [[nodiscard]] int count() const { return static_cast<int>(requests_.size()); }

    std::vector<Transfer*> transfers_;
    std::vector<MPI_Request> requests_;  ///< the present step of each
};

}  // namespace lapwing
