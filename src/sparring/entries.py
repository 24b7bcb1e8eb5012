"""Machine code only for the kernels that Python calls.

Numba makes a library of every kernel: with all that stands below it, optimised again at each level, turned into machine
code, and wrapped for calls from Python and from C. Of the hundred kernels of a search Python calls ten. The others are
kept here as LLVM's bitcode, a `Part`, which is all that their callers are made from; an entry is a part with a wrapper,
optimised as a whole. This takes two fifths from the time of a first start.

It stands on inner parts of Numba, so `compiled.py` uses it with the versions of TESTED alone.
"""

import contextlib
import gc
from collections.abc import Iterator
from typing import Any

from llvmlite import binding
from numba.core import caching, codegen, compiler, registry

TESTED = ("0.68",)


class Unplaced:
    """The code generator as a part sees it, which has no place in memory to which an environment could be written."""

    def __init__(self, real: Any) -> None:
        self.real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Entries do so."""


class Part(codegen.JITCodeLibrary):
    """A kernel with all that it calls, as bitcode. It has no machine code, so nothing can be called in it."""

    @property
    def codegen(self) -> Any:
        return Unplaced(self._codegen)

    def _optimize_final_module(self) -> None:
        if not any(isinstance(library, Part) for library in self._linking_libraries):
            super()._optimize_final_module()  # what calls no other kernel is small, and is taken in by its callers

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        if self._shared_module is None:
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "linkonce_odr"  # several callers may bring it along
            self._shared_module = self._final_module
        return self._shared_module

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        return self.name, self._get_module_for_linking().as_bitcode()

    def restore(self, bitcode: bytes) -> None:
        """Become the part that was kept as `bitcode`."""
        self._final_module = self._shared_module = binding.parse_bitcode(bitcode)
        self._finalized = True


class Entry(codegen.JITCodeLibrary):
    """A part with its wrapper, as machine code."""

    def _optimize_final_module(self) -> None:
        super()._optimize_final_module()  # simplifies what parts left as it was written
        super()._optimize_final_module()  # inlines and vectorises what is simple by now


class PartCompiler(compiler.Compiler):
    """Numba's own, into a Part."""

    def define_pipelines(self) -> Any:
        self.state["library"] = Part(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class EntryCompiler(compiler.Compiler):
    """Makes an entry of `part`, the dispatcher of the parts of the same function."""

    part: Any

    def compile_extra(self, func: Any) -> Any:
        arguments, context = tuple(self.state.args), self.state.targetctx
        self.part.compile(arguments)
        made = self.part.overloads[arguments]
        part = made._asdict()["library"]
        library = Entry(context.codegen(), part.name)
        library.enable_object_caching()
        library.add_linking_library(part)
        with context.push_code_library(library):
            free = self.state.flags.release_gil
            context.create_cpython_wrapper(library, made.fndesc, made.environment, None, release_gil=free)
        point = context.get_executable(library, made.fndesc, made.environment)
        entry = made._replace(entry_point=point, library=library, metadata={})
        environments = entry._find_referenced_environments()
        for environment in environments:
            library.codegen.set_env(environment.env_name, environment)
        return entry._replace(referenced_envs=environments)


class PartFiles(caching.CompileResultCacheImpl):
    """Parts on disk."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        (name, bitcode), function, environment, signature, _, lifted, annotation, reload, environments = payload
        for again in reload:
            again()
        library = Part(target_context.codegen(), name)
        library.restore(bitcode)
        return compiler.compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            environment=environment,
            entry_point=target_context.get_executable(library, function, environment),
            fndesc=function,
            type_annotation=annotation,
            signature=signature,
            objectmode=False,
            lifted=lifted,
            reload_init=reload,
            referenced_envs=environments,
        )


class PartCache(caching.FunctionCache):
    """Stands in the same index as the entries of the function."""

    _impl_class = PartFiles

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (*super()._index_key(sig, codegen), "part")


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Garbage waits: compiling leaves so many objects that looking for cycles among them takes a tenth of its time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Kernel(registry.CPUDispatcher):
    """A compiled function. Python calls its entries, kernels call its parts."""

    def __init__(self, function: Any, options: dict[str, Any], bare: dict[str, Any]) -> None:
        """options: of the entries; bare: of the parts, which need no wrappers."""
        self.part: Any = registry.CPUDispatcher(function, {}, bare, PartCompiler)
        super().__init__(function, {}, options, type("EntryOf", (EntryCompiler,), {"part": self.part}))

    def enable_caching(self) -> None:
        super().enable_caching()
        self.part._cache = PartCache(self.py_func)

    def compile(self, sig: Any) -> Any:
        with uncollected():
            return super().compile(sig)

    @property
    def signatures(self) -> list[Any]:
        """For which arguments there is code."""
        return list({**self.part.overloads, **self.overloads})

    @property
    def is_compiling(self) -> Any:
        return self.part.is_compiling

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self.part.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        return self.part.get_overload(sig)
