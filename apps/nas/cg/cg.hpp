#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "../common/options.hpp"
#include "../common/result.hpp"
#include "../common/zeroed_array.hpp"
#include "kernels.hpp"
#include "lapwing/transport/transport.hpp"
#include "problem.hpp"
#include "product.hpp"
#include "rank_grid.hpp"
#include "settings.hpp"
#include "sums.hpp"

namespace lapwing::nas::cg {

/// One rank's part in CG. Every vector is distributed over all ranks.
template <Transport T, class Computation>
class Program {
  public:
    /// `transport` and `computation` outlive it.
    Program(T& transport, Computation& computation, const Problem& problem, const Options& options)
        : computation_(computation),
          problem_(problem),
          textbook_(options.settings[setting::sums] == 2),
          product_(transport, computation, problem,
                   RankGrid(problem, transport.rank(), transport.size()), options),
          sums_(transport, computation, options),
          size_(product_.operand().size()),
          x_(size_),
          z_(size_),
          r_(size_),
          p_(size_),
          s_(size_),
          t_(size_) {}

    void reset() {
        for (double& x : x_.span()) x = 1;
        residual_ = 0;
    }
    static void begin() {}
    /// Solves A z = x. Then zeta is the shift plus 1 / (x, z), and the next x is z / |z|. The norm
    /// of the residual x - A z is summed in the next iteration, or in the end.
    void iterate(int /*iteration*/) {
        if (textbook_) {
            solve();
        } else {
            solve_pipelined();
        }
        double xz = 0;
        double zz = 0;
        loop(3, [&](std::size_t i) {
            xz += x_[i] * z_[i];
            zz += z_[i] * z_[i];
            product_.operand()[i] = z_[i];
        });
        sums_.start({xz, zz, residual_});
        const auto az = product();
        const auto total = sums_.wait();
        zeta_ = problem_.shift + 1 / total[0];
        const double factor = 1 / std::sqrt(total[1]);
        residual_norm_ = std::sqrt(total[2]);
        residual_ = 0;
        loop(4, [&](std::size_t i) {
            const double difference = x_[i] - az[i];
            residual_ += difference * difference;
            x_[i] = factor * z_[i];
        });
    }
    void end() {
        sums_.start({residual_});
        residual_norm_ = std::sqrt(sums_.wait()[0]);
    }
    [[nodiscard]] Verification verify() const {
        const double error = std::abs(zeta_ - problem_.zeta) / problem_.zeta;
        return {error <= Problem::tolerance, zeta_, problem_.zeta};
    }
    /// The norm of x - A z at the end of the run.
    [[nodiscard]] double residual_norm() const { return residual_norm_; }

  private:
    /// A loop over this rank's slices. `numbers`: how many an element reads and writes.
    template <class Body>
    void loop(std::size_t numbers, Body&& body) {
        computation_.run(kernel::vectors, numbers * size_, [&] {
            for (std::size_t i = 0; i < size_; ++i) body(i);
        });
    }
    /// The matrix times the operand, while a sum is under way or not.
    std::span<const double> product() {
        return product_([&](double share) { sums_.progress(share); });
    }

    /// Conjugate gradients as in the textbook, with the operand for p.
    void solve() {
        const std::span<double> p = product_.operand();
        double rr = 0;
        loop(4, [&](std::size_t i) {
            r_[i] = p[i] = x_[i];
            z_[i] = 0;
            rr += r_[i] * r_[i];
        });
        sums_.start({rr});
        for (int step = 1;; ++step) {
            const auto q = product();
            const double rho = sums_.wait()[0];  // of the step before, or of the start
            double pq = 0;
            loop(2, [&](std::size_t i) { pq += p[i] * q[i]; });
            sums_.start({pq});
            const double alpha = rho / sums_.wait()[0];
            if (step == Problem::steps) {
                loop(3, [&](std::size_t i) { z_[i] += alpha * p[i]; });
                return;
            }
            rr = 0;
            loop(3, [&](std::size_t i) {
                r_[i] -= alpha * q[i];
                rr += r_[i] * r_[i];
            });
            sums_.start({rr});
            loop(3, [&](std::size_t i) { z_[i] += alpha * p[i]; });
            const double beta = sums_.wait()[0] / rho;
            loop(3, [&](std::size_t i) { p[i] = r_[i] + beta * p[i]; });
        }
    }
    /// Pipelined conjugate gradients (Ghysels and Vanroose, "Hiding global synchronization latency
    /// in the preconditioned Conjugate Gradient algorithm", Parallel Computing 40, 2014): one sum a
    /// step, while the product is computed. The paper's letters, but for its x, which is z here,
    /// and its z, which is t. The operand is w.
    void solve_pipelined() {
        const std::span<double> w = product_.operand();
        double rr = 0;
        loop(6, [&](std::size_t i) {
            r_[i] = w[i] = x_[i];
            z_[i] = p_[i] = s_[i] = t_[i] = 0;
            rr += r_[i] * r_[i];
        });
        const auto ar = product();
        double wr = 0;
        loop(3, [&](std::size_t i) {
            w[i] = ar[i];
            wr += w[i] * r_[i];
        });
        double alpha = 1;
        double rho = std::numeric_limits<double>::infinity();
        for (int step = 1;; ++step) {
            sums_.start({rr, wr});
            const bool last = step == Problem::steps;
            const auto q = last ? std::span<const double>() : product();
            const auto total = sums_.wait();
            const double beta = total[0] / std::exchange(rho, total[0]);
            alpha = rho / (total[1] - beta * rho / alpha);
            if (last) {
                loop(4, [&](std::size_t i) { z_[i] += alpha * (r_[i] + beta * p_[i]); });
                return;
            }
            rr = wr = 0;
            loop(13, [&](std::size_t i) {
                t_[i] = q[i] + beta * t_[i];
                s_[i] = w[i] + beta * s_[i];
                p_[i] = r_[i] + beta * p_[i];
                z_[i] += alpha * p_[i];
                r_[i] -= alpha * s_[i];
                w[i] -= alpha * t_[i];
                rr += r_[i] * r_[i];
                wr += w[i] * r_[i];
            });
        }
    }

    Computation& computation_;
    Problem problem_;
    bool textbook_;
    Product<T, Computation> product_;
    Sums<T, Computation> sums_;
    std::size_t size_;
    ZeroedArray<double> x_;
    ZeroedArray<double> z_;
    ZeroedArray<double> r_;
    ZeroedArray<double> p_;
    ZeroedArray<double> s_;
    ZeroedArray<double> t_;
    double zeta_ = 0;
    double residual_ = 0;  ///< this rank's part of its square, after the last iteration
    double residual_norm_ = 0;
};

}  // namespace lapwing::nas::cg
