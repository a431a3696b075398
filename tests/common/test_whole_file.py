"""A file is written whole or not at all."""

import os
import stat

import pytest

from common import whole_file
from common.whole_file import write_whole


def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch):
    (path := tmp_path / "palette.json").write_text("old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole_file.os, "fsync", full)
    with pytest.raises(OSError, match=r"palette\.json"):
        write_whole(path, b"new")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("palette.json", "old")]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions and links")
def test_links_and_permissions_are_as_those_of_any_file(tmp_path):
    (path := tmp_path / "link").symlink_to(tmp_path / "there")
    mask = os.umask(0o022)
    write_whole(path, b"new")
    os.umask(mask)
    assert path.is_symlink()
    assert (tmp_path / "there").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "there").stat().st_mode) == 0o644
    write_whole(tmp_path / "own", b"new", 0o600)
    assert stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o600
