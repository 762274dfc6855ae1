#ifndef LAPWING_H
#define LAPWING_H

/// Planning from C, and from languages that call C: profiles, plans and predictions as opaque
/// handles. No function communicates, throws or ends the program. A function that can fail returns
/// a status; `lapwing_error_message` then says in one line what was wrong. Threads may use the same
/// handle at the same time, as long as none of them frees it. Sizes are in bytes, times in seconds.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define LAPWING_API __attribute__((visibility("default")))
#else
#define LAPWING_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(modernize-use-using): this is C.

/// The result of a call.
typedef enum lapwing_status {
    LAPWING_OK = 0,
    LAPWING_INVALID = 1,        ///< an argument, a workload or a profile is invalid
    LAPWING_UNREADABLE = 2,     ///< a file cannot be read, or is no profile
    LAPWING_OUT_OF_MEMORY = 3,  ///< nothing has changed
    LAPWING_INTERNAL = 4        ///< a bug in the library
} lapwing_status;

/// The communication pattern of a workload.
typedef enum lapwing_pattern {
    LAPWING_STREAM = 0,      ///< one rank sends, the other receives
    LAPWING_MULTI = 1,       ///< one rank receives from several peers, or sends to them
    LAPWING_CONGESTED = 2,   ///< all other ranks send to one, or receive from it
    LAPWING_ALLTOALL = 3,    ///< every rank exchanges with every other, message by message
    LAPWING_COLLECTIVE = 4,  ///< the same by non-blocking all-to-alls, one a tile
    LAPWING_HALO = 5,        ///< every rank exchanges with a few neighbours
    LAPWING_BUCKETS = 6      ///< all ranks compute and sum a vector, part by part
} lapwing_pattern;

/// Whether the computation comes after a message or before it.
typedef enum lapwing_direction {
    LAPWING_FETCH = 0,    ///< receive, then consume
    LAPWING_PRODUCE = 1,  ///< compute, then send
    LAPWING_BOTH = 2      ///< half of it before sending, half after receiving
} lapwing_direction;

/// What a piece of the computation depends on.
typedef enum lapwing_dependence {
    LAPWING_TIGHT = 0,  ///< the message that it works on
    LAPWING_LOOSE = 1   ///< no message
} lapwing_dependence;

/// The planner.
typedef enum lapwing_method {
    LAPWING_OURS = 0,        ///< Lapwing's: messages of unequal size
    LAPWING_PAPER = 1,       ///< Iancu and Strohmaier 2007: equations 1 to 11 and a discrete search
    LAPWING_PAPER_SIZE = 2,  ///< the same with an overhead o(S) for all bursts
    LAPWING_PAPER_COMMUNICATION = 3,  ///< as if communication took longer
    LAPWING_PAPER_COMPUTATION = 4,    ///< as if computation took longer
    LAPWING_PAPER_BURSTS = 5          ///< an all-to-all's equations minimised over the burst, too
} lapwing_method;

/// What keeps a plan from being faster.
typedef enum lapwing_bound {
    LAPWING_BOUND_LATENCY = 0,      ///< the latency of the first message, which nothing hides
    LAPWING_BOUND_OVERHEAD = 1,     ///< the processor's overhead for messages
    LAPWING_BOUND_BANDWIDTH = 2,    ///< the busiest wire
    LAPWING_BOUND_COMPUTATION = 3,  ///< the processor's computation
    LAPWING_BOUND_QUEUE = 4,        ///< too few messages may be in flight
    LAPWING_BOUND_PROGRESS = 5      ///< messages do not advance without calls
} lapwing_bound;

/// The order of the messages of several peers.
typedef enum lapwing_order {
    LAPWING_CONTIGUOUS = 0,  ///< all of one peer, then all of the next
    LAPWING_INTERLEAVED = 1  ///< one of each peer in turn
} lapwing_order;

/// How strided data is sent.
typedef enum lapwing_packing {
    LAPWING_PACKING_NONE = 0,     ///< the data is contiguous
    LAPWING_PACKING_DERIVED = 1,  ///< by a derived type
    LAPWING_PACKING_COPY = 2,     ///< packed by hand, a whole message at once
    LAPWING_PACKING_BLOCKED = 3   ///< packed by hand, block by block
} lapwing_packing;

/// How messages move, except in collectives.
typedef enum lapwing_transport {
    LAPWING_TWO_SIDED = 0,   ///< by send and receive
    LAPWING_PUT = 1,         ///< the sender puts into the receiver's memory
    LAPWING_GET = 2,         ///< the receiver gets from the sender's memory
    LAPWING_ANY = 3,         ///< the planner chooses the fastest of those above
    LAPWING_UCX_PUT = 4,     ///< as LAPWING_PUT, by UCX
    LAPWING_UCX_GET = 5,     ///< as LAPWING_GET, by UCX
    LAPWING_SHMEM = 6,       ///< as LAPWING_PUT, by OpenSHMEM
    LAPWING_PARTITIONED = 7  ///< as partitions of one message, one way alone
} lapwing_transport;

/// A workload: the data to communicate, and the computation that is to hide it. Members that are 0
/// have usual values, except for the volume and the grain, which are required.
typedef struct lapwing_workload {
    int64_t volume;      ///< bytes each computing rank receives (sends, if it produces)
    double compute;      ///< seconds of computation of each computing rank
    int64_t grain;       ///< bytes; messages end at its multiples
    int pattern;         ///< a lapwing_pattern
    int direction;       ///< a lapwing_direction
    int dependence;      ///< a lapwing_dependence
    int64_t ranks;       ///< number of ranks; 0: as many as pattern and peers need
    int64_t peers;       ///< other ranks that a rank exchanges with; 0: all of them
    int64_t block;       ///< bytes of contiguous data; 0: all of it
    int64_t stride;      ///< bytes from one block to the next
    bool unbalanced;     ///< the ranks of an all-to-all get out of step
    bool sizes_unknown;  ///< sizes have to be exchanged before data
    double uncertainty;  ///< of the computation: 0.2 if it may be a fifth longer or shorter
    int transport;       ///< a lapwing_transport: that of the program, or any
} lapwing_workload;

/// A plan without the sizes of its messages.
typedef struct lapwing_summary {
    int64_t count;         ///< messages of a rank with one of its peers
    int64_t volume;        ///< bytes of all of these
    int64_t grain;         ///< bytes; all sizes but the last are its multiples
    int64_t tile;          ///< grains in most messages
    int window;            ///< messages in flight, of all peers together
    int burst;             ///< messages initiated back to back; 0: one by one
    double pace;           ///< seconds per byte a sender leaves between messages; 0: none
    double poll_interval;  ///< seconds between polls while computing; 0: no polling
    double predicted;      ///< seconds
    double limit;          ///< seconds that no choice of messages can beat
    double blocking;       ///< predicted seconds of all communication, then all computation
    double runner_up;      ///< predicted seconds of the next best way; 0 if there is none
    lapwing_bound bound;
    lapwing_order order;
    lapwing_packing packing;
    bool staggered;  ///< rank r begins with peer r + 1; otherwise all with the same
    // For people; they live as long as the plan.
    const char* poll_reason;       ///< why the plan polls, or does not
    const char* transport;         ///< "two-sided", "put", "get", "ucx-put", … or "collective"
    const char* transport_reason;  ///< why this transport
    const char* runner_up_what;    ///< the next best way in words; empty if there is none
} lapwing_summary;

/// One message of a plan. Set all members to 0 to begin. `run` and `left` belong to the library.
typedef struct lapwing_message {
    int64_t index;   ///< number of the message, from 0
    int64_t offset;  ///< bytes before it
    int64_t size;    ///< bytes
    int64_t run;
    int64_t left;
} lapwing_message;

/// The measured costs of a machine.
typedef struct lapwing_profile lapwing_profile;
/// A plan for a workload on a machine.
typedef struct lapwing_plan lapwing_plan;

// NOLINTEND(modernize-use-using)

/// The version, say "1.2.3".
LAPWING_API const char* lapwing_version(void);
/// One line about the last call of this thread that failed; empty if none has. It stays until
/// another call fails.
LAPWING_API const char* lapwing_error_message(void);

// Functions whose last parameter is a pointer to a handle make a handle, and set it to NULL if they
// fail. NULL may be freed; as an argument of any other function it is LAPWING_INVALID.

/// Reads the profile file at `path`.
LAPWING_API lapwing_status lapwing_profile_load(const char* path, lapwing_profile** profile);
/// Reads a profile from a JSON document of `length` bytes.
LAPWING_API lapwing_status lapwing_profile_parse(const char* document, size_t length,
                                                 lapwing_profile** profile);
/// Makes a profile from LogGP parameters alone: latency, overheads of sender and receiver, gap
/// between messages, all in seconds, and `G` in seconds per byte, above 0.
LAPWING_API lapwing_status lapwing_profile_loggp(double L, double o_s, double o_r, double g,
                                                 double G, lapwing_profile** profile);
LAPWING_API lapwing_status lapwing_profile_copy(const lapwing_profile* profile,
                                                lapwing_profile** copy);
LAPWING_API void lapwing_profile_free(lapwing_profile* profile);

/// Makes the plan for a workload; `method` is a lapwing_method. Takes microseconds for patterns
/// that have a closed form.
LAPWING_API lapwing_status lapwing_plan_make(const lapwing_profile* profile,
                                             const lapwing_workload* workload, int method,
                                             lapwing_plan** plan);
LAPWING_API lapwing_status lapwing_plan_copy(const lapwing_plan* plan, lapwing_plan** copy);
LAPWING_API void lapwing_plan_free(lapwing_plan* plan);

/// Fills `summary` from the plan.
LAPWING_API lapwing_status lapwing_plan_summary(const lapwing_plan* plan, lapwing_summary* summary);
/// Moves `message` to the next message, beginning with the first. After the last it returns false
/// and sets `message` to all 0.
///
///     for (lapwing_message m = {0}; lapwing_plan_next(plan, &m);) send(data + m.offset, m.size);
LAPWING_API bool lapwing_plan_next(const lapwing_plan* plan, lapwing_message* message);
/// Writes the sizes in bytes of `count` messages, from message `first` on, to `sizes`.
LAPWING_API lapwing_status lapwing_plan_sizes(const lapwing_plan* plan, int64_t first,
                                              int64_t count, int64_t* sizes);

/// Predicts the seconds of `operation` ("send", or a collective: "bcast", "alltoall" ...) on
/// `ranks` ranks, with `algorithm` (NULL: the fastest), for `size` bytes as `lapwing predict`
/// counts them.
LAPWING_API lapwing_status lapwing_predict(const lapwing_profile* profile, const char* operation,
                                           const char* algorithm, int64_t ranks, int64_t size,
                                           double* seconds);

#ifdef __cplusplus
}
#endif

#endif
