"""Verifying the rules of a decision file: timing operations with the file and without."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..errors import LapwingError
from ..launch import Launch, resized
from ..measure.operations import time_operations
from ..validation.cases import MOST_MEMORY, memory
from .choices import OWN_CHOICE, Choice, Rule

# A rule is dropped if it is slower by more than this share, and by more than the errors.
_SLOWER = 0.02
_SAMPLES = 3  # of a rule's sizes, at most


@dataclass(frozen=True)
class Verified:
    """One size of a rule, bytes, timed with the file and without, seconds."""

    choice: Choice
    rule: Rule
    size: int
    tuned: float
    default: float
    error: float

    @property
    def ratio(self) -> float:
        """The time with the file over the time without."""
        return self.tuned / self.default if self.default > 0 else 1.0


def verify(
    launch: Launch,
    mpi: str,
    choices: Sequence[Choice],
    settings: Callable[[int], dict[str, str]],
    *,
    seconds: float | None = None,
    on_done: Callable[[int, int], None] | None = None,
) -> list[Verified]:
    """Time the rules that differ from the MPI's own choice, with their file and without.

    launch: on the target; rules for more ranks than it has are left out.
    settings: for a number of ranks, the environment in which the MPI follows the file.
    seconds: for each size, at most.
    on_done: called with the number of launches done, and of all.

    Raises LapwingError if the target runs another MPI.
    """
    if (found := launch.family) != mpi:
        raise LapwingError(
            f"--verify: the rules are for {mpi}, but {launch.target.text} runs {found}; "
            f"give --mpi {mpi} and a target of that"
        )
    wanted = [c for c in choices if c.departs and c.ranks <= launch.target.ranks]
    counts = sorted({choice.ranks for choice in wanted})
    verified = []
    for number, ranks in enumerate(counts):
        here = [choice for choice in wanted if choice.ranks == ranks]
        sizes = {choice.operation: _sizes(choice) for choice in here}
        sizes = {name: fit for name, fit in sizes.items() if fit}
        times: list[dict[tuple[str, int], tuple[float, float]]] = [{}, {}]
        # In turn, so that a disturbance of the machine affects both.
        for turn in range(4):
            if on_done:
                on_done(4 * number + turn, 4 * len(counts))
            there = replace(
                launch,
                target=resized(launch.target, ranks),
                settings={**(launch.settings or {}), **(settings(ranks) if turn % 2 else {})},
                on_progress=None,
            )
            for entry in time_operations(there, sizes, seconds=seconds)["measurements"]:
                place = (entry["operation"], entry["size"])
                before = times[turn % 2].get(place, (float("inf"), 0.0))
                times[turn % 2][place] = min(before, (entry["seconds"], entry["error"]))
        for choice in here:
            for rule in choice.rules:
                for size in _sampled(choice, rule):
                    default, error = times[0][choice.operation, size]
                    tuned, another = times[1][choice.operation, size]
                    both = error + another
                    verified.append(Verified(choice, rule, size, tuned, default, both))
    return verified


def without_losers(choices: Sequence[Choice], verified: Sequence[Verified]) -> list[Choice]:
    """The choices without the rules that were slower at any size: there the MPI chooses."""
    lost = {
        (entry.choice.operation, entry.choice.ranks, entry.rule.size)
        for entry in verified
        if entry.ratio > 1 + max(_SLOWER, entry.error)
    }

    def kept(choice: Choice, rule: Rule) -> Rule:
        if (choice.operation, choice.ranks, rule.size) not in lost:
            return rule
        seconds = rule.default or ()
        return replace(rule, algorithm=None, seconds=seconds)

    made = []
    for choice in choices:
        rules = tuple(kept(choice, rule) for rule in choice.rules)
        anywhere = choice.anywhere
        if anywhere is not None and rules != choice.rules:
            # Rules for other numbers of ranks were not timed, and are dropped with these.
            anywhere = OWN_CHOICE
        made.append(replace(choice, rules=_joined(rules), anywhere=anywhere))
    return made


def _joined(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules, with neighbours that both leave the choice to the MPI made one."""
    made: list[Rule] = []
    for rule in rules:
        if made and made[-1].algorithm is None and rule.algorithm is None:
            before = made[-1]
            algorithms = (*before.default_algorithms, *rule.default_algorithms)
            made[-1] = replace(
                before,
                sizes=before.sizes + rule.sizes,
                seconds=before.seconds + rule.seconds,
                default=_together(before.default, rule.default),
                default_algorithms=tuple(dict.fromkeys(algorithms)),
            )
        else:
            made.append(rule)
    return tuple(made)


def _together(
    first: tuple[float, ...] | None, second: tuple[float, ...] | None
) -> tuple[float, ...] | None:
    return None if first is None or second is None else first + second


def _sizes(choice: Choice) -> list[int]:
    return sorted({size for rule in choice.rules for size in _sampled(choice, rule)})


def _sampled(choice: Choice, rule: Rule) -> list[int]:
    """First, middle and last size of a rule that memory allows; none if the MPI chooses."""
    if rule.algorithm is None:
        return []
    fit = [s for s in rule.sizes if memory(choice.operation, choice.ranks, s) <= MOST_MEMORY]
    places = {0, len(fit) // 2, len(fit) - 1} if fit else set()
    return [fit[i] for i in sorted(places)][:_SAMPLES]
