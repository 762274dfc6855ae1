#pragma once

/// Distributed Fourier transforms. Link `lapwing::fft`, the only part of the library that needs
/// FFTW.
///
/// Each schedule is a driver, a template on the channel that sends. A transform runs the driver on
/// a channel over MPI. A forecast runs the same driver on a channel that records. So the two cannot
/// diverge.

#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/real_transform.hpp"
#include "lapwing/fft/transform.hpp"
#include "lapwing/fft/wisdom.hpp"
