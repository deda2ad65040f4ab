"""The scripted server itself: what other tests rely on."""

import httpx2
import pytest

from tests.openai_server import MODEL, Break, Call, Fail, Say, Use, serve

ASKED = {"model": MODEL, "messages": [{"role": "user", "content": "Hello"}]}


def test_it_follows_its_script_and_repeats_the_last_step() -> None:
    with serve(Fail(429, retry_after="3"), Say("one"), Say("two")) as server:
        answers = [httpx2.post(f"{server.url}/chat/completions", json=ASKED) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [429, 200, 200, 200]
    assert answers[0].headers["retry-after"] == "3"
    texts = [answer.json()["choices"][0]["message"]["content"] for answer in answers[1:]]
    assert texts == ["one", "two", "two"]
    assert [request.json for request in server.requests] == [ASKED] * 4


def test_it_answers_whole_when_no_stream_is_asked_for() -> None:
    with serve(Use(Call("memory", '{"a": 1}'), text="I look.")) as server:
        [choice] = httpx2.post(f"{server.url}/chat/completions", json=ASKED).json()["choices"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["tool_calls"][0]["function"] == {"name": "memory", "arguments": '{"a": 1}'}


def test_it_streams_when_asked_for() -> None:
    with serve(Say("Hel", "lo")) as server:
        answer = httpx2.post(f"{server.url}/chat/completions", json={**ASKED, "stream": True})
    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.text.endswith("data: [DONE]\n\n")
    assert answer.text.count('"content"') == 2


def test_it_cuts_the_connection() -> None:
    with serve(Break("Hel")) as server, pytest.raises(httpx2.RemoteProtocolError):
        httpx2.post(f"{server.url}/chat/completions", json={**ASKED, "stream": True})


def test_it_lists_its_models_and_knows_no_other_page() -> None:
    with serve(models=[{"id": "a"}]) as server:
        assert httpx2.get(f"{server.url}/models").json()["data"] == [{"id": "a"}]
        assert httpx2.get(f"{server.url}/other").status_code == 404
        assert httpx2.post(f"{server.url}/other", json=ASKED).status_code == 404
