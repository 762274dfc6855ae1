"""A rank's tasks and what they depend on, as the calls of a program that does one at a time.

Tasks that compute follow one another in their order. A communicating task starts as soon as its
dependences are done. The program waits for it before the first task that depends on it, so it
overlaps the tasks between.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Task:
    """A task. needs: indexes of those that have to be done before.

    channel: None if it computes; of those that communicate, tasks with the same channel start in
    their order on every rank.
    """

    needs: list[int]
    channel: object = None
    after: int = 0  # how many of those that it has to follow have not been begun
    open: int = 0  # how many of those that it needs communicate, and are not waited for
    users: list[int] = field(default_factory=list)  # those that need it
    followers: list[int] = field(default_factory=list)  # those that begin after it


class Circle(Exception):
    """Tasks need one another: the index of one of them."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a rank does next: waits for some tasks, then begins one; at the end it only waits."""

    waits: list[int]
    task: int | None


def steps(tasks: Sequence[Task]) -> Iterator[Step]:
    """What a rank does with its tasks. Raises Circle."""
    for index, task in enumerate(tasks):
        for need in task.needs:
            tasks[need].users.append(index)
    _keep_channels_in_order(tasks)
    return _begun(tasks)


def _keep_channels_in_order(tasks: Sequence[Task]) -> None:
    last: dict[object, int] = {}
    for index in _sorted(tasks):
        task = tasks[index]
        if task.channel is not None:
            if task.channel in last:
                tasks[last[task.channel]].followers.append(index)
            last[task.channel] = index


def _sorted(tasks: Sequence[Task]) -> list[int]:
    """The tasks, each behind those that it needs, and else in their order. Raises Circle."""
    missing = [len(task.needs) for task in tasks]
    ready = [index for index, count in enumerate(missing) if count == 0]
    order = []
    while ready:
        index = heapq.heappop(ready)
        order.append(index)
        for user in tasks[index].users:
            missing[user] -= 1
            if missing[user] == 0:
                heapq.heappush(ready, user)
    if len(order) < len(tasks):
        raise Circle(next(index for index, count in enumerate(missing) if count > 0))
    return order


def _begun(tasks: Sequence[Task]) -> Iterator[Step]:
    for task in tasks:
        task.after = len(task.needs)
        task.open = sum(tasks[need].channel is not None for need in task.needs)
    for task in tasks:
        for follower in task.followers:
            tasks[follower].after += 1
    # Those that may begin: communication first. Those that have to wait for some come last.
    ready: list[tuple[bool, int]] = []
    held: list[int] = []
    begun, waited = bytearray(len(tasks)), bytearray(len(tasks))
    under_way: dict[int, None] = {}

    def offer(index: int) -> None:
        if tasks[index].open:
            heapq.heappush(held, index)
        else:
            heapq.heappush(ready, (tasks[index].channel is None, index))

    def wait(indexes: list[int]) -> None:
        for each in indexes:
            waited[each] = True
            del under_way[each]
            for user in tasks[each].users:
                tasks[user].open -= 1
                if tasks[user].open == 0 and tasks[user].after == 0:
                    heapq.heappush(ready, (tasks[user].channel is None, user))

    for index, task in enumerate(tasks):
        if task.after == 0:
            offer(index)
    while ready or held:
        waits: list[int] = []
        if ready:
            index = heapq.heappop(ready)[1]
        else:
            index = heapq.heappop(held)
            if not begun[index]:
                waits = [each for each in tasks[index].needs if each in under_way]
                wait(waits)
        if begun[index]:
            continue
        begun[index] = True
        yield Step(waits, index)
        if tasks[index].channel is not None:
            under_way[index] = None
        for later in [*tasks[index].users, *tasks[index].followers]:
            tasks[later].after -= 1
            if tasks[later].after == 0:
                offer(later)
    if under_way:
        yield Step(list(under_way), None)
