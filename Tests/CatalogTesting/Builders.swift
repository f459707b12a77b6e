import Foundation
internal import TestSupport
import Testing

@testable internal import Books
@testable internal import Catalog
@testable internal import Indexing
@testable package import JSON
@testable internal import Storage
@testable internal import Text
@testable internal import Threading

extension Book {
    /// A book of which a test says only what it cares about.
    static func make(
        title: String = "Emma", authors: [String] = ["Jane Austen"], isbn: String? = nil, pageCount: Int? = nil,
        fiction: Bool? = nil
    ) -> Book {
        Book(title: title, authors: authors, isbn: isbn.map(ISBN.init), pageCount: pageCount, fiction: fiction)
    }
}

extension JSONReader {
    /// Why `text` is not JSON from `offset` on; nil where it is.
    static func fault(in text: some Sequence<UInt8>, from offset: Int = 0) -> JSONSyntaxError? {
        reading(text) { reader in
            reader.move(to: offset)
            do throws(JSONSyntaxError) {
                try reader.skipValue()
                try reader.readEnd()
                return nil
            } catch {
                return error
            }
        }
    }
}

extension BookStore {
    /// The books that are loaded; without those whose record is gone.
    var books: [Book] { (0..<index.count).compactMap(book(at:)) }

    /// The book with `identity` among those that are loaded.
    func id(of identity: BookIdentity) -> BookID? {
        BookLookup(of: [identity.key], in: index).id(of: identity)
    }
}

extension BookIndex {
    /// The index of `books` in segments of these sizes.
    init(of books: [Book], segments: [Int]) {
        self.init()
        var next = 0
        for size in segments {
            var builder = SegmentWriter()
            for book in books[next..<next + size] {
                builder.add(book, offset: 100 * next)
                next += 1
            }
            for segment in builder.take() { append(segment) }
        }
    }
}

/// What scanning a text gave.
struct Scan: Equatable {
    /// The offsets of the records that are books.
    var offsets: [Int] = []
    var keys: [MatchKeys] = []
    /// What is searched of each.
    var texts: [[UInt8]] = []
    var omissionCount = 0
    var firstOmission: Int?
    var firstOmissionReason: JSONSyntaxError.Reason?
    var fault: JSONSyntaxError?
    var hasFields = false
    /// How many windows there were; does not count for equality.
    var windowCount = 0

    /// Scans the records of `file`, whose text begins at `offset`, in windows of `windowSize` bytes with so many threads.
    init(
        of file: RandomAccessInput, shape: CatalogShape, from offset: Int = 0,
        windowSize: Int = ChunkScheduler.standardChunkSize, threadCount: Int = 1
    ) {
        let records = shape == .document ? RecordPaths([FieldPath(steps: [])]) : RecordPaths([])
        self.init(
            of: file, CatalogLayout(shape: shape, offset: offset, records: records, decoder: .native),
            windowSize: windowSize, threadCount: threadCount)
    }

    /// The same of a file that has this layout.
    init(
        of file: RandomAccessInput, _ layout: CatalogLayout, windowSize: Int = ChunkScheduler.standardChunkSize,
        threadCount: Int = 1
    ) {
        let scanner = ChunkScheduler(file, layout)
        let all = Locked<[ChunkContent]>([])
        let scan = { @Sendable (_: Int) in
            var worker = ChunkScheduler.Worker(for: scanner)
            while let content = scanner.scanNext(with: &worker, size: windowSize) {
                all.withLock { $0.append(content) }
            }
        }
        if threadCount == 1 { scan(0) } else { DispatchQueue.concurrentPerform(iterations: threadCount, execute: scan) }
        for content in all.withLock({ $0.sorted { $0.number < $1.number } }) {
            take(content)
            if content.isLast { break }
        }
    }

    /// The same of `text`, which begins as `FormatDetector` says.
    init(_ text: some Sequence<UInt8>, shape: CatalogShape, windowSize: Int = ChunkScheduler.standardChunkSize) throws {
        let directory = try TemporaryDirectory()
        let file = try RandomAccessInput(directory.write(text, to: "scanned.json"))
        self.init(of: file, shape: shape, windowSize: windowSize)
    }

    private mutating func take(_ content: ChunkContent) {
        for segment in content.segments {
            offsets += segment.offsets
            keys += (0..<segment.count).map(segment.keys(at:))
            texts += segment.books
        }
        if omissionCount == 0, let first = content.faults.firstOmission {
            (firstOmission, firstOmissionReason) = (first.offset, first.reason)
        }
        omissionCount += content.faults.omissionCount
        fault = fault ?? content.faults.fault
        hasFields = hasFields || content.faults.hasFields
        windowCount += 1
    }

    static func == (left: Scan, right: Scan) -> Bool {
        left.offsets == right.offsets && left.keys == right.keys && left.texts == right.texts
            && left.omissionCount == right.omissionCount && left.firstOmission == right.firstOmission
            && left.firstOmissionReason == right.firstOmissionReason && left.fault == right.fault
            && left.hasFields == right.hasFields
    }
}

extension Book {
    /// The fields of the native record alone.
    var native: Book {
        Book(title: title, authors: authors, isbn: isbn, pageCount: pageCount, fiction: fiction)
    }
}

extension CatalogShape {
    /// The array within so many objects.
    static func array(enclosingObjects depth: Int) -> CatalogShape {
        .array(path: (0..<depth).map { .key("key \($0)") })
    }

    /// The object at the top.
    static let members = CatalogShape.members(path: [])
}

extension CatalogLayout {
    /// The layout of a catalog of native records that opens like that.
    init(_ found: FormatDetector.Found) {
        self.init(shape: found.shape, offset: found.offset, records: found.records, decoder: .native)
    }
}

extension RecordDecoder {
    /// The decoder of native records.
    static let native = RecordDecoder(FieldMapping(ofProfile: "native"))
}

extension FieldMapping {
    /// The mapping of a profile that is part of the program.
    init(ofProfile name: String) {
        guard let profile = Profile.builtIn(named: name) else { preconditionFailure("there is no profile \(name)") }
        self = profile.mapping
    }
}

extension IndexSegment {
    /// Where the record of each book is.
    var offsets: [Int] { (0..<count).map(offset(at:)) }

    /// The text of each book.
    var books: [[UInt8]] { (0..<count).map { Array(text(at: $0)) } }
}

extension SegmentWriter {
    /// All that was added, which is not that much that it would need several segments.
    mutating func takeOne() throws -> IndexSegment { try #require(take().first) }
}

extension ByteBuffer {
    /// What `append` appends for the folded form of `text`.
    static func key(of text: String, _ append: (UnsafeBufferPointer<UInt8>, inout ByteBuffer) -> Void) -> [UInt8] {
        var folded = ByteBuffer()
        folded.append(folding: text)
        // In memory of its own, so that AddressSanitizer sees what is read beyond it.
        let copy = Array(folded.bytes)
        var key = ByteBuffer(capacity: 1)
        copy.withUnsafeBufferPointer { append($0, &key) }
        return Array(key.bytes)
    }

    /// What `text` is folded to.
    static func folded(_ text: String) -> String {
        var buffer = ByteBuffer()
        buffer.append(folding: text)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}

extension JSONValue {
    /// The value that `json` is.
    package static func make(_ json: String) throws -> JSONValue {
        try #require(JSONValue(parsing: json.utf8))
    }
}

extension Array<UInt8> {
    /// Whether this key is before another.
    func isBefore(_ other: Self) -> Bool { lexicographicallyPrecedes(other) }
}
