"""A predicted time in a document."""

from .._core import CollectiveTime, Prediction


def time_with_interval(made: Prediction | CollectiveTime) -> dict[str, float]:
    """The time in seconds, with the interval that the profile tells, if it does."""
    if made.low == made.high:
        return {"seconds": made.seconds}
    return {"seconds": made.seconds, "low": made.low, "high": made.high}
