/// The command line of `simulate`.
struct Arguments {
  static let usage = """
    Plays tables of one to five simulated laptops on virtual time, each world from one seed.

    simulate [--seeds COUNT] [--from SEED]   COUNT worlds (500), the first from SEED (1)
    simulate --seed SEED                     one world, with its figures

    Exits with 0 when every promise held, 1 when one was broken, 2 for wrong usage.
    """

  var seeds: ClosedRange<UInt64> = 1...500
  var isVerbose = false

  init?(_ words: ArraySlice<String>) {
    var count: UInt64 = 500
    var first: UInt64 = 1
    var rest = words
    while let word = rest.popFirst() {
      guard let value = rest.popFirst().flatMap({ UInt64($0) }), value < 1 << 60 else { return nil }
      switch word {
      case "--seeds" where value > 0: count = value
      case "--from": first = value
      case "--seed":
        first = value
        count = 1
        isVerbose = true
      default: return nil
      }
    }
    seeds = first...(first + count - 1)
  }
}
