"""Files of Telegram: read piece by piece, so that one whose size nobody told fills no memory."""

import asyncio
from pathlib import Path

from hermes_agent.errors import GatewayBusy, GatewayRefused

_SECONDS = 15.0
_GONE = (401, 403, 404, 410)


async def download(address: str, most_bytes: int) -> bytes:
    """Return a file; one that a Bot API server of this machine names by its path is read there."""
    if not address.startswith(("http://", "https://")):
        data = await asyncio.to_thread(_read, Path(address), most_bytes + 1)
    else:
        data = await _fetch(address, most_bytes)
    if len(data) > most_bytes:
        raise GatewayRefused(f"It is larger than {most_bytes:,} bytes.")
    return data


def _read(path: Path, most_bytes: int) -> bytes:
    with path.open("rb") as file:
        return file.read(most_bytes)


async def _fetch(url: str, most_bytes: int) -> bytes:
    """Read until the end, or until it is more than so many bytes."""
    import httpx2

    data = bytearray()
    # Packed, a small answer could become a large file.
    headers = {"accept-encoding": "identity"}
    try:
        async with (
            httpx2.AsyncClient(timeout=_SECONDS) as client,
            client.stream("GET", url, headers=headers) as got,
        ):
            if got.status_code in _GONE:
                raise GatewayRefused("Telegram does not have it any more.")
            if not got.is_success:
                raise GatewayBusy(f"Telegram answered {got.status_code}.")
            async for piece in got.aiter_raw():
                data += piece
                if len(data) > most_bytes:
                    break
    except httpx2.HTTPError as error:
        raise GatewayBusy(f"The file cannot be fetched: {type(error).__name__}.") from error
    return bytes(data)
