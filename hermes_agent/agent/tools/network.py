"""Connect to public addresses only, and only for so long.

A name is resolved here, every address of it is checked, and the connection goes to an address that was
checked: no second look-up can lead elsewhere. The library keeps using the name for the Host header and for the
certificate. Every wait, for the resolver too, ends at one deadline, however slowly a server sends its bytes.
"""

import ssl
import threading
from collections.abc import Collection, Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from queue import Empty, SimpleQueue
from socket import SOCK_STREAM, gaierror, getaddrinfo

import httpcore2

from hermes_agent import clock, stopping
from hermes_agent.errors import ToolError

_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_TUNNELS = (IPv6Network("2002::/16"), IPv6Network("2001::/32"))
_MOST_ADDRESSES = 4

Address = IPv4Address | IPv6Address


def is_public(address: Address) -> bool:
    """Tell whether an address belongs to the internet: not to this machine, this network, or nobody."""
    if isinstance(address, IPv6Address):
        inner = _inner(address)
        if inner is not None:
            return is_public(inner)
        if address.is_site_local or any(address in network for network in _TUNNELS):
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for: mapped, or reached through a translator."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if any(address in network for network in _NAT64):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return None


class CheckedNetwork(httpcore2.NetworkBackend):
    """Opens connections for the HTTP library until the deadline, a moment of `clock.monotonic()`.

    Only the hosts named in `private_hosts` may be elsewhere than on the public internet.
    """

    def __init__(self, deadline: float, private_hosts: Collection[str] = ()) -> None:
        self._deadline = deadline
        self._private_hosts = private_hosts
        self._plain = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to one of the host's addresses after all of them were checked."""
        addresses = resolve(host, port, _left(self._deadline))
        for address in addresses:
            if host not in self._private_hosts and not is_public(ip_address(address)):
                raise ToolError(
                    f"{host} is not on the public internet.", hint="Only public pages can be read with web_fetch."
                )
        failure: httpcore2.NetworkError | httpcore2.TimeoutException = httpcore2.ConnectError("no address")
        for address in addresses[:_MOST_ADDRESSES]:
            try:
                stream = self._plain.connect_tcp(
                    address, port, _left(self._deadline), local_address, socket_options
                )
                return _Stream(stream, self._deadline)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure


class _Stream(httpcore2.NetworkStream):
    """A connection whose every step ends at the deadline."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(self._deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(self._deadline))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        inner = self._stream.start_tls(ssl_context, server_hostname, _left(self._deadline))
        return _Stream(inner, self._deadline)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)


def resolve(host: str, port: int, timeout_seconds: float) -> Sequence[str]:
    """Return the addresses of a host, in whatever way its name or number is written."""
    answer: SimpleQueue[list[str] | str] = SimpleQueue()

    def look_up() -> None:
        try:
            found = getaddrinfo(host, port, type=SOCK_STREAM)
        except (gaierror, UnicodeError) as error:
            answer.put(str(error))
        else:
            answer.put(list(dict.fromkeys(str(address[0]) for *_, address in found)))

    # The system's resolver knows no time limit of ours: it is left behind when it takes too long.
    threading.Thread(target=look_up, name=f"resolve {host[:40]}", daemon=True).start()
    try:
        addresses = answer.get(timeout=timeout_seconds)
    except Empty:
        raise httpcore2.ConnectTimeout(f"looking up {host} took too long") from None
    if isinstance(addresses, str) or not addresses:
        raise ToolError(f"There is no host {host[:200]!r}.", hint="Check the address.")
    return addresses


def _left(deadline: float) -> float:
    stopping.check()
    left = deadline - clock.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the time is up")
    return left
