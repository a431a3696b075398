"""A certificate of our own, made on first use: browsers give a phone's camera to secure pages only.

A small authority signs the page's certificate. Whoever installs the authority on a phone trusts it for addresses of
home networks and for this computer's name, and for nothing else in the world: the constraint stands in it. Its key
stays in the data folder, readable by its owner only.
"""

import datetime
import ipaddress
import ssl
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.cases.store import write

HOME_NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "127.0.0.0/8")
HOME_NAMES = ("local", "localhost")
AUTHORITY_DAYS = 3650
"""Days for which the authority holds."""
PAGE_DAYS = 390
"""Days for which a page's certificate holds: phones refuse more than 398."""
RENEW_DAYS = 30
"""Days left from which a certificate is made anew."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Signed = tuple[x509.Certificate, ec.EllipticCurvePrivateKey]
"""A certificate and its key."""


@dataclass(frozen=True)
class Identity:
    """What the secure page is known by."""

    context: ssl.SSLContext  # for the server
    authority: bytes  # the authority's certificate (PEM), to be installed on phones
    fingerprint: str  # its SHA-256, as phones show it


def identity(folder: Path, hosts: Collection[str], now: datetime.datetime | None = None) -> Identity:
    """The certificate for these addresses and names, made where there is none that serves. Raises OSError."""
    now = now or datetime.datetime.now(datetime.UTC)
    home = folder / "tls"
    home.mkdir(mode=0o700, exist_ok=True)
    names = sorted({host.lower() for host in hosts})
    authority, page = home / "authority.pem", home / "page.pem"
    signs = _read(authority)
    if signs is None or not _covers(signs[0], names) or _ends(signs[0], now):
        signs = _new_authority(authority, names, now)
    if not _serves(_read(page), signs[0], names, now):
        _new_page(page, signs, names, now)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(page, page.with_suffix(".key"))
    digest = signs[0].fingerprint(hashes.SHA256()).hex(" ").upper()
    return Identity(context, signs[0].public_bytes(serialization.Encoding.PEM), digest)


def _read(file: Path) -> Signed | None:
    """A certificate and its key, which lies beside it; None where they are none."""
    try:
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        key = serialization.load_pem_private_key(file.with_suffix(".key").read_bytes(), None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm):
        return None
    same = isinstance(key, ec.EllipticCurvePrivateKey) and certificate.public_key() == key.public_key()
    return (certificate, key) if same else None  # type: ignore[return-value]


def _new_authority(file: Path, names: list[str], now: datetime.datetime) -> Signed:
    permitted: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(net)) for net in HOME_NETWORKS]
    permitted += [x509.DNSName(name) for name in HOME_NAMES]
    for name in names:
        address = _address(name)
        if address is None:
            permitted.append(x509.DNSName(name))
        elif not any(address in ipaddress.ip_network(net) for net in HOME_NETWORKS):
            permitted.append(x509.IPAddress(ipaddress.ip_network(address)))
    extensions: list[tuple[x509.ExtensionType, bool]] = [
        (x509.BasicConstraints(ca=True, path_length=0), True),
        (x509.NameConstraints(permitted, None), True),
        (_usage(certificates=True), True),
    ]
    return _made(file, f"Table Companion {now:%Y-%m-%d}", now, AUTHORITY_DAYS, extensions)


def _new_page(file: Path, authority: Signed, names: list[str], now: datetime.datetime) -> None:
    days = min(PAGE_DAYS, (authority[0].not_valid_after_utc - now).days)
    extensions: list[tuple[x509.ExtensionType, bool]] = [
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (x509.SubjectAlternativeName([_general(name) for name in names]), False),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
        (_usage(certificates=False), True),
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(authority[1].public_key()), False),
    ]
    _made(file, "Table Companion", now, days, extensions, authority)


def _made(
    file: Path,
    name: str,
    now: datetime.datetime,
    days: int,
    extensions: Sequence[tuple[x509.ExtensionType, bool]],
    by: Signed | None = None,
) -> Signed:
    """A new certificate with these extensions (whether critical), signed by itself or another; both files are kept."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by[0].subject if by else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # Clocks of phones differ a little.
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    certificate = builder.sign(by[1] if by else key, hashes.SHA256())
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    write(file.with_suffix(".key"), pem)
    write(file, certificate.public_bytes(serialization.Encoding.PEM))
    return certificate, key


def _usage(certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not certificates, key_cert_sign=certificates, crl_sign=certificates, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _serves(page: Signed | None, authority: x509.Certificate, names: list[str], now: datetime.datetime) -> bool:
    """Whether the page's certificate is signed by this authority, holds for these names, and for a while yet."""
    if page is None:
        return False
    try:
        page[0].verify_directly_issued_by(authority)
        held = page[0].extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except Exception:
        return False
    return {_general(name) for name in names} <= set(held) and not _ends(page[0], now)


def _covers(authority: x509.Certificate, names: list[str]) -> bool:
    """Whether the authority may sign for all these names."""
    try:
        permitted = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    except x509.ExtensionNotFound:
        return False
    networks = [name.value for name in permitted if isinstance(name, x509.IPAddress)]
    domains = [name.value for name in permitted if isinstance(name, x509.DNSName)]
    for name in names:
        address = _address(name)
        if address is not None:
            if not any(address in network for network in networks if not isinstance(network, Address)):
                return False
        elif not any(name == domain or name.endswith(f".{domain}") for domain in domains):
            return False
    return True


def _ends(certificate: x509.Certificate, now: datetime.datetime) -> bool:
    return certificate.not_valid_after_utc - now < datetime.timedelta(days=RENEW_DAYS)


def _address(name: str) -> Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _general(name: str) -> x509.GeneralName:
    address = _address(name)
    return x509.DNSName(name) if address is None else x509.IPAddress(address)
