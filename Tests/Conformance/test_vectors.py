"""The vectors mean to a second reader what they mean to the project."""

import cbor2
import pytest
from nacl.signing import SigningKey

import forms
import tabletalk
from ledger import proves, quorum
from linkforms import read_frame
from tabletalk import (Refused, check_message, decode, encode, hearing, make_beacon, read_beacon,
                       read_other_version, tells_hearing, vectors)

WIRE = vectors("wire.json")["messages"]
BEACONS = vectors("beacon.json")


@pytest.mark.parametrize("case", WIRE, ids=lambda case: case["name"])
def test_messages_are_read_verified_and_named(case):
    data = bytes.fromhex(case["hex"])
    message = decode(data)
    block = check_message(message)
    assert encode(message) == data
    assert (block.hex() if block else None) == case.get("block")


@pytest.mark.parametrize("case", [case for case in WIRE if case["name"] not in (
    "status", "status of a full disk", "get chain", "get block", "wish")], ids=lambda case: case["name"])
def test_no_signature_survives_a_change_of_the_table(case):
    message = decode(bytes.fromhex(case["hex"]))

    def elsewhere(item):
        if isinstance(item, list):
            return [elsewhere(part) for part in item]
        return bytes(32) if item == table else item

    table = message[1][1][0] if message[0] == 11 else message[1][0]
    with pytest.raises(tabletalk.Forged):
        check_message(elsewhere(message))


@pytest.mark.parametrize("case", vectors("evidence.json")["cases"], ids=lambda case: case["name"])
def test_evidence_proves_what_the_vectors_say(case):
    epoch = {name: bytes.fromhex(case["epoch"][name]) for name in ("id", "anchor")}
    epoch["number"] = case["epoch"]["number"]
    epoch["voters"] = [bytes.fromhex(voter) for voter in case["epoch"]["voters"]]
    data = bytes.fromhex(case["hex"])
    if case["isRefused"]:
        with pytest.raises(Refused) as fault:
            forms.evidence(decode(data))
        assert fault.value.code == "outOfRange"
        return
    evidence = forms.evidence(decode(data))
    tabletalk.check_evidence(evidence)
    assert proves(evidence, epoch) == case["proves"]


def test_every_kind_of_message_has_a_vector():
    kinds = {decode(bytes.fromhex(case["hex"]))[0] for case in WIRE}
    assert kinds == {*range(13), 16, 17, 18}


@pytest.mark.parametrize("case", vectors("cbor/refused.json")["items"], ids=lambda case: case["why"])
def test_what_is_not_the_one_encoding_is_refused(case):
    with pytest.raises(Refused) as fault:
        decode(bytes.fromhex(case["hex"]))
    assert fault.value.code == case["code"]


def test_cbor_vectors_say_what_cbor2_says():
    for case in vectors("cbor/appendix_a_deterministic.json")["items"]:
        data = bytes.fromhex(case["hex"])
        if case["deterministic"] and data[0] >> 5 < 6 and "decoded" in case:
            item = cbor2.loads(data)
            if isinstance(item, (int, bytes, str, list, dict)):
                assert encode(item) == data, case
    for case in vectors("cbor/map_key_order.json")["items"]:
        data = bytes.fromhex(case["hex"])
        pairs = cbor2.loads(data)
        hashable = {key if not isinstance(key, list) else tuple(key): value
                    for key, value in pairs.items()}
        assert (encode(hashable) == data) == case["deterministic_4_2_1"], case
    for case in vectors("cbor/boundaries.json")["items"]:
        if "hex" in case:
            assert encode(int(case["value"])) == bytes.fromhex(case["hex"])


def test_signatures_of_rfc_8032_are_made_again():
    for case in vectors("crypto/rfc8032_ed25519.json")["vectors"]:
        key = SigningKey(bytes.fromhex(case["seed"]))
        assert bytes(key.verify_key).hex() == case["public_key"]
        assert key.sign(bytes.fromhex(case["message"])).signature.hex() == case["signature"]


@pytest.mark.parametrize("case", BEACONS["accepted"], ids=lambda case: case["name"])
def test_beacons_are_read(case):
    beacon = read_beacon(bytes.fromhex(case["datagram"]))
    beacon["identity"] = beacon["identity"].hex()
    for row in beacon["tables"]:
        row["table"] = row["table"].hex()
    for name in ("heard", "calls"):
        beacon[name] = [mark.hex() for mark in beacon[name]]
    assert beacon == {"version": 1, **case["beacon"]}


@pytest.mark.parametrize("case", BEACONS["refused"], ids=lambda case: case["name"])
def test_beacons_are_refused(case):
    with pytest.raises(Refused) as fault:
        read_beacon(bytes.fromhex(case["datagram"]))
    assert fault.value.code == case["code"]


@pytest.mark.parametrize("case", BEACONS["otherVersions"], ids=lambda case: case["version"])
def test_beacons_of_other_versions_are_read_in_part(case):
    datagram = bytes.fromhex(case["datagram"])
    with pytest.raises(Refused):
        read_beacon(datagram)
    assert read_other_version(datagram) == [
        case["version"], bytes.fromhex(case["identity"]), case["name"]]


def test_a_stretch_of_the_ring_tells_of_those_between_its_ends():
    def beacon(hears, *marks):
        return {"hears": hears, "heard": [bytes([mark]) * 4 for mark in marks]}

    def tells(row, mark):
        return tells_hearing(row, bytes([mark]) * 32)

    assert [tells(beacon(2, 3, 5), mark) for mark in (2, 3, 4, 6)] == [False, True, False, False]
    part = beacon(40, *range(10, 40, 2), 50)
    assert [tells(part, mark) for mark in (9, 10, 11, 45, 50, 51)] == [
        None, True, False, False, True, None]
    around = beacon(40, *range(60, 70), *range(0, 12, 2))
    assert [tells(around, mark) for mark in (59, 60, 99, 1, 10, 11)] == [
        None, True, False, False, True, None]


def test_beacons_mean_in_their_order_what_the_vectors_say():
    known = {}
    for row in BEACONS["heard"]:
        assert hearing(known, read_beacon(bytes.fromhex(row["datagram"]))) == row["means"]


def test_a_beacon_cut_anywhere_or_with_a_flipped_bit_is_refused():
    datagram = make_beacon(SigningKey(bytes(32)))
    read_beacon(datagram)
    for place in range(len(datagram)):
        changed = bytearray(datagram)
        changed[place] ^= 1
        for bad in (datagram[:place], bytes(changed)):
            with pytest.raises(Refused):
                read_beacon(bad)


def test_secrets_are_read_and_proved_as_the_vectors_say():
    private = vectors("private.json")
    for case in private["texts"]:
        secret = bytes.fromhex(case["secret"])
        assert tabletalk.read_secret(case["text"]) == secret
        assert tabletalk.read_secret(f"{case['text'][:7].upper()}- {case['text'][7:]}") == secret
    for case in private["proofs"]:
        secret, link, asker, answerer = (
            bytes.fromhex(case[name]) for name in ("secret", "link", "asker", "answerer"))
        assert tabletalk.blake2b(bytes.fromhex(case["handshake_hash"])) == link
        ask = tabletalk.prove("ask", secret, case["code"], link, asker, answerer)
        answer = tabletalk.prove("answer", secret, case["code"], link, answerer, asker)
        assert [ask.hex(), answer.hex()] == [case["ask"], case["answer"]]


@pytest.mark.parametrize("case", vectors("first-steps.json")["joins"], ids=lambda case: case["name"])
def test_a_join_is_made_again_from_its_seeds(case):
    identity, player, voter = (SigningKey(bytes.fromhex(case[role])) for role in ("identity", "player", "voter"))
    body = encode([0, bytes(identity.verify_key), bytes(voter.verify_key), 0, case["name"]])
    fields = [bytes.fromhex(case["table"]), bytes(player.verify_key), 0, 0, body]
    pairs = sorted([bytes(key.verify_key), tabletalk.sign(key, "entry", *fields)] for key in (identity, voter))
    entry = [*fields, tabletalk.sign(player, "entry", *fields), pairs]
    assert forms.ENTRY(decode(bytes.fromhex(case["entry"]))) == entry
    assert tabletalk.digest("entry", *fields).hex() == case["id"]
    assert read_frame(bytes.fromhex(case["message"])) == [3, [3, entry]]


def test_leaders_and_epochs_are_those_of_the_vectors():
    for case in vectors("first-steps.json")["epochs"]:
        voters = [bytes.fromhex(voter) for voter in case["voters"]]
        epoch = tabletalk.digest("epoch", bytes.fromhex(case["first"]), bytes.fromhex(case["recovery"]), voters,
                                 quorum(voters))
        assert (epoch.hex(), quorum(voters)) == (case["id"], case["quorum"])
        start = int.from_bytes(tabletalk.blake2b(epoch)[:8], "big")
        assert [voters[(start + view) % (1 << 64) % len(voters)].hex() for view in range(1, 9)] == case["leaders"]
