#pragma once

namespace lapwing::compress {

/// Runs `work(object)`, and lets messages advance meanwhile: for work in a library without
/// callbacks, such as libbz2's sorting of a block. A timer signal interrupts the work, and its
/// handler calls `lapwing::poll()`.
///
/// The handler may call it because of what it interrupts: `work` must not use MPI, allocate memory,
/// or touch anything else that `poll()` may touch. An exception of `poll()` is thrown when `work`
/// has returned.
void poll_meanwhile(void (*work)(void*), void* object);

/// The same for any callable.
template <class Work>
void poll_meanwhile(Work&& work) {
    poll_meanwhile([](void* object) { (*static_cast<Work*>(object))(); }, &work);
}

}  // namespace lapwing::compress
