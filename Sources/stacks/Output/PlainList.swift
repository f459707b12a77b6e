internal import Books
internal import Catalog
internal import Formats
internal import Glibc
internal import Graphemes
internal import Indexing
internal import Library
internal import Storage
internal import Text

/// Prints books as plain lines for programs: title, a tab, authors.
enum PlainList {
    /// Writes the books of `catalog` to standard output.
    ///
    /// - Returns: The exit status; a closed pipe is not an error.
    static func print(_ catalog: JSONFileCatalog) -> Int32 {
        let form = Formatter()
        var buffer: [UInt8] = []
        var index = 0
        // On a terminal, the books themselves show the progress.
        var progress = ProgressLine("writing", isShown: isatty(STDOUT_FILENO) == 0)
        defer { progress.clear() }
        while index < catalog.index.count || catalog.readMore() {
            // The loaded part may contain no book.
            if index >= catalog.index.count { continue }
            guard let summary = catalog.summary(of: BookID(index)).value else {
                _ = write(&buffer)
                printError(CommandMessage.changedWhileReading.text(catalog.name))
                return ExitStatus.changed
            }
            form.append(PrintedBook(book: Book(summary)), to: &buffer)
            index += 1
            if index.isMultiple(of: 1024) { progress.show(index, fraction: catalog.fractionRead) }
            if buffer.count >= pieceSize, let code = write(&buffer) { return code }
        }
        return write(&buffer) ?? 0
    }

    /// The formatter of these lines.
    struct Formatter: BookFormatter {
        var needsWholeBooks: Bool { false }
        var needsIdentities: Bool { false }

        func append(_ printed: PrintedBook, to text: inout [UInt8]) {
            text += printed.book.title.sanitized.utf8
            text.append(UInt8(ascii: "\t"))
            text += printed.book.authors.listed.sanitized.utf8
            text.append(UInt8(ascii: "\n"))
        }
    }

    /// The approximate number of bytes per write to standard output.
    static let pieceSize = 1 << 16

    /// Writes `text` to standard output.
    ///
    /// - Returns: The exit status.
    static func write(_ text: String) -> Int32 {
        var buffer = Array(text.utf8)
        return write(&buffer) ?? 0
    }

    /// Writes all of `buffer` to standard output and empties it.
    ///
    /// - Returns: The exit status if the output has ended, otherwise nil.
    static func write(_ buffer: inout [UInt8]) -> Int32? {
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EPIPE {
                return 0
            } else if errno != EINTR {
                let error = FileError(path: "standard output", operation: .write, code: errno)
                printError(CommandMessage.outputFailed.text(error.path, error.cause))
                return ExitStatus.inputOutput
            }
        }
        buffer.removeAll(keepingCapacity: true)
        return nil
    }
}
