"""`python -m companion score` as a person or a script meets it."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from bad_states import ALL

from companion.cases.answer import answer, short_answer
from companion.cases.state_text import parse
from companion.cli.main import main
from companion.words.json_cache import MOST
from companion.words.words import Words, words
from scoring import StateError, score_state
from scoring.games import NAMES
from scoring.samples import any_state, sample

ROOT = Path(__file__).parents[3]
STATE = {"game": "splendor", "players": [{"name": "あ", "cards": [{"points": 2, "bonus": "red"}]}, {"name": "B"}]}


def program(*args, **kwargs):
    command = [sys.executable, "-m", "companion", "score", *map(str, args)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False, **kwargs)


@pytest.fixture
def saved(tmp_path):
    def save(data):
        path = tmp_path / "state.json"
        path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
        return str(path)

    return save


def test_json_answer(saved, capsys):
    assert main(["score", saved(STATE), "--json"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert out["game"] == "splendor"
    assert [(p["name"], p["total"]) for p in out["players"]] == [("あ", 2), ("B", 0)]
    assert out["players"][0]["lines"][0]["because"] == ["/players/0/cards/0"]
    assert out["winners"] == []
    assert {"lines", "choices", "alternatives"} <= set(out["players"][0])
    assert {"notes", "note_details", "rulings"} <= set(out)


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_table_for_people(game, language, saved, capsys):
    assert main(["score", saved(sample(game, Random(5))), "--explain", "--lang", language]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == words(language).term(f"game.{game}")


def test_standard_input_and_output_of_the_program():
    run = program("-", "--json", input=json.dumps(STATE, ensure_ascii=False).encode())
    assert (run.returncode, run.stderr) == (0, b"")
    assert json.loads(run.stdout)["players"][0]["name"] == "あ"


@pytest.mark.parametrize("explain", [[], ["--explain"]])
def test_many_states_in_order_bad_ones_in_their_place(saved, capsys, explain):
    lines = [json.dumps(STATE), "", '{"game": "go"}', "[", json.dumps(STATE).replace("2", "3"), "\u2028", '"\x85"']
    path = saved("\n".join(lines).encode() + b"\n\xff\n" + json.dumps(STATE).encode() + b"\r\n")
    assert main(["score", "--jsonl", path, *explain]) == 0
    out = [json.loads(line) for line in capsys.readouterr().out.split("\n")[:-1]]
    assert ["error" in one for one in out] == [False, True, True, True, False, True, True, True, False]
    assert [one["players"][0]["total"] for one in (out[0], out[4], out[8])] == [2, 3, 2]


def test_the_short_answer_is_the_answer_without_explanations():
    rng = Random(8)
    for _ in range(100):
        breakdown = score_state(any_state(rng), explain=False)
        whole = json.loads(json.dumps(answer(breakdown, words("en"))))
        for player in whole["players"]:
            player["lines"] = [{key: line[key] for key in ("label", "points", "because")} for line in player["lines"]]
            del player["alternatives"]
        del whole["note_details"], whole["rulings"]
        assert json.loads(short_answer(breakdown, words("en"))) == whole


def test_what_was_written_before_is_written_the_same_again():
    """Also where the very same line comes again, and after old texts have been let go."""
    rng = Random(9)
    say = Words("en")
    breakdowns = [score_state(any_state(rng), explain=False) for _ in range(60)]
    first = [short_answer(breakdown, say) for breakdown in breakdowns]
    assert [short_answer(breakdown, say) for breakdown in breakdowns] == first
    assert say.written.again
    for n in range(MOST):
        say.written.keep(n, n, str(n))
    assert not say.written.again
    assert [short_answer(breakdown, say) for breakdown in breakdowns] == first


@pytest.mark.parametrize(("text", "place", "key"), ALL)
def test_bad_input_is_one_line_that_names_the_field(text, place, key, saved, capsys):
    with pytest.raises(StateError) as refused:
        score_state(parse(text))
    assert (refused.value.place, refused.value.expected) == (place, key)
    for language in ("en", "ja"):
        assert main(["score", saved(text), "--json", "--lang", language]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1
        assert len(err) < 700
        assert place in err


@pytest.mark.parametrize(
    ("state", "english", "japanese"),
    [
        ({"game": "igna", "players": []}, "none yet", "まだありません"),
        ({"game": "igna", "players": [{"name": "A", "sets": [["red1"]]}]}, "so far 1 of 3", "現在 1/3）"),
        (
            {"game": "human-angel-demon", "winner": "A", "won_by": "take", "players": [{"name": "A", "hand": ["H1"]}]},
            "so far 1 of 8",
            "現在 1/8）",
        ),
    ],
)
def test_what_is_not_complete_is_said_in_words(state, english, japanese):
    with pytest.raises(StateError) as refused:
        score_state(state)
    for language, ending in (("en", english), ("ja", japanese)):
        said = words(language).error(refused.value)
        assert said.endswith(ending)
        assert "[" not in said


SEEKERS = {"game": "twelve-seekers", "rule": 16}
DEMON = {"game": "human-angel-demon", "winner": "A", "won_by": "take"}


@pytest.mark.parametrize(
    ("state", "english", "japanese"),
    [
        (
            {"game": "igna", "players": [{"sets": [["red1", *[{"color": "青", "number": 2, "bonus": True}] * 3]]}]},
            "got red 1, 青 2*, 青 2*, 青 2*",
            "、赤 1、青 2*、青 2*、青 2* でした",
        ),
        (
            {**SEEKERS, "players": [{"line": [], "color_cards": ["red", "red"]}]},
            "expected 2 different color cards at most under rule 16, got red, red",
            "ルール16では異なる色指定カード2枚までが必要ですが、赤、赤 でした",
        ),
        (
            {**SEEKERS, "rule": 13, "players": [{"gems": {"red": 1}, "choices": {"plus": "blue"}}]},
            "got plus: blue",
            "、プラス色＝青 でした",
        ),
        (
            {
                **SEEKERS,
                "rule": 15,
                "players": [{"gems": {}, "color_cards": ["red"], "choices": {"plus": ["red", "blue"]}}],
            },
            "got plus: red, blue",
            "、プラス色＝赤、青 でした",
        ),
        (
            {**DEMON, "players": [{"open": [["H1", "H2", "D4r", "I1"]]}]},
            "got Human 1, Human 2, Demon 4 (red), Item 1",
            "、Human 1、Human 2、Demon 4（赤）、Item 1 でした",
        ),
        ({**SEEKERS, "players": [{"line": [], "gold": None}]}, "got an empty value (null)", "、空の値（null） でした"),
        (
            {
                **SEEKERS,
                "rule": 7,
                "players": [{"name": n, "line": ["red"] * k} for n, k in (("A", 4), ("B", 0), ("C", 2), ("D", 3))],
            },
            "at most 7 red gems among all players (there are no more in the box; A 4, C 2, D 3), got 9",
            "赤は全員合わせて7個以下（箱の中身の数。A 4、C 2、D 3）が必要ですが、9 でした",
        ),
        (
            {
                "game": "human-angel-demon",
                "winner": "A",
                "won_by": "discard",
                "discarder": "B",
                "players": [
                    {"open": [["H1", "H1", "H1"]], "hand": ["D2", "D3", "D4", *["A5"] * 3, "I1", "I1"]},
                    {"name": "B"},
                ],
            },
            "/players/0/winning_card: expected this field, but there is nothing",
            "/players/0/winning_card：この項目が必要ですが、何もありません",
        ),
        (
            {"game": "splendor", "players": [{"cards": [], "nobles": [{}]}]},
            "expected the cards that a noble asks for, by color, none yet",
            "貴族カードの条件（色と枚数）が必要ですが、まだありません",
        ),
        # what is not written like a card stays as it came
        ({"game": "igna", "players": [{"sets": [["red1", "red1", 7, "x"]]}]}, 'got ["red1", "red1", 7, "x"]', "でした"),
        (
            {"game": "igna", "players": [{"sets": [["red1", "red1", "red1", {"number": 3}]]}]},
            'got ["red1", "red1", "red1", {"number": 3}]',
            "でした",
        ),
        ({"game": "igna", "players": [{"sets": [{"red1": 1}]}]}, 'got {"red1": 1}', "でした"),
    ],
)
def test_cards_that_came_are_named_in_words(state, english, japanese):
    state = {**state, "players": [{"name": "A", **player} for player in state["players"]]}
    with pytest.raises(StateError) as refused:
        score_state(state)
    assert words("en").error(refused.value).endswith(english)
    assert words("ja").error(refused.value).endswith(japanese)


def test_a_number_too_large_is_told_the_bound(saved, capsys):
    state = {"game": "human-angel-demon", "winner": None, "players": [{"name": "A", "points": 10**20}]}
    assert main(["score", saved(state), "--lang", "en"]) == 2
    assert "at most 10^9, got 1000" in capsys.readouterr().err


def test_a_reading_that_changes_the_winners_only_says_so(saved, capsys):
    tied = [{"name": n, "cards": [{"points": 5, "bonus": "red"}] * 3} for n in "AB"]
    tied[0]["reserved"] = 1
    for over, said in ((True, "The winners would be: B"), (False, "Ahead would be: B")):
        state = {"game": "splendor", "round_over": over, "players": tied}
        assert main(["score", saved(state), "--explain", "--lang", "en"]) == 0
        assert said in capsys.readouterr().out


def test_while_the_round_is_open_nobody_wins(saved, capsys):
    state = {"game": "splendor", "players": [{"name": "A", "cards": [{"points": 5, "bonus": "red"}] * 3}]}
    for language, nobody, ahead in (("en", "No winner yet.", "Ahead so far: A"), ("ja", "まだ", "現在のトップ：A")):
        assert main(["score", saved(state), "--lang", language]) == 0
        out = capsys.readouterr().out
        assert nobody in out
        assert ahead in out
    assert main(["score", saved(state), "--json"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert (out["winners"], out["leading"]) == ([], ["A"])


def test_a_reading_says_what_it_rests_on(saved, capsys):
    sets = [["H1", "H2", "H3"], ["D1", "D1", "D1"]]
    hand = ["D5", "D6", "D7r", "A1", "A1", "A1", "A2", "A2"]
    row = {"name": "A", "open": sets, "hand": hand}
    state = {"game": "human-angel-demon", "advanced": True, "winner": "A", "won_by": "take", "players": [row]}
    assert main(["score", saved(state), "--explain", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "The rulebook says so (How to read the conditions); any other reading is a house rule." in out
    assert "silent" not in out
    assert main(["score", saved(state), "--json"]) == 0
    (ruling,) = json.loads(capsys.readouterr().out)["rulings"]
    assert (ruling["name"], ruling["grade"]) == ("condition-sets", "explicit")
    assert ruling["source"]["section"] == "How to read the conditions"


def test_a_long_key_makes_no_long_complaint(saved, capsys):
    assert main(["score", saved({"x" * 100_000: 1, "game": "igna", "players": [{"name": "A"}]})]) == 2
    assert len(capsys.readouterr().err) < 300


@pytest.mark.parametrize("name", ["missing.json", ".", ""])
def test_a_file_that_cannot_be_read(name, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(["score", name]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)


@pytest.mark.parametrize("name", ["A\nB", "\x1b[31mred", "\ud800", "a\u2028b"])
def test_odd_names_break_no_line_and_no_terminal(name):
    state = {"game": "splendor", "players": [{"name": name}, {"name": "B"}]}
    text = json.dumps(state).encode()
    table, answered, many = (
        program("-", input=text),
        program("-", "--json", input=text),
        program("-", "--jsonl", input=text),
    )
    assert [run.returncode for run in (table, answered, many)] == [0, 0, 0]
    assert b"\x1b" not in table.stdout
    assert json.loads(answered.stdout)["players"][0]["name"] == name
    assert json.loads(many.stdout)["players"][0]["name"] == name
    refused = program("-", input=text.replace(b'"B"', json.dumps(name).encode()))
    assert refused.returncode == 2
    assert len(refused.stderr.decode().splitlines()) == 1


def test_a_reader_who_goes_away_is_no_traceback(saved):
    path = saved(b"\n".join([json.dumps(STATE).encode()] * 20_000))
    command = [sys.executable, "-m", "companion", "score", "--jsonl", path]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
        run.wait()


@pytest.mark.parametrize("form", [["--json"], ["--jsonl"], [], ["--help"]])
@pytest.mark.parametrize(("output", "reason"), [(">/dev/full", b"No space left"), (">&-", b"closed")])
@pytest.mark.parametrize("python", [[], ["-u"]])
def test_an_output_that_cannot_be_written_is_one_line_about_the_output(form, output, reason, python, saved):
    """Not about the input; and nothing is put into a file that took the place of the closed output."""
    path = saved(STATE)
    before = Path(path).read_bytes()
    command = [sys.executable, *python, "-m", "companion", "score", path, *form]
    run = subprocess.run(
        ["sh", "-c", f'exec "$@" {output}', "sh", *command], cwd=ROOT, stderr=subprocess.PIPE, check=False
    )
    assert run.returncode == 1
    assert len(run.stderr.splitlines()) == 1
    assert b"standard output" in run.stderr
    assert reason in run.stderr
    assert path.encode() not in run.stderr
    assert Path(path).read_bytes() == before


def test_bad_input_is_said_where_output_is_closed_too():
    command = [sys.executable, "-m", "companion", "score", "missing.json"]
    run = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *command], cwd=ROOT, stderr=subprocess.PIPE, check=False)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
    assert b"missing.json" in run.stderr


def test_score_loads_neither_camera_nor_web():
    code = (
        "import sys; from companion.cli.main import main; main(['score', '-', '--json']);"
        "sys.exit(','.join({'cv2', 'numpy', 'flask', 'babel', 'PIL'} & set(sys.modules)) or 0)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input=json.dumps(STATE).encode(), capture_output=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, b"")
