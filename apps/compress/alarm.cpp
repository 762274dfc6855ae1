#include "alarm.hpp"

#include <csignal>
#include <ctime>
#include <exception>
#include <utility>

#include "lapwing/compute/charge.hpp"
#include "lapwing/pipeline/window/poll.hpp"

#ifdef LAPWING_SMPI

namespace lapwing::compress {

// A timer of real time means nothing in simulated time.
void poll_meanwhile(void (*work)(void*), void* object) { work(object); }

}  // namespace lapwing::compress

#else

#include <unistd.h>

#include <cerrno>

namespace lapwing::compress {
namespace {

constexpr long interval = 1'000'000;  // nanoseconds; `poll()` itself knows when it is due

volatile std::sig_atomic_t working = 0;
std::exception_ptr failed;

void rung(int) {
    const int kept = errno;
    if (working != 0 && !failed) {
        try {
            poll();
        } catch (...) {
            failed = std::current_exception();
        }
    }
    errno = kept;
}

/// A timer that sends a signal to the thread that made it. Off until it is set.
class Alarm {
  public:
    Alarm() {
        struct sigaction action {};
        action.sa_handler = rung;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        sigevent event{};
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGRTMAX - 1;
        event._sigev_un._tid = ::gettid();
        made_ = ::sigaction(event.sigev_signo, &action, nullptr) == 0 &&
                ::timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
    }
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;
    ~Alarm() {
        if (made_) ::timer_delete(timer_);
    }
    /// Sends the signal every so many nanoseconds; 0: never.
    void set(long nanoseconds) {
        itimerspec when{};
        when.it_value.tv_nsec = when.it_interval.tv_nsec = nanoseconds;
        if (made_) ::timer_settime(timer_, 0, &when, nullptr);
    }

  private:
    bool made_ = false;
    timer_t timer_{};
};

}  // namespace

void poll_meanwhile(void (*work)(void*), void* object) {
    static Alarm alarm;
    working = 1;
    alarm.set(interval);
    work(object);
    working = 0;
    alarm.set(0);
    if (failed) std::rethrow_exception(std::exchange(failed, nullptr));
}

}  // namespace lapwing::compress

#endif
