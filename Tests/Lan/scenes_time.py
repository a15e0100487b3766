"""Scenarios of change: cables pulled, laptops asleep, addresses that are new while people play."""

import time

from network import sh
from play import everyone_sees_everyone
from scenes import LONG, Scene, link_address, route_by, router

# Seconds for which a laptop is off the network, and the lines that its log may gain meanwhile: one
# in ten seconds besides those of the loss itself, and hardly any of the level that is usual.
OFF = 600 if LONG else 20
MOST, MOST_WARNINGS = 20 + OFF // 10, 5


def link_down(world):
    """F10: one laptop is off the network for long; its log says so and no more."""
    ana, bo = world.people(2)
    cy = world.node("Cy", flags=["--peer", link_address(ana), "--peer", link_address(bo)])

    def pull(game):
        before = len(cy.log.read_text().splitlines())
        cy.laptop.plug(False)
        time.sleep(OFF)  # The time without a network is what is tried.
        gained = cy.log.read_text().splitlines()[before:]
        warnings = [line for line in gained if ": info:" not in line and ": debug:" not in line]
        assert len(gained) <= MOST, f"{len(gained)} lines\n{cy.tail()}"
        assert len(warnings) <= MOST_WARNINGS, warnings
        cy.laptop.plug(True)
        everyone_sees_everyone([ana, bo, cy], 15)
    return Scene([ana, bo, cy], during=pull)


def stale_address(world):
    """F11: where Bo was met last there is a laptop that answers nothing; his beacon wins."""
    ana, bo = world.people(2)

    def move(game):
        assert bo.stop() == 0 and ana.stop() == 0
        old = bo.laptop.address
        bo.laptop.readdress("10.77.0.99/24")
        silent = world.laptop()
        silent.attach(world.segments[0], f"{old}/24")
        silent.drop("input", 'iifname "eth0"')
        for node in (ana, bo):
            node.start()
        everyone_sees_everyone([ana, bo])
    return Scene([ana, bo], during=move)


def somebody_elses_address(world):
    """Where a saved peer was there is a stranger with a Tabletalk of his own."""
    ana, bo = world.people(2)
    bo.flags += ["--peer", link_address(ana)]

    def move(game):
        assert bo.stop() == 0 and ana.stop() == 0
        old = ana.laptop.address
        ana.laptop.readdress("10.77.0.99/24")
        laptop = world.laptop()
        laptop.attach(world.segments[0], f"{old}/24")
        stranger = world.node("Mallory", laptop)
        for node in (ana, bo):
            node.start()
        everyone_sees_everyone([ana, bo, stranger])
    return Scene([ana, bo], during=move)


def asleep(world):
    """F13: a lid is shut while the others play on; the laptop is back at once when it opens."""
    ana, bo, cy = world.people(3)

    def sleep(game):
        word = game.seats[0].harmless()[0]
        cy.freeze()
        time.sleep(120 if LONG else 20)  # The sleep is what is tried.
        game.seats[0].claim(word)
        game.seats[1].vote(word, True)
        game.seats[1].decided(word, "confirmed", 15)
        begin = time.monotonic()
        cy.thaw()
        game.seats[2].decided(word, "confirmed", 5)
        print(f"back at the table after {time.monotonic() - begin:.2f} s (must 5)")
    return Scene([ana, bo, cy], during=sleep)


def late_friend(world):
    """Who is named by --peer starts long after who names it."""
    near, far = world.segment("10.77.0"), world.segment("10.78.0")
    gate = router(world, near, far)
    ana_laptop, bo_laptop = world.laptop(near), world.laptop(far)
    for number, laptop in enumerate((ana_laptop, bo_laptop)):
        route_by(laptop, gate.addresses[number])
    ana = world.node("Ana", ana_laptop, start=False)
    bo = world.node("Bo", bo_laptop, flags=["--peer", f"{ana_laptop.address}:47474"])
    time.sleep(5)  # Dials fail meanwhile, and the pauses between them grow.
    ana.start()
    return Scene([ana, bo], meet=12)


def lease_lost(world):
    """An address is gone for a while and comes back, as when the router restarts."""
    ana, bo = world.people(2)

    def lose(game):
        card = bo.laptop.cards[0][1]
        bo.laptop.run("ip", "-4", "address", "flush", "dev", card)
        bo.wait("the loss of its network", lambda state: state["network"]["interfaces"] and all(
            row["name"] != card or ":" in row["address"]
            for row in state["network"]["interfaces"]))
        bo.laptop.add_address(f"{bo.laptop.address}/24", card)
    return Scene([ana, bo], during=lose)


def new_lease(world):
    """A laptop gets another address in the middle of a game."""
    ana, bo = world.people(2)
    return Scene([ana, bo], during=lambda game: bo.laptop.readdress("10.77.0.99/24"))


def cable_pulled(world):
    """A cable is pulled and put back in the middle of a game."""
    nodes = world.people(3)
    ana, bo, cy = nodes

    def pull(game):
        word = game.seats[0].harmless()[0]
        cy.laptop.plug(False)
        game.seats[0].claim(word)
        game.seats[1].vote(word, True)
        game.seats[1].decided(word, "confirmed", 20)
        cy.laptop.plug(True)
        game.seats[2].decided(word, "confirmed", 20)
    return Scene(nodes, during=pull)


def access_point_restarts(world):
    """Nobody reaches anybody for some seconds; the game goes on by itself."""
    nodes = world.people(3)

    def restart(game):
        for node in nodes:
            node.laptop.plug(False)
        time.sleep(8)  # Longer than links are trusted in a game.
        for node in nodes:
            node.laptop.plug(True)
    return Scene(nodes, during=restart)


def roams(world):
    """A laptop goes from one access point's network to another one, where its friends are too."""
    wifi, guest = world.segment("10.77.0"), world.segment("10.78.0")
    ana = world.node("Ana", world.laptop(wifi, guest))
    bo = world.node("Bo", world.laptop(wifi))

    def move(game):
        sh("ip", "link", "set", bo.laptop.cards[0][0], "master", guest.name)
        bo.laptop.readdress("10.78.0.99/24")
    return Scene([ana, bo], during=move)
