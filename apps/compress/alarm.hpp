#pragma once

namespace lapwing::compress {

/// Lets messages advance while `work()` computes in a library that calls nobody back, as libbz2
/// does when it sorts a block: an alarm interrupts it, and `lapwing::poll()` is called from there.
///
/// That is allowed in a handler because of what it interrupts, and only there: `work()` must
/// neither use MPI nor allocate memory nor touch anything else that `poll()` might. What fails in
/// `poll()` is thrown once `work()` has returned. Does nothing but the work where there is nothing
/// to poll.
void poll_meanwhile(void (*work)(void*), void* object);

/// The same for anything that can be called.
template <class Work>
void poll_meanwhile(Work&& work) {
    poll_meanwhile([](void* object) { (*static_cast<Work*>(object))(); }, &work);
}

}  // namespace lapwing::compress
