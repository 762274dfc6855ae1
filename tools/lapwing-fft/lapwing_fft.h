#pragma once

#include <stddef.h>

// Transforms for other languages: the interface of lapwing/fft/*.hpp in C, with names instead of
// enumerators and status codes instead of exceptions. Python's lapwing.fft uses it.

#ifdef __cplusplus
extern "C" {
#endif

/// What to transform, and how. Names are those of lapwing/fft/names.hpp. A null name stands for the
/// default of `Options`, for `transport` the usual one of the schedule.
struct lapwing_fft_request {
    size_t size[3];
    int real;              ///< 1: transform real numbers
    int single_precision;  ///< 1: float, 0: double
    const char* schedule;
    const char* transport;
    const char* order;
    const char* effort;
    const char* decomposition;
    int window;
    int grid[2];
    size_t tile;
    size_t strips;
    double poll_interval;  ///< seconds
    size_t batch;          ///< arrays, `lapwing_fft_bytes` bytes from one to the next
    const char* packing;
    size_t block;
    size_t padding;
};

/// The part of an array that a rank has; see `Box`.
struct lapwing_fft_box {
    size_t first[3];
    size_t count[3];
    size_t order[3];
};

/// The message of the last call that failed, one line.
const char* lapwing_fft_error(void);
/// Plans a transform over the communicator at the address `ranks`. Returns null if that failed.
void* lapwing_fft_plan(const void* ranks, const struct lapwing_fft_request* request);
void lapwing_fft_free(void* plan);
/// Bytes that each array of one transform must have room for, and the parts of the array and of its
/// spectrum that this rank has.
size_t lapwing_fft_bytes(const void* plan);
struct lapwing_fft_box lapwing_fft_space(const void* plan);
struct lapwing_fft_box lapwing_fft_spectrum(const void* plan);
/// Return 0, or 1 if they failed.
int lapwing_fft_forward(void* plan, const void* in, void* out);
int lapwing_fft_inverse(void* plan, const void* in, void* out);
int lapwing_fft_save_wisdom(const char* path);
int lapwing_fft_load_wisdom(const char* path);

#ifdef __cplusplus
}
#endif
