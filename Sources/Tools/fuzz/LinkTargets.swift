import Keys
import Peer
import SecureChannel
import Wire

/// Links: before and after the handshake.
enum LinkTargets {
  private static func identity() -> LinkIdentity {
    let key = SigningKey(seed: SecretBytes.random(count: 32))
    return LinkIdentity(identity: key.publicKey, linkKeys: .random(), sign: key.sign)
  }

  private static let local = identity()
  private static let remote = identity()

  /// Bytes of a stranger, at either end and in either message.
  static func noise(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    var mine = Handshake(role: first & 1 == 0 ? .responder : .initiator, local: local)
    if first & 1 == 1 { _ = try? mine.start() }
    var reader = RecordReader()
    if first & 2 == 2, first & 1 == 0 {
      // The stranger's first message is right, what follows is not.
      var theirs = Handshake(role: .initiator, local: remote)
      if let start = try? theirs.start() { _ = try? mine.receive(start) }
    }
    reader.append(Array(bytes.dropFirst()))
    while let message = try? reader.next(allowed: mine.incomingLengths) {
      guard (try? mine.receive(message)) != nil else { break }
    }
    promise(!mine.isDone, "nobody proves a key that it does not hold")
  }

  /// A stream of frames by a peer that holds the keys, cut into pieces as the input says.
  static func frame(_ bytes: [UInt8]) {
    var reader = RecordReader()
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let end = min(bytes.endIndex, position + 1 + Int(bytes[position]))
      reader.append(Array(bytes[position..<end]))
      position = end
      while let record = try? reader.next(allowed: Transport.recordLengths) {
        promise(Transport.recordLengths.contains(record.count), "a record has its length")
        if let message = try? LinkMessage(frame: record) {
          promise(message.frame == record, "a frame has one encoding")
        }
      }
      promise(reader.waitingCount <= bytes.count, "nothing is kept that did not come")
    }
    transport(bytes)
  }

  /// The input as one frame over a link, and now and then as a record of somebody who lacks its
  /// keys, which ends the link.
  private static func transport(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    do throws(ChannelError) {
      if link == nil { link = try Link() }
      var reader = RecordReader()
      guard let sealed = try link?.sender.seal(bytes) else { return }
      reader.append(sealed)
      var out: [UInt8]?
      while let record = try reader.next(allowed: Transport.recordLengths) {
        out = try link?.receiver.open(record)
      }
      promise(out == bytes, "a frame arrives as it was sent")
    } catch {
      promise(false, "two ends that follow the rules meet: \(error.code)")
    }
    guard first == 0xff else { return }
    do throws(ChannelError) {
      promise(try link?.receiver.open(bytes) == nil, "nothing comes in without the key")
    } catch {}
    link = nil
  }

  /// Both ends of one link, kept from input to input: a handshake is slow.
  private struct Link: ~Copyable {
    var sender: Transport
    var receiver: Transport

    init() throws(ChannelError) {
      var mine = Handshake(role: .responder, local: local)
      var theirs = Handshake(role: .initiator, local: remote)
      let first = try theirs.start()
      guard let answer = try mine.receive(first), let last = try theirs.receive(answer) else {
        throw .outOfTurn
      }
      _ = try mine.receive(last)
      let one = try theirs.finish().takeTransport()
      let other = try mine.finish().takeTransport()
      sender = one
      receiver = other
    }
  }

  /// Only libFuzzer's one thread comes here.
  private nonisolated(unsafe) static var link: Link?
}
