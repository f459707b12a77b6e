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
    /// Creates a book from the values that matter to a test.
    static func make(
        title: String = "Emma", authors: [String] = ["Jane Austen"], isbn: String? = nil, pageCount: Int? = nil,
        fiction: Bool? = nil
    ) -> Book {
        Book(title: title, authors: authors, isbn: isbn.map(ISBN.init), pageCount: pageCount, fiction: fiction)
    }
}

extension StarRating: ExpressibleByIntegerLiteral {
    /// Creates a rating of whole stars.
    package init(integerLiteral whole: Int) { self.init(whole: whole) }
}

extension JSONReader {
    /// Returns the syntax error in `text` from `offset` on, if it is not JSON.
    static func syntaxError(in text: some Sequence<UInt8>, from offset: Int = 0) -> JSONSyntaxError? {
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
    /// The loaded books, except those whose record is gone.
    var books: [Book] { (0..<index.count).compactMap(book(at:)) }

    /// Returns the id of the loaded book with `identity`.
    func id(of identity: BookIdentity) -> BookID? {
        BookLookup(of: [identity.key], in: index).id(of: identity)
    }
}

extension BookIndex {
    /// Creates an index of `books` in segments of these sizes.
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

/// The result of scanning a text.
struct Scan: Equatable {
    /// The offsets of the records that are books.
    var offsets: [Int] = []
    var keys: [MatchKeys] = []
    /// The searchable text of each book.
    var texts: [[UInt8]] = []
    var omissionCount = 0
    var firstOmission: Int?
    var firstOmissionReason: JSONSyntaxError.Reason?
    var syntaxError: JSONSyntaxError?
    var hasFields = false
    /// The number of chunks, which equality ignores.
    var windowCount = 0

    /// Scans the records of `file`, whose text begins at `offset`, in chunks of `windowSize` bytes on several threads.
    init(
        of file: RandomAccessInput, shape: CatalogShape, from offset: Int = 0,
        windowSize: Int = ChunkScheduler.standardChunkSize, threadCount: Int = 1
    ) {
        let records = shape == .document ? RecordPaths([FieldPath(steps: [])]) : RecordPaths([])
        self.init(
            of: file, CatalogLayout(shape: shape, offset: offset, records: records, decoder: .native),
            windowSize: windowSize, threadCount: threadCount)
    }

    /// Scans a file with this layout in the same way.
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

    /// Scans `text`, which begins as detected by `FormatDetector`, in the same way.
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
        if omissionCount == 0, let first = content.problems.omissions.first {
            (firstOmission, firstOmissionReason) = (first.offset, first.reason)
        }
        omissionCount += content.problems.omissionCount
        syntaxError = syntaxError ?? content.problems.syntaxError
        hasFields = hasFields || content.problems.hasFields
        windowCount += 1
    }

    static func == (left: Scan, right: Scan) -> Bool {
        left.offsets == right.offsets && left.keys == right.keys && left.texts == right.texts
            && left.omissionCount == right.omissionCount && left.firstOmission == right.firstOmission
            && left.firstOmissionReason == right.firstOmissionReason && left.syntaxError == right.syntaxError
            && left.hasFields == right.hasFields
    }
}

extension Book {
    /// This book with only the fields of a native record.
    var native: Book {
        Book(title: title, authors: authors, isbn: isbn, pageCount: pageCount, fiction: fiction)
    }
}

extension CatalogShape {
    /// An array within `depth` objects.
    static func array(enclosingObjects depth: Int) -> CatalogShape {
        .array(path: (0..<depth).map { .key("key \($0)") })
    }

    /// The members of the top-level object.
    static let members = CatalogShape.members(path: [])
}

extension CatalogLayout {
    /// Creates the layout of a catalog of native records with this detected format.
    init(_ found: FormatDetector.Found) {
        self.init(shape: found.shape, offset: found.offset, records: found.records, decoder: .native)
    }
}

extension RecordDecoder {
    /// The decoder of native records.
    static let native = RecordDecoder(FieldMapping(ofProfile: "native"))
}

extension FieldMapping {
    /// Creates the mapping of a built-in profile.
    init(ofProfile name: String) {
        guard let profile = Profile.builtIn(named: name) else { preconditionFailure("there is no profile \(name)") }
        self = profile.mapping
    }
}

extension IndexSegment {
    /// The offset of each record.
    var offsets: [Int] { (0..<count).map(offset(at:)) }

    /// The text of each book.
    var books: [[UInt8]] { (0..<count).map { Array(text(at: $0)) } }
}

extension SegmentWriter {
    /// Returns the added books, which must fit one segment.
    mutating func takeOne() throws -> IndexSegment { try #require(take().first) }
}

extension ByteBuffer {
    /// Returns the bytes that `append` appends for the normalized form of `text`.
    static func key(of text: String, _ append: (UnsafeBufferPointer<UInt8>, inout ByteBuffer) -> Void) -> [UInt8] {
        var folded = ByteBuffer()
        folded.append(folding: text)
        // A separate copy, so that AddressSanitizer detects reads beyond its end.
        let copy = Array(folded.bytes)
        var key = ByteBuffer(capacity: 1)
        copy.withUnsafeBufferPointer { append($0, &key) }
        return Array(key.bytes)
    }

    /// Returns the normalized form of `text`.
    static func folded(_ text: String) -> String {
        var buffer = ByteBuffer()
        buffer.append(folding: text)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}

extension JSONValue {
    /// Parses `json`.
    package static func make(_ json: String) throws -> JSONValue {
        try #require(JSONValue(parsing: json.utf8))
    }
}

extension Array<UInt8> {
    /// Whether this key comes before another.
    func isBefore(_ other: Self) -> Bool { lexicographicallyPrecedes(other) }
}
