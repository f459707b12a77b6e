internal import CText
internal import Glibc
internal import JSON
internal import Storage
internal import Synchronization
internal import Threading

/// Divides the text of a catalog into chunks and has any number of threads parse them.
///
/// The end of a record can be found many times faster than its grammar can be validated. Therefore one thread after
/// another cuts the next chunk, and then they parse in parallel, even if the text has no lines. Chunks are handed out
/// in file order, but their results may arrive in any order.
final class ChunkScheduler: Sendable {
    /// The initial size of a chunk in bytes; it grows if a record is longer.
    static let standardChunkSize = 1 << 20

    private let file: RandomAccessInput
    private let layout: CatalogLayout
    private let next: Locked<Chunk>
    /// Whether no more chunks are handed out. Not part of `next`, which is locked while a slow disk or a pipe is read.
    private let isStopped = Atomic(false)

    /// Creates a scheduler for `file`, which has this layout.
    init(_ file: RandomAccessInput, _ layout: CatalogLayout) {
        self.file = file
        self.layout = layout
        next = Locked(Chunk(number: 0, offset: layout.offset))
    }

    /// The buffer and parser of one thread.
    struct Worker: ~Copyable {
        fileprivate var buffer: TextBuffer
        fileprivate var reader: ChunkParser

        /// Creates a worker for `scanner`.
        init(for scanner: ChunkScheduler) {
            buffer = TextBuffer()
            reader = ChunkParser(scanner.layout)
        }
    }

    /// Stops handing out chunks.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Reads and parses the next chunk of about `size` bytes.
    ///
    /// - Parameter recordLimit: The number of records after which the chunk may end.
    /// - Returns: nil if no chunk is left.
    func scanNext(
        with worker: inout Worker, size: Int = standardChunkSize, recordLimit: Int = .max
    ) -> ChunkContent? {
        var taken: Chunk?
        do throws(FileError) {
            taken = try takeWindow(size: size, recordLimit, with: &worker)
            guard var window = taken else { return nil }
            var content = worker.reader.read(window, of: worker.buffer.text)
            // The chunk did not end at the end of a record according to the grammar, so the syntax error is further on.
            while let syntaxError = content.problems.syntaxError, syntaxError.offset >= window.offset + window.count,
                !window.isLast
            {
                window.isLast = try !worker.buffer.extend(&window, by: window.count, of: file)
                window.end = window.count
                content = worker.reader.read(window, of: worker.buffer.text)
            }
            if content.isLast { stop() }
            return content
        } catch {
            stop()
            let failed = taken ?? next.withLock { $0 }
            var problems = RecordProblems()
            problems.failure = .init(offset: failed.offset, code: error.code)
            return ChunkContent(
                number: failed.number, segments: [], problems: problems, end: failed.offset, isLast: true)
        }
    }

    private func takeWindow(
        size: Int, _ recordLimit: Int, with worker: inout Worker
    ) throws(FileError) -> Chunk? {
        try next.withLock { next throws(FileError) in try cut(&next, size: size, recordLimit, with: &worker) }
    }

    /// Reads the next chunk and advances `next`.
    private func cut(
        _ next: inout Chunk, size: Int, _ recordLimit: Int, with worker: inout Worker
    ) throws(FileError) -> Chunk? {
        if next.isLast || isStopped.load(ordering: .relaxed) { return nil }
        var window = next
        while true {
            let hasMore = try worker.buffer.extend(&window, by: max(size, window.count), of: file)
            window.isLast = !hasMore
            window.end = hasMore ? end(of: window, recordLimit, of: worker.buffer.text) : window.count
            if !hasMore || window.end > 0 { break }
            // No record ends here: it is a long one, the text after the last one, or malformed.
            if window.count >= Self.standardChunkSize {
                var probe = window
                probe.end = window.count
                let syntaxError = worker.reader.read(probe, of: worker.buffer.text).problems.syntaxError
                if let syntaxError, syntaxError.offset < window.offset + window.count {
                    window.end = window.count
                    break
                }
            }
        }
        next = Chunk(number: window.number + 1, offset: window.offset + window.end, isLast: window.isLast)
        return window
    }

    /// Returns the end of the last record in a chunk, or of a record after the first `limit`, judged without the
    /// grammar; 0 if no record ends in it.
    private func end(of window: Chunk, _ limit: Int, of text: UnsafeMutablePointer<UInt8>) -> Int {
        switch layout.shape {
        case .lines:
            let bytes = UnsafeBufferPointer(start: text, count: window.count)
            if limit == .max { return bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0 }
            var end = 0
            for _ in 0..<limit {
                guard let newline = bytes[end...].firstIndex(of: 0x0A) else { break }
                end = newline + 1
            }
            return end
        case .document: return 0
        case .array, .members:
            var scan = element_scan()
            // The first bracket is that of the enclosing array or object.
            var start = window.number == 0 ? 1 : 0
            var end = 0
            // The last record that began may not have ended.
            while start < window.count, scan.depth >= 0, scan.count - min(1, Int(scan.depth)) < limit {
                let length = limit == .max ? window.count - start : min(Self.stepSize, window.count - start)
                scan.last_end = 0
                element_scan_run(&scan, text + start, length, nil, 0)
                if scan.last_end > 0 { end = start + scan.last_end }
                start += length
            }
            return end
        }
    }

    /// The number of bytes to scan between checks of the record limit.
    private static let stepSize = 1 << 10
}

/// The bytes of a chunk, with the padding that a `JSONReader` needs.
struct TextBuffer: ~Copyable {
    private(set) var text: UnsafeMutablePointer<UInt8>
    private var capacity: Int

    init() {
        capacity = 1 << 16
        text = Self.allocate(capacity)
    }

    deinit { text.deallocate() }

    /// Reads `additional` more bytes of the chunk.
    ///
    /// - Returns: Whether the file may continue.
    mutating func extend(_ window: inout Chunk, by additional: Int, of file: RandomAccessInput) throws(FileError)
        -> Bool
    {
        let wanted = window.count + additional
        if wanted > capacity {
            let larger = Self.allocate(wanted)
            larger.update(from: text, count: window.count)
            text.deallocate()
            text = larger
            capacity = wanted
        }
        var count = 0
        repeat {
            let room = UnsafeMutableRawBufferPointer(start: text + window.count, count: wanted - window.count)
            count = try file.read(into: room, at: window.offset + window.count)
            window.count += count
            // A pipe delivers small amounts.
        } while file.isPipe && count > 0 && window.count < wanted && file.hasInput
        (text + window.count).update(repeating: 0, count: JSONReader.paddingCount)
        return file.isPipe ? count > 0 : window.count == wanted
    }

    /// Allocates page-aligned memory with padding, because at the usual offset of 16 bytes for large blocks, processors
    /// copy file pages at a quarter of the speed.
    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        let count = capacity + JSONReader.paddingCount
        return UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 4096)
            .bindMemory(to: UInt8.self, capacity: count)
    }
}
