"""What the referee's bench counts as told, as told wrongly, and as an accusation."""

from collections import Counter
from types import SimpleNamespace

import pytest

from bench.referee import _slips

A5, A7, A12, B5 = ("A", ("T5",)), ("A", ("T7",)), ("A", ("T12",)), ("B", ("T5",))
NOBODY = (None, ("T5",))
# what was made, what was told of whom; made and not told, told and not made, of those the accusations; and of those
# made the ones of which no look shows whose
CASES = {
    "told of who made it": ([A5], [A5], [], [], []),
    "one of two rules that may be named": ([("A", ("T5", "T7"))], [A7], [], [], []),
    "told of somebody else": ([A5], [B5], [A5], [("B", "T5")], [("B", "T5")]),
    "told with another rule": ([A5], [A7], [A5], [], []),
    "told of nobody": ([A5], [NOBODY], [A5], [], []),
    "told of nobody, no look shows whose": ([A7, A5], [NOBODY], [A7], [], [], (1,)),
    "another rule told of nobody": ([A7, A5], [NOBODY], [A7, A5], [], [], (0,)),
    "told of another, though no look shows whose": ([A5], [B5], [A5], [("B", "T5")], [("B", "T5")], (0,)),
    "told of nobody, and none was made": ([], [NOBODY], [], [(None, "T5")], []),
    "told twice": ([A5], [A5, A5], [], [("A", "T5")], [("A", "T5")]),
    "two in one turn, told in one line": ([A5, A12], [("A", ("T5", "T12"))], [], [], []),
    "two in one turn, whichever is named first": ([A12, A5], [("A", ("T5", "T12"))], [], [], []),
    "the further rule is another one's": ([A5, ("B", ("T12",))], [("A", ("T5", "T12"))], [("B", ("T12",))], [], []),
    "one further rule tells one slip": ([A5, A12, A12], [("A", ("T5", "T12"))], [A12], [], []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_slips_are_counted(name):
    made, told, missed, false, accused, *unseen = CASES[name]
    figures = Counter()
    case = SimpleNamespace(slips=made, unseen=unseen[0] if unseen else ())
    assert _slips(told, case, figures) == (missed, false, accused)
    assert sum(n for key, n in figures.items() if key.startswith("told")) == len(made) - len(missed)
