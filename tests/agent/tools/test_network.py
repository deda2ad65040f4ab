"""Which addresses are public, and how a host's name becomes one."""

from ipaddress import ip_address

import pytest

from hermes_agent import clock
from hermes_agent.agent.tools.network import CheckedNetwork, is_public, resolve
from hermes_agent.errors import ToolError

PUBLIC = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
PRIVATE = [
    "127.0.0.1",
    "127.255.0.1",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "203.0.113.5",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "2001:db8::1",
    "2001::1",
    "2002:7f00:1::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%1",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_of_this_machine_or_network_or_of_nobody_is_not(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "host", ["127.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.0.0.1", "::1", "localhost", "localhost."]
)
def test_no_spelling_of_loopback_is_connected_to(host: str) -> None:
    with pytest.raises(ToolError, match="not on the public internet|There is no host"):
        CheckedNetwork(clock.monotonic() + 5).connect_tcp(host, 80)


@pytest.mark.parametrize("host", ["x" * 70 + ".invalid", "..", "a" * 300])
def test_a_host_that_is_not_there_is_said(host: str) -> None:
    with pytest.raises(ToolError, match="There is no host"):
        resolve(host, 80, 10)
