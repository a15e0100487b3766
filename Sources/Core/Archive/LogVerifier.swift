import CBOR
import Consensus
import Table
package import Wire

/// Judges a file that says it is a table's log.
///
/// Every signature, certificate, epoch and rule is checked from the genesis on, the game is
/// replayed, and every state that the log names is compared. It believes nothing that is not signed.
package enum LogVerifier {
  /// Says what a file proves; throws its first fault.
  ///
  /// The time it takes grows with the signatures that hold, about 60 us each; the first that does
  /// not ends it.
  package static func verify(
    _ bytes: [UInt8], checker: some SignatureChecking
  ) throws(LogFault) -> LogProof {
    var rows = CBORSequence(bytes)
    let genesis = try genesis(&rows, checker)
    var audit = Audit(
      founding: genesis.founding,
      app: Table(genesis))
    var tally = LogTally()
    var lies: [(Verified<Vote>, Verified<Vote>)] = []
    while true {
      switch try next(&rows, tally.rows + 2) {
      case .block(let row):
        guard lies.isEmpty else { throw .outOfOrder }
        try take(row, into: &audit, checker)
        tally.count(row.block)
      case .recovery(let recovery):
        guard lies.isEmpty else { throw .outOfOrder }
        let verified: Verified<Recovery>
        do throws(WireError) {
          verified = try recovery.verified(by: checker)
        } catch { throw LogFault(error, at: recovery.height) }
        do throws(AuditFault) { try audit.take(verified) } catch { throw LogFault(error) }
        tally.rows += 1
      case .lie(let left, let right):
        guard lies.count < Limits.voters, let left = try? left.verified(by: checker),
          let right = try? right.verified(by: checker)
        else { throw .evidenceProvesNothing }
        lies.append((left, right))
        tally.rows += 1
      case .end(let end):
        guard rows.offset == bytes.count else { throw .moreAfterEnd }
        do throws(AuditFault) { try audit.finish() } catch { throw LogFault(error) }
        guard lies.allSatisfy(audit.proves) else { throw .evidenceProvesNothing }
        guard end.rows == UInt64(tally.rows), end.height == audit.height, end.tip == audit.tip,
          end.state == audit.app.stateHash
        else { throw .otherEnd }
        let liars = audit.lies.map(\.culprit) + lies.map(\.0.body.voter)
        return LogProof(audit, tally, liars: liars)
      }
    }
  }

  private static func genesis(
    _ rows: inout CBORSequence, _ checker: some SignatureChecking
  ) throws(LogFault) -> Genesis {
    guard let first = try? rows.next(), let parts = try? first.array("log", exactly: 2),
      let format = try? parts[0].text("log", maximum: 64), format.hasPrefix("tabletalk/"),
      format.hasSuffix(" log")
    else { throw .notALog }
    guard format == GameLog.format else { throw .otherVersion }
    let genesis: Genesis
    do throws(DecodeError) {
      genesis = try Genesis(decoding: parts[1].bytes("genesis"))
    } catch { throw LogFault(error, row: 1) }
    guard (try? genesis.verified(by: checker)) != nil else { throw .genesisSignature }
    return genesis
  }

  private static func next(
    _ rows: inout CBORSequence, _ number: Int
  ) throws(LogFault) -> GameLog.Row {
    let row: GameLog.Row?
    do throws(DecodeError) {
      row = try rows.next().map { item throws(DecodeError) in try GameLog.Row(item) }
    } catch { throw LogFault(error, row: number) }
    guard let row else { throw .cutShort }
    return row
  }

  private static func take(
    _ row: ProvenBlock, into audit: inout Audit<Table>, _ checker: some SignatureChecking
  ) throws(LogFault) {
    let verified: Verified<ProvenBlock>
    do throws(WireError) {
      verified = try row.verified(by: checker)
    } catch { throw LogFault(error, at: row.block.height) }
    do throws(AuditFault) { try audit.take(verified) } catch { throw LogFault(error) }
  }
}
