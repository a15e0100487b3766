import Dispatch

/// Runs an actor on one dispatch queue, so that sources on that queue can enter it at once.
///
/// `DispatchSerialQueue`, which would do, exists on Apple's systems only.
final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  /// Takes a serial queue.
  init(queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
