"""Every rule id of the documentation is told by the referee’s code, or is said to be unknowable."""

import ast
import re
from pathlib import Path

import referee
from training.synth.games.rules_tried import UNSEEN, UNTOLD, rules


def test_ids_that_no_code_tells_are_listed():
    words = set()
    for path in Path(referee.__file__).parent.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        words |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert tuple(rule for rule in rules() if rule not in words and rule not in UNSEEN) == UNTOLD


def test_ids_that_docstrings_name_are_in_the_documentation():
    named = set()
    for path in Path(referee.__file__).parent.rglob("*.py"):
        named |= set(re.findall(r"\b[TSHRI]\d+\b", path.read_text(encoding="utf-8")))
    assert named - set(rules()) == set()
