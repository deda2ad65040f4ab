"""How the small Discord speaks: its REST API, and the websocket that brings events."""

import asyncio
import json
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import WSMsgType, web

from tests.gateways.discord_server import (
    ACK,
    BOT_ID,
    GUILD_ID,
    HEARTBEAT,
    HELLO,
    IDENTIFY,
    INVALID,
    PATIENCE_SECONDS,
    RESUME,
    TOKEN,
    DiscordServer,
    Session,
    Value,
    user_of,
)

_MESSAGE_CONTENT = 1 << 15


def _json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Answer as Discord does, whose clients compare the kind word for word."""
    kind = {"content-type": "application/json", **(headers or {})}
    return web.Response(body=json.dumps(value).encode(), status=status, headers=kind)


def _frame(value: Value) -> bytes:
    """Write a text frame of a websocket."""
    data = json.dumps(value).encode()
    if len(data) < 126:
        return struct.pack("!BB", 0x81, len(data)) + data
    if len(data) < 1 << 16:
        return struct.pack("!BBH", 0x81, 126, len(data)) + data
    return struct.pack("!BBQ", 0x81, 127, len(data)) + data


async def _write(request: web.Request, session: Session, server: DiscordServer) -> None:
    """Bring a session its events: what is there together goes out in one piece."""
    while True:
        await session.more.wait()
        session.more.clear()
        frames = b"".join(_frame(one) for one in server.next_of(session))
        if request.transport is None or request.transport.is_closing():
            return
        request.transport.write(frames)


async def _gateway(request: web.Request, server: DiscordServer) -> web.StreamResponse:
    socket = web.WebSocketResponse(heartbeat=None)
    await socket.prepare(request)
    await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": 41_250}})
    session: Session | None = None
    writing: asyncio.Task[None] | None = None
    try:
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            given = json.loads(message.data)
            if given["op"] == HEARTBEAT:
                await socket.send_json({"op": ACK})
            elif given["op"] in (IDENTIFY, RESUME):
                session = await _opened(socket, given, server)
                if session is not None:
                    writing = asyncio.create_task(_write(request, session, server))
    except ConnectionError:
        pass
    finally:
        if writing is not None:
            writing.cancel()
        if session is not None and session.socket is socket:
            session.socket = None
    return socket


async def _opened(socket: web.WebSocketResponse, given: Value, server: DiscordServer) -> Session | None:
    """Begin a session, or go on with one."""
    about = given["d"]
    server.note("IDENTIFY" if given["op"] == IDENTIFY else "RESUME")
    if about["token"] != TOKEN:
        await socket.close(code=4004)
        return None
    if given["op"] == RESUME:
        known = server.sessions.get(about["session_id"])
        if known is None:
            await socket.send_json({"op": INVALID, "d": False})
            return None
        lost = [{"t": one["t"], "d": one["d"]} for one in known.brought[about["seq"] or 0 :]]
        del known.brought[about["seq"] or 0 :]
        known.waiting = [*lost, {"t": "RESUMED", "d": {}}, *known.waiting]
        known.socket = socket
        known.more.set()
        return known
    if about["intents"] & _MESSAGE_CONTENT and not server.has_message_content:
        await socket.close(code=4014)
        return None
    address = f"ws://127.0.0.1:{server.port}/gateway"
    ready = {"v": 10, "user": {**user_of(BOT_ID), "bot": True}, "resume_gateway_url": address}
    ready |= {"guilds": [{"id": str(GUILD_ID), "unavailable": True}], "private_channels": []}
    ready |= {"application": {"id": "901", "flags": 0}}
    session, first = server.begin(socket, ready, _guild(server))
    for one in first:
        await socket.send_json(one)
    server.note("READY")
    return session


def _guild(server: DiscordServer) -> Value:
    shared = [one for one in server.channels.values() if one.recipient is None]
    channels = [one.told() for one in shared if one.parent is None]
    threads = [one.told() for one in shared if one.parent is not None]
    about = {"id": str(GUILD_ID), "name": "Team", "unavailable": False, "member_count": 3, "owner_id": "1"}
    return {**about, "channels": channels, "threads": threads, "roles": [], "members": []}


async def _rest(request: web.Request, server: DiscordServer) -> web.StreamResponse:
    parts = request.path.removeprefix("/api/v10/").split("/")
    server.note(f"{request.method} {'/'.join(parts)}")
    if not server.knows(request.headers.get("authorization")):
        return _json({"message": "401: Unauthorized", "code": 0}, status=401)
    match (request.method, *parts):
        case ("GET", "users", "@me"):
            return _json({**user_of(BOT_ID), "bot": True})
        case ("GET", "oauth2", "applications", "@me"):
            about = {"id": "901", "name": "hermes", "description": "", "icon": None, "owner": user_of(1)}
            more = {"bot_public": False, "bot_require_code_grant": False, "verify_key": "", "team": None}
            return _json({**about, **more})
        case ("GET", "gateway", "bot"):
            limit = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 1}
            address = f"ws://127.0.0.1:{server.port}/gateway"
            return _json({"url": address, "shards": 1, "session_start_limit": limit})
        case ("POST", "users", "@me", "channels"):
            channel_id = server.alone_with(int((await request.json())["recipient_id"]))
            return _json(server.channels[channel_id].told())
        case ("POST", "interactions", *_):
            return web.Response(status=204)
        case (method, "channels", channel_id, *rest):
            if int(channel_id) not in server.channels:
                return _json({"message": "Unknown Channel", "code": 10003}, status=404)
            return await _in_channel(request, server, int(channel_id), [method, *rest])
    return _json({"message": "404: Not Found", "code": 0}, status=404)


async def _in_channel(
    request: web.Request, server: DiscordServer, channel_id: int, asked: list[str]
) -> web.StreamResponse:
    match asked:
        case ["GET"]:
            return _json(server.channels[channel_id].told())
        case ["POST", "typing"]:
            return web.Response(status=204)
        case ["GET", "messages"]:
            query = request.query
            after = int(query["after"]) if "after" in query else None
            before = int(query.get("before", 2**63))
            return _json(server.history(channel_id, after, before, int(query["limit"])))
        case ["GET", "messages", message_id]:
            found = [one for one in server.channels[channel_id].messages if one["id"] == message_id]
            return _json(found[0])
        case ["POST", "messages"]:
            given = await request.json()
            if len(given.get("content") or "") > 2000:
                return _json({"message": "Invalid Form Body", "code": 50035}, status=400)
            taken = server.take(channel_id, given)
            if isinstance(taken, float | int):
                wait = {"message": "You are being rate limited.", "retry_after": taken, "global": False}
                return _json(wait, status=429, headers={"Via": "1.1 loopback"})
            return _json(taken)
    return _json({"message": "404: Not Found", "code": 0}, status=404)


async def _answer(request: web.Request, server: DiscordServer) -> web.StreamResponse:
    if server.should_fail() and request.transport is not None:
        request.transport.close()
        return web.Response()
    if request.path.startswith("/gateway"):
        return await _gateway(request, server)
    if request.path.startswith("/files/"):
        return web.Response(body=server.files[request.path.removeprefix("/files/")])
    return await _rest(request, server)


@contextmanager
def serve() -> Iterator[DiscordServer]:
    """Be Discord until the block ends."""
    server = DiscordServer()
    is_up, is_over = threading.Event(), asyncio.Event()

    async def run() -> None:
        async def answer(request: web.BaseRequest) -> web.StreamResponse:
            assert isinstance(request, web.Request)
            return await _answer(request, server)

        app = web.Application()
        app.router.add_route("*", "/{path:.*}", answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        server.port, server.loop = runner.addresses[0][1], asyncio.get_running_loop()
        is_up.set()
        await is_over.wait()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert is_up.wait(PATIENCE_SECONDS)
    try:
        yield server
    finally:
        assert server.loop is not None
        server.loop.call_soon_threadsafe(is_over.set)
        thread.join()
