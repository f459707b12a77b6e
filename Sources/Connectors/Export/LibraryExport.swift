internal import CSystem
internal import ConnectorProtocol

/// An export of rows to a database with the schema of stacks.
struct LibraryExport {
    /// The kind of the export in messages.
    static let kind = "sqlite"

    /// The file with the rows, as JSON Lines.
    let rows: String
    /// The path of the new file.
    let path: String
    /// The database to update, which the new file will replace; nil for a new file.
    let existing: String?

    /// Makes the file.
    ///
    /// - Parameter report: Called with the progress.
    /// - Returns: The number of books.
    func run(
        reporting report: @escaping (CopyProgress) -> Void, isCancelled: @escaping () -> Bool
    ) throws(ConnectorFailure) -> Int {
        var progress = ExportProgress(report, isCancelled)
        var reader = try RowReader(rows)
        let writer = try LibraryWriter(path, replacing: existing, isCancelled: isCancelled)
        while let row = try reader.next() {
            try writer.add(ExportedBook(row: row))
            try progress.advance(rows: reader.count, bytes: reader.byteCount)
        }
        try writer.finish()
        return reader.count
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
