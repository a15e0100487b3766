"""Networks as they are: one row a scenario, each ending in "they play" or in the sentence of doctor.

The ids F01 to F29 are those of failures that users of such programs have reported; N ones are ours.
"""

import pytest

import scenes_cards as cards
import scenes_faults as faults
import scenes_people as people
import scenes_time as change
import scenes_walls as walls
import scenes_troubles as troubles
from scenes import doctor_says, they_play

APART = ("This Wi-Fi keeps devices apart, no program can cross it. Use a phone hotspot, a cable or a "
         "VPN address.")
CANNOT_SEND = ("This laptop cannot send on its network. Check the connection and the firewall, or join "
               "by an invitation line.")

SCENARIOS = [
    ("F01", "a virtual card is the default route", cards.adapter_has_default_route, they_play),
    ("F02", "two networks, both heard", cards.two_networks, they_play),
    ("F04", "nothing but a tunnel, and --peer", cards.only_a_tunnel, they_play),
    ("F05a", "a host-only adapter comes first, and the line", cards.host_only_adapter_shown, they_play),
    ("F05b", "a host-only adapter is left out", cards.host_only_adapter_left_out, they_play),
    ("F06", "a friend on the second address's network", cards.second_address, they_play),
    ("F08", "cable and Wi-Fi in common, one row each", cards.two_networks_in_common, they_play),
    ("F10", "off the network for long, a quiet log", change.link_down, they_play),
    ("F11", "a saved address that is stale", change.stale_address, they_play),
    ("F13", "a laptop sleeps", change.asleep, they_play),
    ("F14", "two on one laptop, one beside", people.on_one_laptop(2), they_play),
    ("F15", "three on one laptop, one beside", people.on_one_laptop(3), they_play),
    ("F16", "no card but loopback", people.only_loopback, they_play),
    ("F17", "255.255.255.255 is dropped", walls.limited_broadcast_dropped, they_play),
    ("F18", "behind a router that hides him", walls.behind_a_router, they_play),
    ("F18p", "the same, and the table is private", walls.private_behind_a_router, they_play),
    ("F19a", "the access point drops broadcasts", walls.no_broadcast, they_play),
    ("F19b", "the access point keeps clients apart", troubles.kept_apart, doctor_says(APART)),
    ("F19e", "no broadcasts, and Look harder", walls.found_by_looking_harder, they_play),
    ("F19c", "kept apart, and a third reaches both", walls.a_third_reaches_both, they_play),
    ("F19d", "kept apart, and a third passes on", walls.a_third_passes_on, they_play),
    ("F21a", "no IPv4 at all", cards.no_ipv4(), they_play),
    ("F21b", "IPv4 on one of the two only", cards.no_ipv4(first=True), they_play),
    ("F22a", "the system refuses every datagram, as macOS may", troubles.sends_refused, doctor_says(
        CANNOT_SEND)),
    ("F22b", "a filter on the way out", troubles.sends_filtered, doctor_says(CANNOT_SEND)),
    ("F23a", "Ana does not hear Bo, as Bo sees it", troubles.heard_not_hearing, doctor_says(
        "I hear Ana, Ana does not hear me. Most often a firewall there keeps out UDP 47474: tabletalk "
        "doctor on that laptop says how to open it.")),
    ("F23b", "Ana does not hear Bo, as Ana sees it", troubles.hearing_dropped, doctor_says(
        "A firewall on this laptop (nftables) drops what others send to UDP 47474.",
        run="sudo nft insert rule inet drops input udp dport 47474 accept")),
    ("F24", "the longest names and tables", people.longest_names, they_play),
    ("F25", "cut and random datagrams", people.rubbish(people.cut_and_random), they_play),
    ("F26", "nested datagrams", people.rubbish(people.nested), they_play),
    ("F27", "two are called Alex", people.two_of_one_name, they_play),
    ("F29", "clocks ten minutes off", people.wrong_clocks, they_play),
    ("N01", "a network of two, /31", cards.masks("10.77.0.10/31", "10.77.0.11/31"), they_play),
    ("N02", "a network of four, /30", cards.masks("10.77.0.9/30", "10.77.0.10/30"), they_play),
    ("N03", "a network of 512, /23", cards.masks("10.77.0.11/23", "10.77.1.12/23"), they_play),
    ("N04", "a network of 65536, /16", cards.masks("10.77.0.11/16", "10.77.200.12/16"), they_play),
    ("N05", "a VPN has the default route", cards.vpn_has_default_route, they_play),
    ("N06", "a card without carrier comes first", cards.card_without_carrier, they_play),
    ("N07", "the first card appears after the start", cards.card_appears, they_play),
    ("N08", "two switches are joined later", cards.switches_joined_later, they_play),
    ("N09", "packets of 576 bytes", cards.small_packets(576), they_play),
    ("N10", "packets of 1280 bytes", cards.small_packets(1280), they_play),
    ("N11", "addresses that systems give themselves", cards.self_given_addresses, they_play),
    ("N12", "a container bridge with the LAN's network", cards.container_bridge_beside, they_play),
    ("N13", "A hears B on one network, B hears A on another", walls.different_views, they_play),
    ("N14", "there by one router, back by another", walls.there_by_one_back_by_the_other, they_play),
    ("N15", "a narrow way between two networks", walls.narrow_way_between, they_play),
    ("N16", "who joins takes no calls", walls.joiner_takes_no_calls, they_play),
    ("N17", "a firewall that lets only answers in", walls.only_answers_get_in, they_play),
    ("N32", "who has the table takes no calls", walls.host_takes_no_calls, they_play),
    ("N18", "a tenth of the packets is lost", walls.loss(10), they_play),
    ("N19", "a third of the packets is lost", walls.loss(30), they_play),
    ("N20", "a storm of somebody else's on the port", walls.storm_on_the_port, they_play),
    ("N21", "sixteen kilobytes a second", walls.slow_way, they_play),
    ("N22", "a new lease in the middle of the game", change.new_lease, they_play),
    ("N23", "a cable pulled in the middle of the game", change.cable_pulled, they_play),
    ("N24", "the access point restarts", change.access_point_restarts, they_play),
    ("N25", "from one Wi-Fi to another one", change.roams, they_play),
    ("N26", "a stranger where a friend was", change.somebody_elses_address, they_play),
    ("N27", "a friend named by --peer who starts late", change.late_friend, they_play),
    ("N28", "an address lost and found", change.lease_lost, they_play),
    ("N29", "a laptop that is the access point", cards.hotspot, they_play),
    ("N30", "a network made across routers", cards.a_network_across_routers, they_play),
    ("N31", "slow, out of order and twice", cards.a_bad_tunnel, they_play),
    ("N33", "one laptop on two networks", walls.between_two_networks, they_play),
    ("N34", "neither takes calls, and a third does", walls.neither_takes_calls, they_play),
    ("N35", "the way between two is shut in the middle", walls.way_shut_in_the_middle, they_play),
    ("N60", "one of four stands still", faults.one_of_four_frozen, they_play),
    ("N61", "a network in two, 3 and 1", faults.three_and_one, they_play),
    ("N62", "a network in two, 2 and 2", faults.two_and_two, they_play),
    ("N63", "eight leave one by one, down to two", faults.eight_leave_one_by_one, they_play),
    ("N64", "a disk that fills up, and space that returns", faults.disk_fills, they_play),
    ("N65a", "a torn end of the write-ahead log", faults.log_file_cut(0.98), they_play),
    ("N65b", "half of the write-ahead log is gone", faults.log_file_cut(0.5), they_play),
    ("N66", "clocks that are set by an hour", faults.clocks_are_set, they_play),
    ("N67", "a lid that is shut for two hours", faults.lid_shut_for_hours, they_play),
    ("N40", "no network at all", troubles.no_network, doctor_says(
        "This laptop is on no network. Connect it to the one your friends are on.")),
    ("N41", "a firewall that lets nothing in", troubles.nothing_gets_in, doctor_says(
        "A firewall on this laptop (nftables) drops what others send to UDP 47474 and TCP 47474.",
        run="sudo nft insert rule inet filter input udp dport 47474 accept && "
            "sudo nft insert rule inet filter input tcp dport 47474 accept")),
    ("N42", "a VPN that lets nothing else in", troubles.kill_switch, doctor_says(
        "All traffic of this laptop goes through a VPN (tun0), and nobody is heard. Pause the VPN, or "
        "allow the local network in its settings.")),
    ("N43", "another program holds the port", troubles.port_held, doctor_says(
        "UDP 47474 is held by {holder}, so Tabletalk hears nobody by itself. End that program and start "
        "Tabletalk again; until then use invitation lines.")),
    ("N44", "neither takes calls, and there is no third", troubles.takes_no_calls, doctor_says(
        "Ana is heard, but takes no connection, so you cannot play together. Most likely a firewall on "
        "Ana’s laptop: ask Ana to run tabletalk doctor.")),
    ("N45", "a clock ten minutes fast", troubles.wrong_clock, doctor_says(
        "Bo’s clock is 10 minutes ahead of this one. Games go on unharmed; the times that are shown "
        "differ.", healthy=True)),
    ("N49", "one data folder on two laptops", troubles.copied_folder, doctor_says(
        "Another Tabletalk on this network uses the same key as this one (its folder was copied). Stop one "
        "of them, or start it with another folder: {program} --data FOLDER.")),
    ("N51", "two laptops with one address", troubles.one_address, doctor_says(
        "Bo and Cy have the same address, 10.77.0.12: connections reach now one, now the other. Take one "
        "of these laptops off the network and connect it again, so that it gets an address of its "
        "own.")),
    ("N50", "a Tabletalk of tomorrow", troubles.newer_version, doctor_says(
        "Zoe has a newer Tabletalk. Update yours to play together.", healthy=True)),
    ("N46", "an invitation of a laptop that is gone", troubles.nobody_at_the_address, doctor_says(
        "Nobody answers at 10.77.0.250. Check that the laptop is on and in this network. If it is: "
        + APART)),
    ("N47", "an invitation from another network", troubles.no_way_to_the_address, doctor_says(
        "This laptop has no way to 192.168.77.5: it is in a network that this one is not connected to. "
        "Join the same network.")),
    ("N48", "an invitation with a port of yesterday", troubles.nothing_listens, doctor_says(
        "The laptop at 10.77.0.11 is there, but Tabletalk does not listen on its port 50000. Ask for a "
        "new invitation line.")),
]


# Hundreds of tables fill the disk; beside other tests on two cores that takes minutes.
LONG = {"N64"}


@pytest.mark.parametrize("build, ending", [
    pytest.param(*row, id=f"{name}: {title}", marks=[pytest.mark.long] if name in LONG else [])
    for name, title, *row in SCENARIOS])
def test(world, build, ending):
    ending(build(world))
