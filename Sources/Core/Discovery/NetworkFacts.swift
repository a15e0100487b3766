/// What is known about the network around this laptop: from the node, and from a look at the machine.
///
/// A fact that nobody could find out is nil or absent, never a guess.
package struct NetworkFacts: Hashable, Sendable {
  /// What kind of machine it is, where the same error means different things.
  package enum System: Hashable, Sendable {
    case linux, macOS
  }

  /// A call that failed.
  package struct Failure: Hashable, Sendable {
    /// The constant's name, such as `EHOSTUNREACH`.
    package var name: String
    /// The sentence for a person.
    package var text: String

    /// Names the fields.
    package init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// One address of a network interface.
  package struct Interface: Hashable, Sendable {
    package var name: String
    package var address: String
    /// What the adapter is, such as `ethernet` or `tunnel`; empty where unknown.
    package var kind: String
    package var isLoopback: Bool
    /// Whether beacons leave by it.
    package var sends: Bool
    /// Why the last one did not leave.
    package var lastError: Failure?
    /// Whether a test datagram to the discovery port came back through the firewall.
    package var comesBack: Bool?

    /// Names the fields.
    package init(
      name: String, address: String, kind: String = "", isLoopback: Bool = false,
      sends: Bool = true, lastError: Failure? = nil, comesBack: Bool? = nil
    ) {
      self.name = name
      self.address = address
      self.kind = kind
      self.isLoopback = isLoopback
      self.sends = sends
      self.lastError = lastError
      self.comesBack = comesBack
    }
  }

  /// A program that has a port open.
  package struct Holder: Hashable, Sendable {
    /// Nil where another person's program may not be looked at.
    package var program: String?
    package var process: Int?
    /// The data folder of a Tabletalk.
    package var folder: String?

    /// Names the fields.
    package init(program: String?, process: Int?, folder: String? = nil) {
      self.program = program
      self.process = process
      self.folder = folder
    }

    /// Whether it is a Tabletalk, whatever its file is called.
    package var isTabletalk: Bool { folder != nil || program == "tabletalk" }
  }

  /// One of the two ports that others must reach.
  package struct Port: Hashable, Sendable {
    /// What it is for.
    package enum Use: String, Hashable, Sendable {
      case discovery, links
    }

    /// Who has it.
    package enum State: Hashable, Sendable {
      case free
      /// The node itself has it.
      case ours
      /// Another program has it too, and both hear broadcasts.
      case shared(Holder)
      /// Another program has it alone.
      case taken(Holder)
    }

    package var use: Use
    package var number: UInt16
    package var state: State
    /// Whether only this one will do: `--port` asked for it.
    package var isFixed: Bool

    /// Names the fields.
    package init(use: Use, number: UInt16, state: State, isFixed: Bool = false) {
      self.use = use
      self.number = number
      self.state = state
      self.isFixed = isFixed
    }
  }

  /// Whether a firewall lets through what others send to a port.
  package enum Verdict: String, Hashable, Sendable {
    case open, dropped, unknown
  }

  /// A firewall that is switched on.
  package struct Firewall: Hashable, Sendable {
    /// Which program rules it.
    package enum Tool: String, Hashable, Sendable {
      case ufw, firewalld, nftables, iptables
      case macOS = "macOS application firewall"
    }

    package var tool: Tool
    /// Where a rule belongs: a zone of firewalld, `inet filter input` of nftables, else empty.
    package var place: String
    package var discovery: Verdict
    package var links: Verdict
    /// Whether its rules may be looked at.
    package var isVisible: Bool
    /// The program that a rule of macOS names.
    package var program: String?

    /// Names the fields.
    package init(
      _ tool: Tool, place: String = "", discovery: Verdict, links: Verdict, isVisible: Bool = true,
      program: String? = nil
    ) {
      self.tool = tool
      self.place = place
      self.discovery = discovery
      self.links = links
      self.isVisible = isVisible
      self.program = program
    }
  }

  /// Where everything goes that is for no network of this laptop's own.
  package struct Route: Hashable, Sendable {
    package var device: String
    package var isTunnel: Bool

    /// Names the fields.
    package init(device: String, isTunnel: Bool) {
      self.device = device
      self.isTunnel = isTunnel
    }
  }

  /// Somebody the node knows of.
  package struct Person: Hashable, Sendable {
    package var name: String
    /// Host part of where the person is.
    package var host: String
    /// Heard by datagrams, not only on a link.
    package var isHeard: Bool
    /// A link joins this laptop and that one.
    package var isLinked: Bool
    /// Whether that laptop says that it hears this one; nil while it cannot know.
    package var hearsMe: Bool?
    /// Connections to somebody who is heard fail again and again.
    package var linkFails: Bool
    /// Seconds by which the other clock is ahead, below zero when it is behind.
    package var clockAhead: Int?

    /// Names the fields.
    package init(
      name: String, host: String = "", isHeard: Bool = true, isLinked: Bool = false,
      hearsMe: Bool? = nil, linkFails: Bool = false, clockAhead: Int? = nil
    ) {
      self.name = name
      self.host = host
      self.isHeard = isHeard
      self.hearsMe = hearsMe
      self.isLinked = isLinked
      self.linkFails = linkFails
      self.clockAhead = clockAhead
    }
  }

  /// An address from which several people are heard.
  package struct SharedAddress: Hashable, Sendable, Codable {
    package var host: String
    package var names: [String]

    /// Names the fields.
    package init(host: String, names: [String]) {
      self.host = host
      self.names = names
    }
  }

  /// Somebody whose node speaks another version.
  package struct Stranger: Hashable, Sendable {
    package var name: String
    package var version: Int

    /// Names the fields.
    package init(name: String, version: Int) {
      self.name = name
      self.version = version
    }
  }

  /// An address at which somebody is said to be, and what came of trying it.
  package struct Wanted: Hashable, Sendable {
    /// What the attempt showed.
    package enum Outcome: Hashable, Sendable {
      /// Somebody takes links there.
      case answers
      /// A laptop is there, nothing listens.
      case refuses
      /// No laptop answers on this network, not even the question who has the address.
      case silent
      /// A laptop is there, or the network would carry it, and connections vanish.
      case drops
      /// The system has no way there.
      case noWay(Failure)
      /// The address is that of everybody on the network, not of one laptop.
      case everybody
    }

    package var address: String
    package var host: String
    package var port: UInt16
    /// Whether it is in a network of this laptop's own.
    package var isNear: Bool
    package var outcome: Outcome
    /// The way out of that network, if it answers.
    package var gateway: String?
    /// Other neighbours in that network that answer.
    package var othersAnswer: [String]

    /// Names the fields.
    package init(
      address: String, host: String, port: UInt16, isNear: Bool, outcome: Outcome,
      gateway: String? = nil, othersAnswer: [String] = []
    ) {
      self.gateway = gateway
      self.address = address
      self.host = host
      self.port = port
      self.isNear = isNear
      self.outcome = outcome
      self.othersAnswer = othersAnswer
    }
  }

  /// What is known of a node on this data folder.
  package enum Node: Hashable, Sendable {
    case running
    case notRunning
    /// It holds the folder and does not answer.
    case silent(process: Int?)
  }

  package var system = System.linux
  /// How a person starts this program: the words that stand before a command.
  package var program = "tabletalk"
  package var node = Node.running
  package var discoveryPort: UInt16 = 47_474
  package var linkPort: UInt16 = 47_474
  package var interfaces: [Interface] = []
  package var ports: [Port] = []
  /// Tabletalks on this laptop with other data folders.
  package var others: [Holder] = []
  package var firewalls: [Firewall] = []
  /// Tools that only root may ask.
  package var hiddenTools: [String] = []
  package var route: Route?
  package var people: [Person] = []
  package var sharedAddresses: [SharedAddress] = []
  package var strangers: [Stranger] = []
  package var wanted: [Wanted] = []
  /// Another node here uses the own key.
  package var isKeyTwice = false
  /// Seconds for which was listened; nil for a node that listens all the time.
  package var listened: Int?
  /// Whether only the loopback was asked for.
  package var isLoopbackMeant = false
  /// Whether the machine itself was looked at: ports, firewall, route.
  package var isLookedAt = false

  /// Nothing known yet.
  package init() {}
}

extension NetworkFacts {
  /// What a look at the machine itself has shown; takes seconds, so a node does it only when asked.
  package struct Machine: Hashable, Sendable {
    /// Whether a test datagram came back by an interface.
    package struct Test: Hashable, Sendable {
      package var interface: String
      package var comesBack: Bool

      /// Names the fields.
      package init(interface: String, comesBack: Bool) {
        self.interface = interface
        self.comesBack = comesBack
      }
    }

    package var system = System.linux
    package var ports: [Port] = []
    /// Tabletalks with other data folders.
    package var others: [Holder] = []
    package var firewalls: [Firewall] = []
    package var hiddenTools: [String] = []
    package var route: Route?
    package var tests: [Test] = []
    package var wanted: [Wanted] = []

    /// Nothing seen.
    package init() {}
  }

  /// Adds what a look at the machine has shown.
  package mutating func take(_ machine: Machine) {
    isLookedAt = true
    system = machine.system
    wanted = machine.wanted
    ports = machine.ports
    others = machine.others
    firewalls = machine.firewalls
    hiddenTools = machine.hiddenTools
    route = machine.route
    for index in interfaces.indices {
      let test = machine.tests.first { $0.interface == interfaces[index].name }
      interfaces[index].comesBack = test?.comesBack
    }
  }
}

/// The first bytes of the datagram by which a laptop tests its own firewall; it never leaves the
/// laptop, and every node that hears it there ignores it.
package enum SelfTest {
  package static let magic: [UInt8] = Array("TTt1".utf8)
}
