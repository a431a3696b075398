"""Games in which the referee once blamed the wrong one, missed a slip or lost the score: now it says what happened."""

from collections import Counter
from random import Random

import pytest
from standing_log import standing_moves

from bench.referee import judge
from referee import Game
from training.synth.games.cases import KINDS
from training.synth.games.laid_out import cleared


def figures_of_game(kind, seed, n):
    """What the bench counts of one game."""
    figures = Counter()
    judge(KINDS[kind](Random(f"{seed} {kind} {n}")), figures, None)
    return figures


# kind, seed and number of the game; what was wrong
GAMES = {
    ("other-seekers-sure-slips", 893911, 21): "a turn out of order, all of it in sight, told as lawful, after the next",
    ("other-seekers-sure-slips", 893913, 20): "the same, told of nobody",
    ("other-seekers-sure-slips", 893912, 2): "one gem sent back instead of two, told as one taken too few",
    ("other-seekers-sure-slips", 893913, 23): "a gem that was never sent back, told as one too many of the next turn",
    ("other-seekers-slips", 893913, 19): "the same, another player's turn between",
    ("other-seekers-sure-slips", 893913, 22): "gems off both ends, told of nobody: the turn before as one taken back",
    ("other-seekers-sure-slips", 893913, 35): "clearing begins with the gold of a turn that lacks something: all lost",
    ("other-seekers-slips", 893910, 31): "an invalid gem read as gold, counted as a valid one",
    ("angels-midway", 893901, 5): "a gain right after the first look, when nobody knows who discarded last",
    ("angels-midway", 893904, 8): "the same of a player who is ready",
    ("angels-midway", 893901, 4): "the second short game begun by the left neighbor, in the first look",
    ("igna-covered", 893904, 1): "a turn under an arm, told as somebody else's that was put right",
    ("splendor-covered", 893900, 7): "a card that cost nothing, bought under an arm: the next one out of turn",
    ("splendor-covered", 893904, 1): "the same among three",
    ("other-splendor-sure-slips", 893982, 2): "a card kept with eleven tokens, two back, the gold that came among them",
    ("seekers-covered", 893940, 9): "two turns in one look, the row covered: the one who began was taken for the other",
    ("ruin-covered", 893942, 2): "a wall whose tick no look shows, told as written without one",
    ("ruin-photos", 893963, 7): "a cell that one photo missed, told as a turn far from everything",
    ("ruin-photos-slips", 893963, 7): "the same, and a turn that was far from everything beside the next one",
    ("ruin", 893984, 4): "half a piece and a misread cell, as large as the card's and a square: R5, then R3 thrice",
    ("ruin", 893980, 6): "a turn of a round that no look showed, told as the next round's, whose own one then was R3",
    ("ruin-covered", 893984, 4): "half a piece while the pawn was out of sight, told as a turn of one cell",
    ("ruin-covered", 893980, 8): "two walls with their ticks in two rounds, the row empty since: R6",
    ("ruin-midway", 893982, 0): "the map is full: a tick is all of a turn",
    ("ruin-words-slips", 893982, 8): "a letter that came and was declared at once, a person's look between",
    ("ruin-cards", 894002, 9): "a misread cell among two rounds' pieces, told as one turn that is none",
    ("ruin-cards", 894004, 6): "five rounds in one photo, of which four were told apart",
    ("ruin-cards", 894002, 4): "a letter that came and was declared at once: where the pawn stood was another cell",
    ("ruin-words-slips", 894001, 5): "two rounds that no look separates, told as one cell more",
    ("seekers-slips", 893981, 0): "four gems in a hand where three were due, told as two cards: then T5 at each turn",
    ("seekers-chaos", 893984, 10): "a turn and the first gem of the next one: no steps were left for whose turn it was",
    ("seekers-slips", 894001, 2): "a turn and half of the next one, told as a slip put right: all lay as before",
    ("splendor-covered", 894000, 9): "tokens paid for a card under an arm, told as given back and put right",
    ("splendor-midway", 893984, 11): "the first turn after the first look leaves no trace, told as eleven tokens",
    ("igna-slips", 893981, 4): "a turn out of order that was put right, though its Igna cards lay there still",
    ("igna-books-slips", 893983, 2): "two turns in one look, one of them told as out of order",
    ("igna-books-slips", 893983, 3): "who got a treasure that was offered out of order",
    ("ruin-books-slips", 894312, 9): "half a turn with a misread cell, told as a whole one: leaving then cost nothing",
    ("ruin-slips", 894314, 1): "the same where the pawn went too far",
    ("ruin-books-slips", 894310, 6): "a letter that was not declared, in a turn of which a cell was misread",
    ("ruin-books-slips", 894312, 5): "the same where one cell more was thought to be drawn without a card",
    ("ruin-slips", 894310, 4): "half a turn with a doubtful and a sure cell misread",
    ("ruin-cards-slips", 894313, 2): "a pawn that had declared a letter a round before and gone on: too far from there",
    ("other-angels-slips", 894501, 0): "two cards in a hand, nothing laid: told as a turn and one begun again",
    ("other-seekers-slips", 894552, 20): "two turns and half of a third: no steps were left for the right order",
    ("seekers-throw", 894323, 4): "the last gem, thrown at once: its turn was not over when the table was cleared",
    ("angels-covered", 894310, 4): "five turns between two looks, the market dealt twice: all of them slips",
    ("other-seekers-slips", 894703, 21): "two cards in one look, one put back: told as a turn begun again",
    ("other-seekers-sure-slips", 894701, 28): "the same out of order",
    ("other-seekers-slips", 894700, 28): "the same, and a gem moved at the next look",
    ("other-seekers-sure-slips", 894704, 38): "gems that never went back, told as two too many of the next turn",
    ("other-seekers", 894720, 4): "two turns with gems back to the row, and a third begun: told as too few gems",
    ("other-splendor", 894703, 30): "kept cards, only counted, were put away with tokens: told as four given back",
    ("splendor-slips", 894742, 4): "tokens taken and given back, a turn begun since: the next one out of turn",
    ("splendor-slips", 894743, 2): "two misread tokens, told as an exchange that was undone out of turn",
    ("other-seekers", 894778, 18): "two turns and a third begun, gems back and swaps: no steps were left",
    ("other-seekers", 894913, 0): "two turns with gems back, two gems of a third: no steps were left",
    ("other-splendor-sure-slips", 894903, 27): "a card bought for too little, and one piece put away before the others",
    ("splendor-hands", 894851, 5): "a second noble, a look after its turn: told as a card bought without paying",
    ("igna-camera-slips", 894751, 1): "no set, of which only the clearing's first look shows again that it is none",
    ("igna-books-slips", 894754, 7): "treasures among the Igna cards while clearing: the last set was lost",
    ("igna-slips", 895103, 8): "a turn out of order, told as one that paid: exchanged cards gave the tokens back",
    ("igna-slips", 895100, 2): "the same for a player whose turn had been left out",
    ("igna-slips", 895100, 3): "nothing laid, and out of order: a card was thought to have given somebody else a token",
    ("igna-slips", 895102, 11): "out of order after a look with two turns: told of nobody, whatever the looks showed",
    ("igna-camera-slips", 895100, 5): "the last set, which was none: a card that no look had named made it one",
    ("igna-camera-slips", 895102, 1): "the same",
    ("igna", 895110, 9): "a set of which two cards were doubtful, told as none at once",
    ("igna-camera", 895113, 2): "the same with one card",
    ("other-angels-sure-slips", 895002, 33): "ready without a discard, told as a gain that made ready",
    ("other-angels-sure-slips", 895003, 19): "no set, mended with a red card that lay in it already",
    ("other-splendor-slips", 895004, 37): "a turn out of order, when nobody knew who had begun: told of another one",
    ("other-seekers-sure-slips", 895002, 11): "a gem in the wrong place, told as one that had been moved there later",
    ("angels-words-slips", 894311, 10): "who began again out of turn had taken two cards before, and put one back",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "seed", "n"), GAMES)
def test_slips_are_told_of_who_made_them(kind, seed, n):
    figures = figures_of_game(kind, seed, n)
    assert figures["told"] == figures["slips"]
    assert (figures["false"], figures["accused"]) == (0, 0)
    assert figures["totals"] == figures["scored"]


MOVES = {
    ("splendor-hands", 894732, 6): "bought at once from the market, told as a card kept before: another one was kept",
    ("igna", 894752, 0): "turns that paid, and two treasures that others got: looks before them were held against them",
    ("other-splendor", 894700, 3): "two cards kept in one look, each told as the other one until one was bought",
    ("other-angels", 895002, 0): "a discard that nobody saw was gained: all cards that nobody saw became one card",
    ("other-angels-slips", 895000, 24): "the same",
}


@pytest.mark.parametrize(("kind", "seed", "n"), MOVES)
def test_each_move_is_told_as_it_was_and_none_stood_wrong(kind, seed, n):
    figures = figures_of_game(kind, seed, n)
    assert figures["hits"] == figures["moves"]
    assert (figures["spurious"], figures["edits"], figures["standing"]) == (0, 0, 0)


INNOCENT = {
    ("other-splendor-slips", 895004, 16): "three turns before anybody's order was known, then one out of turn",
    ("angels-words-slips", 894314, 6): "somebody typed what lies there: whose slip it was is not said with that",
}


@pytest.mark.parametrize(("kind", "seed", "n"), INNOCENT)
def test_nobody_is_blamed_who_did_nothing(kind, seed, n):
    figures = figures_of_game(kind, seed, n)
    assert figures["accused"] == 0


LOST = {
    ("other-seekers-slips", 894800, 0): "which story was likelier once the table was being cleared was forgotten",
    ("other-seekers-sure-slips", 894803, 31): "one gem was put away before all the others: the last turn was lost",
    ("other-seekers-sure-slips", 894803, 7): "the same after seven slips",
    ("other-seekers", 893914, 1): "sheet 18: swaps while the line was out of sight; no look was explained after it",
    ("other-seekers-sure-slips", 893972, 26): "sheet 11: two breaches in a row, no look was explained after them",
    ("other-seekers-slips", 893973, 21): "clearing begins with one gem, taken for a turn that was not over",
    ("seekers-place", 895402, 3): "the last gem, where its place was known only when the table was being cleared",
    ("seekers-advanced-slips", 895401, 5): "chips of a turn, where the other player's breach followed in the same look",
    ("seekers-words-slips", 895401, 2): "a wrong gem thrown in the last turn: the half of it was believed to be lawful",
    (
        "other-angels",
        895500,
        44,
    ): "a card of an opened set, read once wrongly and once rightly, then only while clearing",
    ("igna", 895903, 6): "the last turn was thought to be half done when the table was cleared, and was none then",
    ("igna-slips", 895901, 1): "the same with another player's set",
    ("other-angels-slips", 895960, 55): "a discard that no look had shown: the table did not score",
    ("other-angels", 895001, 31): "four black cards of a title, one of which another look had shown as red",
    ("other-angels-sure-slips", 893972, 19): "a goal right after a breach, seen only when the table was cleared",
}


@pytest.mark.parametrize(("kind", "seed", "n"), LOST)
def test_the_score_is_not_lost(kind, seed, n):
    figures = figures_of_game(kind, seed, n)
    assert figures["totals"] == figures["scored"] == 1
    assert figures["edits"] == 0


def told_of(kind, seed, n, looks=None):
    """The game after so many lines, or cleared, and the log that was told."""
    case, game = KINDS[kind](Random(f"{seed} {kind} {n}")), Game()
    lines = [*case.shot.lines, *cleared(Random(len(case.shot.lines)), case.shot.steps[-1].state)]
    return game, standing_moves(told for line in lines[:looks] for told in game.take(line))


def test_a_question_stays_open_while_the_table_is_cleared():
    """Two seekers in one look: which of them took which gems decides over two points, and nobody has said it."""
    game, log = told_of("other-seekers", 895004, 0)
    assert game.asked == "q1"
    assert [line["sure"] for line in log[5:7]] == [0.5, 0.5]


def test_a_line_is_no_surer_than_another_way_to_the_same_table_lets_it_be():
    """Five gems from each end for two seekers of one player: either way round all lies as it does."""
    _, log = told_of("other-seekers", 895001, 24, looks=4)
    assert [line["sure"] for line in log] == [0.99, 0.5, 0.5, 0.99]
