internal import CSystem
internal import ConnectorProtocol
internal import Glibc

/// The export formats of the connector program.
enum ExportFormat: String, CaseIterable {
    case sqlite, marcxml, mods, ris, opds

    /// Makes a file from rows.
    ///
    /// - Parameters:
    ///   - rows: The file with the rows, as JSON Lines.
    ///   - path: The path of the new file.
    ///   - existing: The database to update, which the new file will replace; nil for a new file.
    ///   - report: Called with the progress.
    /// - Returns: The number of books.
    func make(
        from rows: String, to path: String, replacing existing: String?,
        reporting report: @escaping (CopyProgress) -> Void, isCancelled: @escaping () -> Bool
    ) throws(ConnectorFailure) -> Int {
        var progress = ExportProgress(report, isCancelled)
        var reader = try RowReader(rows)
        let writer: any BookWriter =
            switch self {
            case .sqlite: try LibraryWriter(path, replacing: existing, isCancelled: isCancelled)
            case .marcxml: try TextWriter(path, MARCXMLForm())
            case .mods: try TextWriter(path, MODSForm())
            case .ris: try TextWriter(path, RISForm())
            case .opds: try TextWriter(path, OPDSForm(now: time(nil), checksumOf: rows))
            }
        while let row = try reader.next() {
            try writer.add(ExportedBook(row: row))
            try progress.advance(rows: reader.count, bytes: reader.byteCount)
        }
        try writer.finish()
        return reader.count
    }
}

/// Writes books into a file.
protocol BookWriter: AnyObject {
    /// Writes a book.
    func add(_ book: ExportedBook) throws(ConnectorFailure)
    /// Completes the file.
    func finish() throws(ConnectorFailure)
}

/// A text format for books.
protocol BookForm {
    /// Appends the text before the first book.
    func begin(_ text: inout [UInt8])
    /// Appends a book.
    func append(_ book: ExportedBook, to text: inout [UInt8])
    /// Appends the text after the last book.
    func end(_ text: inout [UInt8])
}

/// Writes books as text, in large parts.
final class TextWriter: BookWriter {
    private let form: any BookForm
    private let path: String
    private let descriptor: Int32
    private var pending: [UInt8] = []

    private static let partSize = 1 << 16

    /// Creates a new file at `path`.
    init(_ path: String, _ form: any BookForm) throws(ConnectorFailure) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(path) }
        (self.path, self.form) = (path, form)
        form.begin(&pending)
    }

    deinit { close(descriptor) }

    func add(_ book: ExportedBook) throws(ConnectorFailure) {
        form.append(book, to: &pending)
        if pending.count >= Self.partSize { try flush() }
    }

    func finish() throws(ConnectorFailure) {
        form.end(&pending)
        try flush()
    }

    private func flush() throws(ConnectorFailure) {
        var written = 0
        while written < pending.count {
            let count = pending.withUnsafeBytes {
                write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count < 0, errno != EINTR { throw .cannotWrite(path) }
            if count > 0 { written += count }
        }
        pending.removeAll(keepingCapacity: true)
    }
}

/// Reports the progress of an export, and checks for cancellation.
private struct ExportProgress {
    private let report: (CopyProgress) -> Void
    private let isCancelled: () -> Bool
    private var lastReport: Int64 = 0

    /// The number of rows between time checks, and the minimum time between progress reports, in milliseconds.
    private static let stride = 64
    private static let reportInterval: Int64 = 100

    init(_ report: @escaping (CopyProgress) -> Void, _ isCancelled: @escaping () -> Bool) {
        (self.report, self.isCancelled) = (report, isCancelled)
    }

    mutating func advance(rows: Int, bytes: Int) throws(ConnectorFailure) {
        guard rows.isMultiple(of: Self.stride) else { return }
        if isCancelled() { throw ConnectorFailure(.cancelled) }
        let now = cs_now()
        guard now - lastReport >= Self.reportInterval else { return }
        lastReport = now
        report(CopyProgress(rows: rows, total: nil, bytes: bytes))
    }
}
