package import Wire

/// What somebody is called at an anonymous table (PRODUCT B28): an adjective and an animal, by the first two
/// bytes of the key that stands for them there.
///
/// The lists are part of the protocol (`Protocol/vectors/alias.json`): with another one names would differ.
package enum Moniker {
  /// "Teal Otter".
  package static func name(of alias: PublicKey) -> String {
    let bytes = alias.bytes
    return
      "\(adjectives[Int(bytes[0]) % adjectives.count]) \(animals[Int(bytes[1]) % animals.count])"
  }

  /// The same with a number behind it, where a name is taken.
  package static func name(of alias: PublicKey, besides taken: [String]) -> String {
    let name = name(of: alias)
    var number = 1
    var candidate = name
    while taken.contains(candidate) {
      number += 1
      candidate = "\(name) \(number)"
    }
    return candidate
  }

  /// Sixty-four of each, in their order.
  package static let adjectives = split(
    """
    Amber Azure Bold Brave Breezy Bright Brisk Bronze Calm Cheery Clever Copper Coral Cosmic Cozy Crimson
    Curious Daring Dapper Eager Early Fancy Fluffy Gentle Golden Happy Hazel Honest Humble Indigo Ivory Jade
    Jolly Kind Lively Loyal Lucky Lunar Mellow Merry Mighty Misty Nimble Noble Olive Patient Peachy Plucky
    Polite Proud Quick Quiet Ruby Rustic Sage Silver Snowy Sunny Swift Teal Tidy Velvet Witty Zesty
    """)
  package static let animals = split(
    """
    Alpaca Badger Bat Bear Beaver Bee Bison Bunny Camel Cat Cheetah Crab Crane Crow Deer Dolphin
    Dove Duck Eagle Falcon Ferret Finch Fox Frog Gecko Goose Hare Hawk Hedgehog Heron Horse Ibis
    Jay Koala Lemur Lion Llama Lynx Magpie Marmot Mole Moose Newt Otter Owl Panda Parrot Penguin
    Pony Puffin Rabbit Raven Robin Salmon Seal Sparrow Squirrel Stork Swan Tiger Toad Turtle Whale Wombat
    """)

  private static func split(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
