#pragma once

#include <ucp/api/ucp.h>

#include <utility>

#include "lapwing/transport/ucx/ucx_error.hpp"
#include "lapwing/transport/ucx/worker.hpp"

namespace lapwing {

/// Owns what a non-blocking UCX call returns: nothing where it was complete at once, or a request.
/// Complete, a put has left its memory, a get has arrived, a flush has completed both everywhere.
class UcxRequest {
  public:
    UcxRequest() = default;
    /// `call`: the name of the call that returned `result`. Throws `UcxError` where it failed.
    UcxRequest(UcxWorker& worker, void* result, const char* call, int peer)
        : worker_(&worker), call_(call), peer_(peer) {
        if (UCS_PTR_IS_ERR(result)) check_ucx(UCS_PTR_STATUS(result), call, peer);
        handle_ = result;
    }
    UcxRequest(UcxRequest&& other) noexcept
        : worker_(other.worker_),
          handle_(std::exchange(other.handle_, nullptr)),
          call_(other.call_),
          peer_(other.peer_) {}
    UcxRequest& operator=(UcxRequest&& other) noexcept {
        std::swap(worker_, other.worker_);
        std::swap(handle_, other.handle_);
        std::swap(call_, other.call_);
        std::swap(peer_, other.peer_);
        return *this;
    }
    UcxRequest(const UcxRequest&) = delete;
    UcxRequest& operator=(const UcxRequest&) = delete;
    /// Waits: the memory is in use until then. An error in that cannot be told to anybody.
    ~UcxRequest() {
        try {
            wait();
        } catch (...) {  // NOLINT(bugprone-empty-catch)
        }
    }

    /// Whether it is complete, without progress.
    [[nodiscard]] bool complete() {
        if (handle_ == nullptr) return true;
        const auto calls = worker_->lock();
        const ucs_status_t status = ucp_request_check_status(handle_);
        if (status == UCS_INPROGRESS) return false;
        ucp_request_free(std::exchange(handle_, nullptr));
        check_ucx(status, call_, peer_);
        return true;
    }
    bool test() {
        if (complete()) return true;
        worker_->progress();
        return complete();
    }
    void wait() {
        if (handle_ != nullptr) worker_->progress_until([this] { return complete(); });
    }

  private:
    UcxWorker* worker_ = nullptr;
    void* handle_ = nullptr;
    const char* call_ = "";
    int peer_ = -1;
};

}  // namespace lapwing
