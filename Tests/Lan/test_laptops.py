"""The laptops themselves: what the other tests rest on."""

import socket

from capture import Proxy
from node import GRACE, wait_until


def receive(sock, seconds=3 + GRACE):
    sock.settimeout(seconds)
    try:
        return sock.recvfrom(2048)
    except TimeoutError:
        return None


def test_a_broadcast_reaches_the_other_laptops_of_its_segment_only(world):
    near, far = world.segment("10.77.0"), world.segment("10.78.0")
    ana, bo, cy, stranger = (world.laptop(s) for s in (near, near, near, far))
    ears = [laptop.datagrams(47474) for laptop in (bo, cy, stranger)]
    ana.datagrams().sendto(b"hello", ("10.77.0.255", 47474))
    for ear in ears[:2]:
        data, source = receive(ear)
        assert (data, source[0]) == (b"hello", ana.address)
    assert receive(ears[2], 0.3) is None


def test_a_laptop_has_a_loopback_of_its_own(world):
    segment = world.segment()
    ana, bo = world.laptop(segment), world.laptop(segment)
    server = ana.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.bind(("127.0.0.1", 4747))
    server.listen()
    ana.connect(("127.0.0.1", 4747)).close()
    try:
        bo.connect(("127.0.0.1", 4747))
        raise AssertionError("Bo reached Ana's page")
    except ConnectionRefusedError:
        pass


def test_loss_and_a_pulled_cable_lose_what_they_say(world):
    segment = world.segment()
    ana, bo = world.laptop(segment), world.laptop(segment)
    mouth, ear = ana.datagrams(), bo.datagrams(5000)
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)

    def arrived(count):
        for _ in range(count):
            mouth.sendto(b"x", (bo.address, 5000))
        ear.settimeout(0.5)  # Behind a busy kernel.
        got = 0
        try:
            while ear.recv(10):
                got += 1
        except TimeoutError:
            return got

    assert arrived(1000) == 1000
    bo.lose(10)
    got = arrived(2000)
    assert 1700 < got < 1900
    assert bo.lost() == 2000 - got
    bo.lose(0)
    assert arrived(1000) == 1000
    bo.plug(False)
    assert arrived(10) == 0


def test_a_capture_sees_what_is_sent_and_received(world):
    segment = world.segment()
    ana, bo = world.laptop(segment), world.laptop(segment)
    capture = world.closing(ana.capture())
    ear = bo.datagrams(5000)
    ana.datagrams().sendto(b"question", (bo.address, 5000))
    data, source = receive(ear)
    ear.sendto(b"answer", source)
    wait_until("both packets", lambda: len([
        packet for packet in capture.packets if packet.protocol == "udp"]) == 2)
    assert [p.payload for p in capture.sent("udp")] == [b"question"]
    received = [p for p in capture.packets if not p.outgoing and p.protocol == "udp"]
    assert [p.payload for p in received] == [b"answer"]


def test_a_proxy_passes_and_changes_bytes(world):
    near, far = world.segment("10.77.0"), world.segment("10.78.0")
    ana, bo, middle = world.laptop(near), world.laptop(far), world.laptop(near, far)
    server = bo.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.bind((bo.address, 5000))
    server.listen()
    proxy = world.closing(Proxy(middle, (bo.address, 5000), bytes.upper))
    client = ana.connect((middle.addresses[0], proxy.port))
    client.sendall(b"hello")
    end, _ = server.accept()
    end.settimeout(3 + GRACE)
    assert end.recv(100) == b"HELLO"
    assert (proxy.connections, proxy.changed) == (1, 1)
