internal import Catalog
internal import ConnectorProtocol
internal import Library
internal import Remote
internal import Storage
internal import Text

/// A target whose whole content is replaced by a catalog.
protocol CatalogTarget {
    /// Publishes the rows that were written.
    ///
    /// - Parameters:
    ///   - count: The number of rows.
    ///   - titles: The first titles of the books.
    /// - Returns: What to print, without the last full stop.
    func publish(
        _ rows: ServerPublication, count: Int, _ titles: PublishedTitles
    ) throws(CommandError) -> String
}

/// The output of books to a target on a server, which is replaced at the end.
final class CatalogPublication: BookOutput {
    let isWrittenForNoMatch = false
    private let name: String
    private let target: any CatalogTarget
    private let rows: ServerPublication
    private var titles = PublishedTitles()

    /// Creates the output to `target`, which messages call `name`.
    init(to target: any CatalogTarget, named name: String, _ rows: ServerPublication) {
        (self.target, self.name, self.rows) = (target, name, rows)
    }

    func write(_ text: inout [UInt8]) -> Int32? {
        defer { text.removeAll(keepingCapacity: true) }
        titles.take(text)
        do throws(FileError) {
            try rows.append(text)
            return nil
        } catch {
            printError(CommandMessage.outputFailed.text(abbreviatedPath(error.path), error.cause))
            return ExitStatus.inputOutput
        }
    }

    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 {
        do throws(CommandError) {
            // An incomplete catalog must not replace a complete one.
            guard isWhole else {
                throw CommandError(
                    sentence: Message.exportNeedsWholeCatalog.text(name), exitStatus: ExitStatus.badData)
            }
            return PlainList.write(try target.publish(rows, count: count, titles) + ".\n")
        } catch {
            return error.report()
        }
    }
}
