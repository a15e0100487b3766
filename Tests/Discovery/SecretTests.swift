import CBOR
import TestSupport
import Testing
import Wire

@testable import Discovery

/// Protocol/vectors/private.json, which a second implementation made.
private struct PrivateVectors: Decodable {
  struct Text: Decodable, Sendable {
    let secret: String
    let text: String
  }

  struct Proof: Decodable, Sendable {
    let secret: String
    let code: Int
    let handshakeHash: String
    let link: String
    let asker: String
    let answerer: String
    let ask: String
    let answer: String

    enum CodingKeys: String, CodingKey {
      case secret, code, link, asker, answerer, ask, answer
      case handshakeHash = "handshake_hash"
    }
  }

  let texts: [Text]
  let proofs: [Proof]

  static let all: PrivateVectors = {
    do { return try Vectors.load("private.json") } catch { fatalError("private.json: \(error)") }
  }()
}

private func secret(_ hex: String) throws -> TableSecret {
  try #require(TableSecret(bytes(hex: hex)))
}

@Suite struct `A table's secret` {
  @Test(arguments: PrivateVectors.all.texts)
  fileprivate func `has the text that a second implementation gives it`(
    vector: PrivateVectors.Text
  ) throws {
    let secret = try secret(vector.secret)
    #expect(SecretText.write(secret) == vector.text)
    #expect(SecretText.read(vector.text) == secret)
    #expect(SecretText.read(vector.text.uppercased()) == secret)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `comes back from its text, however people wrote it`(seed: UInt64) throws {
    var chance = SeededBytes(seed: seed)
    let secret = try #require(TableSecret(chance.bytes(16)))
    let text = SecretText.write(secret)
    #expect(text.utf8.count == 26)
    #expect(text.allSatisfy { "0123456789abcdefghjkmnpqrstvwxyz".contains($0) })
    var written = ""
    for letter in text {
      switch chance.next() % 6 {
      case 0: written += "-"
      case 1: written += " "
      default: break
      }
      let likeness = ["0": "o", "1": chance.next() % 2 == 0 ? "i" : "l"][String(letter)]
      let shown = chance.next() % 2 == 0 ? likeness ?? String(letter) : String(letter)
      written += chance.next() % 2 == 0 ? shown.uppercased() : shown
    }
    #expect(SecretText.read(written) == secret)
  }

  @Test func `is not read from fewer or more characters, or from others`() throws {
    let text = SecretText.write(try secret("000102030405060708090a0b0c0d0e0f"))
    for cut in 0..<26 { #expect(SecretText.read(String(text.prefix(cut))) == nil) }
    #expect(SecretText.read(text + "0") == nil)
    #expect(SecretText.read(text + text) == nil)
    for letter in ["u", "U", "_", ".", "@", "\u{0}", "é", "０", "\n"] {
      #expect(SecretText.read(text.dropLast() + letter) == nil)
    }
    #expect(SecretText.read("") == nil)
    #expect(SecretText.read(String(repeating: "-", count: 100)) == nil)
    // The last character has three bits of the secret and two that are zero.
    let zeros = String(repeating: "0", count: 25)
    for letter in "1239abdz" { #expect(SecretText.read(zeros + String(letter)) == nil) }
    for letter in "048ghmrw" {
      let isWhole = "048cgmrw".contains(letter)
      #expect((SecretText.read(zeros + String(letter)) != nil) == isWhole)
    }
  }

  @Test func `is in no text of it but its own`() throws {
    let secret = try secret("000102030405060708090a0b0c0d0e0f")
    #expect("\(secret)" == "a secret")
    let invitation = Invitation.secret(code: 1, secret, at: nil)
    #expect("\(invitation)".contains("a secret"))
    #expect(TableSecret([UInt8](repeating: 1, count: 15)) == nil)
    #expect(TableSecret([UInt8](repeating: 1, count: 17)) == nil)
    #expect(throws: DecodeError.self) { try TableSecret(.bytes([1]), "secret") }
    #expect(try TableSecret(secret.cbor, "secret") == secret)
  }

  @Test(arguments: PrivateVectors.all.proofs)
  fileprivate func `is proved as a second implementation does it`(
    vector: PrivateVectors.Proof
  ) throws {
    let secret = try secret(vector.secret)
    let link = Digest(ofBytes: bytes(hex: vector.handshakeHash))
    #expect(link.hex == vector.link)
    let asker = try #require(PublicKey(hex: vector.asker))
    let answerer = try #require(PublicKey(hex: vector.answerer))
    let ask = SecretProof(
      .ask, of: secret, code: vector.code, on: link, by: asker, to: answerer)
    let answer = SecretProof(
      .answer, of: secret, code: vector.code, on: link, by: answerer, to: asker)
    #expect(ask.hex == vector.ask)
    #expect(answer.hex == vector.answer)
  }

  @Test func `is proved differently for every secret, code, link, person, direction and step`()
    throws
  {
    let secrets = try PrivateVectors.all.texts.prefix(2).map { try secret($0.secret) }
    let links = [Digest(ofBytes: [1]), Digest(ofBytes: [2])]
    let people = [1, 2, 3].map { PublicKey(raw: Digest(ofBytes: [$0]).raw) }
    var all: [SecretProof] = []
    for secret in secrets {
      for code in [1, 2] {
        for link in links {
          for (one, other) in [(0, 1), (1, 0), (0, 2), (2, 1)] {
            for step in [SecretProof.Step.ask, .answer] {
              all.append(
                SecretProof(
                  step, of: secret, code: code, on: link, by: people[one], to: people[other]))
            }
          }
        }
      }
    }
    #expect(Set(all).count == all.count)
    for proof in all {
      #expect(all.count { $0.matches(proof) } == 1)
    }
  }
}

@Suite struct `An invitation to a private table` {
  private let text = "7zzzzzzzzzzzzzzzzzzzzzzzz0"

  private func read(_ text: String) -> TableSecret? { SecretText.read(text) }

  @Test func `is a line with code, secret and address`() throws {
    let secret = try #require(read(text))
    let address = try #require(Address("192.168.1.5:47474"))
    let invitation = Invitation.secret(code: 213, secret, at: address)
    #expect(invitation.line == "tabletalk join 00213-\(text)@192.168.1.5:47474")
    #expect(Invitation(invitation.line) == invitation)
    let short = Invitation.secret(code: 213, secret, at: nil)
    #expect(short.line == "tabletalk join 00213-\(text)")
    #expect(Invitation(short.line) == short)
    for written in [
      "00213-\(text)@192.168.1.5", " 00213-\(text.uppercased())@192.168.1.5:47474\n",
      "Come: tabletalk join 00213-7ZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-0@192.168.1.5",
      "00213-7zzzz zzzzz zzzzz zzzzz zzzzz 0 @ 192.168.1.5:47474",
      "Ana: join us! tabletalk join 00213-\(text)@192.168.1.5:47474 No Tabletalk yet? Get it",
      "tabletalk join 00213-7zzzzzzzzzzzz\n  zzzzzzzzzzzz0@192.168.1.5:47474",
    ] {
      #expect(Invitation(written) == invitation, "\(written)")
    }
  }

  @Test func `is not read from anything that is not exactly one`() {
    for written in [
      "00213-", "00213-@192.168.1.5", "00213-\(text)0", "00213-\(text.dropLast())",
      "0213-\(text)", "002133-\(text)", "00213\(text)", "00213--", "-\(text)",
      "00213-\(text)@", "00213-\(text)@@192.168.1.5", "00213-\(text)@192.168.1.5@x",
      "00213-\(text)@192.168.1.300", "00213-\(text)@192.168.1.5:0", "00213_\(text)",
      "00213-\(text.dropLast())1", "00213-\(text.dropLast())u", "００２１３-\(text)",
      "00213-\(text)@192.168.1.5:47474 48213", "00213 00213-\(text)", "00213 \(text)",
      "00213-\(String(repeating: "-", count: 2_000))\(text)",
      String(repeating: "00213-\(text) ", count: 10_000),
    ] {
      #expect(Invitation(written) == nil, "\(written.prefix(80))")
    }
  }

  @Test(arguments: 0..<500 as Range<UInt64>)
  func `of random text is none, or comes back from its own line`(seed: UInt64) {
    var chance = SeededBytes(seed: seed)
    let letters = Array("0123456789abcdefghijklmnopqrstuvwxyzABC-- @.: join\u{e9}\u{200d}")
    let length = Int(chance.next() % 60)
    let tail = (0..<length).map { _ in letters[Int(chance.next() % UInt64(letters.count))] }
    guard let read = Invitation("00213-" + String(tail)) else { return }
    #expect(Invitation(read.line) == read)
  }
}
