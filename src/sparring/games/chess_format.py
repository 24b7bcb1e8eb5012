"""Which format a file of chess positions has: by its content, and where that is no help by its ending."""

import pathlib

from sparring.errors import RecordError, nearest

ENDINGS = {
    **dict.fromkeys((".txt", ".text", ".epd", ".plain"), "text"),
    **dict.fromkeys((".bf", ".bullet", ".bulletformat", ".data"), "bulletformat"),
    **dict.fromkeys((".vf", ".viri", ".viriformat"), "viriformat"),
}
FORMATS = "text (FEN | score | result), bulletformat, viriformat"
OTHERS = (
    (b"BINP", "Stockfish's binpack"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd"),
    (b"\xfd7zXZ", "compressed by xz"),
    (b"BZh", "compressed by bzip2"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"[Event", "PGN, games without scores"),
    (b"{", "JSON"),
)
LOOKED_AT = 64  # records
RECORD = 32  # bytes of a record and of a game's head


def kind_by_ending(path: pathlib.Path) -> str:
    """The format that a file of this name is to have; RecordError where its ending says nothing."""
    kind = ENDINGS.get(path.suffix.lower())
    if kind is None:
        known = ", ".join(f"{ending} ({kind})" for ending, kind in ENDINGS.items() if ending in (".txt", ".bf", ".vf"))
        raise RecordError(f"{path.name!r} does not say its format.{nearest(path.suffix, ENDINGS)} Endings are {known}")
    return kind


def kind_of(path: pathlib.Path) -> str:
    """text, bulletformat or viriformat; RecordError where the file is none of them."""
    try:
        with path.open("rb") as file:
            data = file.read(LOOKED_AT * RECORD)
    except OSError as fault:
        raise RecordError(f"cannot read {path}: {fault.strerror}") from fault
    if not data:
        raise RecordError(f"{path} is empty")
    for magic, name in OTHERS:
        if data.startswith(magic):
            raise RecordError(f"{path} is {name}; what can be read is {FORMATS}")
    if is_text(data):
        if b"|" not in data:
            raise RecordError(f"{path} is text, but its lines are not like 'FEN | score | result'")
        return "text"
    records = [data[at : at + RECORD] for at in range(0, len(data) - RECORD + 1, RECORD)]
    if sum(map(is_record, records)) * 2 > len(records):
        return "bulletformat"
    if is_head(data[:RECORD]):
        return "viriformat"
    if path.suffix.lower() in ENDINGS and ENDINGS[path.suffix.lower()] != "text":
        return ENDINGS[path.suffix.lower()]
    raise RecordError(f"{path} is of no format that can be read: {FORMATS}")


def is_text(data: bytes) -> bool:
    """Whether there are only letters that people type."""
    return all(32 <= byte < 127 or byte in b"\t\r\n" for byte in data)


def men_of(record: bytes) -> list[tuple[int, int]]:
    """(square, its four bits) of a packed board; empty where there are more than 32, or bytes are missing."""
    occupied = int.from_bytes(record[:8], "little")
    squares = [square for square in range(64) if occupied >> square & 1]
    if len(squares) > 32 or len(record) < RECORD:
        return []
    return [(square, record[8 + i // 2] >> 4 * (i % 2) & 15) for i, square in enumerate(squares)]


def is_record(record: bytes) -> bool:
    """Whether the kings stand where a record of bulletformat says that they do."""
    men = men_of(record)
    kings = [[square for square, man in men if man == king] for king in (5, 13)]
    return kings == [[record[27]], [record[28] ^ 56]]


def is_head(record: bytes) -> bool:
    """Whether this may be the head of a game in viriformat."""
    men = men_of(record)
    one_each = all(sum(man == king for _, man in men) == 1 for king in (5, 13))
    return one_each and record[24] & 127 <= 64 and record[30] <= 2
