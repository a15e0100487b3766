"""What passes: a capture of a laptop's card, and a proxy that may change what it passes."""

import socket
import struct
import threading


# struct timespec of the kernel's own stamp, socket(7); Python has no name for it.
SO_TIMESTAMPNS = 35


class Packet:
    """An IPv4 packet that a network card sent or received, and when, in seconds of the kernel's clock."""

    def __init__(self, frame, outgoing, at):
        self.time = at
        self.outgoing = outgoing
        header = (frame[14] & 15) * 4
        self.protocol = {6: "tcp", 17: "udp"}.get(frame[23], str(frame[23]))
        self.source = socket.inet_ntoa(frame[26:30])
        self.target = socket.inet_ntoa(frame[30:34])
        self.length = struct.unpack_from("!H", frame, 16)[0]
        body = frame[14 + header:14 + self.length]
        self.ports = struct.unpack_from("!HH", body) if len(body) >= 4 else (0, 0)
        skip = 8 if self.protocol == "udp" else (body[12] >> 4) * 4 if len(body) > 12 else 0
        self.payload = bytes(body[skip:])

    def __repr__(self):
        arrow = "->" if self.outgoing else "<-"
        return (f"{self.protocol} {self.source}:{self.ports[0]} {arrow} "
                f"{self.target}:{self.ports[1]} {len(self.payload)} bytes")


class Capture:
    """Everything of IPv4 that a laptop's first card sends and receives, until closed."""

    def __init__(self, laptop):
        self.packets = []
        # No protocol before it is bound: until then it would hear every card, the loopback too.
        self._socket = laptop.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        # When a packet passed, not when a busy machine came to read it.
        self._socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self._socket.bind((laptop.cards[0][1], 0x0003))
        self._socket.settimeout(0.2)
        self._open = True
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        while self._open:
            try:
                frame, stamps, _, address = self._socket.recvmsg(65536, 64)
            except TimeoutError:
                continue
            except OSError:
                return
            if address[1] == 0x0800 and len(frame) >= 34:
                seconds, nanoseconds = struct.unpack("@ll", stamps[0][2])
                self.packets.append(Packet(
                    frame, address[2] == socket.PACKET_OUTGOING, seconds + nanoseconds / 1e9))

    def sent(self, protocol=None):
        return [packet for packet in list(self.packets)
                if packet.outgoing and protocol in (None, packet.protocol)]

    def close(self):
        self._open = False
        self._thread.join()
        self._socket.close()


class Proxy:
    """Passes TCP between two laptops that cannot reach each other, and may change what it passes."""

    def __init__(self, laptop, target, change=None):
        self.laptop, self.target, self.change = laptop, target, change
        self.connections = 0
        self.changed = 0
        self._listener = laptop.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.bind(("0.0.0.0", 0))
        self._listener.listen(16)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            try:
                far = self.laptop.connect(self.target)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=pair, daemon=True).start()

    def _pass(self, source, sink):
        try:
            while chunk := source.recv(65536):
                if self.change:
                    new = self.change(chunk)
                    self.changed += new != chunk
                    chunk = new
                sink.sendall(chunk)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self._listener.close()
