"""Network devices that programs make: TAP for the cards of virtual machines and containers, TUN for
VPNs. The kernel takes them for real as long as a program holds them open."""

import fcntl
import os
import select
import struct
import threading

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
            ready, _, _ = select.select([*self.devices, self._ending], [], [])
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


class Vpn(Pump):
    """A VPN to somewhere far away that takes the default route and never answers."""

    def __init__(self, laptop, address="10.200.0.2", name="tun0"):
        device = open_device(laptop, name, IFF_TUN)
        laptop.run("ip", "address", "add", f"{address}/32", "dev", name)
        laptop.run("ip", "link", "set", name, "up")
        laptop.run("ip", "route", "add", "default", "dev", name)
        super().__init__([device], lambda number, packet: None)
