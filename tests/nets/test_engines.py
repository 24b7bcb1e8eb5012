"""Every engine agrees with the plain one within its tolerance, and what cannot be had is told in a line."""

import importlib.util
import subprocess
import sys
import threading

import numpy as np
import pytest

from sparring.errors import EngineError
from sparring.games.game import load as load_game
from sparring.nets import engines
from sparring.nets.tower import calibrated, evaluate

# largest difference of an output from the plain engine's, where outputs spread by 1
TOLERANCES = {
    "numpy": 0,
    "torch": 1e-4,
    "openvino-f32": 1e-4,
    "torch-bf16": 0.06,
    "openvino": 0.06,
    "openvino-int8": 0.25,
}
HAS_OPENVINO = importlib.util.find_spec("openvino") is not None
HERE = [k for k in TOLERANCES if HAS_OPENVINO or not k.startswith("openvino")]


def measured(tower_of, inputs_of, name="connect-four", n=32, **sizes):
    """A tower whose ranges are measured, and positions."""
    net = tower_of(load_game(name), **sizes)
    return calibrated(net, inputs_of(net.shape, 64, seed=8)), inputs_of(net.shape, n)


@pytest.mark.parametrize("kind", HERE)
@pytest.mark.parametrize("name", ["connect-four", "tigers-and-sheep", "pig"])
def test_it_agrees_with_the_plain_engine(kind, name, tower_of, inputs_of):
    net, inputs = measured(tower_of, inputs_of, name, blocks=3, width=32)
    engine = engines.make(kind, net, len(inputs))
    engine.inputs[:] = inputs
    engine.run()
    wanted = evaluate(net, inputs)
    assert engine.outputs.shape == wanted.shape and engine.outputs.dtype == np.float32
    assert np.abs(engine.outputs - wanted).max() <= TOLERANCES[kind] * max(1, wanted.std())


@pytest.mark.parametrize("kind", HERE)
def test_another_net_of_the_shape_is_taken_into_the_same_arrays(kind, tower_of, inputs_of):
    net, inputs = measured(tower_of, inputs_of)
    other, _ = measured(tower_of, inputs_of, seed=9)
    engine = engines.make(kind, net, len(inputs))
    places = engine.inputs, engine.outputs
    engine.inputs[:] = inputs
    engine.run()
    before = engine.outputs.copy()
    engine.load(other)
    engine.run()
    assert (engine.inputs, engine.outputs)[0] is places[0] and engine.outputs is places[1]
    assert np.array_equal(engine.inputs, inputs) and engine.name == kind and engine.batch == len(inputs)
    assert np.abs(engine.outputs - evaluate(other, inputs)).max() <= max(TOLERANCES[kind], 1e-6) * 2
    assert np.abs(engine.outputs - before).max() > 0.3


@pytest.mark.parametrize("kind", HERE)
def test_a_net_of_another_shape_is_refused(kind, tower_of, inputs_of):
    net, _ = measured(tower_of, inputs_of)
    engine = engines.make(kind, net, 2)
    with pytest.raises(EngineError, match=r"^an engine made for Shape\(.*width=8.*\) cannot run Shape\(.*width=4"):
        engine.load(tower_of(load_game("connect-four"), width=4))


@pytest.mark.parametrize("kind", HERE)
def test_it_runs_anew_at_each_call_and_the_same_each_time(kind, tower_of, inputs_of):
    net, inputs = measured(tower_of, inputs_of, n=4)
    engine = engines.make(kind, net, 4)
    seen = []
    for turn in (inputs, inputs[::-1], inputs):
        engine.inputs[:] = turn
        engine.run()
        seen.append(engine.outputs.copy())
    assert np.array_equal(seen[0], seen[2]) and not np.array_equal(seen[0], seen[1])
    np.testing.assert_allclose(seen[1], seen[0][::-1], atol=1e-6)


@pytest.mark.parametrize("kind", HERE)
def test_engines_of_several_threads_do_not_disturb_each_other(kind, tower_of, inputs_of):
    net, inputs = measured(tower_of, inputs_of, n=8)
    made = [engines.make(kind, net, 8) for _ in range(3)]
    wanted = []
    for i, engine in enumerate(made):
        engine.inputs[:] = np.roll(inputs, i, 0)
        engine.run()
        wanted.append(engine.outputs.copy())

    def often(engine):
        for _ in range(20):
            engine.run()

    threads = [threading.Thread(target=often, args=(engine,)) for engine in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(engine.outputs, row) for engine, row in zip(made, wanted, strict=True))


# --- choosing --------------------------------------------------------------------------------------------------------


@pytest.fixture
def speeds(monkeypatch):
    """Trials are replaced by these figures; a fault among them is raised."""
    known = {"openvino-int8": 300.0, "openvino": 2000.0, "torch": 70.0, "torch-bf16": 90.0, "numpy": 5.0}

    def trial(kind, tower, batch):
        if isinstance(known[kind], Exception):
            raise known[kind]
        return known[kind]

    monkeypatch.setattr(engines, "_trial", trial)
    monkeypatch.setattr(engines, "_gpu_is_there", lambda: False)
    monkeypatch.setattr(engines, "_installed", lambda package: True)
    return known


def test_the_fastest_is_chosen_and_the_others_are_named(speeds, tower_of, inputs_of):
    net, _ = measured(tower_of, inputs_of)
    _, line = engines.choose(net, 8)
    assert line == "Engine: OpenVINO bf16, 2,000 evaluations/s (OpenVINO int8 300)"


def test_int8_is_tried_only_where_ranges_are_known_or_can_be_measured(speeds, tower_of, inputs_of):
    net = tower_of(load_game("connect-four"))
    assert engines.choose(net, 8)[1] == "Engine: OpenVINO bf16, 2,000 evaluations/s"
    assert "int8" in engines.choose(net, 8, inputs_of(net.shape, 16))[1]


def test_an_engine_that_does_not_start_is_passed_over_and_the_line_says_why(speeds, tower_of, inputs_of):
    net, _ = measured(tower_of, inputs_of)
    speeds["openvino"] = EngineError("engine openvino does not start: no memory")
    assert engines.choose(net, 8)[1] == (
        "Engine: OpenVINO int8, 300 evaluations/s; engine openvino does not start: no memory"
    )
    speeds["openvino-int8"] = EngineError("engine openvino-int8 does not start: an old processor")
    assert engines.choose(net, 8)[1].startswith("Engine: torch bf16, 90 evaluations/s (torch float32 70); engine open")
    speeds["torch"] = speeds["torch-bf16"] = EngineError("engine torch does not start")
    assert engines.choose(net, 8)[1].startswith("Engine: NumPy, 5 evaluations/s; engine ")


def test_one_that_was_asked_for_and_does_not_start_is_replaced_and_the_line_says_why(speeds, tower_of, inputs_of):
    net, _ = measured(tower_of, inputs_of)
    speeds["openvino"] = EngineError("engine openvino does not start: no memory")
    assert engines.choose(net, 8, wanted="openvino-int8")[1] == "Engine: OpenVINO int8, 300 evaluations/s"
    assert engines.choose(net, 8, wanted="openvino")[1] == (
        "Engine: OpenVINO int8, 300 evaluations/s; engine openvino does not start: no memory"
    )


def test_the_maker_gives_later_towers_the_ranges_of_the_trial(tower_of, inputs_of):
    pytest.importorskip("openvino")
    net, _ = measured(tower_of, inputs_of)
    make, _ = engines.choose(net, 8, wanted="openvino-int8")
    engine = make(tower_of(load_game("connect-four"), seed=9))
    assert engine.name == "openvino-int8" and engine.batch == 8


def test_what_makes_no_sense_is_told_in_a_line(tower_of):
    net = tower_of(load_game("connect-four"))
    for kind, batch, says in (
        (
            "opnvino",
            8,
            "no engine 'opnvino'. Did you mean 'openvino'? There are: auto, cuda, openvino-int8, openvino, ",
        ),
        ("torch", 0, "a batch of 0 positions was asked for, but it must be at least 1"),
        ("auto", -1, "a batch of -1 positions was asked for, but it must be at least 1"),
        ("torch", 10**10, "a batch of 10000000000 positions needs about "),
        ("auto", 10**10, "a batch of 10000000000 positions needs about "),
    ):
        with pytest.raises(EngineError) as fault:
            engines.choose(net, batch, wanted=kind)
        assert str(fault.value).startswith(says) and "\n" not in str(fault.value)


def test_int8_without_ranges_is_told(tower_of):
    pytest.importorskip("openvino")
    with pytest.raises(EngineError, match=r"^engine openvino-int8 wants a net whose ranges were measured"):
        engines.make("openvino-int8", tower_of(load_game("connect-four")), 8)


def test_a_missing_library_is_told(monkeypatch, tower_of):
    monkeypatch.setattr(engines, "_installed", lambda package: False)
    with pytest.raises(EngineError, match=r"^engine openvino needs openvino, .*: pip install 'sparring\[openvino\]'$"):
        engines.make("openvino", tower_of(load_game("connect-four")), 8)


def test_cuda_without_a_gpu_is_told(tower_of):
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(EngineError, match=r"^engine cuda does not start: torch finds no GPU that it can use$"):
        engines.make("cuda", tower_of(load_game("connect-four")), 8)


def test_engines_but_torch_do_without_torch():
    code = (
        "import sys, numpy as np\nfrom sparring.games.game import load\nfrom sparring.nets import engines, tower\n"
        "shape = tower.shape_for(load('tic-tac-toe'), blocks=1, width=4)\n"
        "net = tower.Tower('tic_tac_toe', 1, shape, {n: np.zeros(s, np.float32) for n, s in shape.arrays.items()})\n"
        "net = tower.calibrated(net, np.zeros((4, 2, 3, 3), np.float32))\n"
        "engines._gpu_is_there = lambda: False\n"
        f"[engines.make(kind, net, 4).run() for kind in {[k for k in HERE if 'torch' not in k]!r}]\n"
        f"{'engines.choose(net, 4)' if HAS_OPENVINO else ''}\n"
        "print('torch' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1] == "False"
