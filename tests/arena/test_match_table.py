"""Match equity tables hold chances of equal players, come in two formats, and are refused where they make no sense."""

import numpy as np
import pytest

from sparring.arena.match_table import empty_table, load_table, table_from, table_of
from sparring.arena.stakes import Stakes
from sparring.errors import MatchError

XML = """<?xml version = "1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met>
  <info><name>Small</name><length>2</length></info>
  <pre-crawford-table type="explicit">
    <row><me>0.5</me><me>0.7</me></row>
    <row><me>0.3</me><me>0.5</me></row>
  </pre-crawford-table>
  <post-crawford-table type="explicit" player="both"><row><me>0.5</me><me>0.48</me></row></post-crawford-table>
</met>
"""
BEFORE, AFTER = np.array([[0.5, 0.7], [0.3, 0.5]]), np.array([0.5, 0.48])


def test_the_table_of_backgammon_has_the_published_chances():
    table = table_of("backgammon")
    assert table.length == 25
    assert (table.chance(1, 2), table.chance(2, 1)) == (0.67736, 0.32264)
    assert (table.chance(2, 3), table.chance(5, 3), table.chance(1, 9)) == (0.59947, 0.35205, 0.94402)
    assert table.chance(2, 1, played=True) == 0.48803


def test_who_is_behind_hopes_for_more_in_abak_where_games_are_won_higher():
    abak, backgammon = table_of("abak"), table_of("backgammon")
    assert abak.length == 25
    for theirs in (1, 2, 3):
        assert 0 < backgammon.chance(theirs + 3, theirs) < abak.chance(theirs + 3, theirs) < 0.5


def test_both_players_chances_sum_to_one():
    table = table_of("backgammon")
    away = np.arange(1, 26)
    for mine, theirs in np.stack(np.meshgrid(away, away), -1).reshape(-1, 2):
        assert table.chance(mine, theirs) + table.chance(theirs, mine) == pytest.approx(1)
    assert table.chance(away, 1, True) + table.chance(1, away, True) == pytest.approx(1)


def test_a_player_who_lacks_no_points_has_won():
    table = table_of("backgammon")
    for played in (False, True):
        assert table.chance(np.array([0, -3]), 7, played).tolist() == [1, 1]
        assert table.chance(7, np.array([0, -3]), played).tolist() == [0, 0]


def test_after_a_game_the_chance_is_that_of_the_next_score():
    table = table_from("small", BEFORE, AFTER)
    start = Stakes(2)
    assert table.after_game(start, 0, np.array([-2, -1, 1, 2])).tolist() == [0, 0.3, 0.7, 1]
    crawford = start.after(1)
    assert table.after_game(crawford, 1, np.array([-1, 1, 2])).tolist() == [0, 0.5, 1]
    long = table_of("backgammon")
    later = Stakes(5, (4, 2)).doubled(1)
    assert long.after_game(later, 1, np.array([-2, 2])).tolist() == [0, 0.5]
    assert long.after_game(Stakes(5, (4, 2)), 1, np.array([1])).tolist() == [0.48803]
    assert long.after_game(Stakes(5, (4, 2)), 0, np.array([-1])) == pytest.approx(1 - 0.48803)
    assert long.after_game(Stakes(5, (3, 2)), 0, np.array([1])).tolist() == [long.chance(1, 3)]


def test_a_table_in_the_public_format_is_read(tmp_path):
    path = tmp_path / "small.xml"
    path.write_text(XML)
    table = load_table(path)
    assert table.name == "Small"
    assert np.array_equal(table.before, BEFORE) and np.array_equal(table.after, AFTER)


def test_a_table_that_was_saved_is_the_same_when_read(tmp_path):
    path = tmp_path / "mine.txt"
    table_from("mine", BEFORE, AFTER).save(path, "two lines\nof notes")
    again = load_table(path)
    assert again.name == "mine"
    assert np.array_equal(again.chances, table_from("mine", BEFORE, AFTER).chances, equal_nan=True)


@pytest.mark.parametrize(
    "old, new, said",
    [
        (
            '<pre-crawford-table type="explicit"',
            '<pre-crawford-table type="zadeh"',
            "type of pre-crawford-table is 'zadeh'",
        ),
        ('player="both"', 'player="0"', "player of post-crawford-table is '0'"),
        ("<me>0.7</me>", "", "rows have not 2 numbers each"),
        ("<me>0.7</me>", "<me>x</me>", "could not convert string to float: 'x'"),
        ("<me>0.7</me>", "<me>0.8</me>", "gives 1 against 2 and 2 against 1 chances whose sum is 1.10000"),
        ("<me>0.48</me>", "<me>1.48</me>", "holds 1.48, but chances lie between 0 and 1"),
        ("<me>0.48</me>", "<me>0.52</me>", "gives a player more who lacks more points"),
        ("post-crawford", "late", "it needs a pre-crawford-table and a post-crawford-table"),
        ("</met>", "", "cannot be read"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(tmp_path, old, new, said):
    path = tmp_path / "wrong.xml"
    path.write_text(XML.replace(old, new))
    with pytest.raises(MatchError) as fault:
        load_table(path)
    assert said in str(fault.value) and "\n" not in str(fault.value)


@pytest.mark.parametrize("text", ["", "# nothing\n", "0.5 0.7\n0.3\n", "0.5 0.7\n0.3 0.5\n", "a b\n"])
def test_a_text_that_is_no_table_is_refused(tmp_path, text):
    path = tmp_path / "wrong.txt"
    path.write_text(text)
    with pytest.raises(MatchError, match="match equity table"):
        load_table(path)


def test_a_table_that_is_not_there_is_named(tmp_path):
    with pytest.raises(MatchError, match="no match equity table .*none.txt"):
        load_table(tmp_path / "none.txt")
    with pytest.raises(MatchError, match="no match equity table for chess .*there are: .*backgammon"):
        table_of("chess")


def test_a_match_longer_than_the_table_is_refused():
    with pytest.raises(MatchError, match="the match is to 31, but the table 'backgammon' goes to 25"):
        table_of("backgammon").after_game(Stakes(31), 0, np.array([1]))
    with pytest.raises(MatchError, match="money play"):
        empty_table("none", 3).after_game(Stakes(), 0, np.array([1]))
