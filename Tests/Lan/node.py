"""A running `tabletalk` and its page, as a program sees them: process, API, stream of events."""

import http.client
import itertools
import json
import os
import signal
import subprocess
import threading
import time
import urllib.parse
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("TABLETALK_PROGRAM", ROOT / ".build/release/tabletalk"))
_web_ports = itertools.count(4801)

# Seconds on top of every limit. A limit is what is demanded of a laptop that has a processor to itself; here
# a dozen share two, on a machine that may be slow, and a wait ends as soon as what it waits for is there.
# `TABLETALK_GRACE=0 Tests/run lan` holds a quiet machine to the limits themselves.
GRACE = float(os.environ.get("TABLETALK_GRACE", 10))


def median(times):
    """What one moment in which the machine was busy does not move."""
    return sorted(times)[len(times) // 2]


class Refused(AssertionError):
    """The node refused a command; `code` says why."""

    def __init__(self, status, answer):
        super().__init__(f"{status} {answer.get('code')}: {answer.get('message')}")
        self.status, self.code, self.message = status, answer.get("code"), answer.get("message")


class Page:
    """The page API of one node, asked from inside its laptop."""

    def __init__(self, laptop, url):
        self.url = url
        parts = urllib.parse.urlsplit(url)
        self.laptop = laptop
        self.port = parts.port
        self.token = urllib.parse.parse_qs(parts.fragment)["token"][0]

    def request(self, method, path, body=None, headers=None, timeout=10 + GRACE):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        connection.sock = self.laptop.connect(("127.0.0.1", self.port), timeout)
        headers = {"X-Tabletalk-Token": self.token, **(headers or {})}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        return connection, connection.getresponse()

    def get(self, path):
        connection, response = self.request("GET", path)
        try:
            content = response.read()
            assert response.status == 200, f"{path}: {response.status} {content[:300]!r}"
            return json.loads(content)
        finally:
            connection.close()

    def command(self, kind, *, id=None, **fields):
        body = {"id": id or str(uuid.uuid4()), "kind": kind, **fields}
        connection, response = self.request("POST", "/api/v1/commands", body)
        try:
            answer = json.loads(response.read())
        finally:
            connection.close()
        if response.status != 200:
            raise Refused(response.status, answer)
        return answer


class Watcher:
    """Follows a node's events through its restarts: the last state, and all that was ever agreed."""

    def __init__(self, node):
        self.node = node
        self.changed = threading.Condition()
        self.state = None
        self.agreed = []
        self.streams = 0
        self._last = None
        self._open = True
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self):
        while self._open:
            page = self.node.page
            try:
                if page:
                    self._read(page)
            except (OSError, http.client.HTTPException, ValueError, AttributeError):
                pass
            time.sleep(0.05)

    def _read(self, page):
        headers = {"Last-Event-ID": self._last} if self._last else {}
        connection, response = page.request("GET", "/api/v1/events", headers=headers, timeout=20)
        try:
            if response.status != 200:
                return
            self.streams += 1
            kind, data, number = None, [], None
            for line in response:
                line = line.decode().rstrip("\r\n")
                field, _, value = line.partition(":")
                value = value.removeprefix(" ")
                if not self._open or page is not self.node.page:
                    return
                if field == "event":
                    kind = value
                elif field == "data":
                    data.append(value)
                elif field == "id":
                    number = value
                elif not line and data:
                    self._last = number or self._last
                    self._take(kind, json.loads("\n".join(data)))
                    kind, data, number = None, [], None
        finally:
            connection.close()

    def _take(self, kind, content):
        with self.changed:
            if kind == "state":
                self.state = content
            elif kind == "agreed":
                self.agreed.append(content)
            self.changed.notify_all()

    def close(self):
        self._open = False


class Node:
    """One player's laptop with `tabletalk` on it."""

    def __init__(self, laptop, name, folder, flags=(), environment=None, program=None):
        self.laptop, self.name, self.folder = laptop, name, Path(folder)
        self.flags = list(flags)
        self.environment = environment or {}
        self.program = program or [str(PROGRAM)]
        self.web_port = next(_web_ports)
        self.process = None
        self.page = None
        self.runs = 0
        self.log = self.folder.with_suffix(".log")
        self.output = self.folder.with_suffix(".out")
        self.watcher = Watcher(self)

    def command_line(self, *more):
        name = ["--name", self.name] if self.name else []
        return self.laptop.inside(
            *self.program, "--data", str(self.folder), *name, "--no-open", "--web-port",
            str(self.web_port), "--log", "info", *self.flags, *more)

    def start(self, *more, timeout=30):
        """Starts the program and waits for its page; returns the seconds until it was served."""
        assert PROGRAM.exists(), f"{PROGRAM} is missing: run `Tests/run release` first"
        self._note().unlink(missing_ok=True)
        self.runs += 1
        home = {"HOME": str(self.folder.parent), **self.environment}
        begin = time.monotonic()
        with open(self.log, "ab") as log, open(self.output, "wb") as output:
            log.write(f"--- run {self.runs}\n".encode())
            log.flush()
            self.process = subprocess.Popen(
                self.command_line(*more), stdin=subprocess.DEVNULL, stdout=output, stderr=log,
                env={**os.environ, **home})
        while time.monotonic() < begin + timeout + GRACE:
            assert self.process.poll() is None, f"{self} ended at once\n{self.tail()}"
            try:
                page = Page(self.laptop, json.loads(self._note().read_text())["page"])
                self._show(page.get("/api/v1/state"))
                self.page = page
                return time.monotonic() - begin
            except (OSError, ValueError, KeyError):
                time.sleep(0.005)
        raise AssertionError(
            f"{self} served no page within {timeout} s and {GRACE:.0f} more\n{self.tail()}")

    def _note(self):
        return self.folder / "node.json"

    def _show(self, state):
        with self.watcher.changed:
            self.watcher.state = state
            self.watcher.changed.notify_all()

    @property
    def state(self):
        """The last state its page was told."""
        return self.watcher.state

    @property
    def key(self):
        return self.state["me"]["key"]

    @property
    def running(self):
        return self.process is not None and self.process.poll() is None

    def command(self, kind, **fields):
        return self.page.command(kind, **fields)

    def wait(self, what, condition, timeout=10):
        """Waits until `condition(state)` is true, and returns its value."""
        end = time.monotonic() + timeout + GRACE
        with self.watcher.changed:
            while True:
                value = self.watcher.state is not None and condition(self.watcher.state)
                if value:
                    return value
                left = end - time.monotonic()
                assert left > 0, (
                    f"{self.name} did not see within {timeout} s and {GRACE:.0f} more: {what}")
                self.watcher.changed.wait(min(left, 1))

    def kill(self):
        """SIGKILL: the lid, the battery, the crash."""
        self.page = None
        self.process.kill()
        self.process.wait()

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def run_beside(self, *more, timeout=10):
        """Starts the program once more on the same folder; returns what came of it."""
        return subprocess.run(
            self.command_line(*more), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=timeout + GRACE, env={**os.environ, "HOME": str(self.folder.parent)})

    def run_doctor(self, *words, timeout=40):
        """Runs `tabletalk doctor` on this laptop; returns what came of it."""
        command = self.laptop.inside(str(PROGRAM), "doctor", "--data", str(self.folder), *words)
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout + GRACE,
            env={**os.environ, "HOME": str(self.folder.parent)})

    def stop(self, timeout=15):
        """Ctrl-C; returns the exit code."""
        self.page = None
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout + GRACE)

    def close(self):
        self.watcher.close()
        if self.running:
            self.process.kill()
            self.process.wait()

    def tail(self, lines=40):
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return "(no log)"

    def __str__(self):
        return f"{self.name or 'nobody'} on {self.laptop.name}"


def wait_until(what, condition, timeout=10):
    """Waits for something that several nodes have to do together."""
    end = time.monotonic() + timeout + GRACE
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {timeout} s and {GRACE:.0f} more: {what}"
        time.sleep(0.02)
    return value
