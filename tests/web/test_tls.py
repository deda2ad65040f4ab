"""TLS over loopback with a certificate made here, and files that cannot be used."""

import ssl
import urllib.request
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.errors import SettingError
from hermes_agent.web.site import check_address
from tests.web.conftest import serving


def make_certificate(folder: Path, name: str = "own", password: bytes | None = None) -> tuple[Path, Path]:
    """Write a certificate of this machine, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    sealing = serialization.NoEncryption() if password is None else serialization.BestAvailableEncryption(password)
    pem, key_pem = folder / f"{name}.pem", folder / f"{name}.key"
    pem.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_pem.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, sealing))
    return pem, key_pem


def with_tls(home: Home, monkeypatch: pytest.MonkeyPatch, certificate: Path, key: Path) -> App:
    monkeypatch.setenv("HERMES_WEB_PORT", "0")
    monkeypatch.setenv("HERMES_WEB_TLS_CERTIFICATE", str(certificate))
    monkeypatch.setenv("HERMES_WEB_TLS_KEY", str(key))
    return App(home, load(home))


def test_the_server_is_reached_over_tls(own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = make_certificate(tmp_path)
    app = with_tls(own_home, monkeypatch, certificate, key)
    check_address(app)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with serving(app) as address:
        assert address.startswith("https://127.0.0.1:")
        with urllib.request.urlopen(f"{address}/health", context=trusting) as answer:
            assert answer.status == 200
            assert "max-age" in answer.headers["Strict-Transport-Security"]
        with pytest.raises(OSError):
            urllib.request.urlopen(address.replace("https", "http"))
    app.close()


def test_files_that_cannot_be_used_are_named(
    own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = make_certificate(tmp_path)
    other, other_key = make_certificate(tmp_path, "other")
    _, locked = make_certificate(tmp_path, "locked", b"secret")
    nothing, text = tmp_path / "nothing.pem", tmp_path / "text.pem"
    text.write_text("no certificate")
    wrong = [
        (nothing, key, "nothing.pem cannot be read"),
        (certificate, nothing, "nothing.pem cannot be read"),
        (text, key, "no certificate and key"),
        (certificate, other_key, "does not belong"),
        (certificate, locked, "password"),
    ]
    for one, its_key, problem in wrong:
        with pytest.raises(SettingError, match=problem):
            check_address(with_tls(own_home, monkeypatch, one, its_key))
    check_address(with_tls(own_home, monkeypatch, other, other_key))
