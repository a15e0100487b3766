import Foundation

/// What the system says a process has run; for measuring.
package enum ProcessorTime {
  /// Processor milliseconds of this process until now, to the nanosecond and cheap to ask.
  package static var milliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Processor seconds of all threads of a process until now.
  package static func seconds(of process: Int32) throws -> Double {
    #if os(Linux)
      // To the nanosecond, and with the threads that have ended; the usual figures are rounded.
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
        throw CocoaError(.fileReadNoSuchFile)
      }
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    #else
      let ps = Process()
      let pipe = Pipe()
      ps.executableURL = URL(fileURLWithPath: "/bin/ps")
      ps.arguments = ["-o", "cputime=", "-p", "\(process)"]
      ps.standardOutput = pipe
      try ps.run()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      ps.waitUntilExit()
      // [hours:]minutes:seconds.hundredths
      return text.split(separator: ":").reduce(0) { sum, part in
        sum * 60 + (Double(part.filter { !$0.isWhitespace }) ?? 0)
      }
    #endif
  }
}
