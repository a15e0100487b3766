"""The page's door: who may ask the node anything, and what it says to everybody else."""

import json
import time

import pytest

from node import GRACE
from play import Game, everyone_sees_everyone


def status(page, method="GET", path="/api/v1/state", body=None, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    connection, response = page.request(method, path, body, headers)
    content = response.read()
    connection.close()
    if response.status >= 400:
        answer = json.loads(content)
        assert answer["code"] and answer["message"]
    return response.status


def test_only_who_has_the_token_is_answered(world):
    page = world.node("Ana").page
    assert status(page) == 200
    for token in ("", "x", page.token[:-1], page.token + "0", page.token.swapcase()):
        assert status(page, X_Tabletalk_Token=token) == 401
        assert status(page, "POST", "/api/v1/commands", {"id": "a", "kind": "tryItNow"},
                      X_Tabletalk_Token=token) == 401
    assert page.get("/api/v1/state")["tables"] == []


def test_other_pages_in_the_same_browser_are_kept_out(world):
    page = world.node("Ana").page
    own = f"127.0.0.1:{page.port}"
    for host in (own, f"localhost:{page.port}"):
        assert status(page, Host=host) == 200
        assert status(page, Origin=f"http://{host}") == 200
    for host in ("evil.example", f"evil.example:{page.port}", "127.0.0.1", "127.0.0.1:1",
                 f"127.0.0.1.evil.example:{page.port}", f"0.0.0.0:{page.port}"):
        assert 400 <= status(page, Host=host) < 500, host
        assert 400 <= status(page, Host=host, path="/") < 500, host
    for origin in ("http://evil.example", "null", "https://" + own,
                   f"http://127.0.0.1:{page.port + 1}", f"http://evil.example:{page.port}"):
        assert 400 <= status(page, "POST", "/api/v1/commands", {"id": "a", "kind": "tryItNow"},
                             Origin=origin) < 500, origin
    assert page.get("/api/v1/state")["tables"] == []


def test_nobody_on_the_network_reaches_the_page(world):
    ana = world.node("Ana")
    bo = world.laptop(world.segments[0])
    with pytest.raises(OSError):
        bo.connect((ana.laptop.address, ana.page.port), timeout=2)
    with pytest.raises(OSError):
        ana.laptop.connect((ana.laptop.address, ana.page.port), timeout=2)


def test_the_page_loads_from_its_own_origin_only(world):
    page = world.node("Ana").page
    connection, response = page.request("GET", "/", headers={"X-Tabletalk-Token": ""})
    text = response.read().decode()
    connection.close()
    assert response.status == 200
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert page.token not in text
    assert "http://" not in text and "https://" not in text


class Stream:
    """One more page that listens."""

    def __init__(self, page, last=None):
        headers = {"Last-Event-ID": last} if last else {}
        self.connection, self.response = page.request(
            "GET", "/api/v1/events", headers=headers, timeout=20)
        assert self.response.status == 200
        assert self.response.headers["Content-Type"].startswith("text/event-stream")

    def next(self):
        """The next event as (kind, id, data), or None at the end."""
        kind = number = data = None
        end = time.monotonic() + 20
        for line in self.response:
            assert time.monotonic() < end, "no event for 20 s"
            line = line.decode().rstrip("\r\n")
            field, _, value = line.partition(": ")
            if field == "event":
                kind = value
            elif field == "id":
                number = value
            elif field == "data":
                data = json.loads(value)
            elif not line and data is not None:
                return kind, number, data
        return None

    def until(self, kind):
        while event := self.next():
            if event[0] == kind:
                return event
        raise AssertionError(f"the stream ended without {kind}")


def test_a_fifth_page_ends_the_oldest_and_tells_it(world):
    ana = world.node("Ana")
    ana.watcher.close()
    streams = []
    for _ in range(5):
        streams.append(Stream(ana.page))
        streams[-1].until("state")
    # The watcher of these tests may have been the oldest of five or six.
    kind, _, data = streams[0].until("closed")
    assert data["code"] == "tooManyPages" and data["message"]
    assert streams[0].next() is None
    ana.command("createTable", size=3, minutes=15, marking="tap", pack=ana.state["packs"][0]["id"])
    for stream in streams[-3:]:
        assert any(stream.until("state")[2]["tables"] for _ in range(5))


def test_a_page_that_comes_back_is_told_what_it_missed(world):
    nodes = world.people(2)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana, bo = game.seats
    stream = Stream(ana.node.page)
    _, last, _ = stream.until("state")
    stream.connection.close()
    word = ana.harmless()[0]
    game.confirm(ana, word)
    missed = {entry["hash"] for entry in ana.log()[-2:]}
    again = Stream(ana.node.page, last)
    end = time.monotonic() + 10 + GRACE
    while missed and time.monotonic() < end:
        kind, _, data = again.next()
        if kind == "agreed":
            missed.discard(data["hash"])
    assert not missed


def test_who_asks_for_the_state_keeps_no_news_from_other_pages(world):
    ana = world.node("Ana")
    table = ana.command("createTable", size=3, minutes=15, marking="tap",
                        pack=ana.state["packs"][0]["id"])["table"]
    stream = Stream(ana.page)
    for number in range(10):
        ready = number % 2 == 0
        ana.command("ready", table=table, ready=ready)
        height = 0
        for _ in range(10):
            state = ana.page.get("/api/v1/state")
            height = max(height, state["tables"][0]["details"]["height"])
        row = None
        while row is None or row["ready"] != ready or row["details"]["height"] < height:
            row = stream.until("state")[2]["tables"][0]
