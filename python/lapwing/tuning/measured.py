"""What a library's algorithms take, from measurements of some of them."""

import json
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core import Profile
from ..measurements.cell import Measurements
from .cases import OWN_CHOICE, Case, Place
from .choice import gains, safe
from .decisions.formats import sayable
from .decisions.library import Library
from .estimates import Estimates
from .evidence import observations, table_for
from .references import References, known_choice
from .rules import Times
from .suggest import openings, suggest

# Of which cases are suggested first; the same each time.
_SEED = 0


class Measured:
    """What is known of the times of a library on one machine.

    count: of measured times.  notes: on what of the measurements does not count, one line each.
    """

    def __init__(
        self,
        profile: Profile,
        library: Library,
        measurements: Measurements,
        operations: Sequence[str],
    ) -> None:
        """profile: whose predictions the measurements correct, best a fitted one.

        operations: that will be asked for. Raises ValueError if something is missing in the
        profile.
        """
        found, self.notes = observations(profile, measurements, library.family)
        found = [each for each in found if each.case.place.operation in operations]
        self._profile = profile
        self.count = len(found)
        self._seen = {each.case for each in found}
        self._table = table_for(measurements, library.family)
        names = {name: sayable(library, name) for name in operations}
        self._estimates = Estimates(References(profile, names), found, _interval(profile))

    def times(
        self, operation: str, names: Sequence[str], ranks: int, sizes: Sequence[int], ppn: int
    ) -> Times:
        """What the algorithms `names` and the own choice are expected to take.

        ranks, sizes, ppn: as for `tune`. Algorithms that were never measured are not among
        them; nor is any of an operation whose own choice was not.
        """
        places = [Place(operation, ranks, ppn, size) for size in sizes]
        if not any(each.place.operation == operation for each in self._seen if _is_own(each)):
            return Times(sizes, {}, None, [], {})
        own = [self._own_choice(place) for place in places]
        chosen = [case.algorithm for case in own if case.algorithm is not None]
        names = [n for n in names if self._estimates.proven(Case(places[0], n, n))]
        count = len(sizes)
        cases = own + [Case(place, name, name) for name in names for place in places]
        estimate = self._estimates.of(cases)
        seconds = np.exp(estimate.mean)
        of, sure = {}, {}
        for i, name in enumerate(names, 1):
            here = [(at, i * count + at) for at in range(count)]
            of[name] = [float(seconds[other]) for _, other in here]
            sure[name] = [bool(safe(*gains(estimate, at, [other]))[0]) for at, other in here]
        default = [float(time) for time in seconds[:count]]
        return Times(sizes, of, default, chosen, sure)

    def suggested(
        self,
        names: dict[str, Sequence[str]],
        ranks: Sequence[int],
        sizes: Sequence[int],
        ppn: int,
        count: int,
    ) -> list[Case]:
        """At most `count` cases to measure next, the most telling first.

        names: the algorithms of each operation.  ranks, sizes, ppn: as for `tune`.
        """
        places = [
            Place(operation, number, ppn, size)
            for operation in names
            for number in sorted(set(ranks))
            for size in ([0] if operation == "barrier" else sorted(set(sizes)))
        ]
        cases = []
        for place in places:
            cases.append(self._own_choice(place))
            cases += [Case(place, name, name) for name in names[place.operation]]
        first = openings(cases, self._seen, random.Random(_SEED))[:count]
        seen = {*self._seen, *first}
        return first + suggest(self._estimates, cases, seen, count - len(first))

    def _own_choice(self, place: Place) -> Case:
        return Case(place, OWN_CHOICE, known_choice(self._profile, place, self._table))


def _is_own(case: Case) -> bool:
    return case.label == OWN_CHOICE


def _interval(profile: Profile) -> tuple[float, float]:
    """Of the predictions of a fitted profile; (1, 1) of others."""
    costs: dict[str, Any] = json.loads(profile.to_json()).get("collectives", {})
    return costs.get("low", 1.0), costs.get("high", 1.0)
