#pragma once

#include <poll.h>
#include <ucp/api/ucp.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#include "lapwing/transport/ucx/ucx_error.hpp"

namespace lapwing {

/// Lets a worker progress while its rank computes, waits in MPI, or has left the transport.
///
/// Over TCP and wherever else UCX moves data by software, puts, gets and flushes need the target to
/// call UCX. Without this thread, a rank would wait for a flush that its peer, in a barrier of MPI,
/// never answers. No protocol between the ranks can help, as the last message of any protocol needs
/// an answer, too. Nor can waits that call UCX, as a user's computation and MPI calls do not.
///
/// The thread sleeps until UCX has something to do. Over shared memory and RDMA hardware, where the
/// target takes no part in a put or a get, it is not woken. It leaves the worker to a rank that
/// calls UCX itself, and looks again after `interval`. If it came between at each event, every
/// message would cost a switch of threads.
class UcxProgressThread {
  public:
    using Lock = std::unique_lock<std::recursive_mutex>;

    /// The worker has to outlive it. Throws `UcxError` where UCX cannot wake a thread.
    explicit UcxProgressThread(ucp_worker_h worker)
        : worker_(worker), events_(events_of(worker)), thread_([this] { run(); }) {}
    UcxProgressThread(const UcxProgressThread&) = delete;
    UcxProgressThread& operator=(const UcxProgressThread&) = delete;
    ~UcxProgressThread() {
        stopped_ = true;
        {
            const Lock calls = lock();
            (void)ucp_worker_signal(worker_);
        }
        thread_.join();
    }

    /// The rank holds it in each call of UCX, and where it reads data that others write by UCX.
    /// Only under the lock is it sure that a flag has come after its data. It keeps the thread away
    /// for a while.
    [[nodiscard]] Lock lock() {
        calls_.fetch_add(1, std::memory_order_relaxed);
        return Lock(mutex_);
    }

  private:
    static int events_of(ucp_worker_h worker) {
        int events = -1;
        check_ucx(ucp_worker_get_efd(worker, &events), "ucp_worker_get_efd");
        return events;
    }

    void run() {
        std::uint64_t seen = 0;
        while (!stopped_) {
            sleep_until_event();
            const std::uint64_t calls = std::exchange(seen, calls_.load(std::memory_order_relaxed));
            if (calls != seen) {
                std::this_thread::sleep_for(interval);
                continue;
            }
            const Lock locked(mutex_);
            while (calls_.load(std::memory_order_relaxed) == seen &&
                   ucp_worker_progress(worker_) != 0) {
            }
        }
    }
    void sleep_until_event() {
        {
            const Lock locked(mutex_);
            if (ucp_worker_arm(worker_) != UCS_OK) return;  // there is one already
        }
        pollfd event{events_, POLLIN, 0};
        (void)poll(&event, 1, -1);
    }

    static constexpr std::chrono::microseconds interval{100};

    ucp_worker_h worker_;
    int events_;
    std::recursive_mutex mutex_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::uint64_t> calls_{0};  ///< of UCX by the rank
    std::thread thread_;
};

}  // namespace lapwing
