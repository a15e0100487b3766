package import Consensus
package import Wire

/// What people at a simulated table do; made for one application, so that any can be tried.
package protocol Workload: Sendable {
  associatedtype App: Application
  /// The application at the genesis: the creator, person 0, is a member from the start.
  func genesis(table: TableID, creator: Person) -> App
  /// The body of a guest's first entry.
  func join(_ person: Person) -> [UInt8]
  /// The body of the first entry of somebody who only helps to agree.
  func watch(_ person: Person) -> [UInt8]
  /// The body of the creator's entry that starts the game.
  func start() -> [UInt8]
  /// The body of an entry by which a seat leaves.
  func leave() -> [UInt8]
  /// The body of an entry that ends the game.
  func end() -> [UInt8]
  /// The body of something that a member may do now.
  func act(_ person: Person, in app: App, _ random: inout Random) -> [UInt8]
  /// How many seats there are, as the creator sees it before Start.
  func seats(in app: App) -> Int
  /// Whether a person has a place and may act.
  func sits(_ person: Person, in app: App) -> Bool
  /// Whether the game has begun: the first seal is in the log.
  func hasStarted(_ app: App) -> Bool
}
