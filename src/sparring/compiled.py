"""Native code from plain Python: `compiled` turns a function into a kernel, `bind` joins kernels to a game.

The only file that names an option of Numba. Its disk cache alone is not safe for what we do: an entry depends on one
source file, so an edit in an imported file, or the same kernel joined to another game, would silently run old code.
Therefore every kernel is cached in a folder whose name is a digest of all sources that can reach it, and a kernel's
module is loaded afresh, under a name of its own, for each game that it is joined to.
"""

import contextlib
import functools
import hashlib
import importlib.util
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any, Literal

import numba
import numpy as np
import platformdirs

from sparring import entries

PACKAGE = pathlib.Path(__file__).resolve().parent
NUMBA: Any = numba.config  # it makes its attributes at run time
INTERPRETED = bool(NUMBA.DISABLE_JIT)
CACHE_DAYS = 30  # folders that nothing has opened for so long belong to sources that are gone

_lock = threading.RLock()
_folder: list[str] = []  # the innermost `cached_under`


def is_compiled(function: object) -> bool:
    """Whether `function` is a kernel already."""
    return hasattr(function, "py_func")


def plain(function: Any) -> Callable[..., Any]:
    """The Python function behind a kernel (or the function itself where nothing is compiled)."""
    return getattr(function, "py_func", function)


def compiled(function: Any = None, *, float_sums: bool = False, inline: bool = False) -> Any:
    """Compile `function` to native code at its first call; it runs without the interpreter's lock.

    float_sums: float additions may be reordered, without which sums over floats are not vectorised (13 times slower).
    inline: its body stands in each kernel that calls it, where the lengths of a record's fields are known; the caller's
    `float_sums` counts. With NUMBA_DISABLE_JIT=1 the function stays Python.
    """
    if function is None:
        return functools.partial(compiled, float_sums=float_sums, inline=inline)
    if INTERPRETED:
        return _wrapping(function)
    if is_compiled(function):
        return function
    flags = {"reassoc", "contract", "nsz"} if float_sums else False
    with _lock, _cache_folder(_folder[-1] if _folder else _package_key()) as usable:
        where: Literal["always", "never"] = "always" if inline else "never"
        options: dict[str, Any] = {"nogil": True, "fastmath": flags, "inline": where}
        if not numba.__version__.startswith(entries.TESTED):
            return numba.njit(cache=usable, **options)(function)
        options["nopython"] = True
        kernel = entries.Kernel(function, options, options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True})
        if usable:
            kernel.enable_caching()
        return kernel


def compile_for(kernel: Any, *arguments: Any) -> None:
    """Compile a kernel for arguments like these, without running it."""
    if is_compiled(kernel):
        kernel.compile(tuple(numba.typeof(argument) for argument in arguments))


@contextlib.contextmanager
def cached_under(key: str) -> Iterator[None]:
    """Kernels decorated inside are kept in the cache folder `key`."""
    with _lock:
        _folder.append(key)
        try:
            yield
        finally:
            _folder.pop()


def cache_root() -> pathlib.Path:
    """Where compiled code is kept: $SPARRING_CACHE, else $NUMBA_CACHE_DIR, else the user's cache folder."""
    named = os.environ.get("SPARRING_CACHE") or os.environ.get("NUMBA_CACHE_DIR")
    return pathlib.Path(named) if named else pathlib.Path(platformdirs.user_cache_dir("sparring"))


def digest(*files: pathlib.Path, also: str = "") -> str:
    """Twelve hex digits that change when a kernel source, one of `files`, a version or a Numba setting changes."""
    return digest_of([*kernel_sources(), *files], _settings() + also)


def digest_of(files: Iterable[pathlib.Path], also: str = "") -> str:
    """Twelve hex digits of the names and bytes of files, and of `also`."""
    seed = hashlib.sha256(also.encode())
    for path in files:
        seed.update(path.name.encode() + b"\0" + path.read_bytes())
    return seed.hexdigest()[:12]


def kernel_sources() -> list[pathlib.Path]:
    """Every file of the package that a kernel can draw on. `app` holds none, so an edit there compiles nothing."""
    return sorted(p for p in PACKAGE.rglob("*.py") if "app" not in p.relative_to(PACKAGE).parts)


def load_module(path: pathlib.Path, name: str) -> ModuleType:
    """The module in `path`, loaded once under `name`."""
    with _lock:
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, path)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            try:
                spec.loader.exec_module(module)
            except BaseException:
                del sys.modules[name]
                raise
        return sys.modules[name]


def bind_names(kernel: str, key: str, names: dict[str, Any]) -> ModuleType:
    """A copy of the module `kernel` (dotted, inside the package) in which `names` are set, before the first call.

    key: unique to the game's sources; what else is set widens it, so that two joinings never share compiled code.
    Names that the module does not import are passed over.
    """
    path = PACKAGE.joinpath(*kernel.split(".")).with_suffix(".py")
    variant = hashlib.sha256(repr(sorted((n, _identity(v)) for n, v in names.items())).encode()).hexdigest()[:8]
    folder = f"{key}-{kernel.replace('.', '_')}-{variant}"
    with cached_under(folder):
        fresh = f"sparring.bound.{folder}" not in sys.modules
        module = load_module(path, f"sparring.bound.{folder}")
    if fresh:
        for name, value in names.items():
            if hasattr(module, name):
                setattr(module, name, value)
    return module


def compile_reachable(function: FunctionType, home: pathlib.Path) -> Any:
    """Compile `function` and every plain function below the folder `home` that it can reach by name.

    The names in the functions' modules, and in modules below `home` that they import whole, are replaced by the
    kernels. Returns the kernel of `function`.
    """
    if INTERPRETED:
        return _wrapping(function)
    done: dict[FunctionType, Any] = {}

    def visit(f: FunctionType) -> Any:
        if f in done:
            return done[f]
        done[f] = compiled(f)
        names = _names(f.__code__)
        scopes, modules = [f.__globals__], set[int]()
        for scope in scopes:  # it grows: in a.b.f, a and then a.b are scopes too
            for name in names:
                value = scope.get(name)
                if isinstance(value, FunctionType) and _below(value.__code__.co_filename, home):
                    scope[name] = visit(value)
                elif isinstance(value, ModuleType) and _below(_file(value), home) and id(value) not in modules:
                    modules.add(id(value))
                    scopes.append(vars(value))
        if f.__globals__.get(f.__name__) is f:
            f.__globals__[f.__name__] = done[f]
        return done[f]

    return visit(function)


def interpreted(functions: dict[str, Any]) -> dict[str, Any]:
    """Copies of functions and kernels that run in plain Python throughout, with all that they call in our files.

    A plain function that calls a kernel is not enough: a uint64 comes back from it as a Python integer.
    """
    if INTERPRETED:
        return functions
    copies: dict[Callable[..., Any], FunctionType] = {}
    scopes: dict[int, dict[str, Any]] = {}
    modules: dict[ModuleType, types.SimpleNamespace] = {}
    homes = {pathlib.Path(plain(f).__code__.co_filename).resolve().parent for f in functions.values()} | {PACKAGE}

    def ours(value: Any) -> bool:
        file = plain(value).__code__.co_filename if isinstance(plain(value), FunctionType) else None
        return is_compiled(value) or (file is not None and any(_below(file, home) for home in homes))

    def visit(function: Any) -> FunctionType:
        f: Any = plain(function)
        if f not in copies:
            scope = scopes.setdefault(id(f.__globals__), dict(f.__globals__))
            copies[f] = FunctionType(f.__code__, scope, f.__name__, f.__defaults__, f.__closure__)
            swap(scope, _names(f.__code__))
        return copies[f]

    def swap(scope: dict[str, Any], names: set[str]) -> None:
        for name in names:
            value = scope.get(name)
            stand_in = getattr(value, "stand_in", None)
            if stand_in is not None:  # for an intrinsic, which plain Python cannot call
                scope[name] = stand_in
            elif ours(value):
                scope[name] = visit(value)
            elif isinstance(value, ModuleType) and any(_below(_file(value), home) for home in homes):
                if value not in modules:
                    modules[value] = types.SimpleNamespace(**vars(value))
                    swap(vars(modules[value]), set(vars(value)))
                scope[name] = modules[value]

    return {name: visit(function) for name, function in functions.items()}


def _file(module: ModuleType) -> str | None:
    """Where it was read from; None where it is part of the interpreter."""
    return getattr(module, "__file__", None)


def _below(file: str | None, home: pathlib.Path) -> bool:
    """Whether `file` lies below `home`; a file of the package does not lie below a user's folder around it."""
    path = pathlib.Path(file or "/").resolve()
    return path.is_relative_to(home) and (not path.is_relative_to(PACKAGE) or home.is_relative_to(PACKAGE))


def _wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with integers that wrap around, as compiled ones do; NumPy's scalars would warn at each."""
    return np.errstate(over="ignore")(function)


def _names(code: Any) -> set[str]:
    """Global names used in a code object and in those nested in it."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            found |= _names(constant)
    return found


def _identity(value: Any) -> str:
    """What tells a value that is bound from others: of a kernel its name and the text of its file."""
    if not callable(value):
        return repr(value)
    function = plain(value)
    file = pathlib.Path(function.__code__.co_filename)
    text = hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file.is_file() else ""
    return f"{function.__module__}.{function.__qualname__} {text}"


def _settings() -> str:
    """What changes the compiled code besides the sources."""
    variables = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR")
    return f"{numba.__version__} {np.__version__} {sys.version} {variables}"


@functools.cache
def _package_key() -> str:
    return f"package-{digest()}"


@contextlib.contextmanager
def _cache_folder(key: str) -> Iterator[bool]:
    """Points Numba at the folder `key`; tells whether it can be used."""
    folder = cache_root() / key
    saved, NUMBA.CACHE_DIR = NUMBA.CACHE_DIR, str(folder)
    try:
        yield _use(folder)
    finally:
        NUMBA.CACHE_DIR = saved


@functools.cache
def _use(folder: pathlib.Path) -> bool:
    """Make the folder, mark it as used, and drop those that nothing has used for long.

    False where it cannot be written: Numba would then turn to the folder beside the source, which no digest names.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        os.utime(folder)
    except OSError:
        return False
    with contextlib.suppress(OSError):  # another process may be tidying up too
        for old in _other_folders(folder.parent):
            if time.time() - old.stat().st_mtime > CACHE_DAYS * 86400:
                shutil.rmtree(old, ignore_errors=True)
    return True


@functools.cache
def _other_folders(root: pathlib.Path) -> list[pathlib.Path]:
    return [p for p in root.iterdir() if p.is_dir()]


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell` when something is compiled for the first time in this process (not when it comes from the cache)."""
    from numba.core import event

    class Once(event.Listener):
        told = False

        def on_start(self, started: Any) -> None:
            if not self.told:
                self.told = True
                tell()

        def on_end(self, ended: Any) -> None:
            return

    event.register("numba:compile", Once())
