#pragma once

#include <cstdlib>
#include <exception>
#include <string>

namespace lapwing {

/// What becomes of an exception that leaves a pipeline, a stream or another template.
enum class OnFailure {
    end_job,  ///< the rank prints what and where, and takes the other ranks down: they may wait for
              ///< it
    rethrow,  ///< it goes on to the caller, who has to see to it that no rank waits for ever
};

namespace failure {

/// Prints a message and ends the job. Returns only where there is no job to end.
using EndJob = void (*)(const char* what);

/// How this process ends its job: set by what knows MPI or OpenSHMEM. Null: exceptions are
/// rethrown.
inline EndJob end_job = nullptr;
inline OnFailure chosen = OnFailure::end_job;

/// Whether exceptions end the job.
inline bool ends_job() { return end_job != nullptr && chosen == OnFailure::end_job; }

/// What the exception that is being handled says.
inline std::string describe() {
    try {
        throw;
    } catch (const std::exception& exception) {
        return exception.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

/// Prints the current exception and ends the job, if the program has chosen that. Call it before
/// waiting for anything. `where`: the place in the program.
inline void report(const std::string& where) {
    if (ends_job()) end_job((where + ": " + describe()).c_str());
}

/// The same while the stack unwinds, when nobody can ask which exception it is.
inline void report_unwinding(const std::string& where) {
    if (ends_job()) end_job((where + ": an exception left the loop").c_str());
}

/// The process's terminate handler before `end_job_when_terminated`.
inline std::terminate_handler previous_handler = nullptr;

/// A terminate handler: the process ends by an exception that nobody catches. Ends the job, too,
/// whatever was chosen, since nobody else can say which rank it was.
[[noreturn]] inline void terminate() {
    if (end_job != nullptr)
        end_job(std::current_exception() ? ("uncaught: " + describe()).c_str()
                                         : "std::terminate was called");
    if (previous_handler != nullptr) previous_handler();
    std::abort();
}

/// From now on this process ends its job if it is terminated.
inline void end_job_when_terminated() {
    if (std::get_terminate() != terminate) previous_handler = std::set_terminate(terminate);
}

}  // namespace failure

/// Chooses the fate of exceptions that leave a template, in this process from now on.
inline void on_failure(OnFailure choice) { failure::chosen = choice; }

}  // namespace lapwing
