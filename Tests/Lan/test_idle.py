"""Ten laptops on a LAN on which nobody has a table open: next to nothing is sent and done."""

import os
import time
from collections import Counter
from pathlib import Path

from play import everyone_sees_everyone

SECONDS = 600 if os.environ.get("TABLETALK_LONG") == "1" else 65
NODES = 10


def processor_seconds(process):
    """What all threads of a process have run, to the nanosecond."""
    total = 0
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def test_ten_laptops_without_a_table_hardly_send_anything(world):
    segment = world.segment()
    nodes = [world.node(f"Guest {number}", world.laptop(segment)) for number in range(1, NODES + 1)]
    everyone_sees_everyone(nodes, 15)
    for node in nodes:
        # A page that is open is told of every change; this is about the program alone.
        node.watcher.close()
    time.sleep(5)  # The last answers to newcomers are not idleness.
    capture = world.closing(nodes[0].laptop.capture())
    before = [processor_seconds(node.process) for node in nodes]
    begin = time.monotonic()
    time.sleep(SECONDS)
    minutes = (time.monotonic() - begin) / 60
    after = [processor_seconds(node.process) for node in nodes]
    packets = [packet for packet in list(capture.packets) if packet.protocol == "udp"]
    others = [packet for packet in list(capture.packets) if packet.protocol != "udp"]
    counts = Counter(packet.source for packet in packets)
    sizes = Counter()
    for packet in packets:
        sizes[packet.source] += packet.length
    used = [(late - early) / minutes for early, late in zip(before, after)]
    print(f"{minutes:.1f} minutes, {NODES} nodes: {min(counts.values()) / minutes:.1f} to "
          f"{max(counts.values()) / minutes:.1f} datagrams a minute and interface (must 7), "
          f"{max(sizes.values()) / minutes:.0f} bytes a minute at the most")
    print(f"processor: {sum(used):.3f} s a minute for all (aim 0.02), "
          f"{60 * sum(used) / NODES:.2f} s an hour and node, {60 * max(used):.2f} at the most")
    assert len(counts) == NODES and others == []
    # A window that is no whole number of periods may catch one more.
    assert max(counts.values()) <= 7 * minutes + 1
    assert max(used) < 0.2
