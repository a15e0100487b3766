"""What must be refused is refused, for the reason given: by this reader, by the project's, and by a running node."""

import json
import os
import random
import subprocess
from collections import Counter

import pytest

import savedlog
from forms import Refused
from linkforms import read_frame, read_genesis, read_table_message
from node import PROGRAM, wait_until
from tabletalk import Link, encode, vectors

CASES = vectors("refused.json")
READERS = {"messages": read_table_message, "frames": read_frame, "geneses": read_genesis, "logs": savedlog.read}


def unpacked(case):
    return bytes.fromhex(case["hex"]) + bytes(case.get("zeros", 0))


@pytest.mark.parametrize("part", READERS)
def test_each_is_refused_for_its_reason(part):
    found = {}
    for case in CASES[part]:
        with pytest.raises(Refused) as fault:
            READERS[part](unpacked(case))
            pytest.fail(f"taken: {case['id']}")
        found[case["id"]] = fault.value.code
    assert found == {case["id"]: case["code"] for case in CASES[part]}


def test_what_they_were_made_from_is_taken():
    assert savedlog.read(bytes.fromhex(CASES["right"])).table.seals == 1


def test_the_program_refuses_every_log_with_the_same_code(tmp_path):
    """The list of this reader and the program's list are one."""
    found = {}
    for number, case in enumerate(CASES["logs"]):
        path = tmp_path / f"{number}.ttlog"
        path.write_bytes(unpacked(case))
        done = subprocess.run([PROGRAM, "verify", "--json", path], capture_output=True, text=True)
        answer = json.loads(done.stdout)
        assert done.returncode == 1 and not answer["proven"], case["id"]
        found[case["id"]] = answer["code"]
    assert found == {case["id"]: case["code"] for case in CASES["logs"]}
    path.write_bytes(bytes.fromhex(CASES["right"]))
    assert subprocess.run([PROGRAM, "verify", path], capture_output=True).returncode == 0


def test_a_node_refuses_every_frame_with_the_same_code(world):
    ana = world.node("Ana")
    laptop = world.laptop(world.segments[0])
    link = world.closing(Link(laptop.connect((ana.laptop.address, ana.state["network"]["linkPort"])), True))
    # A frame of no bytes ends a link. Other versions and others' beacons have codes of their own here, and what a
    # message's signature is worth is not looked at before the table is known.
    form = [case for case in CASES["frames"] if case["hex"] + "0" * case.get("zeros", 0)
            and "beacon" not in case["id"]]
    for case in form:
        link.send(unpacked(case))
    signed = ("badSignature", "unsigned")
    messages = [case for case in CASES["messages"] if case["code"] not in signed]
    for case in messages:
        link.send(b"\x82\x03" + unpacked(case))
    link.say(1, 7, [])
    assert link.hear(2)[1] == 7
    expected = Counter(f"frame.{case['code']}" for case in [*form, *messages])

    def refused():
        return ana.page.get("/api/v1/state")["network"]["refused"]

    wait_until("every refusal counted", lambda: sum(refused().values()) >= expected.total())
    assert refused() == expected
    link.send(encode([10]))


def mutated(chance, data):
    """Some bytes changed, left out, or put in."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        place = chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                data[place] ^= 1 << chance.randrange(8)
            case 1:
                data[place] = chance.randrange(256)
            case 2:
                del data[place:place + chance.choice((1, 1, 2, 33))]
            case 3:
                data[place:place] = chance.randbytes(chance.choice((1, 2, 32)))
        if not data:
            return b"\xf6"
    return bytes(data)


def test_a_node_and_this_reader_find_the_same_fault_in_what_chance_makes(world):
    ana = world.node("Ana")
    laptop = world.laptop(world.segments[0])
    whole = [b"\x82\x03" + bytes.fromhex(case["hex"]) for case in vectors("wire.json")["messages"]]
    whole += [bytes.fromhex(case["hex"]) + bytes(case.get("zeros", 0)) for case in vectors("relay.json")["read"]
              if len(case["hex"]) < 4_000]
    expected = Counter()
    for turn in range(40 if os.environ.get("TABLETALK_LONG") == "1" else 1):
        chance = random.Random(turn)
        link = world.closing(Link(laptop.connect(
            (ana.laptop.address, ana.state["network"]["linkPort"])), True))
        for _ in range(1_500):
            frame = mutated(chance, chance.choice(whole))
            try:
                read_frame(frame)
            except Refused as fault:
                # What may be a beacon of another version is looked at in another way (`beacon.json`).
                if frame[1:2] not in (b"\x00", b"\x0b"):
                    expected[f"frame.{fault.code}"] += 1
                    link.send(frame)
        link.say(1, 7, [])
        assert link.hear(2)[1] == 7
        link.close()

    def refused():
        return ana.page.get("/api/v1/state")["network"]["refused"]

    wait_until("every refusal counted", lambda: sum(refused().values()) >= expected.total(), 20)
    assert refused() == expected and expected.total() > 800
