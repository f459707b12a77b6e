import Foundation
import Storage
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing

@Suite("Index cache") struct IndexCacheTests {
    private let directory: TemporaryDirectory
    private let cache: IndexCache
    /// Enough books for the index to be cached.
    private let count = 20_000

    init() throws {
        directory = try TemporaryDirectory()
        cache = IndexCache(directory: directory.path + "/index")
    }

    /// Writes a catalog.
    ///
    /// - Parameter end: The text that replaces the end of the array.
    private func write(title: String = "Book", end: String = "]") throws -> String {
        let books = (1...count).map {
            #"{"title": "\#(title) \#($0)", "authors": ["Author \#($0 % 7)"], "pageCount": 7}"#
        }
        return try directory.write(("[" + books.joined(separator: ",\n") + end).utf8, to: "books.json")
    }

    /// Returns the records of a catalog that was read completely.
    private func read(_ path: String) throws -> JSONFileRecords {
        let records = try JSONFileLoader(path: path).load()
        while records.state.isLoading { records.loadMore() }
        return records
    }

    private func content(of records: JSONFileRecords) throws -> IndexCache.Content<IndexSegment> {
        IndexCache.Content(
            format: try #require(records.format).key, segments: records.index.segments, problems: records.problems,
            positions: ProblemPositions(of: records.problems, in: records.file))
    }

    private func keep(_ records: JSONFileRecords) throws {
        cache.keep(
            try content(of: records), of: records.file, fingerprint: try #require(try records.file.fingerprint()))
    }

    private var indexPath: String {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/index")
            return directory.path + "/index/" + (try #require(names.first))
        }
    }

    @Test(arguments: ["]", ", 7, null]", "", ",\n{\"title\": oops}]", "] x"])
    func aCachedIndexIsFoundAgain(end: String) throws {
        let path = try write(end: end)
        let read = try read(path)
        try keep(read)
        let known = try #require(
            try JSONFileRecords(knownTo: cache, path))
        #expect(!known.state.isLoading)
        #expect(known.count == count)
        #expect(known.problems == read.problems)
        #expect(known.defects == read.defects)
        for index in [0, 1, 777, count - 1] {
            #expect(known.index.offset(at: index) == read.index.offset(at: index))
            #expect(known.index.keys(at: index) == read.index.keys(at: index))
            #expect(
                known.book(BookID(index)).value
                    == Book(title: "Book \(index + 1)", authors: ["Author \((index + 1) % 7)"], pageCount: 7))
        }
        for (one, other) in zip(known.index.segments, read.index.segments) {
            #expect(try #require(one.memory).elementsEqual(try #require(other.memory)))
        }
    }

    @Test func theSourceUsesTheCacheFirst() throws {
        let path = try write()
        #expect(try JSONFileLoader(path: path, cache: cache).load().state.isLoading)
        try keep(read(path))
        let records = try JSONFileLoader(path: path, cache: cache).load()
        #expect(!records.state.isLoading)
        #expect(records.count == count)
    }

    @Test func otherFilesHaveNoCachedIndex() throws {
        let path = try write()
        try keep(read(path))
        // The same size, with the modification time set back.
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        _ = try write(title: "Tome")
        try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: path)
        #expect(cache.index(of: try RandomAccessInput(path)) == nil)
    }

    @Test func aFileChangedDuringReadingIsNotCached() throws {
        let path = try write()
        let records = try read(path)
        let fingerprint = try #require(try records.file.fingerprint())
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("\n".utf8))
        try handle.close()
        cache.keep(try content(of: records), of: records.file, fingerprint: fingerprint)
        #expect(cache.index(of: try RandomAccessInput(path)) == nil)
    }

    @Test func aSmallFileIsNotCached() throws {
        let path = try directory.write(#"[{"title": "A"}]"#.utf8, to: "books.json")
        try keep(read(path))
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/index"))
    }

    @Test(arguments: [0, 4096, 100_000])
    func anIndexThatIsTruncatedWhileItIsOpenIsMadeAgain(size: Int64) throws {
        let path = try write()
        try keep(read(path))
        let catalog = JSONFileCatalog(path: path, cache: cache)
        try catalog.open()
        #expect(catalog.state == .ready && !catalog.isOutdated && !catalog.reloadsUnasked)
        let whole = catalog.index
        let part = whole.segments(of: 100..<count - 100)
        #expect(truncate(try indexPath, off_t(size)) == 0)
        // No book is right any more, but none is read beyond the index either.
        for segment in whole.segments + part {
            for book in 0..<segment.count {
                _ = (segment.text(at: book), segment.isbn(at: book), segment.facts(at: book))
            }
            _ = IndexSegment(joining: [IndexSegment.Part(segment, 1..<segment.count)])
        }
        _ = whole.segments(of: 300..<count - 1)
        #expect(catalog.isOutdated && catalog.reloadsUnasked)
        // What is left is not kept.
        try #require(catalog.records).finishKeeping()
        catalog.keepIndex(whole.segments.map(JoinedSegment.whole), of: try #require(catalog.fingerprint))
        #expect(!catalog.keepsIndex)
        try catalog.reload()
        catalog.readRest()
        catalog.finishKeepingIndex()
        #expect(catalog.count == .exactly(count) && !catalog.isOutdated && !catalog.reloadsUnasked)
        #expect(
            catalog.book(BookID(count - 1))
                == .ready(
                    Book(title: "Book \(count)", authors: ["Author \(count % 7)"], pageCount: 7)))
        #expect(cache.index(of: try RandomAccessInput(path))?.segments.reduce(0) { $0 + $1.count } == count)
    }

    @Test func aPreparedIndexIsUsedUnlessTheFileHasChanged() throws {
        let path = try write()
        let catalog = JSONFileCatalog(path: path, cache: cache)
        try catalog.open()
        let first = catalog.count
        // As another instance that has read the file does.
        try keep(read(path))
        catalog.reloadPreparation()?()
        try FileManager.default.removeItem(atPath: indexPath)
        try catalog.reload()
        #expect(catalog.state == .ready && catalog.count == .exactly(count) && first != catalog.count)
        // Without the index, and without preparation, the file is read from its beginning.
        try catalog.reload()
        #expect(catalog.count == first)
        catalog.reloadPreparation()?()
        _ = try write(title: "Changed")
        try catalog.reload()
        #expect(catalog.book(0).value?.title == "Changed 1")
    }

    @Test(.thorough) func aDamagedIndexIsRejectedOrHarmless() throws {
        let path = try write()
        try keep(read(path))
        let index = try indexPath
        let whole = try Data(contentsOf: URL(filePath: index))
        func open(_ damaged: Data) throws -> JSONFileRecords? {
            try damaged.write(to: URL(filePath: index))
            return try JSONFileRecords(knownTo: cache, path)
        }
        #expect(try open(whole) != nil)
        for count in [0, 1, 7, 8, 63, 64, 100, 200, whole.count - 8, whole.count - 1] {
            #expect(try open(whole.prefix(count)) == nil)
        }
        #expect(try open(whole + Data(count: 8)) == nil)
        // Any byte of the header, and some of the rest: a displayed book must be the right one.
        for position in Array(0..<256) + Array(stride(from: 256, to: whole.count, by: 9973)) {
            var damaged = whole
            damaged[position] ^= 0xFF
            guard let records = try open(damaged) else { continue }
            for row in [0, 1, records.count / 2, records.count - 1] where row < count {
                let book = records.book(BookID(row)).value
                #expect(book == nil || book?.title.hasPrefix("Book") == true)
            }
        }
    }
}
