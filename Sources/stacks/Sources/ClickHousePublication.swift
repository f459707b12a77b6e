internal import Catalog
internal import ConnectorProtocol
internal import Library
internal import Storage

/// The output of books to ClickHouse, which is loaded at the end.
final class ClickHousePublication: BookOutput {
    let isWrittenForNoMatch = false
    private let target: PublishTarget
    private let publication: ServerPublication

    /// Creates the output to `target`.
    init(to target: PublishTarget, _ publication: ServerPublication) {
        (self.target, self.publication) = (target, publication)
    }

    func write(_ text: inout [UInt8]) -> Int32? {
        defer { text.removeAll(keepingCapacity: true) }
        do throws(FileError) {
            try publication.append(text)
            return nil
        } catch {
            printError(Message.outputFailed.text(abbreviatedPath(error.path), error.cause))
            return ExitStatus.inputOutput
        }
    }

    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 {
        do throws(CommandError) {
            // An incomplete catalog must not replace a complete one.
            guard isWhole else {
                throw CommandError(
                    sentence: Message.exportNeedsWholeCatalog.text(target.shownName), exitStatus: ExitStatus.badData)
            }
            return PlainList.write(try publish(count))
        } catch {
            return error.report()
        }
    }

    private func publish(_ count: Int) throws(CommandError) -> String {
        let publication = Publication(
            to: target.name.path, as: .clickHouse, from: publication.rowsPath, rows: count,
            isDryRun: target.isDryRun)
        let outcome = try self.publication.send(publication, to: target.name)
        let books = count.of("book")
        if target.isDryRun, outcome.counted == nil {
            let statements = outcome.statements.map { $0 + ";\n" }.joined()
            return statements + Message.wouldLoad.text(books, target.shownName) + ".\n"
        }
        if outcome.counted != count {
            throw CommandError(
                sentence: Message.publishCountDiffers.text(
                    books, target.shownName, outcome.counted?.grouped ?? "none"),
                exitStatus: ExitStatus.serverRefused)
        }
        let message: Message = outcome.sent == 0 ? .publishedAlready : .published
        return
            (message == .published
            ? message.text(books, target.shownName) : message.text(target.shownName, books)) + ".\n"
    }
}
