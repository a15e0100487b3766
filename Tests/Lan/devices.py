"""Network devices that programs make: TAP for the cards of virtual machines and containers, TUN for
VPNs. The kernel takes them for real as long as a program holds them open."""

import fcntl
import heapq
import os
import random
import select
import struct
import threading
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_TAP, IFF_NO_PI = 0x0001, 0x0002, 0x1000


def open_device(laptop, name, kind):
    """Makes a device on a laptop; what the laptop sends by it is read from the descriptor."""
    def make():
        descriptor = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH14x", name.encode(), kind | IFF_NO_PI))
        os.set_blocking(descriptor, False)
        return descriptor
    return laptop.make(make)


class Pump:
    """Reads devices until it is closed and has `passing(number, packet)` say what becomes of it."""

    def __init__(self, devices, passing):
        self.devices = devices
        self.packets = [0] * len(devices)
        self._passing = passing
        self._ending, self._end = os.pipe()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while True:
            ready, _, _ = select.select([*self.devices, self._ending], [], [], self._idle())
            if self._ending in ready:
                return
            for device in ready:
                number = self.devices.index(device)
                try:
                    packet = os.read(device, 65_536)
                except OSError:
                    continue
                self.packets[number] += 1
                self._passing(number, packet)

    def _idle(self):
        """Does what time alone makes due; returns the seconds until there is more of it."""
        return None

    def close(self):
        os.write(self._end, b"x")
        self._thread.join()
        for descriptor in (*self.devices, self._ending, self._end):
            os.close(descriptor)


class Adapter(Pump):
    """A card with carrier and broadcast behind which there is nobody: of a virtual machine, say."""

    def __init__(self, laptop, name, address):
        device = open_device(laptop, name, IFF_TAP)
        laptop.add_address(address, name)
        laptop.run("ip", "link", "set", name, "up")
        super().__init__([device], lambda number, packet: None)


class Tunnel(Pump):
    """A VPN between two laptops: no broadcasts, and an address at either end."""

    def __init__(self, ends, addresses, name="tun0", mtu=1420):
        self.devices = [open_device(laptop, name, IFF_TUN) for laptop in ends]
        for laptop, own, other in zip(ends, addresses, reversed(addresses)):
            laptop.run("ip", "address", "add", own, "peer", other, "dev", name)
            laptop.run("ip", "link", "set", name, "mtu", str(mtu), "up")
        super().__init__(self.devices, self._cross)

    def _cross(self, number, packet):
        try:
            os.write(self.devices[1 - number], packet)
        except OSError:
            pass  # The other end is down, or its queue is full: packets get lost.


class BadTunnel(Tunnel):
    """A tunnel in which packets take their time, pass one another, and come twice now and then."""

    def __init__(self, ends, addresses, seconds=0.1, seed=1):
        self._under_way = []
        self._seconds = seconds
        self._chance = random.Random(seed)
        self.twice = 0
        super().__init__(ends, addresses)

    def _cross(self, number, packet):
        copies = 2 if self._chance.random() < 0.1 else 1
        self.twice += copies - 1
        for _ in range(copies):
            due = time.monotonic() + self._seconds * self._chance.uniform(0.8, 1.2)
            heapq.heappush(self._under_way, (due, sum(self.packets), number, packet))

    def _idle(self):
        now = time.monotonic()
        while self._under_way and self._under_way[0][0] <= now:
            _, _, number, packet = heapq.heappop(self._under_way)
            super()._cross(number, packet)
        return max(0, self._under_way[0][0] - now) if self._under_way else None


class Vpn(Pump):
    """A VPN to somewhere far away that takes the default route and never answers."""

    def __init__(self, laptop, address="10.200.0.2", name="tun0"):
        device = open_device(laptop, name, IFF_TUN)
        laptop.run("ip", "address", "add", f"{address}/32", "dev", name)
        laptop.run("ip", "link", "set", name, "up")
        laptop.run("ip", "route", "add", "default", "dev", name)
        super().__init__([device], lambda number, packet: None)
