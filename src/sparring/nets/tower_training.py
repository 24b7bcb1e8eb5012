"""Steps down a tower's loss: bf16 where the processor has it, AdamW, an average of the weights that is what plays."""

import contextlib
import copy
import ctypes
import pathlib
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import numpy as np
import torch

from sparring.nets.tower_module import Targets, losses

M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD = -1, -2, -3  # of glibc's mallopt
MOMENTS = ("exp_avg", "exp_avg_sq")  # of AdamW


Module = TypeVar("Module", bound=torch.nn.Module)


class Trainer(Generic[Module]):
    """A module in training, and the running average of its weights and statistics (Polyak and Juditsky 1992).

    rate: AdamW's learning rate until `step` is told another. decay: AdamW's weight decay (Loshchilov and Hutter 2019),
    on weights but not on biases or batch norm. factors: of the loss's terms; those not named count once. averaging:
    how much of the average a step leaves; less at first. longest: gradients are shortened to this norm.
    device: "cpu" or "cuda".
    """

    def __init__(
        self,
        module: Module,
        rate: float = 2e-3,
        decay: float = 1e-4,
        factors: Mapping[str, float] | None = None,
        averaging: float = 0.998,
        longest: float = 2.0,
        device: str = "cpu",
    ) -> None:
        if device == "cpu":
            torch.set_num_threads(1)  # the other cores play; threads that wait for each other at each layer lose more
            keep_memory()
        self.module: Module = module.to(device)
        self.average: Module = copy.deepcopy(module).eval()
        self.factors, self.averaging, self.longest, self.device = dict(factors or {}), averaging, longest, device
        self.steps = 0
        self.parameters = list(self.module.parameters())
        groups = [
            {"params": [p for p in self.parameters if p.ndim > 1], "weight_decay": decay},
            {"params": [p for p in self.parameters if p.ndim == 1], "weight_decay": 0.0},
        ]
        self.adam = torch.optim.AdamW(groups, lr=rate, fused=True)
        self.numbers = [dict(pairs(m)) for m in (self.average, self.module)]

    def step(self, inputs: torch.Tensor, targets: Targets, rate: float | None = None) -> dict[str, torch.Tensor]:
        """One step on m rows; the loss's terms, the whole `loss` and the gradient's norm (`gradient`) before it.

        They are tensors, since to read one waits for the device. A loss that is no number leaves weights that are none.
        """
        self.module.train()
        wanted = Targets(*(None if t is None else t.to(self.device, non_blocking=True) for t in targets))  # type: ignore[arg-type]
        with precision(self.device):
            said = self.module(inputs.to(self.device, non_blocking=True))
        terms = losses(said, wanted)
        loss = torch.stack([self.factors.get(name, 1.0) * term for name, term in terms.items()]).sum()
        length = self.descend(loss, rate)
        return {**{name: term.detach() for name, term in terms.items()}, "loss": loss.detach(), "gradient": length}

    def descend(self, loss: torch.Tensor, rate: float | None = None) -> torch.Tensor:
        """One step down any loss of the module's outputs; the gradient's norm before it was shortened."""
        self.adam.zero_grad(set_to_none=True)
        loss.backward()
        length = torch.nn.utils.clip_grad_norm_(self.parameters, self.longest)
        for group in self.adam.param_groups:
            group["lr"] = group["lr"] if rate is None else rate
        self.adam.step()
        self.settle()
        self.steps += 1
        self._follow()
        return length

    def settle(self) -> None:
        """What is done to the weights after a step, before the average follows them; nothing here."""

    def _follow(self) -> None:
        """Bring the average a little nearer to the module."""
        share = min(self.averaging, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            old, new = self.numbers
            torch._foreach_lerp_(list(old.values()), [new[name] for name in old], 1 - share)

    # --- for a checkpoint ------------------------------------------------------------------------------------------

    def state(self) -> dict[str, np.ndarray]:
        """All that the next step depends on, by name."""
        found = {f"module.{name}": t for name, t in pairs(self.module)}
        found |= {f"average.{name}": t for name, t in pairs(self.average)}
        for i, p in enumerate(self.parameters):
            moments = self.adam.state.get(p, {})
            found |= {f"adam{i}.{m}": moments[m] for m in MOMENTS if m in moments}
        return {
            **{name: t.detach().cpu().contiguous().numpy().copy() for name, t in found.items()},
            "steps": np.array([self.steps], np.int64),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from a `state`; KeyError where something is missing, RuntimeError where a shape differs."""
        self.steps = int(arrays["steps"][0])
        with torch.no_grad():
            for prefix, module in (("module", self.module), ("average", self.average)):
                for name, tensor in pairs(module):
                    tensor.copy_(torch.from_numpy(arrays[f"{prefix}.{name}"]))
        for i, p in enumerate(self.parameters) if self.steps else ():
            kept: dict[str, Any] = {"step": torch.tensor(float(self.steps), device=self.device)}
            for moment in MOMENTS:
                kept[moment] = torch.zeros_like(p).copy_(torch.from_numpy(arrays[f"adam{i}.{moment}"]))
            self.adam.state[p] = kept


def pairs(module: torch.nn.Module) -> list[tuple[str, torch.Tensor]]:
    """Weights and running statistics by name; not batch norm's count of steps, which nothing reads."""
    return [(name, t) for name, t in module.state_dict(keep_vars=True).items() if t.is_floating_point()]


def precision(device: str) -> contextlib.AbstractContextManager[Any]:
    """bf16 where the device computes in it, which doubles the speed; weights and losses stay float32."""
    has = torch.cuda.is_bf16_supported(including_emulation=False) if device == "cuda" else cpu_has_bf16()
    return torch.autocast(device, torch.bfloat16) if has else contextlib.nullcontext()


def cpu_has_bf16() -> bool:
    """Whether the processor multiplies bf16; where it only converts it, float32 is faster."""
    with contextlib.suppress(OSError):
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
        return "avx512_bf16" in text or "amx_bf16" in text
    return False


def keep_memory() -> None:
    """Tell glibc to keep freed memory instead of getting it anew from the system, page by page, at every layer.

    Training is 8 to 12 % faster so. Elsewhere than on Linux nothing happens.
    """
    with contextlib.suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        for what, size in ((M_MMAP_THRESHOLD, 1 << 30), (M_TRIM_THRESHOLD, (1 << 31) - 1), (M_TOP_PAD, 1 << 26)):
            mallopt(what, size)
