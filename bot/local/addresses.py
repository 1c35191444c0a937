"""Host names and addresses: which of them mean this computer, and which one others in the network can reach."""

import ipaddress
import socket


def host_name(host: str) -> str:
    """Return the name or address in a Host header, without the port."""
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    return name.strip("[]").lower()


def is_loopback(host: str) -> bool:
    """Return whether a Host header means this computer, so that nobody else can use it."""
    name = host_name(host)
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def network_address() -> str:
    """Return this machine's address in its network, or "" if it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect(("192.0.2.1", 9))  # an address reserved for documentation; connecting only looks up the route
        except OSError:
            return ""
        return str(sock.getsockname()[0])
