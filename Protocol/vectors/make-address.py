#!/usr/bin/env python3
"""Writes address.json: addresses as they are read and written, by Python's `ipaddress`.

    python3 Protocol/vectors/make-address.py > Protocol/vectors/address.json
"""

import ipaddress
import json
import random

WRITTEN = """
0.0.0.0 127.0.0.1 192.168.1.5 255.255.255.255 10.0.0.1
:: ::1 1:: fe80::1 FE80::ABCD 2001:DB8:0:0:0:0:0:1 2001:db8:0:1:1:1:1:1 2001:0:0:1:0:0:0:1
2001:db8:0:0:1:0:0:1 0:0:0:0:0:0:0:0 0:1:2:3:4:5:6:7 1:2:3:4:5:6:7:0 1:2:3:4:5:6:0:0 1:2:3:4:5:6:7::
::2:3:4:5:6:7:8 1::8 0001:0002::00ff ff02::1 fec0::1 febf:ffff::1 ::1.2.3.4 64:ff9b::192.0.2.33
::ffff:1.2.3.4 ::FFFF:0102:0304 0:0:0:0:0:ffff:10.0.0.1 ::fffe:1.2.3.4 1:2:3:4:5:6:7.8.9.10
fe80::1%eth0 fe80::1%3 fe80::abcd%br-0a1b2c3d4e5f fe80::1%eth0.100
""".split()

REFUSED = """
1.2.3 1.2.3.4.5 256.1.1.1 01.2.3.4 1.2.3.-4 1..3.4 1.2.3.4% 1.2.3.4%eth0 0x7f.0.0.1 localhost
: ::: 1 1:2 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:8:: ::1:2:3:4:5:6:7:8 1::2::3 :1:2:3:4:5:6:7
1:2:3:4:5:6:7: 12345::1 00001::1 g::1 +1::1 ::1.2.3 ::1.2.3.256 1.2.3.4::1 1:2:3:4:5:6:7:1.2.3.4
::1.2.3.4:5 fe80::1% fe80::1%sixteen-bytes-xx fe80::1%a%b fe80::1%a/b fe80::1%a]b 2001:db8::1%eth0 ::1%lo
[::1] ::١ fe80::1%ä
""".split() + ["", " ::1", "::1 ", "fe80::1%a b", "1" * 300, ":" * 300]


def canonical(text):
    address = ipaddress.ip_address(text)
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address), (mapped or address).packed.hex()


def main():
    choice = random.Random(3)
    texts = list(WRITTEN)
    for _ in range(100):
        groups = [choice.choice([0, 0, 0, 1, choice.randrange(65536)]) for _ in range(8)]
        texts.append(":".join(format(group, choice.choice("xX")) for group in groups))
    read = []
    for text in texts:
        shown, raw = canonical(text)
        read.append({"text": text, "canonical": shown, "bytes": raw})
    print(json.dumps({"about": "What reads as an address, how it is written, its bytes; what does "
                      "not. Made by make-address.py.", "read": read, "refused": REFUSED},
                     indent=1, ensure_ascii=True))


if __name__ == "__main__":
    main()
