internal import Catalog
internal import Glibc
internal import Library
internal import Remote
internal import Storage
internal import Text

/// The destination of the text of books.
protocol BookOutput: AnyObject {
    /// Writes `text` and empties it.
    ///
    /// - Returns: The exit status if nothing more can be written, otherwise nil.
    func write(_ text: inout [UInt8]) -> Int32?
    /// Completes the output after all books.
    ///
    /// - Parameters:
    ///   - count: The number of books.
    ///   - isWhole: Whether the catalog was read completely.
    /// - Returns: The exit status.
    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32
    /// Whether the output is written even if no book matches the query.
    var isWrittenForNoMatch: Bool { get }
}

/// Standard output, written immediately.
final class StandardOutput: BookOutput {
    let isWrittenForNoMatch = true

    func write(_ text: inout [UInt8]) -> Int32? { PlainList.write(&text) }
    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 { 0 }
}

/// A file that appears in its place only when it is complete.
final class FileOutput: BookOutput {
    let isWrittenForNoMatch = false
    private let path: String
    private let file: ReplacementFile

    /// Creates the output to the file at `path`.
    ///
    /// - Throws: `CommandError` if the file cannot be created.
    init(_ path: String) throws(CommandError) {
        if ReplacementFile.occupant(of: path) == .other {
            throw CommandError(
                sentence: CommandMessage.outputNotAFile.text(abbreviatedPath(path)), exitStatus: ExitStatus.cannotCreate
            )
        }
        self.path = path
        do throws(FileError) {
            file = try ReplacementFile(path: path)
        } catch {
            throw CommandError(
                sentence: CommandMessage.outputFailed.text(abbreviatedPath(path), error.cause),
                exitStatus: error.exitStatus(else: ExitStatus.cannotCreate))
        }
    }

    func write(_ text: inout [UInt8]) -> Int32? {
        let status = report { () throws(FileError) in try file.append(text) }
        text.removeAll(keepingCapacity: true)
        return status
    }

    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 {
        report { () throws(FileError) in try file.complete(overwriting: true) } ?? 0
    }

    /// Completes the output with the file that the connector made.
    ///
    /// - Returns: The exit status.
    func complete(with export: DatabaseExport) -> Int32 {
        report { () throws(FileError) in try export.complete(file, overwriting: true) } ?? 0
    }

    private func report(_ body: () throws(FileError) -> Void) -> Int32? {
        do throws(FileError) {
            try body()
            return nil
        } catch {
            printError(CommandMessage.outputFailed.text(abbreviatedPath(path), error.cause))
            return ExitStatus.inputOutput
        }
    }
}
