package import Discovery

extension IPAddress {
  /// 255.255.255.255, everybody on the network of one interface.
  package static let limitedBroadcast = IPAddress.v4(.max)
  /// 127.255.255.255, every socket on this host that listens on the port.
  package static let loopbackBroadcast = IPAddress.v4(0x7fff_ffff)
}
