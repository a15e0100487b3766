"""Bytes that nobody honest sends: on the discovery port, and in the middle of a link."""

import random
import threading

from capture import Proxy
from node import wait_until
from play import Game, everyone_sees_everyone

DISCOVERY = 47474


def test_cut_changed_replayed_and_random_datagrams_do_nothing(world):
    ana, bo = world.people(2)
    everyone_sees_everyone([ana, bo])
    table = ana.command("createTable", size=3, minutes=15, marking="tap",
                        pack=ana.state["packs"][0]["id"])["table"]
    capture = world.closing(ana.laptop.capture())
    mallory = world.laptop(world.segments[0])
    bo.wait("Ana's table", lambda state: state["openTables"])
    beacon = wait_until("a beacon", lambda: next(
        (p.payload for p in capture.sent("udp") if p.ports[1] == DISCOVERY), None), 15)
    people = [(p["key"], p["name"], p["address"]) for p in bo.state["people"]]
    chance = random.Random(10_000)
    evil = [beacon[:length] for length in range(len(beacon))]
    for offset in range(len(beacon)):
        changed = bytearray(beacon)
        changed[offset] ^= 1 << chance.randrange(8)
        evil.append(bytes(changed))
    evil += [beacon + b"\0", beacon * 2]
    evil += [chance.randbytes(chance.randrange(1_400)) for _ in range(10_000)]
    evil += [bytes([0x9b] + [0xff] * 8), bytes([0x81] * 1_200), b"\xa1" * 1_200, b""]
    refused_before = sum(bo.state["network"]["refused"].values())
    mallory.pour([*evil, beacon], bo.laptop.address, DISCOVERY, [bo.laptop])
    bo.wait("refused datagrams counted", lambda state: (
        sum(state["network"]["refused"].values()) - refused_before > 8_000), 30)
    state = bo.page.get("/api/v1/state")
    assert [(p["key"], p["name"], p["address"]) for p in state["people"]] == people
    assert [row["id"] for row in state["openTables"]] == [table]
    bo.command("joinTable", table=table)
    ana.wait("Bo at the table", lambda state: any(
        len(t["seats"]) == 2 for t in state["tables"] if t["id"] == table))


def test_a_link_in_which_bytes_are_flipped_changes_nobodys_board(world):
    near, far = world.segment("10.77.0"), world.segment("10.78.0")
    middle = world.laptop(near, far)
    bo = world.node("Bo", world.laptop(far))
    chance = random.Random(1)
    harm = threading.Event()

    def flip(chunk):
        if not harm.is_set() or chance.random() < 0.5:
            return chunk
        changed = bytearray(chunk)
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        return bytes(changed)

    proxy = world.closing(Proxy(
        middle, (bo.laptop.address, bo.state["network"]["linkPort"]), flip))
    ana = world.node("Ana", world.laptop(near),
                     flags=["--peer", f"{middle.addresses[0]}:{proxy.port}"])
    everyone_sees_everyone([ana, bo], 15)
    game = Game.gather([ana, bo], ways=("code",)).start()
    first, second = game.creator.harmless()[:2]
    game.confirm(game.creator, first, timeout=15)
    boards = [seat.table["board"]["tiles"] for seat in game.seats]
    harm.set()
    connections = proxy.connections
    game.creator.claim(second)
    wait_until("links broken by flipped bytes", lambda: (
        proxy.changed >= 10 and proxy.connections > connections), 60)
    for seat, board in zip(game.seats, boards):
        now = {tile["word"]: tile["state"] for tile in seat.tiles}
        for tile in board:
            assert now[tile["word"]] == tile["state"] or tile["word"] == second
    harm.clear()
    game.seats[1].vote(second, True, timeout=30)
    for seat in game.seats:
        seat.decided(second, "confirmed", 15)
    game.win(game.seats[1])


def test_garbage_on_the_link_port_is_hung_up_on(world):
    ana, bo = world.people(2)
    everyone_sees_everyone([ana, bo])
    mallory = world.laptop(world.segments[0])
    address = (ana.laptop.address, ana.state["network"]["linkPort"])
    chance = random.Random(3)
    held = [mallory.connect(address) for _ in range(40)]
    for size in (1, 2, 3, 32, 100, 65_535, 200_000):
        for _ in range(5):
            connection = mallory.connect(address)
            connection.settimeout(15)
            try:
                connection.sendall(chance.randbytes(size))
                while connection.recv(4_096):
                    pass
            except OSError:
                pass
            connection.close()
    ana.command("createTable", size=3, minutes=15, marking="tap",
                pack=ana.state["packs"][0]["id"])
    row = bo.wait("the table", lambda state: next(iter(state["openTables"]), None))
    bo.command("joinTable", table=row["id"])
    ana.wait("Bo at the table", lambda state: any(
        len(table["seats"]) == 2 for table in state["tables"]))
    for connection in held:
        connection.close()
