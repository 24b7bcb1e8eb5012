"""Long work for a person who waits: in a thread, so that Ctrl+C is heard, with a word of how it goes."""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

from rich.console import Console

Found = TypeVar("Found")


def heard(
    work: Callable[[], Found], stop: Callable[[], None], doing: str, gone: Callable[[], float | None] = lambda: None
) -> Found:
    """The result of `work`, which runs in a thread: compiled code would keep Ctrl+C waiting. `stop` ends it early.

    doing: said to a person who watches; empty: nothing is. gone: the share of the work that is done, where it is known.
    """
    future: Future[Found] = Future()
    context = copy_context()  # NumPy's way with overflow, for kernels that run interpreted

    def run() -> None:
        try:
            future.set_result(context.run(work))
        except BaseException as fault:
            future.set_exception(fault)

    Thread(target=run, daemon=True).start()
    try:
        with status(doing) if doing else contextlib.nullcontext(lambda word: None) as note:
            while not future.done():
                wait([future], timeout=0.1)
                done = gone()
                note("" if done is None else f"{done:.0%}".replace("%", " %"))
    except KeyboardInterrupt:
        while not future.done():
            stop()
            wait([future], timeout=0.05)
        raise
    return future.result()


@contextlib.contextmanager
def status(doing: str) -> Iterator[Callable[[str], None]]:
    """Says what is being done, while it is, to a person who watches. Yields what adds a word of how it goes."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda word: None
        return
    with console.status(f"{doing} …") as shown:
        yield lambda word: shown.update(f"{doing} … {word}")
