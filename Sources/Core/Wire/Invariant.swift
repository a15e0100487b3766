/// Ends the program when something that must hold does not, also in release builds.
///
/// For faults of our own only; what comes from outside is refused with an error instead.
@inlinable
package func invariant(
  _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  if !condition() { fatalError("invariant broken: \(message())", file: file, line: line) }
}
