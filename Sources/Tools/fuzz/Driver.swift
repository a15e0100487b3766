import CFuzzer
import Foundation

/// Hands libFuzzer its arguments and takes its inputs.
enum Driver {
  private nonisolated(unsafe) static var target = FuzzTarget.cbor

  /// Runs until libFuzzer is done; never returns.
  static func run(_ target: FuzzTarget, arguments: [String]) -> Never {
    self.target = target
    let words = [CommandLine.arguments[0]] + arguments
    var list: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var count = Int32(words.count)
    let result = list.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      return LLVMFuzzerRunDriver(&count, &start, takeInput)
    }
    exit(result)
  }

  fileprivate static func take(_ bytes: UnsafeRawBufferPointer) { target.take(Array(bytes)) }
}

/// Takes one input, under the name that libFuzzer's own main, never called but perhaps linked, asks for.
@_cdecl("LLVMFuzzerTestOneInput")
func takeInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  Driver.take(UnsafeRawBufferPointer(start: data, count: size))
  return 0
}

/// Ends the program.
func fatalExit(_ code: Int32) -> Never { exit(code) }

/// Ends the run with a finding: what was promised does not hold for this input.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fatalError("broken promise: \(what())") }
}
