#pragma once

#include <fftw3.h>

#include <complex>

#include "lapwing/fft/lines/effort.hpp"

// Included by sources of lapwing_fft only, so that users of the library need no header of FFTW.
namespace lapwing::fft {

/// The functions and types of FFTW for one precision.
template <class Real>
struct Fftw;

template <>
struct Fftw<double> {
    using Plan = fftw_plan;
    using Dimension = fftw_iodim64;
    static constexpr auto* plan = fftw_plan_guru64_dft;
    static constexpr auto* plan_forward = fftw_plan_dft_r2c_1d;
    static constexpr auto* plan_inverse = fftw_plan_dft_c2r_1d;
    static constexpr auto* execute = fftw_execute_dft;
    static constexpr auto* execute_plan = fftw_execute;
    static constexpr auto* destroy = fftw_destroy_plan;
    static constexpr auto* exported = fftw_export_wisdom_to_string;
    static constexpr auto* import = fftw_import_wisdom_from_string;
    static fftw_complex* data(std::complex<double>* numbers) {
        return reinterpret_cast<fftw_complex*>(numbers);
    }
};

template <>
struct Fftw<float> {
    using Plan = fftwf_plan;
    using Dimension = fftwf_iodim64;
    static constexpr auto* plan = fftwf_plan_guru64_dft;
    static constexpr auto* plan_forward = fftwf_plan_dft_r2c_1d;
    static constexpr auto* plan_inverse = fftwf_plan_dft_c2r_1d;
    static constexpr auto* execute = fftwf_execute_dft;
    static constexpr auto* execute_plan = fftwf_execute;
    static constexpr auto* destroy = fftwf_destroy_plan;
    static constexpr auto* exported = fftwf_export_wisdom_to_string;
    static constexpr auto* import = fftwf_import_wisdom_from_string;
    static fftwf_complex* data(std::complex<float>* numbers) {
        return reinterpret_cast<fftwf_complex*>(numbers);
    }
};

inline unsigned flags_of(Effort effort) {
    switch (effort) {
        case Effort::estimate:
            return FFTW_ESTIMATE;
        case Effort::measure:
            return FFTW_MEASURE;
        case Effort::patient:
            return FFTW_PATIENT;
    }
    return FFTW_ESTIMATE;
}

}  // namespace lapwing::fft
