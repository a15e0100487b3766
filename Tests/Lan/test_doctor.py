"""`tabletalk doctor`: what is wrong with the network is named, with the command that mends it."""

import json
import os
import shutil
import subprocess
import sys
import time

import pytest
from nacl.signing import SigningKey

from network import sh
from node import PROGRAM, ROOT, median, wait_until

sys.path.append(str(ROOT / "Tests/Conformance"))
from tabletalk import make_beacon  # noqa: E402

APART = ("This Wi-Fi keeps devices apart, no program can cross it. Use a phone hotspot, a cable or a "
         "VPN address.")


class Report:
    """What the doctor found."""

    def __init__(self, done):
        self.code, self.text, self.errors = done.returncode, done.stdout, done.stderr
        self.facts = json.loads(done.stdout) if done.stdout.startswith("{") else None

    def __getitem__(self, code):
        found = [one for one in self.facts["findings"] if one["code"] == code]
        assert found, f"no {code} in {[one['code'] for one in self.facts['findings']]}"
        return found[0]

    @property
    def codes(self):
        return {one["code"] for one in self.facts["findings"]}

    @property
    def troubles(self):
        return [one["code"] for one in self.facts["findings"] if one["severity"] == "trouble"]


def doctor(laptop, folder, *arguments, json=True, path=None, program=PROGRAM):
    """Runs the doctor on a laptop."""
    environment = {**os.environ, "HOME": str(folder.parent)}
    if path:
        environment["PATH"] = f"{path}:{environment['PATH']}"
    command = [str(program), "doctor", "--data", str(folder), *arguments, *(["--json"] if json else [])]
    report = Report(subprocess.run(
        laptop.inside(*command), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=40, env=environment))
    if json and report.facts:
        assert report.code == (0 if report.facts["healthy"] else 1)
        assert report.facts["healthy"] == (not report.troubles)
    return report


def of(node, *arguments, **options):
    return doctor(node.laptop, node.folder, *arguments, **options)


def see_each_other(*nodes):
    for node in nodes:
        node.wait("the others", lambda state: len(state["people"]) >= len(nodes) - 1)


def test_a_healthy_laptop_is_called_so(world):
    ana, bo = world.people(2)
    see_each_other(ana, bo)
    report = of(ana)
    assert report.code == 0 and report.troubles == []
    assert report.facts["node"] == "running" and report.facts["listened"] is None
    assert {"listening", "portsFree", "peopleHeard"} <= report.codes
    assert report["peopleHeard"]["message"] == "Heard: Bo."
    row = next(row for row in report.facts["interfaces"] if row["name"] == "eth0")
    assert row["address"].startswith("10.77.0.") and row["sends"] and row["lastError"] is None
    assert {(port["carrier"], port["state"]) for port in report.facts["ports"]} == {
        ("udp", "ours"), ("tcp", "ours")}
    human = of(ana, json=False)
    assert human.code == 0
    assert "[ok] Heard: Bo." in human.text and "Nothing is wrong here." in human.text
    assert "eth0" in human.text and "10.77.0.255" in human.text


def test_being_alone_is_no_trouble(world):
    ana = world.node("Ana")
    report = of(ana)
    assert report.code == 0
    assert report["nobodyHeard"]["severity"] == "note"
    assert ana.page.get("/api/v1/state")["network"]["warning"] is None


def test_without_a_node_it_listens_and_sends_nothing(world, tmp_path):
    bo = world.node("Bo")
    laptop = world.laptop(world.segments[0])
    capture = world.closing(laptop.capture())
    report = doctor(laptop, tmp_path / "none")
    assert report.code == 0
    assert report.facts["node"] == "notRunning" and 0 < report.facts["listened"] <= 13
    assert report["peopleHeard"]["message"] == "Heard: Bo."
    assert {port["state"] for port in report.facts["ports"]} == {"free"}
    assert capture.sent() == []
    assert bo.state["people"] == []
    assert not (tmp_path / "none").exists(), "it makes no folder"


def nft(laptop, *lines):
    laptop.run("nft", "add table inet filter; add chain inet filter input "
               "{ type filter hook input priority 0; policy accept; }")
    for line in lines:
        laptop.run("nft", f"add rule inet filter input {line}")


def test_a_rule_of_nft_that_drops_the_port_is_named_and_its_command_mends_it(world):
    ana, bo = world.people(2)
    see_each_other(ana, bo)
    nft(ana.laptop, "udp dport 47474 drop")
    report = of(ana)
    assert report.code == 1
    found = report["firewallDrops"]
    assert found["message"] == (
        "A firewall on this laptop (nftables) drops what others send to UDP 47474.")
    assert found["because"] == "A test datagram did not come back on eth0."
    assert found["command"] == "sudo nft insert rule inet filter input udp dport 47474 accept"
    assert f"Run: {found['command']}" in of(ana, json=False).text
    ana.laptop.run("sh", "-c", found["command"].removeprefix("sudo "))
    assert of(ana).troubles == []


def test_a_policy_of_drop_needs_a_rule_for_both_ports(world):
    ana = world.node("Ana")
    ana.laptop.run("nft", "add table inet own; add chain inet own in { type filter hook input "
                   "priority 0; policy drop; }; add rule inet own in iif lo accept; "
                   "add rule inet own in ct state established,related accept")
    found = of(ana)["firewallDrops"]
    assert found["message"].endswith("UDP 47474 and TCP 47474.")
    for command in found["command"].split(" && "):
        ana.laptop.run("sh", "-c", command.removeprefix("sudo "))
    assert of(ana).troubles == []


def test_rules_that_cannot_be_read_are_found_by_the_test_alone(world, tmp_path):
    """As for somebody who is not root: nft says nothing."""
    ana = world.node("Ana")
    nft(ana.laptop, "udp dport 47474 drop")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "nft").write_text(
        "#!/bin/sh\necho 'Operation not permitted (you must be root)' >&2\nexit 1\n")
    (tools / "nft").chmod(0o755)
    found = of(ana, path=tools)["firewallDrops"]
    assert found["because"] == "A test datagram did not come back on eth0."
    assert found["command"] == "sudo nft list ruleset"
    ana.laptop.run("nft", "flush ruleset")
    assert of(ana, path=tools)["firewallHidden"]["severity"] == "ok"


@pytest.mark.parametrize("tool, arguments, recorded, command", [
    ("ufw", "status verbose", "ufw-active.txt",
     "sudo ufw allow 47474/udp && sudo ufw allow 47474/tcp"),
    ("firewall-cmd", "--zone=public --list-all", "firewalld-public.txt",
     "sudo firewall-cmd --permanent --zone=public --add-port=47474/udp --add-port=47474/tcp && "
     "sudo firewall-cmd --reload"),
])
def test_other_firewalls_are_named_from_what_they_printed(
        world, tmp_path, tool, arguments, recorded, command):
    """The tools are not on the machines of these tests; what they print was recorded."""
    texts = ROOT / "Tests/Surroundings/Recorded"
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / tool).write_text(f"""#!/bin/sh
case "$*" in
  "{arguments}") cat {texts}/{recorded};;
  --state) echo running;;
  --get-default-zone) echo public;;
  --get-active-zones) cat {texts}/firewalld-zones.txt;;
  *) echo "unexpected: $*" >&2; exit 9;;
esac
""")
    (tools / tool).chmod(0o755)
    ana = world.node("Ana")
    found = of(ana, path=tools)["firewallDrops"]
    assert found["command"] == command
    assert found["message"].endswith("UDP 47474 and TCP 47474.")


def test_a_program_that_holds_the_discovery_port_is_named(world, tmp_path):
    laptop = world.laptop(world.segment())
    holder = subprocess.Popen(laptop.inside(
        "python3", "-c", "import socket, time\n"
        "one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "one.bind(('0.0.0.0', 47474))\nprint('bound', flush=True)\ntime.sleep(60)"),
        stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "bound\n"
        report = doctor(laptop, tmp_path / "none")
        found = report["discoveryPortTaken"]
        assert found["severity"] == "trouble"
        assert found["message"].startswith("UDP 47474 is held by python3 (process ")
        port = report.facts["ports"][0]
        assert port["state"] == "taken" and port["process"] == holder.pid
    finally:
        holder.kill()
        holder.wait()


def test_the_own_socket_is_nobody_elses_whatever_the_program_is_called(world, tmp_path):
    program = tmp_path / "games"
    shutil.copy(PROGRAM, program)
    ana = world.node("Ana", program=[str(program)])
    laptop = world.laptop(world.segments[0])
    for report in (doctor(ana.laptop, ana.folder, program=program),
                   doctor(laptop, tmp_path / "none", program=program)):
        assert report.troubles == [] and "discoveryPortShared" not in report.codes


def test_who_asks_without_the_folder_is_told_of_those_that_run(world, tmp_path):
    """The two players on one machine of the README."""
    laptop = world.laptop()
    nodes = [world.node(name, laptop, flags=["--interface", "lo"]) for name in ("Ana", "Bo")]
    see_each_other(*nodes)
    report = doctor(laptop, tmp_path / "none")
    assert report.code == 0 and report.facts["node"] == "notRunning"
    found = report["otherFolder"]
    for node in nodes:
        assert f"the Tabletalk of {node.folder} (process {node.process.pid})" in found["message"]
        assert {"folder": str(node.folder), "process": node.process.pid} in report.facts["others"]
    assert found["command"].startswith(f"{PROGRAM} doctor --data ")
    assert "nobody can see you" not in report["notRunning"]["message"]
    again = subprocess.run(
        laptop.inside("sh", "-c", found["command"]), capture_output=True, text=True, timeout=40)
    assert again.returncode == 0 and "Heard: " in again.stdout, again.stdout


def test_an_address_of_ipv6_is_tried(world):
    ana, bo = world.people(2)
    see_each_other(ana, bo)
    link = bo.laptop.link_local("eth0")
    # An address of IPv6 is only used once the laptop knows that nobody else has it.
    wait_until("there is a way", lambda: "peerNoWay" not in [
        one["code"] for one in of(ana, "--peer", f"[{link}%eth0]:47474").facts["findings"]], 15)
    assert of(ana, "--peer", f"[{link}%eth0]:47474")["peerAnswers"]["severity"] == "ok"
    assert of(ana, f"[{link}]")["peerAnswers"], "on whatever interface it is"
    assert "is there" in of(ana, "--peer", f"[{link}%eth0]:5")["peerRefuses"]["message"]
    assert "while others" in of(ana, "--peer", "[fe80::9:9%eth0]:47474")["peerSilent"]["message"]
    assert of(ana, "--peer", "[2001:db8::1]:47474")["peerNoWay"]["severity"] == "trouble"
    nft(bo.laptop, "tcp dport 47474 drop")
    assert "run tabletalk doctor there" in of(ana, f"[{link}%eth0]")["peerDrops"]["message"]


def test_the_address_of_everybody_is_no_laptop(world):
    ana = world.node("Ana")
    report = of(ana, "10.77.0.255")
    assert "the address of everybody" in report["peerNoWay"]["message"]
    assert report.facts["wanted"] == [
        {"address": "10.77.0.255:47474", "near": True, "outcome": "everybody"}]


def test_a_link_port_in_use_is_a_note_unless_it_was_asked_for(world, tmp_path):
    laptop = world.laptop(world.segment())
    taken = laptop.socket()
    taken.bind(("0.0.0.0", 47474))
    taken.listen()
    try:
        assert doctor(laptop, tmp_path / "none")["linkPortTaken"]["severity"] == "note"
        asked = doctor(laptop, tmp_path / "none", "--port", "47474")
        assert asked["linkPortTaken"]["severity"] == "trouble"
    finally:
        taken.close()


def test_no_network_is_said(world, tmp_path):
    laptop = world.laptop()
    report = doctor(laptop, tmp_path / "none")
    assert report.code == 1 and report.troubles == ["noNetwork"]
    ana = world.node("Ana", laptop)
    report = of(ana)
    assert report.troubles == ["noNetwork"]


def test_a_default_route_through_a_tunnel_is_named(world):
    segment = world.segment()
    laptop = world.laptop(segment)
    laptop.run("ip", "tuntap", "add", "tun0", "mode", "tun")
    laptop.run("ip", "address", "add", "10.8.0.2/24", "dev", "tun0")
    laptop.run("ip", "link", "set", "tun0", "up")
    laptop.run("ip", "route", "add", "default", "dev", "tun0")
    ana = world.node("Ana", laptop)
    report = of(ana)
    assert report["vpnRoute"]["severity"] == "trouble"
    assert "(tun0)" in report["vpnRoute"]["message"]
    assert report.facts["route"] == {"device": "tun0", "vpn": True}
    bo = world.node("Bo", world.laptop(segment))
    see_each_other(ana, bo)
    assert of(ana)["vpnRoute"]["severity"] == "note"


def test_a_bridge_that_keeps_devices_apart_is_named(world):
    segment = world.segment()
    router = world.laptop(segment)
    ana, bo = world.node("Ana", start=False), world.node("Bo", start=False)
    for node in (ana, bo):
        node.laptop.run("ip", "route", "add", "default", "via", router.address)
        sh("bridge", "link", "set", "dev", node.laptop.cards[0][0], "isolated", "on")
        node.start()
    report = of(ana, f"tabletalk join 48213@{bo.laptop.address}:47474")
    assert report.code == 1
    found = report["devicesKeptApart"]
    assert found["message"] == APART
    assert found["because"].startswith(
        f"Of this network only its way out ({router.address}) answers, {bo.laptop.address} does not.")
    assert report.facts["wanted"] == [
        {"address": f"{bo.laptop.address}:47474", "near": True, "outcome": "silent"}]


def test_where_nobody_answers_at_all_both_reasons_are_given(world):
    ana = world.node("Ana")
    message = of(ana, "10.77.0.200")["peerSilent"]["message"]
    assert message.startswith("Nobody answers at 10.77.0.200.") and message.endswith(APART)


def test_what_an_address_answers_is_told_apart(world):
    segment = world.segment()
    ana, bo = world.node("Ana"), world.node("Bo")
    see_each_other(ana, bo)
    assert of(ana, f"{bo.laptop.address}:47474")["peerAnswers"]["severity"] == "ok"
    assert "is there" in of(ana, f"{bo.laptop.address}:5")["peerRefuses"]["message"]
    assert of(ana, "--peer", "10.99.0.1:47474")["peerNoWay"]["severity"] == "trouble"
    assert "while others" in of(ana, "10.77.0.200")["peerSilent"]["message"]
    nft(bo.laptop, "tcp dport 47474 drop")
    dropped = of(ana, f"{bo.laptop.address}:47474")["peerDrops"]
    assert "run tabletalk doctor there" in dropped["message"]
    assert segment


def test_a_command_line_that_is_not_understood_ends_with_2(world, tmp_path):
    laptop = world.laptop()
    for arguments in (["nonsense@x"], ["48213"], ["--peer", "x"]):
        report = doctor(laptop, tmp_path / "none", *arguments, json=False)
        assert report.code == 2 and report.errors.strip() and not report.text, arguments


def test_a_node_that_does_not_answer_is_named(world):
    ana = world.node("Ana")
    ana.freeze()
    try:
        report = of(ana)
        assert report.code == 1 and report.facts["node"] == "silent"
        assert report["notAnswering"]["command"] == f"kill {ana.process.pid}"
    finally:
        ana.thaw()
    ana.kill()
    assert of(ana).facts["node"] == "notRunning", "the file that a crash leaves means nothing"


def test_the_page_is_told_what_a_look_at_the_machine_shows(world):
    ana = world.node("Ana")
    state = ana.page.get("/api/v1/state")["network"]
    assert not state["checked"] and not state["checking"]
    nft(ana.laptop, "udp dport 47474 drop")
    ana.command("checkNetwork")
    shown = ana.wait("the findings", lambda state: state["network"]["checked"] and state["network"])
    assert not shown["checking"]
    assert [one["code"] for one in shown["findings"] if one["severity"] == "trouble"] == [
        "firewallDrops"]
    assert shown["warning"]["code"] == "firewallDrops"
    ana.laptop.run("nft", "flush ruleset")
    ana.command("checkNetwork")
    ana.wait("no warning", lambda state: state["network"]["warning"] is None)


def test_the_node_goes_on_while_the_machine_is_looked_at(world, tmp_path):
    """A tool that hangs holds up nobody but whoever waits for the look."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "ufw").write_text("#!/bin/sh\nexec sleep 60\n")
    (tools / "ufw").chmod(0o755)
    ana = world.node("Ana", environment={"PATH": f"{tools}:{os.environ['PATH']}"})
    ana.command("checkNetwork")
    times = []
    while ana.page.get("/api/v1/state")["network"]["checking"]:
        begun = time.monotonic()
        ana.page.get("/api/v1/state")
        times.append(time.monotonic() - begun)
        assert len(times) < 10_000
    print(f"{len(times)} states in the meantime, the slowest took {max(times) * 1000:.0f} ms")
    assert median(times) < 1 and len(times) > 3
    wait_until("the look", lambda: ana.page.get("/api/v1/state")["network"]["checked"])


def test_one_way_hearing_is_named(world):
    ana, bo = world.node("Ana", start=False), world.node("Bo", start=False)
    bo.laptop.run("nft", "add table inet deaf; add chain inet deaf in { type filter hook input "
                  "priority 0; }; add rule inet deaf in iifname eth0 meta l4proto udp drop")
    ana.start()
    bo.start()
    ana.wait("that Bo does not hear", lambda state: [
        row["hearsMe"] for row in state["people"]] == ["no"], 75)
    found = of(ana)["oneWay"]
    assert found["severity"] == "trouble"
    assert found["message"].startswith("I hear Bo, Bo does not hear me.")


def test_another_version_is_named_and_is_no_trouble(world):
    ana = world.node("Ana")
    mouth = world.closing(world.laptop(world.segments[0]).datagrams())
    mouth.sendto(make_beacon(SigningKey.generate(), version=9, name="Cy"),
                 (ana.laptop.address, 47474))
    ana.wait("Cy", lambda state: state["otherVersions"])
    report = of(ana)
    assert report.code == 0
    assert report["versionNewer"]["message"] == (
        "Cy has a newer Tabletalk. Update yours to play together.")
