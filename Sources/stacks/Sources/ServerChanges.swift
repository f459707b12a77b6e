internal import Catalog
internal import ConnectorProtocol
internal import Editing
internal import Graphemes
internal import Library
internal import Remote
internal import Storage
internal import Text

/// Collects changes of a library on calibre's content server and sends them together.
final class ServerChanges {
    private let publication: ServerPublication
    private let copy: TargetDownload
    /// The titles of the books, in row order.
    private var titles: [String] = []

    /// Creates an empty collection of changes; `copy` is the copy of the library.
    init(_ publication: ServerPublication, of copy: TargetDownload) {
        (self.publication, self.copy) = (publication, copy)
    }

    /// The number of changes.
    var count: Int { titles.count }

    /// Adds a change of the book with this title.
    ///
    /// - Throws: `CommandError` if it cannot be written.
    func add(_ change: ServerChange, title: String) throws(CommandError) {
        titles.append(title.isEmpty ? "(no title)" : title.sanitized)
        do throws(FileError) {
            try publication.append(change.row)
        } catch {
            throw CommandError(
                sentence: CommandMessage.outputFailed.text(abbreviatedPath(error.path), error.cause),
                exitStatus: ExitStatus.inputOutput)
        }
    }

    /// Sends the changes.
    ///
    /// - Parameters:
    ///   - isDryRun: Whether to compare the changes with the server only, without sending them.
    ///   - omitsUnsupported: Whether to omit values that the server cannot store.
    /// - Returns: The number of necessary changes, and the changes that the server refused.
    /// - Throws: `CommandError` if the server cannot be reached or refuses the request, or if books are missing on it
    ///   afterwards.
    func send(
        isDryRun: Bool, omittingUnsupported omitsUnsupported: Bool
    ) throws(CommandError) -> (sent: Int, [ServerRefusal]) {
        let publication = Publication(
            to: copy.name.path, as: .calibre, from: publication.rowsPath, rows: count, isDryRun: isDryRun,
            omitsUnsupported: omitsUnsupported)
        let outcome: ServerPublication.Outcome
        do throws(CommandError) {
            outcome = try self.publication.send(publication, to: copy.name)
        } catch {
            refusals(self.publication.refused).report()
            throw error
        }
        if !isDryRun, let counted = outcome.counted, counted != outcome.sent {
            throw CommandError(
                sentence: CommandMessage.publishCountDiffers.text(
                    outcome.sent.of("change"), copy.name.path, counted.grouped),
                exitStatus: ExitStatus.serverRefused)
        }
        return (outcome.sent, refusals(outcome.refused))
    }

    private func refusals(_ rows: [RefusedRow]) -> [ServerRefusal] {
        rows.map { ServerRefusal(title: titles.indices.contains($0.row - 1) ? titles[$0.row - 1] : "", row: $0) }
    }
}

extension [ServerRefusal] {
    /// The maximum number of refusals to print.
    private static var maximumCount: Int { 10 }

    /// Prints the refusals with the reasons.
    func report() {
        for refusal in prefix(Self.maximumCount) { printError(refusal.row.sentence(of: refusal.title)) }
        let more = count - Self.maximumCount
        if more > 0 { printError(Message.publishRefusedMore.text(more.of("more book"))) }
    }
}
