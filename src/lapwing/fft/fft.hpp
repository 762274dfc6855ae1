#pragma once

/// Distributed Fourier transforms. Link `lapwing::fft`, the one part of the library that needs
/// FFTW.

#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/real_transform.hpp"
#include "lapwing/fft/transform.hpp"
#include "lapwing/fft/wisdom.hpp"
