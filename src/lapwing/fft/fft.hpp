#pragma once

/// Distributed Fourier transforms. Link `lapwing::fft`, the only part of the library that needs
/// FFTW.
///
/// Schedules are drivers that are templates on the channel over which they send: a transform runs
/// them on channels over MPI, a forecast runs the same drivers on channels that record, so that a
/// forecast cannot drift from the code that it predicts.

#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/real_transform.hpp"
#include "lapwing/fft/transform.hpp"
#include "lapwing/fft/wisdom.hpp"
