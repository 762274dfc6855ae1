#ifndef LAPWING_H
#define LAPWING_H

/// Planning from C, and from whatever calls C: profiles, plans and predictions as opaque handles.
/// No function communicates, none throws, none ends the program. What can fail returns a status;
/// `lapwing_error_message` says in one line what was wrong. Different threads may use the same
/// handle at the same time, as long as none of them frees it. Sizes are bytes, times seconds.

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

/// What became of a call.
typedef enum lapwing_status {
    LAPWING_OK = 0,
    LAPWING_INVALID = 1,        ///< an argument, a workload or a profile that makes no sense
    LAPWING_UNREADABLE = 2,     ///< a file that cannot be read, or a document that is no profile
    LAPWING_OUT_OF_MEMORY = 3,  ///< and nothing has changed
    LAPWING_INTERNAL = 4        ///< a mistake of the library's own
} lapwing_status;

/// How the messages of a workload run between ranks.
typedef enum lapwing_pattern {
    LAPWING_STREAM = 0,      ///< one rank sends, the other receives
    LAPWING_MULTI = 1,       ///< one rank receives from several peers, or sends to them
    LAPWING_CONGESTED = 2,   ///< all other ranks produce into one, or fetch from it
    LAPWING_ALLTOALL = 3,    ///< every rank exchanges with every other, message by message
    LAPWING_COLLECTIVE = 4,  ///< the same, tile by tile, by a non-blocking all-to-all
    LAPWING_HALO = 5,        ///< every rank exchanges with a few neighbours
    LAPWING_BUCKETS = 6      ///< every rank produces parts of a vector that all ranks sum
} lapwing_pattern;

/// Which side of a message the computation is on.
typedef enum lapwing_direction {
    LAPWING_FETCH = 0,    ///< receive, then consume
    LAPWING_PRODUCE = 1,  ///< compute, then send
    LAPWING_BOTH = 2      ///< half of it before a message is sent, half on what has arrived
} lapwing_direction;

/// What a piece of the computation needs of what arrives.
typedef enum lapwing_dependence {
    LAPWING_TIGHT = 0,  ///< the piece it works on
    LAPWING_LOOSE = 1   ///< nothing
} lapwing_dependence;

/// Who chooses.
typedef enum lapwing_method {
    LAPWING_OURS = 0,       ///< messages of unequal size
    LAPWING_PAPER = 1,      ///< Iancu and Strohmaier 2007: equations 1 to 11 and a discrete search
    LAPWING_PAPER_SIZE = 2  ///< the same with an overhead o(S) that does not depend on the burst
} lapwing_method;

/// What keeps a plan from being faster.
typedef enum lapwing_bound {
    LAPWING_BOUND_LATENCY = 0,      ///< the first message's way, which nothing hides
    LAPWING_BOUND_OVERHEAD = 1,     ///< the processor, by what it has to do about messages
    LAPWING_BOUND_BANDWIDTH = 2,    ///< the busiest wire
    LAPWING_BOUND_COMPUTATION = 3,  ///< the processor, by what it computes
    LAPWING_BOUND_QUEUE = 4,        ///< too few messages may be in flight
    LAPWING_BOUND_PROGRESS = 5      ///< messages do not advance while nobody calls
} lapwing_bound;

/// In what order the messages of several peers come.
typedef enum lapwing_order {
    LAPWING_CONTIGUOUS = 0,  ///< all of one peer, then all of the next
    LAPWING_INTERLEAVED = 1  ///< one of each peer in turn
} lapwing_order;

/// How strided data is sent.
typedef enum lapwing_packing {
    LAPWING_PACKING_NONE = 0,     ///< it lies side by side
    LAPWING_PACKING_DERIVED = 1,  ///< by a derived type
    LAPWING_PACKING_COPY = 2,     ///< packed by hand, all of a message at once
    LAPWING_PACKING_BLOCKED = 3   ///< packed by hand, block by block
} lapwing_packing;

/// How messages move. Collectives have a transport of their own.
typedef enum lapwing_transport {
    LAPWING_TWO_SIDED = 0,  ///< sent and received
    LAPWING_PUT = 1,        ///< the receiver says where, the sender puts it there
    LAPWING_GET = 2,        ///< the sender says where, the receiver gets it from there
    LAPWING_ANY = 3         ///< whichever is fastest: for the planner to choose
} lapwing_transport;

/// What is to be communicated, and what there is to hide it behind. What is left 0 is usual, but
/// for the volume and the grain, which have to be given.
typedef struct lapwing_workload {
    int64_t volume;      ///< bytes in all that a computing rank receives, or sends if it produces
    double compute;      ///< seconds of computation in all, of each rank that computes
    int64_t grain;       ///< bytes; messages are cut at its multiples
    int pattern;         ///< a lapwing_pattern
    int direction;       ///< a lapwing_direction
    int dependence;      ///< a lapwing_dependence
    int64_t ranks;       ///< that take part; 0: as many as the pattern and the peers need
    int64_t peers;       ///< with how many others a rank exchanges; 0: all of them
    int64_t block;       ///< bytes of data that lie side by side; 0: all of them
    int64_t stride;      ///< bytes from one such block to the next
    bool unbalanced;     ///< ranks of an all-to-all drift apart
    bool sizes_unknown;  ///< sizes have to be exchanged before data
    double uncertainty;  ///< of the computation: 0.2 where it may be a fifth longer, or shorter
    int transport;       ///< a lapwing_transport: the one that the program has, or any
} lapwing_workload;

/// What a plan says, but for the sizes of its messages.
typedef struct lapwing_summary {
    int64_t count;         ///< messages, of a rank with one of its peers
    int64_t volume;        ///< bytes of all of them
    int64_t grain;         ///< bytes; all sizes are its multiples, but for the last
    int64_t tile;          ///< grains in most messages
    int window;            ///< messages in flight, of all peers together
    int burst;             ///< messages initiated back to back; 0: one by one
    double pace;           ///< seconds per byte a sender leaves between messages; 0: none
    double poll_interval;  ///< seconds between polls while computing; 0: no polling
    double predicted;      ///< seconds
    double limit;          ///< seconds no choice of messages can beat
    double blocking;       ///< seconds of all communication, and then all computation, predicted
    double runner_up;      ///< seconds of the next best way; 0 where there is none
    lapwing_bound bound;
    lapwing_order order;
    lapwing_packing packing;
    bool staggered;  ///< rank r begins with peer r + 1; otherwise all with the same
    // For people; they live as long as the plan.
    const char* poll_reason;       ///< why it polls, or does not
    const char* transport;         ///< "two-sided", "put", "get" or "collective"
    const char* transport_reason;  ///< why so
    const char* runner_up_what;    ///< the next best way in words; empty where there is none
} lapwing_summary;

/// One message of a plan. Set it to all 0 to begin; `run` and `left` are the library's.
typedef struct lapwing_message {
    int64_t index;   ///< which, from 0
    int64_t offset;  ///< where it begins, bytes
    int64_t size;    ///< bytes
    int64_t run;
    int64_t left;
} lapwing_message;

/// What a machine measured like.
typedef struct lapwing_profile lapwing_profile;
/// How to run a workload on it.
typedef struct lapwing_plan lapwing_plan;

// NOLINTEND(modernize-use-using)

/// "1.2.3".
LAPWING_API const char* lapwing_version(void);
/// What was wrong with the last call of this thread that failed, in one line; empty before the
/// first. It stays as it is until another one fails.
LAPWING_API const char* lapwing_error_message(void);

// A handle is made by the functions that take a pointer to one, last, and set to NULL where they
// fail. NULL may be freed; as an argument of any other function it is LAPWING_INVALID.

/// Reads the profile file at `path`.
LAPWING_API lapwing_status lapwing_profile_load(const char* path, lapwing_profile** profile);
/// Reads a profile from a JSON document of `length` bytes.
LAPWING_API lapwing_status lapwing_profile_parse(const char* document, size_t length,
                                                 lapwing_profile** profile);
/// A profile of the LogGP parameters alone: latency, overheads of a sender and of a receiver, gap
/// between messages, all in seconds, and `G` in seconds per byte, above 0.
LAPWING_API lapwing_status lapwing_profile_loggp(double L, double o_s, double o_r, double g,
                                                 double G, lapwing_profile** profile);
LAPWING_API lapwing_status lapwing_profile_copy(const lapwing_profile* profile,
                                                lapwing_profile** copy);
LAPWING_API void lapwing_profile_free(lapwing_profile* profile);

/// The plan for a workload; `method` is a lapwing_method. Takes microseconds where the pattern has
/// a closed form.
LAPWING_API lapwing_status lapwing_plan_make(const lapwing_profile* profile,
                                             const lapwing_workload* workload, int method,
                                             lapwing_plan** plan);
LAPWING_API lapwing_status lapwing_plan_copy(const lapwing_plan* plan, lapwing_plan** copy);
LAPWING_API void lapwing_plan_free(lapwing_plan* plan);

/// What the plan says.
LAPWING_API lapwing_status lapwing_plan_summary(const lapwing_plan* plan, lapwing_summary* summary);
/// Goes on to the next message, beginning with the first; false behind the last, and `message` is
/// as at the beginning.
///
///     for (lapwing_message m = {0}; lapwing_plan_next(plan, &m);) send(data + m.offset, m.size);
LAPWING_API bool lapwing_plan_next(const lapwing_plan* plan, lapwing_message* message);
/// Writes the sizes, in bytes, of `count` messages from message `first` on to `sizes`.
LAPWING_API lapwing_status lapwing_plan_sizes(const lapwing_plan* plan, int64_t first,
                                              int64_t count, int64_t* sizes);

/// Seconds that `operation` ("send", or a collective: "bcast", "alltoall" ...) is predicted to
/// take, with `algorithm`, NULL for the fastest, on `ranks` ranks, for `size` bytes as `lapwing
/// predict` counts them.
LAPWING_API lapwing_status lapwing_predict(const lapwing_profile* profile, const char* operation,
                                           const char* algorithm, int64_t ranks, int64_t size,
                                           double* seconds);

#ifdef __cplusplus
}
#endif

#endif
