#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lapwing/plan/learnt.hpp"
#include "lapwing/plan/observed.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// How a tuner weighs what it sees.
struct TunerOptions {
    /// Share of a step's time by which it may depart from what was expected before that means
    /// anything.
    double tolerance = 0.05;
    /// Steps of the loop without overlap that trials may cost in all while it learns.
    double allowance = 1;
    /// Steps from one look at the loop to the next, once settled.
    int interval = 8;
};

/// A rank that decides for itself.
struct Alone {
    Observed operator()(const Observed& mine) const { return mine; }
};

/// Finds the plan of a loop while the loop runs, from what its steps take. Pure: it is told the
/// times, and never communicates.
///
/// It learns in at most `most_steps` steps. The first ones do not overlap: they show the
/// computation, the communication undisturbed, and what every plan has to beat. Then it plans for
/// what it saw and runs the plan; where the communication did not take what the profile says, also
/// the plan for a wire that is slower or faster by as much. If the faster one takes what was
/// predicted, it stays. If not, the machine is not what the models make of it, and trials decide:
/// polling where messages do not seem to move, fewer messages, more; the fastest stays, and if none
/// beat the loop without overlap, that.
/// Together its trials take no longer than steps without overlap would, with the same computation,
/// but for the `allowance`, for the worst step, and for the one that passed the allowance, which
/// was the last of its plan.
///
/// Once settled it looks at the loop every `interval` steps. Several steps are judged by the
/// fastest of them: what disturbs a step makes it longer. Where the computation has changed it
/// plans anew and tries that; where the rest has, it learns again, more reluctantly each time that
/// led to nothing new.
///
/// Ranks that exchange messages need the same plan. Decisions follow from the profile, the workload
/// and the times, so ranks that are told the same times have the same plans: `SlowestOf` sees to
/// that, where it is asked to.
class Tuner {
  public:
    /// Steps until it is settled, whatever it sees.
    static constexpr int most_steps = 18;

    /// `workload.compute` need not be right. The loop has a transport: any is two-sided. Throws as
    /// `plan` does, and `std::invalid_argument` for options that are none.
    Tuner(Profile profile, const Workload& workload, const TunerOptions& options = {});
    /// Begins settled, with what another tuner learnt. Throws `std::invalid_argument` where that
    /// was on another machine, or cannot be.
    Tuner(Profile profile, const Learnt& learnt, const TunerOptions& options = {});

    /// What to run the next step by. The reference holds for the life of the tuner, the plan until
    /// the end of the step.
    [[nodiscard]] const Plan& plan() const { return current_.plan; }

    /// A step by `plan()` has ended, in which this rank saw `mine`. `agree(observed)` is called
    /// where a decision is due, which is in the same steps on all ranks, and returns what it is
    /// based on. Throws `std::invalid_argument` for times that are none, before it agrees.
    template <class Agree = Alone>
    void step(const Observed& mine, Agree&& agree = {}) {
        note(mine);
        if (due()) decide(agree(noted()));
    }

    /// Whether it has found its plan and only watches.
    [[nodiscard]] bool settled() const { return phase_ == Phase::settled; }
    /// What it knows, for another run of the program. Throws `std::logic_error` unless settled.
    [[nodiscard]] Learnt learnt() const;

  private:
    enum class Phase { blocking, trial, settled };
    /// What a trial is of, in this order: first what the models propose, then what they do not.
    enum class Search { planned, other_wire, other_computation, polling, coarser, finer };
    struct Trial {
        Plan plan;
        Observed seen;
    };

    void note(const Observed& mine);
    [[nodiscard]] bool due() const;
    [[nodiscard]] Observed noted();
    void decide(const Observed& seen);

    void begin_learning();
    void end_blocking();
    void explain(double communication);
    void expect_computation(double seconds);
    void begin_trials();
    void try_next(Plan plan);
    void end_trial();
    [[nodiscard]] std::optional<Plan> proposal(bool improved);
    void settle();
    void look(const Observed& seen);

    [[nodiscard]] Plan planned(double wire) const;
    [[nodiscard]] Plan blocking_plan() const;
    [[nodiscard]] Plan polling(Plan plan) const;
    /// Seconds of a step, had its computation been the least that was seen.
    [[nodiscard]] double cost(const Observed& seen) const;
    [[nodiscard]] bool departs(const Trial& trial) const;
    [[nodiscard]] bool stalls(const Trial& trial) const;

    Profile profile_;
    Workload workload_;
    TunerOptions options_;
    // Communication that took other than predicted was late, as after a barrier that ranks leave
    // one after another, or its wire is another one.
    double wire_ = 1;        ///< times that the wire takes longer than the profile says
    double other_wire_ = 1;  ///< the same, if that is the explanation
    double delay_ = 0;       ///< seconds, if it is not

    Phase phase_ = Phase::blocking;
    Trial current_;
    std::vector<Observed> steps_;    ///< of the present plan, not yet decided upon
    std::vector<Observed> samples_;  ///< of the present plan, agreed

    Observed blocking_;             ///< a step that does not overlap
    double least_computation_ = 0;  ///< seconds, of all steps since it began to learn
    std::optional<Trial> best_;     ///< of those that overlap
    Search search_ = Search::planned;
    std::uint64_t planned_count_ = 0;  ///< messages of the first trial
    int trials_ = 0;
    double lost_ = 0;   ///< seconds that trials took longer than blocking steps
    double worst_ = 0;  ///< of them, the step that took longest

    int departures_ = 0;  ///< looks in a row that departed from what was expected
    int patience_ = 2;    ///< as many as that begin another learning
    Messages before_;     ///< of the plan before the present learning
};

}  // namespace lapwing
