import Testing

@testable import Keys

@Suite struct SecretBytesTests {
  @Test func aSecretKeepsItsBytes() {
    let secret = SecretBytes(copying: [1, 2, 3])
    #expect(secret.count == 3)
    let copy = secret.copy()
    let isEqual = secret.matches(copy)
    #expect(isEqual)
    let bytes = copy.withBytes { Array($0) }
    #expect(bytes == [1, 2, 3])
    let other = SecretBytes(copying: [1, 2, 4])
    let shorter = SecretBytes(copying: [1, 2])
    let matchesAny = secret.matches(other) || secret.matches(shorter)
    #expect(!matchesAny)
  }

  @Test func twoRandomSecretsDiffer() {
    let first = SecretBytes.random(count: 32)
    let second = SecretBytes.random(count: 32)
    let isEqual = first.matches(second)
    #expect(!isEqual)
  }

  @Test func whatTheFillerThrowsIsThrownOn() {
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      // The memory is given back on this path; the sanitizer run of the suite watches it.
      _ = try SecretBytes(count: 8) { _ throws(Refused) in throw Refused() }
    }
  }
}
