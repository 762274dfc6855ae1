#pragma once

#include <cstdint>
#include <optional>

#include "lapwing/plan/plan.hpp"
#include "lapwing/tuner/tuner_state.hpp"

namespace lapwing {

/// How a tuner judges what it measures.
struct TunerOptions {
    /// Share of a step's time by which it may deviate from the prediction before that counts.
    double tolerance = 0.05;
    /// What all trials together may cost while the tuner learns, in steps without overlap.
    double allowance = 1;
    /// Steps from one check of the loop to the next, once settled.
    int interval = 8;
};

/// A rank that decides for itself.
struct Alone {
    StepTimes operator()(const StepTimes& mine) const { return mine; }
};

/// Finds the plan of a loop while the loop runs, from the times of its steps. Pure: it is told the
/// times, and never communicates.
///
/// It learns in at most `most_steps` steps. The first ones do not overlap: they show the
/// computation, the communication by itself, and what every plan has to beat. Then it runs the plan
/// for these. If the communication did not take the time of the profile, it runs the plan for a
/// wire that is slower or faster by as much. If the faster one takes what was predicted, it stays.
/// If not, the models do not describe this machine, and trials decide: polling where messages seem
/// not to advance, fewer messages, more. The fastest stays, or the loop without overlap if none
/// beat it. All trials together take no longer than as many steps without overlap, plus the
/// `allowance`, the worst step, and the step that exceeded the allowance, which was the last of its
/// plan.
///
/// Once settled it checks the loop every `interval` steps, by the fastest of them. If the
/// computation has changed it plans anew and tries that; if something else has, it learns again,
/// later each time that led to nothing new.
///
/// Ranks that exchange messages need the same plan. Decisions follow from profile, workload and
/// times alone: ranks that are told the same times (`SlowestOf` does that) have the same plans.
class Tuner {
  public:
    /// Steps until it is settled, at most.
    static constexpr int most_steps = 18;

    /// `workload.compute` need not be right. The loop has its transport, so `any` means two-sided.
    /// Throws as `plan` does, and `std::invalid_argument` for invalid options.
    Tuner(Profile profile, const Workload& workload, const TunerOptions& options = {});
    /// Begins settled, with what another tuner learnt. Throws `std::invalid_argument` if that was
    /// on another machine, or is invalid.
    Tuner(Profile profile, const TunerState& learnt, const TunerOptions& options = {});

    /// The plan of the next step. The reference is valid for the life of the tuner, the plan until
    /// the end of the step.
    [[nodiscard]] const Plan& plan() const { return current_.plan; }

    /// To be called after a step by `plan()`, with the times of this rank. Where a decision is due,
    /// in the same steps on all ranks, `agree(times)` is called and returns the times to decide by.
    /// Throws `std::invalid_argument` for invalid times, before it agrees.
    template <class Agree = Alone>
    void step(const StepTimes& mine, Agree&& agree = {}) {
        if (const auto noted = note(mine)) decide(agree(*noted));
    }

    /// Whether it has found its plan, and only checks it.
    [[nodiscard]] bool settled() const { return stage_ == Stage::settled; }
    /// What it learnt, for another run of the program. Throws `std::logic_error` unless settled.
    [[nodiscard]] TunerState learnt() const;

  private:
    /// In this order. Trials begin with `planned`, and with what the models propose.
    enum class Stage {
        blocking,
        planned,
        other_wire,
        other_work,
        polling,
        coarser,
        finer,
        settled
    };
    /// The least disturbed of several steps: what disturbs a step makes it longer.
    struct FastestStep {
        StepTimes times;
        int count = 0;
        void add(const StepTimes& step) {
            if (count++ == 0 || step.elapsed < times.elapsed) times = step;
        }
    };
    struct Trial {
        Plan plan;
        FastestStep seen;
    };

    /// The times to agree on, where a decision is due.
    std::optional<StepTimes> note(const StepTimes& mine);
    void decide(const StepTimes& seen);
    void begin_learning();
    void end_blocking();
    void begin_trials();
    void end_trial();
    [[nodiscard]] std::optional<Plan> proposal(bool improved);
    void try_or_settle(std::optional<Plan> next);
    void settle();
    void check_drift(const StepTimes& seen);
    void expect_computation(double seconds) {
        const double more = seconds - blocking_.computation;
        blocking_.elapsed += more;
        blocking_.computation += more;
        workload_.compute = seconds;
    }
    [[nodiscard]] Plan planned(double wire_scale) const;
    [[nodiscard]] Plan blocking_plan() const;
    /// Seconds of a step, had its computation been the least that was seen.
    [[nodiscard]] double cost(const StepTimes& seen) const;

    Profile profile_;
    Workload workload_;
    TunerOptions options_;
    // Two explanations of communication that does not take what was predicted: the wire is slower
    // or faster, or it began late, as after a barrier that ranks leave one after another.
    double wire_scale_ = 1;        ///< factor on the profile's wire time
    double other_wire_scale_ = 1;  ///< the same, by the first explanation
    double delay_ = 0;             ///< seconds, by the second

    Stage stage_ = Stage::blocking;
    Trial current_;
    FastestStep noted_;                ///< of this rank, not yet decided upon
    StepTimes blocking_;               ///< a step that does not overlap
    double least_computation_ = 0;     ///< seconds, of all steps since it began to learn
    std::optional<Trial> best_;        ///< of those that overlap
    std::uint64_t planned_count_ = 0;  ///< messages of the first trial
    int trials_ = 0;
    double lost_ = 0;   ///< seconds that trials took longer than blocking steps
    double worst_ = 0;  ///< of them, the step that took longest

    int deviations_ = 0;      ///< checks in a row that deviated from the prediction
    int drift_patience_ = 2;  ///< as many as that begin another learning
    Messages before_;         ///< of the plan before the present learning
};

}  // namespace lapwing
