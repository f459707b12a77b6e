internal import Catalog
internal import ConnectorProtocol
internal import Graphemes
internal import JSON
internal import Library
internal import Storage

/// Changes of a library on calibre's content server, which are sent together.
final class ServerChanges {
    /// A change that the server did not take.
    struct Refusal {
        /// The title of the book.
        var title: String
        /// Why it was not taken.
        var row: RefusedRow

        /// Whether the server has other values than those that the change was made of.
        var isOfOthers: Bool { row.reason == .changed || row.reason == .gone }
    }

    private let publication: ServerPublication
    private let copy: TargetCopy
    /// The titles of the books, in the order of the rows.
    private var titles: [String] = []

    /// The number of refusals that are said.
    private static let saidCount = 10

    /// Collects changes of the library of which `copy` is the copy.
    init(_ publication: ServerPublication, of copy: TargetCopy) { (self.publication, self.copy) = (publication, copy) }

    /// The number of changes.
    var count: Int { titles.count }

    /// Adds a change of a record; a new one has no `old`, one that is deleted no `new`.
    ///
    /// - Throws: `CommandError` if it cannot be written.
    func add(old: JSONValue?, new: JSONValue?, title: String) throws(CommandError) {
        var writer = ObjectWriter()
        writer.add("old", old)
        writer.add("new", new)
        titles.append(title.isEmpty ? "(no title)" : title.sanitized)
        do throws(FileError) {
            try publication.append(writer.ended() + [UInt8(ascii: "\n")])
        } catch {
            throw CommandError(
                sentence: Message.outputFailed.text(abbreviatedPath(error.path), error.cause),
                exitStatus: ExitStatus.inputOutput)
        }
    }

    /// Sends the changes.
    ///
    /// - Parameters:
    ///   - isDryRun: Whether they are only compared with what the server has.
    ///   - omitsMisfits: Whether values without a place on the server are left out.
    /// - Returns: The number of changes that were needed, and those that the server did not take.
    /// - Throws: `CommandError` if the server cannot be reached or refuses, or has not what it was sent.
    func send(isDryRun: Bool, omittingMisfits omitsMisfits: Bool) throws(CommandError) -> (sent: Int, [Refusal]) {
        let publication = Publication(
            to: copy.name.path, as: .calibre, from: publication.rowsPath, rows: count, isDryRun: isDryRun,
            omitsMisfits: omitsMisfits)
        let outcome: ServerPublication.Outcome
        do throws(CommandError) {
            outcome = try self.publication.send(publication, to: copy.name)
        } catch {
            say(refusals(self.publication.refused))
            throw error
        }
        if !isDryRun, let counted = outcome.counted, counted != outcome.sent {
            throw CommandError(
                sentence: Message.publishCountDiffers.text(
                    outcome.sent.of("change"), copy.name.path, counted.grouped),
                exitStatus: ExitStatus.serverRefused)
        }
        return (outcome.sent, refusals(outcome.refused))
    }

    private func refusals(_ rows: [RefusedRow]) -> [Refusal] {
        rows.map { Refusal(title: titles.indices.contains($0.row - 1) ? titles[$0.row - 1] : "", row: $0) }
    }

    /// Says which changes the server did not take, and why.
    func say(_ refusals: [Refusal]) {
        for refusal in refusals.prefix(Self.saidCount) {
            printError(refusal.row.sentence(of: refusal.title))
        }
        let more = refusals.count - Self.saidCount
        if more > 0 { printError(Message.publishRefusedMore.text(more.of("more book"))) }
    }
}

extension [ServerChanges.Refusal] {
    /// The exit status of a command whose changes were not all taken; 0 if they were.
    var exitStatus: Int32 {
        if contains(where: \.isOfOthers) { return ExitStatus.changed }
        if contains(where: { $0.row.reason == .server }) { return ExitStatus.serverRefused }
        return isEmpty ? 0 : ExitStatus.badData
    }
}
