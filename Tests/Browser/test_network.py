"""The Network screen: why somebody is not seen, and the command that mends it."""

import socket

from playwright.sync_api import expect

from network import sh
from play import Game


def open_network(person):
    person.page.get_by_role("link", name="Somebody should be here?").click()
    expect(person.page.get_by_role("heading", name="Network", exact=True)).to_be_visible()


def test_somebody_who_is_missed_leads_to_what_is_found(room):
    ana = room.person("Ana")
    bo = room.world.node("Bo")
    ana.sees("Bo")
    open_network(ana)
    expect(ana.page.get_by_role("region", name="What is found").get_by_role("status")).to_have_text(
        "Nothing is wrong here.")
    networks = ana.page.get_by_role("region", name="This laptop’s networks")
    expect(networks).to_contain_text("127.0.0.1")
    expect(ana.page.get_by_role("region", name="People heard")).to_contain_text("Bo")
    bo.kill()
    ana.page.get_by_role("link", name="Tabletalk, home").click()
    expect(ana.heading("Hello, Ana")).to_be_visible()


def test_dropped_messages_are_told_of_when_they_make_no_sense_and_not_after_a_game(room):
    nodes = [room.world.node(name) for name in ("Ana", "Bo", "Cy")]
    game = Game.gather(nodes, ["list"]).start()
    game.win(game.seats[0])
    ana = room.person(node=nodes[0])
    # What every game brings: a beacon that has been heard already.
    nodes[0].wait("a beacon that came twice", lambda state: state["network"]["refused"].get("beacon.replayed"), 30)
    open_network(ana)
    hints = ana.page.get_by_role("region", name="Good to know")
    expect(hints).to_contain_text("UDP 47474")
    expect(hints).not_to_contain_text("dropped")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        stranger.sendto(b"\xff\xff hello?", ("127.255.255.255", 47474))
    nodes[0].wait("it counted", lambda state: any(
        why.startswith("datagram.") for why in state["network"]["refused"]))
    ana.page.reload()
    expect(hints).to_contain_text("One message from outside made no sense and was dropped.")


def test_a_firewall_that_drops_is_shown_with_its_command_by_keyboard_alone(room):
    sh("ip", "link", "add", "talk0", "type", "veth", "peer", "name", "talk1")
    try:
        for card in ("talk0", "talk1"):
            sh("ip", "link", "set", card, "up")
        sh("ip", "address", "add", "10.79.0.5/24", "brd", "+", "dev", "talk0")
        sh("nft", "add table inet talk; add chain inet talk in { type filter hook input priority 0; }; "
           "add rule inet talk in iifname talk0 udp dport 47474 drop")
        node = room.world.node("Ana", flags=["--interface", "talk0"])
        ana = room.person(node=node, permissions=["clipboard-read", "clipboard-write"])
        expect(ana.page.get_by_role("status", name="Network")).to_contain_text("A firewall on this laptop", timeout=30_000)
        ana.page.get_by_role("link", name="Somebody should be here?").focus()
        ana.page.keyboard.press("Enter")
        ana.sees("A firewall on this laptop (nftables) drops what others send to UDP 47474.")
        ana.button("Copy command").focus()
        ana.page.keyboard.press("Enter")
        ana.sees("Copied. Paste it into a terminal.")
        command = ana.page.evaluate("navigator.clipboard.readText()")
        assert command == "sudo nft insert rule inet talk in udp dport 47474 accept"
        ana.page.get_by_role("link", name="Tabletalk, home").click()
        warning = ana.page.get_by_role("status", name="Network")
        expect(warning).to_contain_text("A firewall on this laptop")
        sh(*command.removeprefix("sudo ").split())
        warning.get_by_role("link", name="Open Network").click()
        ana.sees("Nothing is wrong here.")
        ana.button("Look again").focus()
        ana.page.keyboard.press("Enter")
        ana.sees("Nothing is wrong here.")
    finally:
        sh("ip", "link", "del", "talk0")
        sh("nft", "delete", "table", "inet", "talk")
