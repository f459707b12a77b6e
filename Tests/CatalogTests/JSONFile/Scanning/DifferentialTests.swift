import Storage
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import JSON
@testable import Remote

/// Random catalogs, each read in several ways that must give the same result.
///
/// STACKS_DIFFERENTIAL_COUNT is their number, and STACKS_DIFFERENTIAL_SEED the first seed: to repeat one, use its seed
/// and a count of 1.
@Suite("JSON file: the same books as Foundation reads") struct DifferentialTests {
    private let directory: TemporaryDirectory
    private let count: Int
    private let firstSeed: UInt64

    init() throws {
        directory = try TemporaryDirectory()
        count = environmentValue("STACKS_DIFFERENTIAL_COUNT").flatMap(Int.init) ?? 200
        firstSeed = environmentValue("STACKS_DIFFERENTIAL_SEED").flatMap(UInt64.init) ?? 0x57AC_0000
    }

    private var seeds: Range<UInt64> { firstSeed..<firstSeed + UInt64(count) }

    private func note(_ seed: UInt64, _ text: [UInt8]) -> Comment {
        let start = String(decoding: text.prefix(2000), as: UTF8.self).debugDescription
        return "STACKS_DIFFERENTIAL_SEED=\(seed), \(text.count) bytes: \(start)"
    }

    @Test(.thorough) func theStoreHasTheBooksThatFoundationReads() throws {
        for seed in seeds {
            let catalog = RandomCatalog(seed: seed)
            guard let expected = try? FoundationReading(catalog) else {
                Issue.record("Foundation refuses a transcript: \(note(seed, catalog.transcript))")
                continue
            }
            let path = try directory.write(catalog.text, to: "catalog.json")
            let store = JSONFileCatalog(path: path)
            #expect(throws: Never.self, note(seed, catalog.text)) { try store.readAll() }
            try #require(store.index.count == expected.books.count, note(seed, catalog.text))
            #expect(store.defects.omissionCount == expected.omissionCount, note(seed, catalog.text))
            #expect(store.defects.syntaxError == nil, note(seed, catalog.text))
            // From the end, so that nothing depends on books read earlier.
            for index in (0..<store.index.count).reversed() {
                let (book, other) = (store.book(at: index)?.native, expected.books[index])
                #expect(book.map(ScalarwiseBook.init) == ScalarwiseBook(other), note(seed, catalog.text))
                #expect(store.index.keys(at: index) == MatchKeys(of: other), note(seed, catalog.text))
            }
        }
    }

    @Test func anyChunkSizeAndThreadCountGivesTheSameBooks() throws {
        for seed in seeds {
            let catalog = RandomCatalog(seed: seed)
            var random = SplitMix(seed: ~seed)
            try check(catalog.text, seed, &random)
        }
    }

    @Test func damagedTextsGiveTheSameForAnyChunkSize() throws {
        for seed in seeds {
            var text = RandomCatalog(seed: seed).text
            var random = SplitMix(seed: ~seed)
            text.damage(using: &random)
            try check(text, seed, &random)
        }
    }

    /// Scans `text` in several ways, and compares its errors with those of a reader without chunks.
    private func check(_ text: [UInt8], _ seed: UInt64, _ random: inout SplitMix) throws {
        let opening = JSONReader.reading(text) { FormatDetector(of: $0, isWhole: true) }
        guard case .records(let found) = opening else { return }
        let layout = CatalogLayout(found)
        let file = try RandomAccessInput(directory.write(text, to: "scanned.json"))
        let whole = Scan(of: file, layout)
        if found.shape == .lines {
            checkLines(of: text, from: found.offset, whole, seed)
        } else {
            // The text before a nested array was read to find the array.
            let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            #expect(whole.syntaxError == JSONReader.syntaxError(in: text, from: start), note(seed, text))
        }
        for (size, threadCount) in [(64, 1), (Int.random(in: 65...5000, using: &random), 1), (500, 2), (1 << 16, 2)] {
            let scan = Scan(of: file, layout, windowSize: size, threadCount: threadCount)
            #expect(scan == whole, "windows of \(size) bytes, \(threadCount) threads; \(note(seed, text))")
        }
    }

    /// Compares a scan of JSON Lines with each line: a line that is not blank is a book or a skipped value.
    private func checkLines(of text: [UInt8], from offset: Int, _ scan: Scan, _ seed: UInt64) {
        let lines = text[offset...].split(separator: 0x0A).filter { !$0.allSatisfy(\.isJSONWhitespace) }
        let defects = lines.compactMap { line in
            JSONReader.syntaxError(in: line).map { JSONSyntaxError($0.reason, at: line.startIndex + $0.offset) }
        }
        #expect(scan.syntaxError == nil, note(seed, text))
        #expect(scan.offsets.count + scan.omissionCount == lines.count, note(seed, text))
        #expect(scan.offsets.count <= lines.count - defects.count, note(seed, text))
        if let reason = scan.firstOmissionReason, let place = scan.firstOmission {
            #expect(defects.first == JSONSyntaxError(reason, at: place), note(seed, text))
        } else if let first = defects.first {
            #expect(scan.firstOmission.map { $0 < first.offset } == true, note(seed, text))
        }
    }
}

/// A book whose texts are compared by scalars, because strings are equal if their normal forms are.
private struct ScalarwiseBook: Equatable {
    let book: Book
    let texts: [[Unicode.Scalar]]

    init(_ book: Book) {
        self.book = book
        texts = ([book.title] + book.authors).map { Array($0.unicodeScalars) }
    }
}

extension [UInt8] {
    /// Truncates the text, or replaces, removes or adds a few bytes.
    fileprivate mutating func damage(using random: inout SplitMix) {
        for _ in 0..<Int.random(in: 1...3, using: &random) where !isEmpty {
            let place = indices.randomElement(using: &random) ?? 0
            let byte = Array("{}[]\",:\\ \n0-.eat\u{0}\u{1}x".utf8).randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<8, using: &random) {
            case 0: removeSubrange(place...)
            case 1, 2: remove(at: place)
            case 3, 4: insert(byte, at: place)
            default: self[place] = byte
            }
        }
    }
}
