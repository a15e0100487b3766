// Rules broken on purpose, to see that the simulator notices (Protocol/consensus.md, Mutants).
//
// Only a build with -DMUTANTS can break any. In every other one `breaks` is a constant that the
// compiler takes away with what hangs on it.
#if MUTANTS
  /// The mutant that is at work in this task and its children.
  package enum Mutation {
    @TaskLocal package static var name: String?
  }

  /// Whether the mutant of this name is at work.
  func breaks(_ name: StaticString) -> Bool {
    guard let active = Mutation.name else { return false }
    return active.utf8.elementsEqual(
      UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
#else
  @inline(__always)
  func breaks(_ name: StaticString) -> Bool { false }
#endif
