"""Ranges of deals: read, kept apart, and walked through."""

import pytest

from sparring.errors import RunError
from sparring.learn.seeds import Seeds, Span, read_span

APART = {
    "training": "0-999999",
    "held": "1000000-1099999",
    "screening": "2000000-2999999",
    "confirming": "3000000-3999999",
    "evaluating": "4000000-4999999",
}


def test_ranges_that_touch_but_do_not_overlap_are_taken():
    seeds = Seeds.read(**APART)
    assert seeds.training == Span("training", 0, 999_999)
    assert seeds.held.first == seeds.training.last + 1
    assert all(read_span(name, getattr(seeds, name).text) == getattr(seeds, name) for name in APART)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"evaluating": "999999-1000000"}, "0-999999 and --evaluating-seeds 999999-1000000 overlap in 999999-999999;"),
        ({"screening": "3500000-9000000"}, "3000000-3999999 and --screening-seeds .* overlap in 3500000-3999999;"),
        ({"held": "5-9"}, "--training-seeds 0-999999 and --held-seeds 5-9 overlap in 5-9"),
        ({"held": "0-999999"}, "overlap in 0-999999"),
    ],
)
def test_overlapping_ranges_are_refused_with_both_and_what_they_share(changed, said):
    with pytest.raises(RunError, match=said):
        Seeds.read(**{**APART, **changed})


def test_a_learner_that_measures_nothing_needs_fewer_ranges():
    seeds = Seeds.read(training="0-9", held="10-19")
    assert seeds.evaluating.count == 0
    with pytest.raises(RunError, match="1 are needed"):
        seeds.evaluating.take(0, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("many", "--screening-seeds is 'many', but it must be a range of whole numbers such as 0-999999"),
        ("7", "'7'"),
        ("-5-9", "'-5-9'"),
        ("9-5", "its end 5 lies before its beginning 9"),
        (f"0-{2**63}", f"{2**63} is not below 2\\*\\*63"),
    ],
)
def test_what_is_no_range_of_deals_is_refused(text, said):
    with pytest.raises(RunError, match=said):
        read_span("screening", text)


def test_the_last_deal_below_those_of_matches_may_be_used():
    assert read_span("training", f"0-{2**63 - 1}").take(2**63 - 1, 1).tolist() == [2**63 - 1]


def test_deals_are_taken_in_order_and_begin_again_after_the_last():
    span = Span("training", 10, 14)
    assert [span.take(at, 3).tolist() for at in (0, 3, 6)] == [[10, 11, 12], [13, 14, 10], [11, 12, 13]]
    assert span.take(0, 5).dtype == "uint64"


def test_more_deals_at_a_time_than_there_are_are_refused():
    with pytest.raises(RunError, match="--evaluating-seeds 10-14 are 5 deals, but 6 are needed"):
        Span("evaluating", 10, 14).take(0, 6)
