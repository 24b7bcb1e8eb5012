"""Records as memory: what is copied, what is hashed."""

from importlib import import_module
from pkgutil import walk_packages

import numpy as np

import sparring
from sparring.compiled import compiled
from sparring.games.game import load
from sparring.records import fetch, without_gaps

INNER = np.dtype([("a", "i1"), ("b", "i8")], align=True)
OUTER = np.dtype([("x", "i1"), ("parts", INNER, (2,)), ("y", "i2", (3,))], align=True)


def bytes_of_fields(dtype: np.dtype) -> list[int]:
    """How many fields every byte belongs to."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return bytes_of_fields(base) * int(np.prod(shape))
    if dtype.names is None:
        return [1] * dtype.itemsize
    found = [0] * dtype.itemsize
    for kind, at, *_ in dtype.fields.values():
        for i, n in enumerate(bytes_of_fields(kind)):
            found[at + i] += n
    return found


def begins_with(whole: np.dtype, part: np.dtype) -> bool:
    """Whether a record is another one with more fields after it."""
    names = part.names or ()
    return len(whole.names or ()) > len(names) and all(
        name == found and whole.fields[found][:2] == part.fields[name][:2]
        for name, found in zip(names, whole.names or (), strict=False)
    )


def test_no_record_begins_with_another_which_numba_would_let_pass_as_the_shorter_one_with_a_warning():
    assert begins_with(np.dtype([("a", "i8"), ("b", "i1")]), np.dtype([("a", "i8")]))
    modules = [
        import_module(module.name)
        for module in walk_packages(sparring.__path__, "sparring.")
        if "__main__" not in module.name
    ]
    records = {
        f"{module.__name__}.{name}": found
        for module in modules
        for name, found in vars(module).items()
        if isinstance(found, np.dtype) and found.names
    }
    assert len(records) > 20
    assert not [(a, b) for a in records for b in records if begins_with(records[a], records[b])]


def test_without_gaps_every_byte_belongs_to_one_field_and_the_old_fields_are_where_they_were():
    assert 0 in bytes_of_fields(OUTER)
    full = without_gaps(OUTER)
    assert bytes_of_fields(full) == [1] * OUTER.itemsize
    for name in OUTER.names:
        assert full.fields[name][1] == OUTER.fields[name][1]
    assert full["parts"].base.fields["b"][1] == INNER.fields["b"][1]
    assert without_gaps(full) == full


def test_a_copy_of_a_position_has_its_key_whatever_stood_in_the_memory_before(tmp_path):
    rules = tmp_path / "odd.py"
    text = load("pig").path.read_text(encoding="utf-8")
    rules.write_text(text.replace('("rolling", "i1")', '("rolling", "i1"), ("odd", "i1")'), encoding="utf-8")
    game = load(str(rules))
    assert 0 in bytes_of_fields(game.module.STATE), "its record has gaps"
    state = game.after(game.states()[0], 0, 5)
    for _ in range(100):
        soiled = [np.full(game.STATE.itemsize, 255, np.uint8) for _ in range(50)]
        del soiled
        copy = np.concatenate([np.array([state], game.STATE)] * 2)[1]
        assert game.key(copy) == game.key(state)


def test_to_fetch_a_record_changes_nothing():
    """It only tells the processor; interpreted it does nothing at all."""

    @compiled
    def look(records):
        for i in range(records.shape[0]):
            fetch(records[i])
        return records[1]["a"]

    records = np.array([(1, 2.0), (3, 4.0)], [("a", "i8"), ("b", "f8")])
    before = records.copy()
    assert look(records) == 3 and (records == before).all()
