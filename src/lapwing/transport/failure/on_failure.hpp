#pragma once

#include <exception>
#include <string>

namespace lapwing {

/// What becomes of an exception that leaves a pipeline, a stream or a feed.
enum class OnFailure {
    end_job,  ///< the rank says what and where and takes the other ranks down: they may wait for it
    rethrow,  ///< it goes on to the caller, who sees to it that nobody waits for ever
};

namespace failure {

/// Prints what a rank has to say and ends the job; returns only where there is none to end.
using EndJob = void (*)(const char* what);

/// Installed by what knows MPI or OpenSHMEM. Nothing: exceptions are rethrown.
inline EndJob end_job = nullptr;
inline OnFailure chosen = OnFailure::end_job;

/// Whether exceptions end the job.
inline bool ends_job() { return end_job != nullptr && chosen == OnFailure::end_job; }

/// Says what exception is being handled. To be called before anything is waited for. `where`: the
/// place in the program.
inline void report(const std::string& where) {
    if (!ends_job()) return;
    try {
        throw;
    } catch (const std::exception& exception) {
        end_job((where + ": " + exception.what()).c_str());
    } catch (...) {
        end_job((where + ": an exception that is no std::exception").c_str());
    }
}

/// The same while the stack unwinds, when nobody can ask which exception is on its way up.
inline void report_unwinding(const std::string& where) {
    if (ends_job()) end_job((where + ": an exception left the loop").c_str());
}

}  // namespace failure

/// Chooses for this process, from now on.
inline void on_failure(OnFailure choice) { failure::chosen = choice; }

}  // namespace lapwing
