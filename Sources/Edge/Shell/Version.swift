import Discovery

/// Which Tabletalk this is: the one place that knows, asked for by `--version`.
package enum Version {
  /// The program's own number: the packages and the manual page carry it too.
  static let program = "0.3.0"

  /// What `--version` prints: programs of one protocol play with each other.
  package static let line = "tabletalk \(program), protocol \(Beacon.protocolVersion)"
}
