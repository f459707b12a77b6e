internal import Catalog
internal import ConnectorProtocol
internal import Library
internal import Storage

/// The output of books to a file on a server, which is uploaded at the end.
final class FilePublication: BookOutput {
    let isWrittenForNoMatch = false
    private let target: PublishTarget
    private let copy: TargetCopy
    private let publication: ServerPublication
    private var preview = PublishedTitles()

    /// Creates the output to `target`; `copy` is its copy.
    init(to target: PublishTarget, _ copy: TargetCopy, _ publication: ServerPublication) throws(CommandError) {
        (self.target, self.copy, self.publication) = (target, copy, publication)
    }

    func write(_ text: inout [UInt8]) -> Int32? {
        defer { text.removeAll(keepingCapacity: true) }
        preview.take(text)
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
            return PlainList.write(try publish(count) + ".\n")
        } catch {
            return error.report()
        }
    }

    private func publish(_ count: Int) throws(CommandError) -> String {
        let publication = Publication(
            to: target.name.path, as: .file, from: publication.rowsPath, rows: count,
            known: copy.directory.state?.version, isDryRun: target.isDryRun, isForced: target.isForced)
        let outcome = try self.publication.send(publication, to: target.name)
        if outcome.sent == 0, count > 0 {
            return Message.publishedAlready.text(target.shownName, count.of("book"))
        }
        if target.isDryRun {
            return Message.wouldPublish.text(count.of("book"), target.shownName, preview.description)
        }
        // The file is downloaded again to count its books as readers get them.
        let counted = try copy.bringUpToDate().rows
        if counted != count {
            throw CommandError(
                sentence: Message.publishCountDiffers.text(count.of("book"), target.shownName, counted.grouped),
                exitStatus: ExitStatus.serverRefused)
        }
        return Message.published.text(count.of("book"), target.shownName)
    }
}

/// The output of books to a database, which is written at the end.
final class DatabasePublication: BookOutput {
    let isWrittenForNoMatch = false
    private let target: PublishTarget
    private let database: ConnectedOutput

    /// Creates the output to `target` through `database`.
    init(to target: PublishTarget, by database: ConnectedOutput) { (self.target, self.database) = (target, database) }

    func write(_ text: inout [UInt8]) -> Int32? { database.write(&text) }

    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 {
        let code = database.complete(bookCount: count, ofWholeCatalog: isWhole)
        if code != 0 { return code }
        return PlainList.write(Message.published.text(count.of("book"), target.shownName) + ".\n")
    }
}

/// The output of a dry run for a database.
final class DatabasePreview: BookOutput {
    let isWrittenForNoMatch = false
    private let target: PublishTarget
    private var titles = PublishedTitles()

    /// Creates the output for `target`.
    init(of target: PublishTarget) { self.target = target }

    func write(_ text: inout [UInt8]) -> Int32? {
        titles.take(text)
        text.removeAll(keepingCapacity: true)
        return nil
    }

    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 {
        PlainList.write(Message.wouldPublish.text(count.of("book"), target.shownName, titles.description) + ".\n")
    }
}
