#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
package import Keys
package import Store
package import Wire

/// Why the identity of this node cannot be had.
package enum IdentityError: Error, Equatable, Sendable {
  /// The file can be read by others than its owner; `mode` is what it has.
  case readableByOthers(mode: UInt32)
  /// The file went away while it was read.
  case vanished
  /// The file is not there, and the saved games belong to the key that was in it.
  case missing
  /// The file holds another key than the one the saved games belong to.
  case another
  /// The content is not a key.
  case content(KeysError)
  /// The file can be neither read nor written.
  case folder(DataFolderError)

  /// A stable name for logs and programs.
  package var code: String {
    switch self {
    case .readableByOthers: "keyReadableByOthers"
    case .vanished: "keyVanished"
    case .missing: "keyMissing"
    case .another: "keyOfAnother"
    case .content(let error): error.code
    case .folder(let error): error.code
    }
  }

  /// One sentence that says what to do next.
  package var message: String {
    switch self {
    case .readableByOthers(let mode):
      """
      Others on this laptop can read \(Identity.fileName) (mode \(String(mode, radix: 8))) and play \
      in your name; allow only yourself with: chmod 600 \(Identity.fileName)
      """
    case .vanished:
      "\(Identity.fileName) went away while it was read; leave the data folder alone and start again."
    case .missing:
      """
      \(Identity.fileName) is missing, and your saved games belong to it; put it back from a copy, or \
      choose another folder with --data to become somebody new.
      """
    case .another:
      """
      \(Identity.fileName) is not the key that the saved games here belong to; put the right one back, \
      or choose another folder with --data.
      """
    case .content(let error): error.message
    case .folder(let error): error.message
    }
  }
}

extension DataFolder {
  /// Reads the identity of the node, or makes it at the first run.
  ///
  /// A new one is on the disk before it is returned. A file that is there and no good is never
  /// replaced: it may be all that is left of a person's key.
  ///
  /// - Parameter owner: whose the saved games are, if there are any; nobody else is taken.
  /// - Returns: the identity, and whether it was made just now.
  /// - Throws: why the file is no good.
  package func identity(
    owner: PublicKey? = nil
  ) throws(IdentityError) -> (identity: Identity, isNew: Bool) {
    let content: [UInt8]?
    do throws(DataFolderError) {
      content = try read(Identity.fileName, limit: 1_024)
    } catch {
      throw .folder(error)
    }
    if var content {
      defer { SecretBytes.wipe(&content) }
      try checkMode()
      let found: Identity
      do throws(KeysError) {
        found = try Identity(fileContent: content)
      } catch {
        throw .content(error)
      }
      guard owner == nil || owner == found.publicKey else { throw .another }
      return (found, false)
    }
    guard owner == nil else { throw .missing }
    let identity = Identity.random()
    do throws(DataFolderError) {
      try identity.withFileContent { bytes throws(DataFolderError) in
        try write(Identity.fileName, bytes)
      }
    } catch {
      throw .folder(error)
    }
    return (identity, true)
  }

  private func checkMode() throws(IdentityError) {
    var status = stat()
    guard lstat(path + "/" + Identity.fileName, &status) == 0 else {
      throw .vanished
    }
    let mode = UInt32(status.st_mode) & 0o777
    guard mode & 0o077 == 0 else { throw .readableByOthers(mode: mode) }
  }
}
