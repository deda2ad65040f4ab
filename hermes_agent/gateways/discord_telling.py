"""What goes wrong at Discord, in our words."""

from collections.abc import Awaitable
from typing import TypeVar

import aiohttp
import discord

from hermes_agent.errors import GatewayBusy, GatewayRefused

T = TypeVar("T")
_UNKNOWN_TOKEN, _TOO_MANY, _SERVER_ERRORS = 401, 429, 500
_WRONG_TOKEN, _MAY_NOT_READ = 4004, 4014
_LET_READ = "Switch on the Message Content Intent: discord.com/developers/applications, Bot."


async def told(call: Awaitable[T]) -> T:
    """Wait for a call, and say what went wrong."""
    try:
        return await call
    except discord.RateLimited as wait:
        raise GatewayBusy("Discord asks us to wait.", retry_seconds=wait.retry_after) from wait
    except discord.LoginFailure as refused:
        raise GatewayRefused("Discord does not know the token.") from refused
    except discord.ConnectionClosed as closed:
        if closed.code == _WRONG_TOKEN:
            raise GatewayRefused("Discord does not know the token.") from closed
        if closed.code == _MAY_NOT_READ:
            raise GatewayRefused("Discord does not let the bot read messages.", hint=_LET_READ) from closed
        raise GatewayBusy(f"Discord closed the connection: {closed.code}.") from closed
    except discord.HTTPException as failed:
        if failed.status == _UNKNOWN_TOKEN:
            # Where it was good before, what is to be sent waits until there is another.
            raise GatewayBusy("Discord does not know the token any more.") from failed
        if failed.status == _TOO_MANY or failed.status >= _SERVER_ERRORS:
            raise GatewayBusy(f"Discord answered {failed.status}.") from failed
        raise GatewayRefused(f"Discord did not take it: {failed.text or failed.status}.") from failed
    except discord.GatewayNotFound as failed:
        raise GatewayBusy("Discord does not say where its gateway is.") from failed
    except (aiohttp.ClientError, OSError, TimeoutError) as lost:
        raise GatewayBusy(f"Discord cannot be reached: {type(lost).__name__}.") from lost
