import CMicroHTTPD

/// A response of libmicrohttpd's with its status, let go of when it goes out of scope.
struct Response: ~Copyable {
  private let status: UInt32
  private let handle: OpaquePointer

  /// What every response carries.
  ///
  /// The page runs nothing and loads nothing from elsewhere, is shown in no other page's frame, and
  /// shares no window, no resource and no address with other sites.
  private static let commonFields = [
    (
      "Content-Security-Policy",
      "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  private init?(status: Int, handle: OpaquePointer?, fields: [(String, String)]) {
    guard let handle else { return nil }
    self.status = UInt32(status)
    self.handle = handle
    for (name, value) in Self.commonFields + fields {
      MHD_add_response_header(handle, name, value)
    }
  }

  /// An answer in JSON, or a file to be saved; kept by nobody.
  init?(_ reply: Reply, allow: [String] = []) {
    var fields = [("Content-Type", reply.type), ("Cache-Control", "no-store")]
    if let name = reply.fileName {
      fields.append(("Content-Disposition", "attachment; filename=\"\(name)\""))
    }
    if !allow.isEmpty { fields.append(("Allow", allow.joined(separator: ", "))) }
    let handle = reply.body.withUnsafeBytes { bytes in
      tabletalk_copied_response(bytes.baseAddress, bytes.count)
    }
    self.init(status: reply.status, handle: handle, fields: fields)
  }

  /// A file of the page, or only its tag where the client has it.
  init?(_ asset: Asset, isKnown: Bool, compressed: [UInt8]?) {
    var fields = [
      ("Content-Type", asset.type), ("Cache-Control", "no-cache"), ("ETag", asset.tag),
      ("Vary", "Accept-Encoding"),
    ]
    guard let compressed, !isKnown else {
      let handle = tabletalk_constant_response(
        asset.bytes.baseAddress, isKnown ? 0 : asset.bytes.count)
      self.init(status: isKnown ? 304 : 200, handle: handle, fields: fields)
      return
    }
    fields.append(("Content-Encoding", "gzip"))
    let handle = compressed.withUnsafeBytes { bytes in
      tabletalk_copied_response(bytes.baseAddress, bytes.count)
    }
    self.init(status: 200, handle: handle, fields: fields)
  }

  /// A stream of events.
  init?(_ stream: EventStream) {
    self.init(
      status: 200, handle: stream.response(),
      fields: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")])
  }

  deinit { MHD_destroy_response(handle) }

  /// Hands the response to a connection, which keeps it as long as it needs it.
  func queue(on connection: OpaquePointer) -> MHD_Result {
    MHD_queue_response(connection, status, handle)
  }
}
