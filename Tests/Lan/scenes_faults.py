"""Scenarios of four and of eight: some freeze, a network splits, people leave, a disk or a clock fails.

All of them end in `they_play`: a further claim is agreed, and all stand at one height, tip and state.
"""

import time

from disks import SmallDisk, cut_write_ahead_log
from node import Refused
from play import everyone_sees_everyone, refusal
from preload import Clocks
from scenes import Scene

NAMES = ["Ana", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal"]
FULL = "The disk is full; free some space, then start Tabletalk again."
# Seconds after a network is whole, or a laptop awake, until all have what was agreed.
BACK = 5
HOUR = 3_600


def people(world, count, **options):
    """So many on one segment; `options` holds those of single ones by name."""
    lan = world.segment()
    return [world.node(name, world.laptop(lan), **options.get(name, {})) for name in NAMES[:count]]


def agree_on_a_word(claimant, voters, seats, timeout=20):
    """A claim that is confirmed at these seats, whatever the others do; returns its word."""
    word = claimant.harmless()[0]
    claimant.claim(word)
    for voter in voters:
        # With more than two the first vote may have decided it.
        try:
            voter.vote(word, True, timeout)
        except Refused as refused:
            assert refused.code in ("claimClosed", "noSuchClaim"), refused
    for seat in seats:
        seat.decided(word, "confirmed", timeout, claimant)
    return word


def says(seat, message, timeout=20):
    """Waits until the table tells, in exactly these words, for whom it waits."""
    seat.wait(message, lambda table: (
        table["waiting"] and table["waiting"]["message"] == message), timeout)


def back_within(seats, word, what):
    """All have a claim's outcome in time, counted from now."""
    begin = time.monotonic()
    for seat in seats:
        seat.decided(word, "confirmed", 3 * BACK)
    print(f"{what}: {time.monotonic() - begin:.2f} s (must {BACK})")
    return begin


def one_of_four_frozen(world):
    """One laptop stands still, and the other three play on; it catches up."""
    nodes = people(world, 4)

    def freeze(game):
        ana, bo, cy, di = game.seats
        di.node.freeze()
        word = agree_on_a_word(ana, [bo, cy], [ana, bo, cy])
        ana.wait("Di away", lambda table: table["away"] == ["Di"], 20)
        di.node.thaw()
        back_within([di], word, "what was agreed meanwhile")
        ana.wait("Di back", lambda table: not table["away"], 20)
    return Scene(nodes, during=freeze)


def three_and_one(world):
    """One is cut off: the three play on, the one is told why it waits; what it claims is kept."""
    nodes = people(world, 4)

    def split(game):
        ana, bo, cy, di = game.seats
        lan = world.segments[0]
        lan.keep_apart([node.laptop for node in nodes[:3]], [nodes[3].laptop])
        says(di, "1 of 4 people are here, the game needs 3. It goes on by itself when Ana, Bo or Cy is "
             "back. Nothing is lost.")
        kept = di.harmless()[0]
        di.claim(kept)
        word = agree_on_a_word(ana, [bo, cy], [ana, bo, cy])
        assert not any(line["word"] == word for line in di.table["feed"])
        lan.pass_all()
        back_within([di], word, "what was agreed meanwhile")
        for voter in (ana, bo):
            voter.vote(kept, True, 20)
        for seat in game.seats:
            seat.decided(kept, "confirmed", 20, di)
    return Scene(nodes, during=split)


def two_and_two(world):
    """Halves are apart: nobody decides anything, all say why, and all goes on once they are one."""
    nodes = people(world, 4)

    def split(game):
        ana, bo, cy, di = game.seats
        lan = world.segments[0]
        lan.keep_apart([node.laptop for node in nodes[:2]], [node.laptop for node in nodes[2:]])
        for half, others in (((ana, bo), "Cy or Di"), ((cy, di), "Ana or Bo")):
            for seat in half:
                says(seat, "2 of 4 people are here, the game needs 3. It goes on by itself when "
                     f"{others} is back. Nothing is lost.")
        heights = {seat.table["details"]["height"] for seat in game.seats}
        word = ana.harmless()[0]
        ana.claim(word)
        time.sleep(5)  # What must not come cannot be waited for.
        assert {seat.table["details"]["height"] for seat in game.seats} == heights
        lan.pass_all()
        begin = time.monotonic()
        for voter in (bo, cy, di):
            try:
                voter.vote(word, True, 20)
            except Refused as refused:
                assert refused.code in ("claimClosed", "noSuchClaim"), refused
        for seat in game.seats:
            seat.decided(word, "confirmed", 20)
        print(f"decided {time.monotonic() - begin:.2f} s after the halves are one (must {BACK})")
    return Scene(nodes, during=split)


def eight_leave_one_by_one(world):
    """Eight begin; one after the other quits and shuts the laptop, until two are left and play on."""
    nodes = people(world, 8)

    def leave(game):
        # The creator goes first; Bo and Cy are the last.
        for leaver in [game.seats[0], *reversed(game.seats[3:])]:
            leaver.do("quit")
            game.seats.remove(leaver)
            for seat in game.seats:
                seat.wait(f"{leaver.name} has left", lambda table: any(
                    row["name"] == leaver.name and row["left"] for row in table["seats"]), 20)
            assert leaver.node.stop() == 0
            claimant = game.seats[len(game.seats) % 2]
            game.confirm(claimant, claimant.harmless()[0], timeout=20)
            game.agree()
    return Scene(nodes, meet=15, patience=20, during=leave)


def disk_fills(world):
    """The disk of one is full: it says so and votes no more; with space and a new start it does."""
    lan = world.segment()
    disk = world.closing(SmallDisk(world.folder / "small", 16))
    nodes = [world.node(name, world.laptop(lan)) for name in NAMES[:3]]
    nodes.append(world.node("Di", world.laptop(lan), folder=disk.folder))

    def fill(game):
        ana, bo, cy, di = game.seats
        disk.fill()
        long = "\n".join(f"{'w' * 50} {number}" for number in range(400))
        for _ in range(200):
            try:
                di.node.command("createTable", size=3, minutes=15, marking="tap", own=long)
            except Refused as refused:
                assert (refused.code, refused.message) == ("cannotWrite", FULL)
                break
        di.node.wait("that the disk is full", lambda state: state["trouble"] == {
            "code": "cannotWrite", "message": FULL})
        assert refusal(di.node, "claim", table=di.id, tile=di.tile(di.harmless()[0])["index"],
                       now=True) == "cannotWrite"
        # It follows what the others agree on, who read that it has no say; and a third vote it is not.
        sentence = "The disk of Di takes nothing more, so that laptop has no say."
        for seat in (ana, bo, cy):
            seat.wait("whose disk is full", lambda table: [line["message"] for line in table["wentOn"]] == [
                f"{sentence} The others go on."])
        agree_on_a_word(ana, [bo, cy], game.seats)
        cy.node.freeze()
        for seat in (ana, bo):
            says(seat, f"{sentence} Once there is space and Tabletalk was started again there, the game goes on "
                 "by itself. So it does when Cy is back.")
        word = bo.harmless()[0]
        bo.claim(word)
        disk.free()
        time.sleep(5)  # What must not come cannot be waited for.
        assert not any(line["word"] == word for line in bo.table["feed"])
        assert di.node.state["trouble"]["message"] == FULL
        di.node.kill()
        di.node.start()
        assert not di.node.state["trouble"]
        for voter in (ana, di):
            try:
                voter.vote(word, True, 30)
            except Refused as refused:
                assert refused.code in ("claimClosed", "noSuchClaim"), refused
        for seat in (ana, bo, di):
            seat.decided(word, "confirmed", 30)
        cy.node.thaw()
        cy.decided(word, "confirmed", 20)
    return Scene(nodes, during=fill, patience=20)


def log_file_cut(share):
    """The battery dies, and of the file that the database writes ahead only a part is there."""
    def build(world):
        nodes = people(world, 4)

        def cut(game):
            ana, bo, cy, di = game.seats
            agree_on_a_word(di, [ana, bo], game.seats)
            di.node.kill()
            frames, kept = cut_write_ahead_log(di.node.folder, share)
            print(f"{kept} of {frames} frames are left")
            assert kept < frames
            word = agree_on_a_word(ana, [bo, cy], [ana, bo, cy])
            di.node.start()
            di.decided(word, "confirmed", 30)

        def nobody_is_blamed():
            # What was lost are votes that others hold: a second one for the same place would be a proof.
            assert not any(table["proofs"] for node in nodes for table in node.state["tables"])
        return Scene(nodes, during=cut, patience=20, checks=[nobody_is_blamed])
    return build


def clocks_are_set(world):
    """Two set their clocks by an hour in the middle of a game, there and back."""
    clocks = {name: Clocks(world.folder, name) for name in ("Ana", "Cy")}
    nodes = people(world, 4, **{name: {"environment": clocks[name].environment} for name in clocks})

    def step(game):
        ana, bo, cy, di = game.seats
        views = []
        for hours in (1, 0, -1, 0):
            clocks["Ana"].set(fast=hours * HOUR)
            clocks["Cy"].set(fast=-hours * HOUR)
            claimant = (cy, ana)[hours % 2]
            agree_on_a_word(claimant, [bo, di], game.seats, 10)
            assert not ana.table["waiting"] and not ana.table["away"]
            views.append(ana.table["details"]["view"] - ana.table["details"]["height"])
        print(f"views beyond blocks: {views}")
        for seat in game.seats:
            assert not seat.node.state["trouble"]
    return Scene(nodes, during=step)


def lid_shut_for_hours(world):
    """A lid is shut for two hours of the clock, which the program is not awake to see."""
    clocks = Clocks(world.folder, "Di")
    nodes = people(world, 4, Di={"environment": clocks.environment})

    def sleep(game):
        ana, bo, cy, di = game.seats
        di.node.freeze()
        word = agree_on_a_word(ana, [bo, cy], [ana, bo, cy])
        ana.wait("Di away", lambda table: table["away"] == ["Di"], 20)
        clocks.set(fast=2 * HOUR, slept=2 * HOUR)
        di.node.thaw()
        back_within([di], word, "what was agreed meanwhile")
        assert "the laptop slept; looking for the others again" in di.node.log.read_text()
        ana.wait("Di back", lambda table: not table["away"], 20)
        clocks.set(slept=2 * HOUR)
        everyone_sees_everyone(nodes, 20)
    return Scene(nodes, during=sleep)
