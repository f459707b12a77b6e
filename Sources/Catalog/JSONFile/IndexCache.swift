internal import CText
internal import Glibc
internal import Indexing
internal import JSON
internal import Storage

/// The cache of indexes, which saves reading catalogs again.
///
/// An index that does not belong to the current state of the file, or has another format version, is discarded
/// silently. Its file consists of a header of 64-bit numbers, with the path of the catalog and the layouts of the
/// segments, and the segments, aligned to 8 bytes.
public struct IndexCache: Sendable {
    private let directory: CacheDirectory

    /// The minimum catalog size in bytes; smaller catalogs are read as fast as their index.
    public static let minimumSize = 1 << 20
    /// "stacks" in ASCII, followed by the format version.
    private static let signature: UInt64 = 0x7374_6163_6B73_000D

    /// Creates a cache in the directory at `path`.
    public init(directory path: String) {
        directory = CacheDirectory(path: path)
    }

    /// The contents of a cached index, for a catalog that was read completely.
    struct Content<Segment: StorableSegment & Sendable>: Sendable {
        var format: CatalogFormat.Key
        var segments: [Segment]
        var problems: RecordProblems
        var positions: ProblemPositions
        /// The cached file that contains segments; nil if none does.
        var mapped: MappedFile?
    }

    /// Returns the index of `file`, or nil if the cache has none that is up to date.
    func index(of file: RandomAccessInput) -> Content<IndexSegment>? {
        // The file is examined only if there is an index to compare it with.
        guard let entry = CatalogFile(of: file), let mapped = directory.file(entry.name),
            let key = Key(of: file, at: entry)
        else { return nil }
        var head = HeadReader(mapped.bytes)
        guard head.next() == Self.signature, key.numbers.allSatisfy({ head.next() == $0 }),
            head.nextText() == entry.path, let format = head.nextFormat(), let problems = head.nextProblems(),
            let count = head.nextInteger()
        else { return nil }
        // The segments are not touched here, because each would cost a page fault and ten million books have thousands
        // of them.
        guard let layouts = head.nextBytes(count: count.multipliedReportingOverflow(by: 32)) else { return nil }
        var segments: [IndexSegment] = []
        segments.reserveCapacity(count)
        var table = HeadReader(layouts)
        for _ in 0..<count {
            guard let books = table.nextInteger(), let base = table.next(), let columns = table.next(),
                let size = table.nextInteger(), let memory = head.nextBytes(count: size),
                let segment = IndexSegment(
                    checking: memory,
                    layout: .init(count: books, base: base, columns: IndexSegment.Columns(rawValue: columns)),
                    owner: mapped)
            else { return nil }
            segments.append(segment)
        }
        return head.isAtEnd
            ? Content(
                format: format, segments: segments, problems: problems.problems, positions: problems.positions,
                mapped: mapped)
            : nil
    }

    /// Deletes the index of `file`.
    func delete(of file: RandomAccessInput) {
        if let entry = CatalogFile(of: file) { directory.delete(entry.name) }
    }

    /// Records that the index of `file` was used.
    func touch(_ file: RandomAccessInput) {
        if let entry = CatalogFile(of: file) { directory.touch(entry.name) }
    }

    /// Stores the index of `file`, unless the file has changed since it was opened with `fingerprint`. Errors are
    /// ignored.
    func keep(
        _ content: Content<some StorableSegment>, of file: RandomAccessInput, fingerprint: RandomAccessInput.Fingerprint
    ) {
        guard let entry = CatalogFile(of: file), entry.fingerprint == fingerprint, let key = Key(of: file, at: entry)
        else {
            return
        }
        var head = HeadWriter()
        head.add(Self.signature)
        key.numbers.forEach { head.add($0) }
        head.add(entry.path)
        head.add(content.format)
        head.add(content.problems, content.positions)
        head.add(UInt64(content.segments.count))
        for segment in content.segments {
            head.add(UInt64(segment.layout.count))
            head.add(segment.layout.base)
            head.add(segment.layout.columns.rawValue)
            head.add(UInt64(segment.byteCount))
        }
        // An index that cannot be stored is computed again next time.
        try? directory.write(entry.name) { write throws(FileError) in
            try Self.write(head.numbers, write)
            for segment in content.segments {
                try segment.withMemory(write)
                try Self.write([UInt8](repeating: 0, count: -segment.byteCount & 7), write)
            }
            // What was written may be zeros.
            if content.mapped?.isDamaged == true {
                throw FileError(path: directory.path, operation: .read, code: EIO)
            }
        }
    }

    private static func write<Number>(
        _ numbers: [Number], _ write: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) {
        let result = numbers.withUnsafeBytes { bytes in Result { () throws(FileError) in try write(bytes) } }
        try result.get()
    }
}

/// Files beside the index.
extension IndexCache {
    /// What identifies a catalog file in the cache.
    struct Identity: Sendable {
        /// The start of the names of its files.
        let name: String
        /// The absolute path of the catalog, and the numbers that must be unchanged for its files to be valid, those of the
        /// format among them.
        let (path, numbers): (String, [UInt64])
    }

    /// Returns what identifies `file`; nil if it is too small, cannot be identified, or has another fingerprint than this.
    func identity(of file: RandomAccessInput, fingerprint: RandomAccessInput.Fingerprint? = nil) -> Identity? {
        guard let entry = CatalogFile(of: file), fingerprint == nil || entry.fingerprint == fingerprint,
            let key = Key(of: file, at: entry)
        else { return nil }
        return Identity(
            name: String(entry.name.dropLast(".index".count)), path: entry.path,
            numbers: [Self.signature] + key.numbers)
    }

    /// The directory of the files.
    var files: CacheDirectory { directory }
}

/// The identification of a catalog file in the cache.
private struct CatalogFile {
    /// The absolute path of the catalog.
    let path: String
    let fingerprint: RandomAccessInput.Fingerprint

    /// Fails if the file is too small or cannot be identified.
    init?(of file: RandomAccessInput) {
        guard let fingerprint = (try? file.fingerprint()) ?? file.fingerprintAtEnd,
            fingerprint.size >= IndexCache.minimumSize, let path = resolvedPath(file.path)
        else { return nil }
        self.path = path
        self.fingerprint = fingerprint
    }

    /// The file name of the index.
    var name: String {
        var path = path
        return path.withUTF8 { cs_hash($0.baseAddress, $0.count) }.hexadecimal + ".index"
    }
}

/// The properties of a catalog file that must be unchanged for its index to be valid.
private struct Key {
    /// The fingerprint and a checksum of samples.
    let numbers: [UInt64]

    /// The number of samples, and their size in bytes.
    private static let sampleCount = 16
    private static let sampleSize = 1 << 10

    /// Computes the key of `file`; fails if the file cannot be read.
    init?(of file: RandomAccessInput, at entry: CatalogFile) {
        let fingerprint = entry.fingerprint
        let samples = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.sampleCount * Self.sampleSize, alignment: 8)
        defer { samples.deallocate() }
        var count = 0
        for index in 0..<Self.sampleCount {
            let offset = (fingerprint.size - Self.sampleSize) / (Self.sampleCount - 1) * index
            let room = UnsafeMutableRawBufferPointer(rebasing: samples[count..<count + Self.sampleSize])
            guard let read = try? file.read(into: room, at: offset) else { return nil }
            count += read
        }
        numbers = [
            UInt64(fingerprint.size), UInt64(bitPattern: Int64(fingerprint.modified)), fingerprint.inode,
            fingerprint.device, cs_hash(samples.baseAddress, count),
        ]
    }
}

/// Builds the header of an index file.
private struct HeadWriter {
    private(set) var numbers: [UInt64] = []

    mutating func add(_ number: UInt64) { numbers.append(number) }

    mutating func add(_ text: String) {
        let bytes = Array(text.utf8)
        add(UInt64(bytes.count))
        for start in stride(from: 0, to: bytes.count, by: 8) {
            add(bytes[start..<min(start + 8, bytes.count)].enumerated().reduce(0) { $0 | UInt64($1.1) << (8 * $1.0) })
        }
    }

    mutating func add(_ format: CatalogFormat.Key) {
        add(format.profile)
        add(format.fingerprint)
        add(format.recordPaths)
        add(format.isDetected ? 1 : 0)
        add(format.namedKeys)
        add(format.foundFields)
    }

    mutating func add(_ problems: RecordProblems, _ positions: ProblemPositions) {
        add(UInt64(problems.omissionCount))
        add(problems.hasFields ? 1 : 0)
        add(problems.hasMalformedLines ? 1 : 0)
        let omissions = Array(zip(problems.omissions, positions.omissions))
        add(UInt64(omissions.count))
        for (omission, position) in omissions { add(position, omission.offset, omission.reason) }
        add(positions.syntaxError, problems.syntaxError?.offset, problems.syntaxError?.reason)
    }

    private mutating func add(_ position: TextPosition?, _ offset: Int?, _ reason: JSONSyntaxError.Reason?) {
        guard let position, let offset else {
            add(0)
            return
        }
        add(1)
        add(UInt64(offset))
        add(UInt64(reason?.code ?? 0))
        add(UInt64(position.line))
        add(UInt64(position.column))
        add(UInt64(position.byteOffset))
    }
}

/// Reads the header of an index file without trusting its contents.
private struct HeadReader {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(8)) }
        return rest.load(as: UInt64.self)
    }

    mutating func nextInteger() -> Int? { next().flatMap { Int(exactly: $0) } }

    /// Returns the next bytes, unless the computation of their count overflowed.
    mutating func nextBytes(count: (partialValue: Int, overflow: Bool)) -> UnsafeRawBufferPointer? {
        count.overflow ? nil : nextBytes(count: count.partialValue)
    }

    /// Returns the next bytes and skips the padding to a multiple of eight.
    mutating func nextBytes(count: Int) -> UnsafeRawBufferPointer? {
        let (padded, overflow) = count.addingReportingOverflow(-count & 7)
        guard count >= 0, !overflow, padded <= rest.count else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(padded)) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }

    mutating func nextText() -> String? {
        guard let count = nextInteger(), let bytes = nextBytes(count: count) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func nextFormat() -> CatalogFormat.Key? {
        guard let profile = nextText(), let fingerprint = next(), let recordPaths = nextText(),
            let isDetected = nextInteger(), let namedKeys = nextText(), let foundFields = nextText()
        else { return nil }
        return CatalogFormat.Key(
            profile: profile, fingerprint: fingerprint, recordPaths: recordPaths, isDetected: isDetected == 1,
            namedKeys: namedKeys, foundFields: foundFields)
    }

    mutating func nextProblems() -> (problems: RecordProblems, positions: ProblemPositions)? {
        var problems = RecordProblems()
        guard let omissionCount = nextInteger(), let hasFields = nextInteger(),
            let hasMalformedLines = nextInteger(), let count = nextInteger(), count <= 64
        else { return nil }
        var omitted: [TextPosition] = []
        for _ in 0..<count {
            guard let entry = nextPosition(), let entry else { return nil }
            problems.omissions.append(.init(offset: entry.offset, reason: entry.reason))
            omitted.append(entry.position)
        }
        guard let syntaxError = nextPosition() else { return nil }
        problems.omissionCount = omissionCount
        problems.hasFields = hasFields == 1
        problems.hasMalformedLines = hasMalformedLines == 1
        problems.syntaxError = syntaxError.flatMap { syntaxError in
            syntaxError.reason.map { JSONSyntaxError($0, at: syntaxError.offset) }
        }
        return (problems, ProblemPositions(omissions: omitted, syntaxError: syntaxError?.position))
    }

    private mutating func nextPosition() -> (offset: Int, reason: JSONSyntaxError.Reason?, position: TextPosition)?? {
        guard let isThere = nextInteger() else { return nil }
        if isThere == 0 { return .some(nil) }
        guard let offset = nextInteger(), let code = nextInteger(), let line = nextInteger(),
            let column = nextInteger(),
            let byteOffset = nextInteger()
        else { return nil }
        return (
            offset, JSONSyntaxError.Reason(code: code), TextPosition(line: line, column: column, byteOffset: byteOffset)
        )
    }
}

extension JSONSyntaxError.Reason {
    private static let all: [JSONSyntaxError.Reason] = [
        .unexpectedEnd, .unexpectedCharacter, .malformedNumber, .controlCharacterInString, .malformedEscape, .tooDeep,
        .trailingContent,
    ]

    /// The code of this reason in an index file, from 1.
    fileprivate var code: Int { (Self.all.firstIndex(of: self) ?? -1) + 1 }

    /// Creates the reason with this code; fails for 0, which means none.
    fileprivate init?(code: Int) {
        guard Self.all.indices.contains(code - 1) else { return nil }
        self = Self.all[code - 1]
    }
}
