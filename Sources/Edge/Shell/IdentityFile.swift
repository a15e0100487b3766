#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
package import Keys
package import Store

/// Why the identity of this node cannot be had.
package enum IdentityError: Error, Equatable, Sendable {
  /// The file can be read by others than its owner; `mode` is what it has.
  case readableByOthers(mode: UInt32)
  /// The file went away while it was read.
  case vanished
  /// The content is not a key.
  case content(KeysError)
  /// The file can be neither read nor written.
  case folder(DataFolderError)

  /// A stable name for logs and programs.
  package var code: String {
    switch self {
    case .readableByOthers: "keyReadableByOthers"
    case .vanished: "keyVanished"
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
  /// - Returns: the identity, and whether it was made just now.
  /// - Throws: why the file is no good.
  package func identity() throws(IdentityError) -> (identity: Identity, isNew: Bool) {
    let content: [UInt8]?
    do throws(DataFolderError) {
      content = try read(Identity.fileName, limit: 1_024)
    } catch {
      throw .folder(error)
    }
    if var content {
      defer { SecretBytes.wipe(&content) }
      try checkMode()
      do throws(KeysError) {
        return (try Identity(fileContent: content), false)
      } catch {
        throw .content(error)
      }
    }
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
