import CBOR
package import Wire

/// Somebody the player wants to find again, with where that one was last.
package struct Favourite: Hashable, Sendable {
  /// Addresses that are kept of one person at the most.
  package static let mostAddresses = 4
  /// A row of the store is not longer than this, in bytes.
  private static let rowLimit = 512
  /// How the keys of such rows begin.
  private static let rowPrefix = Array("favourite".utf8)

  package let key: PublicKey
  package private(set) var name: String
  /// Where it was, newest first; only what means the same laptop whoever asks.
  package private(set) var addresses: [IPAddress] = []

  /// Somebody with a name that beacons may bear.
  package init(key: PublicKey, name: String, addresses: [IPAddress] = []) {
    self.key = key
    self.name = name
    for address in addresses.reversed() { note(address) }
  }

  /// Takes in what somebody is called now and where, nil for not known; returns whether it is news.
  mutating func note(name: String, at address: IPAddress?) -> Bool {
    let old = self
    self.name = name
    if let address { note(address) }
    return self != old
  }

  private mutating func note(_ address: IPAddress) {
    guard address.isShareable, address != addresses.first else { return }
    addresses.removeAll { $0 == address }
    addresses.insert(address, at: 0)
    if addresses.count > Favourite.mostAddresses { addresses.removeLast() }
  }

  // MARK: On the disk

  /// The key of its row in the store.
  package var rowKey: [UInt8] { Favourite.rowPrefix + key.bytes }

  /// The value of its row in the store.
  package var row: [UInt8] {
    let value: CBOR = [.text(name), .array(addresses.map { .text($0.description) })]
    return value.encoded
  }

  /// Whether a row of the store is of this kind.
  package static func owns(rowKey: [UInt8]) -> Bool {
    rowKey.starts(with: rowPrefix) && rowKey.count == rowPrefix.count + 32
  }

  /// Reads a row of the store; nil when it is damaged.
  package init?(rowKey: [UInt8], row: [UInt8]) {
    guard Favourite.owns(rowKey: rowKey), row.count <= Favourite.rowLimit,
      let key = PublicKey(rowKey.dropFirst(Favourite.rowPrefix.count)),
      let parts = try? CBOR(decoding: row).array("favourite", exactly: 2),
      let name = try? parts[0].text("name", maximum: Limits.nameBytes), PlainText.isName(name),
      let texts = try? parts[1].array("addresses", count: 0...Favourite.mostAddresses)
    else { return nil }
    let addresses = texts.compactMap { item in
      (try? item.text("address", maximum: 64)).flatMap { IPAddress($0) }
    }
    guard addresses.count == texts.count, addresses.allSatisfy(\.isShareable) else { return nil }
    self.init(key: key, name: name, addresses: addresses)
  }
}
