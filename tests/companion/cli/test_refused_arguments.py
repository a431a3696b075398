"""What is wrong with the arguments of a command is said in one line, in the reader's language."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.main import COMMANDS, main

ALL = tuple(COMMANDS)
REFUSED = [  # arguments; what is said in English and in Japanese
    (("--wrong",), "expected more: COMMAND", "次の指定が足りません：COMMAND"),
    (("scor", "x"), f"COMMAND: expected one of {', '.join(ALL)}, got scor", f"COMMAND：{'、'.join(ALL)}のどれか"),
    (("score",), "score: expected more: FILE", "score: 次の指定が足りません：FILE"),
    (("score", "x", "--wrong"), "no such option or argument: --wrong", "使えないオプションまたは引数です：--wrong"),
    (("score", "x", "y"), "no such option or argument: y", "引数です：y"),
    (("score", "x", "--json=3"), "--json: expected no value after it, got 3", "--json：値は付けられませんが、3が"),
    (("score", "x", "--json", "--jsonl"), "--jsonl: cannot be given together with --json", "--jsonと一緒には"),
    (("score", "x", "--js"), "--js can mean --json, --jsonl", "--jsは--json、--jsonlのどれ"),
    (("watch", "x", "--table"), "--table: expected a value after it", "--table：後に値が必要です"),
    (("cards", "enroll", "x"), "expected more: --order, --out", "足りません：--order, --out"),
    (("print", "all", "--paper", "A9"), "--paper: expected one of A4, A3, ", "--paper：A4、A3、"),
    (
        ("sheet", "enroll", "x", "--rows", "99"),
        "--rows: expected a whole number from 2 to 40, got 99",
        "--rows：2から40",
    ),
    (("sheet", "enroll", "x", "--rows", "x\ny"), "40, got x\\ny", "x\\nyでした"),
    (("sheet", "read", "x", "--sheet", "x", "--dask", "host"), "--dask: expected a Dask scheduler’s", "--dask：tcp://"),
    (("serve", "--port", "x"), "--port: expected a whole number", "--port：0から65535までの整数が必要ですが、xでした"),
]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("given", "english", "japanese"), REFUSED)
@pytest.mark.parametrize("asked", [True, False])
def test_wrong_arguments_are_refused_in_the_readers_language(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    given: tuple[str, ...],
    english: str,
    japanese: str,
    language: str,
    asked: bool,
) -> None:
    monkeypatch.setenv("LC_ALL", "C" if asked else f"{language}_XX.UTF-8")
    with pytest.raises(SystemExit) as left:
        main([*given, f"--lang={language}"] if asked else given)
    out, err = capsys.readouterr()
    assert (left.value.code, out, err.count("\n")) == (2, "", 1)
    assert (english if language == "en" else japanese) in err


@pytest.mark.parametrize(
    ("given", "over"),
    [
        ("sheet enroll in.png --out in.png", "in.png"),
        ("sheet enroll in-blank.png --out in.json", "in-blank.png"),
        ("sheet enroll in-page.png --out in.json", "in-page.png"),
        ("sheet enroll in.png --letters in.json --out in.json", "in.json"),
        ("cards enroll in.png --order in.json --out in.json", "in.json"),
        ("cards enroll in.npz --order order.json --out in.json", "in.npz"),
        ("calibrate colors in.png --table in.json --out in.json", "in.json"),
        ("calibrate colors in.png --table in.json --out ./in.png", "in.png"),
        ("calibrate camera in.png --out in.png", "in.png"),
        ("print mats --out in.pdf --profile in.pdf", "in.pdf"),
    ],
)
def test_no_file_is_written_over_another_of_the_same_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: str, over: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (words := given.split())[2:]:
        if not name.startswith("--"):
            Path(name).write_text("{}")
    assert main([*words, "--lang=en"]) == 2
    assert capsys.readouterr().err.startswith(f"companion: {over} is used in this command already")
    assert {path.read_text() for path in tmp_path.iterdir()} == {"{}"}


@pytest.mark.parametrize(
    ("language", "said"), [("ja", "引数です：y"), ("fr", "--lang：en、jaのどれかが必要ですが、frでした")]
)
def test_the_language_is_its_options_next_word_or_the_environments(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    monkeypatch.setenv("LC_ALL", "C" if language == "ja" else "ja_JP.UTF-8")
    with pytest.raises(SystemExit):
        main(["score", "--lang", language, "x", "y"])
    assert said in capsys.readouterr().err
