"""The certificate of the secure page: made once, kept to its owner, good for home and nowhere else."""

from __future__ import annotations

import datetime
import os
import ssl
import stat
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from cryptography import x509

from companion.web.running.certificates import AUTHORITY_DAYS, HOME_NETWORKS, PAGE_DAYS, RENEW_DAYS, identity

HOSTS = frozenset({"127.0.0.1", "localhost", "192.168.1.20", "table", "table.local"})
NOW = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)


def shake(server: ssl.SSLContext, authority: bytes, host: str) -> None:
    """A handshake in memory. Raises ssl.SSLError where the client does not trust the server."""
    client = ssl.create_default_context(cadata=authority.decode())
    a, b, c, d = (ssl.MemoryBIO() for _ in range(4))
    ours = server.wrap_bio(a, b, server_side=True)
    theirs = client.wrap_bio(c, d, server_hostname=host)
    for _ in range(4):
        for side, out, into in ((theirs, d, a), (ours, b, c)):
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()
            into.write(out.read())
    assert theirs.version() in ("TLSv1.2", "TLSv1.3")


@pytest.mark.parametrize("host", sorted(HOSTS))
def test_who_installed_it_trusts_the_page_at_every_address(tmp_path: Path, host: str) -> None:
    made = identity(tmp_path, HOSTS)
    shake(made.context, made.authority, host)


def test_nobody_else_does_and_no_other_name_is_trusted(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    made, other = (identity(tmp_path / name, HOSTS) for name in "ab")
    assert made.fingerprint != other.fingerprint
    home, away = made.authority, other.authority
    for authority, host in ((away, "127.0.0.1"), (home, "192.168.1.21"), (home, "bank.example")):
        with pytest.raises(ssl.SSLCertVerificationError):
            shake(made.context, authority, host)


def test_the_authority_cannot_vouch_for_the_rest_of_the_world(tmp_path: Path) -> None:
    authority = x509.load_pem_x509_certificate(identity(tmp_path, HOSTS).authority)
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    names = {name.value for name in constraints.value.permitted_subtrees or [] if isinstance(name, x509.DNSName)}
    assert names == {"local", "localhost", "table", "table.local"}
    networks = [n.value for n in constraints.value.permitted_subtrees or [] if isinstance(n, x509.IPAddress)]
    assert networks
    assert not any(network.is_global for network in networks)


def permitted(authority: bytes) -> set[str]:
    """The networks that an authority may vouch for."""
    certificate = x509.load_pem_x509_certificate(authority)
    found = certificate.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    return {str(one.value) for one in found if isinstance(one, x509.IPAddress)}


def test_an_address_beyond_home_networks_is_vouched_for_alone(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    home = permitted(identity(tmp_path / "a", HOSTS).authority)
    assert home == set(HOME_NETWORKS)
    assert permitted(identity(tmp_path / "b", HOSTS | {"203.0.113.9"}).authority) == home | {"203.0.113.9/32"}


def test_a_page_certificate_does_not_outlive_its_authority(tmp_path: Path) -> None:
    first = identity(tmp_path, HOSTS, NOW)
    late = identity(tmp_path, HOSTS, NOW + datetime.timedelta(days=AUTHORITY_DAYS - 100))
    assert late.fingerprint == first.fingerprint
    page, authority = (
        x509.load_pem_x509_certificate((tmp_path / "tls" / name).read_bytes()) for name in ("page.pem", "authority.pem")
    )
    assert page.not_valid_after_utc <= authority.not_valid_after_utc


def test_it_is_made_once(tmp_path: Path) -> None:
    first = identity(tmp_path, HOSTS, NOW)
    files = {path.name: path.read_bytes() for path in (tmp_path / "tls").iterdir()}
    assert identity(tmp_path, HOSTS, NOW + datetime.timedelta(days=100)).fingerprint == first.fingerprint
    assert {path.name: path.read_bytes() for path in (tmp_path / "tls").iterdir()} == files


def test_another_address_at_home_needs_no_new_trust(tmp_path: Path) -> None:
    first = identity(tmp_path, HOSTS)
    moved = identity(tmp_path, {"127.0.0.1", "10.1.2.3"})
    assert moved.fingerprint == first.fingerprint
    shake(moved.context, first.authority, "10.1.2.3")
    away = identity(tmp_path, {"127.0.0.1", "203.0.113.9"})
    assert away.fingerprint != first.fingerprint
    shake(away.context, away.authority, "203.0.113.9")


def test_a_page_certificate_that_ends_soon_is_made_anew_under_the_same_authority(tmp_path: Path) -> None:
    first = identity(tmp_path, HOSTS, NOW)
    page = (tmp_path / "tls" / "page.pem").read_bytes()
    held = x509.load_pem_x509_certificate(page)
    assert held.not_valid_after_utc - NOW <= datetime.timedelta(days=398)
    later = identity(tmp_path, HOSTS, NOW + datetime.timedelta(days=PAGE_DAYS - RENEW_DAYS + 1))
    assert later.fingerprint == first.fingerprint
    assert (tmp_path / "tls" / "page.pem").read_bytes() != page


@pytest.mark.skipif(sys.platform == "win32", reason="permissions")
def test_keys_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    identity(tmp_path, HOSTS)
    for name in ("authority.key", "page.key"):
        assert stat.S_IMODE(os.stat(tmp_path / "tls" / name).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(tmp_path / "tls").st_mode) == 0o700


@pytest.mark.parametrize("name", ["authority.pem", "authority.key", "page.pem", "page.key"])
@pytest.mark.parametrize("content", [b"", b"nonsense"])
def test_a_broken_file_is_made_anew(tmp_path: Path, name: str, content: bytes) -> None:
    identity(tmp_path, HOSTS)
    (tmp_path / "tls" / name).write_bytes(content)
    made = identity(tmp_path, HOSTS)
    shake(made.context, made.authority, "192.168.1.20")
