"""How photos that people reported as misread are read now.

    python -m bench.misread FOLDER

Each zip in the folder is one that the page made ("Save as a case"): photo, reading, truth, profile. Shown are the
places that were wrong then and those that are wrong now.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cases.misread import differences, misreads
from vision.errors import InputError


def main() -> None:
    """Read all of them again and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    then = now = count = 0
    for path, case in misreads(parser.parse_args().folder):
        before = differences(case.truth, case.reading)
        try:
            after = differences(case.truth, case.read_again())
        except InputError as error:
            after = [f"not read: {error}"]
        print(f"{path.name}: {len(before)} wrong then, {len(after)} now {' '.join(after[:8])}")
        then, now, count = then + len(before), now + len(after), count + 1
    print(f"{count} cases: {then} wrong then, {now} now")


if __name__ == "__main__":
    main()
