"""The chess board as people see it."""

from xml.etree import ElementTree

from sparring.games.chess_text import read_fen
from sparring.games.game import load

STATE = read_fen("4k3/8/8/3pP3/8/8/8/4K2R b K - 0 1")


def test_the_board_is_drawn_with_white_at_the_bottom():
    assert load("chess").draw(STATE).splitlines() == [
        "8 . . . . k . . .",
        *(f"{rank} . . . . . . . ." for rank in (7, 6)),
        "5 . . . p P . . .",
        *(f"{rank} . . . . . . . ." for rank in (4, 3, 2)),
        "1 . . . . K . . R",
        "  a b c d e f g h",
        "Black to move",
    ]


def test_the_image_has_64_squares_and_a_figure_for_each_piece():
    image = ElementTree.fromstring(load("chess").svg(STATE))
    shapes = [element.tag.rpartition("}")[2] for element in image]
    assert shapes.count("rect") == 64
    assert sorted(element.text for element in image if element.text) == sorted("♚♟♙♔♖")
