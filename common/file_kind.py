"""Files that people keep say what they are: a kind and a version, so that another kind is named as what it is."""

from collections.abc import Mapping
from typing import Any

from common.messages import Message, MisfitError

PREFIX = "table-companion-"
VERSIONS = {"sheet": 1, "table": 1, "camera": 1, "deck": 1, "order": 1, "palette": 1, "evening": 1, "evenings": 1}
"""Each kind of file, and its newest version. A file from before kinds were written has neither: it is read too."""


def marked(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """A file's JSON object with its kind and version before all else."""
    return {"kind": PREFIX + kind, "version": VERSIONS[kind], **data}


def unmarked(kind: str, data: Any, misfit: type[MisfitError], **more: Any) -> Any:
    """What a file of this kind holds besides that. Raises `misfit` for another kind, or a later version."""
    if not isinstance(data, dict) or not {"kind", "version"} & data.keys():
        return data
    other = kind_of(data)
    if other != kind:
        got = Message(f"file-kind.{other}") if other else data.get("kind")
        raise misfit("kind", Message(f"file-kind.{kind}"), got, **more)
    if not is_marked(kind, data):
        raise misfit("version", "file-kind.version", data.get("version"), **{"most": VERSIONS[kind], **more})
    return {key: value for key, value in data.items() if key not in ("kind", "version")}


def kind_of(data: Mapping[str, Any]) -> str | None:
    """What kind of file a JSON object says that it is; None where it says none that is known."""
    said = data.get("kind")
    kind = said.removeprefix(PREFIX) if isinstance(said, str) and said.startswith(PREFIX) else ""
    return kind if kind in VERSIONS else None


def is_marked(kind: str, data: Mapping[str, Any]) -> bool:
    """Whether a JSON object says that it is of this kind, in a version that is known."""
    version = data.get("version")
    return data.get("kind") == PREFIX + kind and type(version) is int and 1 <= version <= VERSIONS[kind]
