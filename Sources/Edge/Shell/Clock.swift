#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
import Consensus

/// The clocks of the machine, in milliseconds.
enum Clock {
  private static func read(_ clock: clockid_t) -> Milliseconds {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
  }

  /// Monotonic, standing still while the laptop sleeps.
  static var monotonic: Milliseconds {
    #if canImport(Darwin)
      read(CLOCK_UPTIME_RAW)
    #else
      read(CLOCK_MONOTONIC)
    #endif
  }

  /// Monotonic, going on while the laptop sleeps; their difference grows by every sleep.
  static var sinceBoot: Milliseconds {
    #if canImport(Darwin)
      read(CLOCK_MONOTONIC_RAW)
    #else
      read(CLOCK_BOOTTIME)
    #endif
  }

  /// Milliseconds since 1970, for display only.
  static var wall: Milliseconds { read(CLOCK_REALTIME) }
}
