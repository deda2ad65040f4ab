"""Whether a certificate and its key can be used, told before anything listens and in words that help."""

import ssl
from pathlib import Path

from hermes_agent.errors import SettingError


def check(certificate: Path, key: Path) -> None:
    """Refuse files that are not there, hold something else, or do not belong together."""
    for name, file in (("web.tls.certificate", certificate), ("web.tls.key", key)):
        try:
            file.read_bytes()
        except OSError as error:
            raise SettingError(
                f"{file} cannot be read: {error.strerror}.", hint=f"The setting {name} names it."
            ) from error
    try:
        # A password is never asked for: nobody is there who could type it.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=_refuse)
    except _HasPassword:
        raise SettingError(
            f"The key {key} is protected by a password.", hint="Store it without: openssl pkey -in KEY -out NEW"
        ) from None
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            problem = f"The key {key} does not belong to the certificate {certificate}."
        else:
            problem = f"{certificate} and {key} are no certificate and key in PEM form."
        raise SettingError(problem, hint="Check web.tls.certificate and web.tls.key.") from error


class _HasPassword(Exception):
    pass


def _refuse() -> str:
    raise _HasPassword
