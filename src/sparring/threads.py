"""The same work on several threads; kernels run without the interpreter's lock, so they run side by side."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def on_threads(threads: int, work: Callable[[int], None], stop: Callable[[], None]) -> None:
    """Call work(0) to work(threads - 1) at once, until all have returned; raises what the first that failed raises.

    stop: called on such a fault, and on Ctrl+C, so that the others end soon.
    """
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(work, number) for number in range(threads)]
        try:
            for future in futures:
                future.result()
        except BaseException:
            stop()
            raise
