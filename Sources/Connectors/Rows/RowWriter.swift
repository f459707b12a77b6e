internal import CSystem
internal import ConnectorProtocol
internal import Glibc

/// Writes rows to a file as JSON Lines, and counts their defects.
final class RowWriter {
    /// The rows not yet written to the file.
    private var pending: [UInt8] = []
    private let descriptor: Int32
    private let limit: DiskLimit
    private let report: (CopyProgress) -> Void
    /// Returns whether the request was cancelled.
    let isCancelled: () -> Bool
    private var writtenBytes = 0
    private var lastReport: Int64 = 0
    private var defects: [SourceDefect.Kind: SourceDefect] = [:]
    private var flushSize = RowWriter.firstFlushSize
    /// The offset of the last line without a line end, if the text consists of lines.
    private var partialLineStart: Int?
    private var dropsPartialLine = false

    /// The number of rows.
    private(set) var count = 0
    /// The expected number of rows, if known.
    var total: Int?
    /// The numbers of the rows, from 0, whose places are wanted.
    var located: Set<Int> = []
    /// The place in the source of the next row, if known.
    var place: SourcePlace?
    /// The places of the rows that are wanted, as far as they are known.
    private(set) var places: [Int: SourcePlace] = [:]

    // The first rows should appear at once; later ones are written in larger parts.
    private static let firstFlushSize = 1 << 14
    private static let flushSize = 1 << 18
    /// The maximum length of a row; longer rows are skipped.
    static let rowLimit = 1 << 24
    /// The minimum time between progress reports, in milliseconds.
    private static let reportInterval: Int64 = 100

    /// Creates a file at `path`, or truncates the existing one.
    init(
        path: String, limit: DiskLimit = DiskLimit(), report: @escaping (CopyProgress) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws(ConnectorFailure) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(path) }
        self.limit = limit
        self.report = report
        self.isCancelled = isCancelled
        pending.reserveCapacity(Self.flushSize * 2)
    }

    deinit { close(descriptor) }

    /// Writes a row, whose JSON `body` appends without a line end.
    @inline(__always)
    func add(_ body: (inout [UInt8]) -> Void) throws(ConnectorFailure) {
        let start = pending.count
        body(&pending)
        if pending.count - start > Self.rowLimit {
            pending.removeSubrange(start...)
            note(.tooLarge, at: .record(count + 1))
            return
        }
        pending.append(UInt8(ascii: "\n"))
        if !located.isEmpty, located.contains(count) { places[count] = place }
        count += 1
        if pending.count >= flushSize { try flush() }
    }

    /// Writes text that already consists of `count` rows: one per line if `isLines`, otherwise in another layout.
    func add(text: [UInt8], count: Int, isLines: Bool) throws(ConnectorFailure) {
        let start = writtenBytes + pending.count
        pending += text
        self.count = count
        if isLines {
            if let last = pending.lastIndex(of: UInt8(ascii: "\n")), writtenBytes + last >= start {
                partialLineStart = writtenBytes + last + 1
            } else if partialLineStart == nil {
                partialLineStart = 0
            }
        }
        // Text may arrive slowly; available rows are shown.
        if pending.count >= flushSize || cs_now() - lastReport >= Self.reportInterval { try flush() }
    }

    /// Drops the incomplete line after the last line end.
    func dropPartialLine() { dropsPartialLine = true }

    /// Counts a defect of a row, or of several rows, the first of which is at `place`.
    func note(_ kind: SourceDefect.Kind, at place: SourcePlace? = nil, detail: String? = nil, count: Int = 1) {
        defects[kind, default: SourceDefect(kind, count: 0, first: place, detail: detail)].count += count
    }

    /// Uncounts the last defect of this kind, because it has another cause.
    func withdraw(_ kind: SourceDefect.Kind) {
        defects[kind]?.count -= 1
        if defects[kind]?.count == 0 { defects[kind] = nil }
    }

    /// Counts the lines of a text with bytes that are invalid in its encoding.
    func note(_ encodingErrors: (count: Int, first: Int)) {
        if encodingErrors.count > 0 { note(.encoding, at: .line(encodingErrors.first), count: encodingErrors.count) }
    }

    /// The defects in the order of their kinds.
    var notes: [SourceDefect] { SourceDefect.Kind.allCases.compactMap { defects[$0] } }

    /// The number of rows that are missing because of defects.
    var skippedCount: Int { defects.values.reduce(0) { $0 + ($1.isSkipped ? $1.count : 0) } }

    /// Throws the failure `cancelled` if the request was cancelled.
    func checkCancellation() throws(ConnectorFailure) {
        if isCancelled() { throw ConnectorFailure(.cancelled) }
    }

    /// Writes the pending rows to the file and reports the progress at intervals.
    func flush() throws(ConnectorFailure) {
        try checkCancellation()
        try limit.check(writtenBytes + pending.count, of: descriptor)
        let code = pending.withUnsafeBytes { bytes -> Int32 in
            var written = 0
            while written < bytes.count {
                let result = write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                if result < 0, errno != EINTR { return errno }
                if result > 0 { written += result }
            }
            return 0
        }
        guard code == 0 else { throw .cannotWrite(nil, code) }
        writtenBytes += pending.count
        pending.removeAll(keepingCapacity: true)
        flushSize = Self.flushSize
        let now = cs_now()
        guard now - lastReport >= Self.reportInterval else { return }
        lastReport = now
        report(CopyProgress(rows: count, total: total, bytes: min(writtenBytes, partialLineStart ?? .max)))
    }

    /// Writes the rest and waits until it is on disk.
    ///
    /// - Returns: The length of the file in bytes.
    func finish() throws(ConnectorFailure) -> Int {
        try flush()
        if dropsPartialLine, let partialLineStart, partialLineStart < writtenBytes {
            guard ftruncate(descriptor, off_t(partialLineStart)) == 0 else { throw .cannotWrite(nil) }
            writtenBytes = partialLineStart
        }
        guard fsync(descriptor) == 0 else { throw .cannotWrite(nil) }
        return writtenBytes
    }
}

extension ConnectorFailure {
    /// The failure to write a file, with the system's message for `code`.
    static func cannotWrite(_ path: String?, _ code: Int32 = errno) -> ConnectorFailure {
        ConnectorFailure(.helper, .cannotWrite, subject: path, detail: systemMessage(code))
    }

    /// The failure to open or read a file, with the reason for `code`.
    static func cannotRead(_ path: String, _ code: Int32 = errno) -> ConnectorFailure {
        switch code {
        // The user may read it, but not this program, which was confined to the file that another one has replaced.
        case EACCES where access(path, R_OK) == 0: ConnectorFailure(.busy, .replaced, subject: path)
        case ENOENT, ENOTDIR: ConnectorFailure(.offline, .missing, subject: path)
        case EACCES, EPERM: ConnectorFailure(.offline, .permission, subject: path)
        default: ConnectorFailure(.offline, subject: path, detail: systemMessage(code))
        }
    }

    private static func systemMessage(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
