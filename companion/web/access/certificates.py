"""A certificate of our own, made on first use: browsers give a phone's camera to secure pages only.

A small authority signs the page's certificate. Whoever installs the authority on a phone trusts it for addresses of
home networks and for this computer's name, and for nothing else in the world: the constraint stands in it. Its key
stays in the data folder, readable by its owner only.
"""

import datetime
import hashlib
import ipaddress
import ssl
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
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


@dataclass(frozen=True)
class Identity:
    """What the secure page is known by.

    Attributes:
        context: for the server.
        authority: the authority's certificate (PEM), to be installed on phones.
        fingerprint: its SHA-256, as phones show it.
    """

    context: ssl.SSLContext
    authority: bytes
    fingerprint: str


def identity(folder: Path, hosts: Collection[str], now: datetime.datetime | None = None) -> Identity:
    """The certificate for these addresses and names, made where there is none that serves. Raises OSError."""
    now = now or datetime.datetime.now(datetime.UTC)
    home = folder / "tls"
    home.mkdir(mode=0o700, exist_ok=True)
    names = sorted({host.lower() for host in hosts})
    made = _authority(home)
    if made is None or not _covers(made[0], names) or _ends(made[0], now):
        made = _new_authority(home, names, now)
    authority, key = made
    page, page_key = home / "page.pem", home / "page.key"
    if not _serves(page, page_key, authority, names, now):
        _new_page(page, page_key, authority, key, names, now)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(page, page_key)
    der = authority.public_bytes(serialization.Encoding.DER)
    digest = hashlib.sha256(der).hexdigest().upper()
    fingerprint = " ".join(digest[i : i + 2] for i in range(0, len(digest), 2))
    return Identity(context, authority.public_bytes(serialization.Encoding.PEM), fingerprint)


def _authority(home: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None:
    try:
        certificate = x509.load_pem_x509_certificate((home / "authority.pem").read_bytes())
        key = serialization.load_pem_private_key((home / "authority.key").read_bytes(), None)
    except (FileNotFoundError, ValueError, TypeError):
        return None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or certificate.public_key() != key.public_key():
        return None
    return certificate, key


def _new_authority(
    home: Path, names: list[str], now: datetime.datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Table Companion {now:%Y-%m-%d}")])
    permitted: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(net)) for net in HOME_NETWORKS]
    permitted += [x509.DNSName(name) for name in HOME_NAMES]
    for name in names:
        address = _address(name)
        if address is None:
            permitted.append(x509.DNSName(name))
        elif not any(address in ipaddress.ip_network(net) for net in HOME_NETWORKS):
            permitted.append(x509.IPAddress(ipaddress.ip_network(address)))
    certificate = (
        _builder(subject, subject, key, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(_usage(certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    write(home / "authority.key", _pem(key))
    write(home / "authority.pem", certificate.public_bytes(serialization.Encoding.PEM))
    return certificate, key


def _new_page(
    page: Path,
    page_key: Path,
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
    names: list[str],
    now: datetime.datetime,
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Table Companion")])
    days = min(PAGE_DAYS, (authority.not_valid_after_utc - now).days)
    certificate = (
        _builder(subject, authority.subject, key, now, days)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(_usage(certificates=False), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    write(page_key, _pem(key))
    write(page, certificate.public_bytes(serialization.Encoding.PEM))


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime.datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # Clocks of phones differ a little.
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=days))
    )


def _usage(certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not certificates, key_cert_sign=certificates, crl_sign=certificates, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _serves(page: Path, page_key: Path, authority: x509.Certificate, names: list[str], now: datetime.datetime) -> bool:
    """Whether the page's certificate is signed by this authority, holds for these names, and for a while yet."""
    try:
        certificate = x509.load_pem_x509_certificate(page.read_bytes())
        key = serialization.load_pem_private_key(page_key.read_bytes(), None)
        certificate.verify_directly_issued_by(authority)
        held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except Exception:
        return False
    same = certificate.public_key() == key.public_key()
    return same and {_general(name) for name in names} <= set(held) and not _ends(certificate, now)


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


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
