"""Ten laptops on a LAN on which nobody has a table open: next to nothing is sent and done."""

import os
import socket
import threading
import time
from collections import Counter

from play import everyone_sees_everyone

SECONDS = 600 if os.environ.get("TABLETALK_LONG") == "1" else 65
NODES = 10


def processor_seconds(process):
    """What all threads of a process have run, those that have ended too, to the nanosecond."""
    # The clock of another process: clock_getcpuclockid(3), which Python does not have.
    return time.clock_gettime(~process.pid << 3 | 2)


class Air:
    """All UDP that the first card of a laptop sends and hears, by the card that sent it."""

    def __init__(self, laptop):
        self._counts, self._sizes = Counter(), Counter()
        self._socket = laptop.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self._socket.bind((laptop.cards[0][1], 0x0003))
        self._socket.settimeout(0.2)
        self._open = True
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        while self._open:
            try:
                frame = self._socket.recv(65_536)
            except TimeoutError:
                continue
            # IPv4 and IPv6, each with what stands behind it.
            if frame[12:14] == b"\x08\x00" and frame[23] == 17 or (
                    frame[12:14] == b"\x86\xdd" and frame[20] == 17):
                self._counts[frame[6:12]] += 1
                self._sizes[frame[6:12]] += len(frame) - 14

    def take(self):
        return Counter(self._counts), Counter(self._sizes)

    def close(self):
        self._open = False
        self._thread.join()
        self._socket.close()


def test_ten_laptops_without_a_table_hardly_send_anything(world):
    segment = world.segment()
    nodes = [world.node(f"Guest {number}", world.laptop(segment)) for number in range(1, NODES + 1)]
    everyone_sees_everyone(nodes, 15)
    for node in nodes:
        # A page that is open is told of every change; this is about the program alone.
        node.watcher.close()
    time.sleep(5)  # The last answers to newcomers are not idleness.
    air = world.closing(Air(nodes[0].laptop))
    before = [processor_seconds(node.process) for node in nodes]
    begin = time.monotonic()
    time.sleep(SECONDS)
    minutes = (time.monotonic() - begin) / 60
    after = [processor_seconds(node.process) for node in nodes]
    counts, sizes = air.take()
    used = [(late - early) / minutes for early, late in zip(before, after)]
    print(f"{minutes:.1f} minutes, {NODES} nodes: {min(counts.values()) / minutes:.1f} to "
          f"{max(counts.values()) / minutes:.1f} datagrams a minute and interface (must 7), "
          f"{max(sizes.values()) / minutes:.0f} bytes a minute at the most")
    print(f"processor: {sum(used):.3f} s a minute for all (aim 0.02), "
          f"{60 * sum(used) / NODES:.2f} s an hour and node, {60 * max(used):.2f} at the most")
    assert len(counts) == NODES
    # A window that is no whole number of periods may catch one more.
    assert max(counts.values()) <= 7 * minutes + 1
    assert max(used) < 0.2
