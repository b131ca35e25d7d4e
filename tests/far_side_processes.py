"""Send values to processes and back, by every channel of one start method, and print what differed, per channel.

A process of its own, since `fork` wants one without threads. `python far_side_processes.py spawn|fork|forkserver`.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

import cloudpickle

import far_side
from toolresult import Suspend, ToolError

VALUES = far_side.values()
"""What is sent; a forked process has it without a pickle."""

Answers = list[tuple[list[str], object, int]]


def by_pool(context) -> Iterator[Answers]:
    with context.Pool(1) as pool:
        yield pool.starmap(far_side.echo, VALUES.items())
        yield list(pool.imap(far_side.echo_pair, VALUES.items()))


def by_executor(context) -> Iterator[Answers]:
    with ProcessPoolExecutor(1, context) as executor:
        yield list(executor.map(far_side.echo, VALUES, VALUES.values()))


def by_queues(context) -> Iterator[Answers]:
    there, back = context.Queue(), context.SimpleQueue()
    process = context.Process(target=far_side.echo_queue, args=(there, back))
    process.start()
    for pair in VALUES.items():
        there.put(pair)
    there.put(None)
    yield [back.get() for _ in VALUES]
    process.join()
    there.close()
    there.join_thread()  # the next process may be a fork


def by_pipe(context) -> Iterator[Answers]:
    here, there = context.Pipe()
    process = context.Process(target=far_side.echo_pipe, args=(there,))
    process.start()
    answers = []
    for pair in VALUES.items():
        here.send(pair)
        answers.append(here.recv())
    here.send(None)
    process.join()
    yield answers


def by_manager(context) -> Iterator[Answers]:
    with context.Manager() as manager:
        kept = manager.dict(VALUES)
        with context.Pool(1) as pool:
            yield pool.starmap(far_side.echo_kept, [(kept, name) for name in VALUES])
        yield [(far_side.faults(name, value), value, 0) for name, value in kept.items()]


def by_cloudpickle(context) -> Iterator[Answers]:
    """As Dask, Ray and joblib send functions of `__main__`: with what they have closed over."""
    calls = [
        cloudpickle.dumps(lambda name=name, value=value: far_side.echo(name, value)) for name, value in VALUES.items()
    ]
    with context.Pool(1) as pool:
        yield list(map(pickle.loads, pool.map(far_side.call, calls)))


def by_inheritance(context) -> Iterator[Answers]:
    """What a process has from its start: a copy of the memory under `fork`, a pickle of the arguments elsewhere."""
    back = context.SimpleQueue()
    process = context.Process(target=far_side.echo_all, args=(VALUES, back))
    process.start()
    yield back.get()
    process.join()


def raised(context) -> list[str]:
    """What a tool raises in a worker is raised here."""
    differs = []
    with ProcessPoolExecutor(1, context) as executor:
        try:
            executor.submit(far_side.ask, VALUES["request"]).result()
        except Suspend as error:
            differs += far_side.faults("request", error.request)
        try:
            executor.submit(far_side.fail, VALUES["error"]).result()
        except ToolError as error:
            if (str(error), error.code, error.retryable) != ("no such key", "unknown_key", True):
                differs.append("ToolError")
    return differs


CHANNELS: list[Callable[..., Iterator[Answers]]] = [
    by_inheritance,
    by_pipe,
    by_queues,
    by_pool,
    by_manager,
    by_cloudpickle,
    by_executor,
]


def report(answers: Answers) -> tuple[list[str], list[bool]]:
    """Join what the far side saw and what is seen here; say for each answer whether that side has other hashes."""
    differs = [fault for seen, _, _ in answers for fault in seen]
    differs += [
        fault for name, (_, value, _) in zip(VALUES, answers, strict=True) for fault in far_side.faults(name, value)
    ]
    return differs, [other not in (0, hash("seed")) for _, _, other in answers]


def main(method: str) -> None:
    signal.alarm(120)  # a child that has ended is waited for in vain
    warnings.simplefilter("always")  # the test refuses what is printed; as an error, that about forks is swallowed
    for value in VALUES.values():
        hash(value)  # a hash that is kept would travel
    os.environ["PYTHONHASHSEED"] = "2"  # of the processes below; this one has another
    context = multiprocessing.get_context(method)
    found = [(channel.__name__, *report(answers)) for channel in CHANNELS for answers in channel(context)]
    sys.stdout.write(json.dumps([*found, ("raised", raised(context), [])]))


if __name__ == "__main__":
    main(sys.argv[1])
