"""A node of its own on a LAN: beacons, links, and seats at tables; discovery.md, link.md and wire.md."""

import os
import queue
import socket
import sys
import threading
import time
import traceback

from nacl.signing import SigningKey

from guard import Guard
from linkforms import is_host
from player import Player
from tabletalk import (LIES_OF_FORM, Link, check_genesis, decode, encode, judge_beacon, make_beacon,
                       read_beacon)

DISCOVERY = 47474
BEGINNING = 1_000


class Peer:
    """What is known of another node, and the link to it."""

    def __init__(self):
        self.beacon, self.address, self.link = None, None, None
        self.heard = self.dialled = -1e9
        self.pause, self.is_dialling, self.without = 0.5, False, time.monotonic()


class LiveNode:
    """Says every two seconds that it is there, takes links, and keeps one to whoever it sits with.

    One thread does everything but waiting for bytes, so tables need no locks; whoever asks from another
    thread does so by `call`.
    """

    def __init__(self, laptop, broadcast, name, folder):
        self.laptop, self.name, self.folder = laptop, name, folder
        self.broadcast = broadcast
        self.identity = SigningKey.generate()
        self.own = bytes(self.identity.verify_key)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.peers, self.seats, self.refusals, self.faults = {}, {}, [], []
        self.events, self.sequence = queue.Queue(), 0
        self.pings, self.trips = {}, []
        self.wanted = self.creator = None
        self.open, self.deaf, self.helps = True, False, False
        self.socket = laptop.datagrams(DISCOVERY)
        self.listener = laptop.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.listener.bind((laptop.address, 0))
        self.listener.listen()
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        for work in (self.hear, self.accept):
            threading.Thread(target=work, daemon=True).start()

    # Threads that wait.

    def hear(self):
        while self.open:
            try:
                datagram, source = self.socket.recvfrom(2_000)
            except OSError:
                return
            if source:
                self.events.put(("datagram", datagram, source[0]))

    def accept(self):
        while self.open:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.greet, args=(connection, False), daemon=True).start()

    def greet(self, connection, initiator, wanted=None):
        """The handshake, then every frame that comes."""
        link = None
        try:
            link = Link(connection, initiator, self.identity)
            assert link.peer != self.own and wanted in (None, link.peer)
            link.initiator, link.came, link.over = initiator, time.monotonic(), False
            connection.settimeout(None)
            self.events.put(("up", link))
            while True:
                self.events.put(("frame", link, link.receive()))
        except Exception:  # Whatever ends a link ends it.
            connection.close()
        self.events.put(("down", link, wanted))

    def dial(self, key, peer):
        peer.dialled, peer.is_dialling = time.monotonic(), True

        def work():
            try:
                connection = self.laptop.connect(peer.address, 3)
            except (OSError, IndexError):
                self.events.put(("down", None, key))
                return
            self.greet(connection, True, key)

        threading.Thread(target=work, daemon=True).start()

    # The one thread that decides.

    def run(self):
        last = beacon = ping = time.monotonic() - 10
        while self.open:
            try:
                event = self.events.get(timeout=0.03)
                while True:
                    self.take(*event)
                    event = self.events.get_nowait()
            except queue.Empty:
                pass
            now = time.monotonic()
            if now - last < 0.02 or self.deaf:
                continue
            if now - beacon >= 2:
                beacon = now
                self.say_hello()
            if now - ping >= 1:
                ping = now
                self.ping()
            self.keep_links(now)
            for seat in list(self.seats.values()):
                self.guarded(seat.tick, now - last)
            last = now

    def guarded(self, work, *arguments):
        """What goes wrong here is kept for the test to see and ends nothing."""
        try:
            work(*arguments)
        except Exception:
            if len(self.faults) < 5:
                self.faults.append(traceback.format_exc())

    def take(self, kind, *parts):
        if kind == "call":
            work, done = parts
            try:
                done.put((True, work()))
            except Exception as error:
                done.put((False, error))
        elif kind == "up":
            self.link_up(parts[0])
        elif kind == "down":
            self.link_down(*parts)
        elif self.deaf:
            return
        elif kind == "datagram":
            self.take_datagram(*parts)
        elif kind == "frame" and not parts[0].over:
            self.take_frame(*parts)

    def call(self, work):
        """Runs something in the node's thread; its result."""
        if threading.current_thread() is self.thread:
            return work()
        done = queue.Queue()
        self.events.put(("call", work, done))
        try:
            good, result = done.get(timeout=10)
        except queue.Empty:
            frame = sys._current_frames()[self.thread.ident]
            raise AssertionError("busy: " + "".join(traceback.format_stack(frame))) from None
        if not good:
            raise result
        return result

    # Beacons.

    def make_hello(self, **changes):
        self.sequence += 1
        now = time.monotonic()
        heard = sorted(key[:4] for key, peer in self.peers.items() if now - peer.heard < 7)[:16]
        return make_beacon(self.identity, name=self.name, incarnation=BEGINNING, sequence=self.sequence,
                           period=2_000, linkPort=self.port, heard=heard, **changes)

    def say_hello(self, **changes):
        datagram = self.make_hello(atTable=any(seat.is_playing for seat in self.seats.values()), **changes)
        try:
            self.socket.sendto(datagram, (self.broadcast, DISCOVERY))
        except OSError as error:
            self.faults.append(error)
        for key, peer in self.peers.items():
            if peer.link:
                self.send(key, [0, decode(datagram[4:])])

    def take_datagram(self, datagram, host):
        try:
            beacon = read_beacon(datagram)
        except LIES_OF_FORM:
            return
        if beacon["identity"] != self.own:
            self.meet(beacon, host).heard = time.monotonic()

    def meet(self, beacon, host):
        peer = self.peers.setdefault(beacon["identity"], Peer())
        last = peer.beacon
        if last and (beacon["incarnation"], beacon["sequence"]) <= (last["incarnation"], last["sequence"]):
            return peer
        peer.beacon, peer.address = beacon, (host, beacon["linkPort"])
        peer.pause = 0.5
        return peer

    # Links.

    def members(self):
        return {key for seat in self.seats.values() for key in seat.members()} - {self.own}

    def keep_links(self, now):
        """wire.md, "Keeping links"."""
        for key in self.members():
            peer = self.peers.get(key)
            if not peer or not peer.address:
                continue
            if peer.link:
                if now - peer.link.came > 4:
                    self.hang_up(key)
                continue
            patience = 0 if self.own < key else 1.5
            if (not peer.is_dialling and now - peer.without >= patience
                    and now - peer.dialled >= peer.pause):
                self.dial(key, peer)

    def link_up(self, link):
        peer = self.peers.setdefault(link.peer, Peer())
        peer.is_dialling, peer.pause = False, 0.5
        old = peer.link
        if self.deaf:
            return self.end(link)
        if old and time.monotonic() - old.came < 1.5 and old.initiator != link.initiator and (
                old.initiator == (self.own < link.peer)):
            return self.end(link)
        if old:
            self.end(old)
        peer.link = link
        if not peer.address:
            peer.address = link.connection.getpeername()
        self.send(link.peer, [0, decode(self.make_hello()[4:])])
        if link.peer == self.creator:
            self.send(link.peer, [5, self.wanted])
        for seat in self.seats.values():
            self.guarded(seat.link_up, link.peer)

    def end(self, link):
        link.over = True
        try:
            link.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def hang_up(self, key):
        self.end(self.peers[key].link)
        self.link_down(self.peers[key].link, key)

    def link_down(self, link, key):
        peer = self.peers.get(link.peer if link else key)
        if peer is None:
            return
        if link is None:
            peer.is_dialling, peer.pause = False, min(8, 2 * peer.pause)
        elif peer.link is link:
            link.over, peer.link, peer.without = True, None, time.monotonic()
            for seat in self.seats.values():
                seat.link_down(link.peer)

    def send(self, key, message):
        peer = self.peers.get(key)
        if peer and peer.link and not self.deaf:
            try:
                peer.link.send(encode(message))
            except OSError:
                self.hang_up(key)

    def ping(self):
        for key, peer in list(self.peers.items()):
            if peer.link:
                number = int.from_bytes(os.urandom(4), "big")
                self.pings[number] = time.monotonic()
                self.send(key, [1, number, self.standing(key)])

    def standing(self, key):
        return [seat.status() for seat in self.seats.values() if key in seat.members()][:32]

    def take_frame(self, link, frame):
        link.came = time.monotonic()
        try:
            message = decode(frame)
            self.take_message(link.peer, message)
        except LIES_OF_FORM:
            self.faults.append(traceback.format_exc())

    def take_message(self, key, message):
        kind, *parts = message
        if kind == 0 and judge_beacon(parts[0])["identity"] == key:
            self.meet(judge_beacon(parts[0]), self.peers[key].link.connection.getpeername()[0])
        elif kind in (1, 2):
            if kind == 1:
                self.send(key, [2, parts[0], self.standing(key)])
            elif parts[0] in self.pings:
                trip = time.monotonic() - self.pings.pop(parts[0])
                self.trips = [*self.trips[-63:], trip]
                for seat in self.seats.values():
                    seat.voter.delta = min(2, max(0.1, 4 * max(self.trips)))
            for status in parts[1]:
                if status[0] in self.seats:
                    self.guarded(self.seats[status[0]].take, [6, status], key)
        elif kind == 3:
            table = table_of(parts[0])
            if table in self.seats:
                self.guarded(self.seats[table].take, parts[0], key)
        elif kind in (4, 5):
            seat = next((seat for seat in self.seats.values() if key in seat.members()
                         and parts[0] in (seat.id, seat.code)), None)
            no = [7, None, None, "wrongCode"] if kind == 4 else [7, parts[0], None, "tableGone"]
            self.send(key, [6, seat.genesis] if seat else no)
        elif kind == 6:
            self.take_genesis(parts[0], key)
        elif kind == 7:
            self.refusals.append(parts)
        elif kind == 9:
            for identity, host, port in parts[0]:
                peer = self.peers.setdefault(identity, Peer())
                if not peer.address and not peer.beacon and is_host(host) and len(host) == 4:
                    peer.address = socket.inet_ntoa(host), port
        elif kind == 10:
            self.hang_up(key)
        elif kind in (12, 13) and parts[2] is None:
            # This node passes nothing on, and dials whom it wants itself.
            self.send(key, [25 - kind, parts[0], parts[1], 2 if kind == 12 else 0])
        elif kind == 22:
            self.witness(parts[0], key)

    # Tables.

    def notices(self):
        """Open tables that were heard of: (creator's key, notice)."""
        return [(key, notice) for key, peer in list(self.peers.items()) if peer.beacon
                for notice in peer.beacon["tables"]]

    def ask(self, table, key):
        """Dials a table's creator and asks for the table; sits down when it comes."""
        self.wanted, self.creator = table, key
        peer = self.peers[key]
        if peer.link:
            self.send(key, [5, table])
        elif not peer.is_dialling:
            self.dial(key, peer)

    def take_genesis(self, data, key):
        fields, table = check_genesis(data)
        if table in self.seats or table != self.wanted or fields[9][0] != self.creator:
            return
        self.creator = None
        self.sit(data, table).join()

    def sit(self, data, table):
        guard = Guard(self.folder / f"{table.hex()[:16]}.votes")
        self.seats[table] = Player(data, self, guard)
        return self.seats[table]

    def witness(self, data, key):
        """Says yes to a creator, or no where this node does not help."""
        fields, table = check_genesis(data)
        if not self.helps or fields[9][0] != key or table in self.seats:
            return self.send(key, [7, table, None, "noWitness"])
        self.sit(data, table).witness()

    def sleep(self):
        """The lid is closed: nothing is said, heard or counted until it opens."""
        self.deaf = True
        for key, peer in self.peers.items():
            if peer.link:
                self.hang_up(key)

    def close(self):
        self.open = False
        for peer in self.peers.values():
            if peer.link:
                self.end(peer.link)
        for one in (self.socket, self.listener):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()


def table_of(message):
    """Which table a table message is about."""
    part = message[1]
    if message[0] == 11:
        part = part[1]
    return part if isinstance(part, bytes) else part[0]
