#pragma once

#include <stddef.h>

// Transforms as seen from other languages: what lapwing/fft/*.hpp says, with numbers for words and
// no exceptions. Python's lapwing.fft is written on top of it.

#ifdef __cplusplus
extern "C" {
#endif

/// How to transform what. Words are those of lapwing/fft/names.hpp. There may be none, and then it
/// is what `Options` has by default; of transports, the usual one of the schedule.
struct lapwing_fft_request {
    size_t size[3];
    int real;              ///< 1: of an array of real numbers
    int single_precision;  ///< 1: floats
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
    size_t batch;          ///< arrays, each `lapwing_fft_bytes` behind the one before
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

/// Why the last call failed, in one line.
const char* lapwing_fft_error(void);
/// A transform over the communicator of which `ranks` is the address; null if it failed.
void* lapwing_fft_plan(const void* ranks, const struct lapwing_fft_request* request);
void lapwing_fft_free(void* plan);
/// Bytes that each array written to must have room for, and the parts that this rank has of the
/// array and of its spectrum.
size_t lapwing_fft_bytes(const void* plan);
struct lapwing_fft_box lapwing_fft_space(const void* plan);
struct lapwing_fft_box lapwing_fft_spectrum(const void* plan);
/// 0, or 1 if it failed.
int lapwing_fft_forward(void* plan, const void* in, void* out);
int lapwing_fft_inverse(void* plan, const void* in, void* out);
int lapwing_fft_save_wisdom(const char* path);
int lapwing_fft_load_wisdom(const char* path);

#ifdef __cplusplus
}
#endif
