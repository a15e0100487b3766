extension CBOR {
  /// The one deterministic encoding of this item (RFC 8949 section 4.2.1).
  ///
  /// A map with the same key twice is a fault of the program and ends it.
  package var encoded: [UInt8] {
    var out: [UInt8] = []
    append(to: &out)
    return out
  }

  private func append(to out: inout [UInt8]) {
    switch self {
    case .unsigned(let n): CBOR.head(0, n, &out)
    case .negative(let n): CBOR.head(1, n, &out)
    case .bytes(let bytes):
      CBOR.head(2, UInt64(bytes.count), &out)
      out += bytes
    case .text(let text):
      CBOR.head(3, UInt64(text.utf8.count), &out)
      out += text.utf8
    case .array(let items):
      CBOR.head(4, UInt64(items.count), &out)
      for item in items { item.append(to: &out) }
    case .map(let pairs): CBOR.appendMap(pairs, &out)
    case .tagged(let tag, let item):
      CBOR.head(6, tag, &out)
      item.append(to: &out)
    case .simple(let n): CBOR.head(7, UInt64(n), &out)
    case .float(let float):
      out.append(float.width == .half ? 0xf9 : float.width == .single ? 0xfa : 0xfb)
      CBOR.bigEndian(float.bits, Int(float.width.rawValue), &out)
    }
  }

  private static func appendMap(_ pairs: [Pair], _ out: inout [UInt8]) {
    var rows = pairs.map { ($0.key.encoded, $0.value) }
    rows.sort { $0.0.lexicographicallyPrecedes($1.0) }
    head(5, UInt64(rows.count), &out)
    for index in rows.indices {
      if index > 0 && rows[index].0 == rows[index - 1].0 { fatalError("a map key stands twice") }
      out += rows[index].0
      rows[index].1.append(to: &out)
    }
  }

  private static func head(_ major: UInt8, _ n: UInt64, _ out: inout [UInt8]) {
    let type = major << 5
    switch n {
    case 0..<24: out.append(type | UInt8(n))
    case 24...0xff:
      out.append(type | 24)
      out.append(UInt8(n))
    case 0x100...0xffff:
      out.append(type | 25)
      bigEndian(n, 2, &out)
    case 0x1_0000...0xffff_ffff:
      out.append(type | 26)
      bigEndian(n, 4, &out)
    default:
      out.append(type | 27)
      bigEndian(n, 8, &out)
    }
  }

  private static func bigEndian(_ n: UInt64, _ count: Int, _ out: inout [UInt8]) {
    for index in (0..<count).reversed() {
      out.append(UInt8(truncatingIfNeeded: n >> (8 * UInt64(index))))
    }
  }
}
