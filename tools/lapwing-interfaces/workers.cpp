#include "workers.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Semaphore.hpp>

#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lapwing::interfaces {

namespace {

/// An actor that waits for work. SMPI keeps what it knows of an actor for ever, so that they are
/// used again and again.
struct Worker {
    std::function<void()> work;
    simgrid::s4u::SemaphorePtr given = simgrid::s4u::Semaphore::create(0);
};

std::vector<Worker*> idle;
std::unordered_set<aid_t> workers;  ///< by the number of their actor

void serve(Worker& worker) {
    workers.insert(simgrid::s4u::this_actor::get_pid());
    // SMPI knows actors that were no daemons when they were made. As daemons they end with the
    // ranks.
    simgrid::s4u::Actor::self()->daemonize();
    while (true) {
        worker.given->acquire();
        std::exchange(worker.work, {})();
        idle.push_back(&worker);
    }
}

}  // namespace

void run_beside(std::function<void()> work) {
    static std::vector<std::unique_ptr<Worker>> all;
    Worker* worker = nullptr;
    // Whatever SimGrid is asked for, other actors may go on meanwhile.
    if (idle.empty()) {
        worker = all.emplace_back(std::make_unique<Worker>()).get();
        simgrid::s4u::Actor::create("interface", simgrid::s4u::this_actor::get_host(),
                                    [worker] { serve(*worker); });
    } else {
        worker = idle.back();
        idle.pop_back();
    }
    worker->work = std::move(work);
    worker->given->release();
}

void wait_beside(double seconds) {
    if (seconds <= 0) return;
    const auto over = simgrid::s4u::Semaphore::create(0);
    simgrid::kernel::timer::Timer::set(simgrid::s4u::Engine::get_clock() + seconds,
                                       [over] { over->release(); });
    over->acquire();
}

bool is_worker() { return workers.count(simgrid::s4u::this_actor::get_pid()) != 0; }

}  // namespace lapwing::interfaces
