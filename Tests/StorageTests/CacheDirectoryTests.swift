import Glibc
import Testing

@testable import Storage

@Suite("Files: cache directory") struct CacheDirectoryTests {
    private let directory = TemporaryDirectory()

    private func write(_ text: String, as name: String, in cache: CacheDirectory) throws {
        try cache.write(name) { write throws(FileError) in
            let result = text.utf8.withContiguousStorageIfAvailable { bytes in
                Result { () throws(FileError) in try write(UnsafeRawBufferPointer(bytes)) }
            }
            try result?.get()
        }
    }

    private func text(of name: String, in cache: CacheDirectory) -> String? {
        cache.file(name).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Sets the modification time of a file to `seconds` ago.
    private func age(_ name: String, by seconds: Int) {
        var times = [
            timeval(tv_sec: time(nil) - seconds, tv_usec: 0), timeval(tv_sec: time(nil) - seconds, tv_usec: 0),
        ]
        utimes(directory("cache/" + name), &times)
    }

    @Test func aWrittenFileIsFound() throws {
        let cache = CacheDirectory(path: directory("cache"))
        #expect(text(of: "a", in: cache) == nil)
        try write("first", as: "a", in: cache)
        #expect(text(of: "a", in: cache) == "first")
        try write("second, and longer", as: "a", in: cache)
        #expect(text(of: "a", in: cache) == "second, and longer")
        #expect(TemporaryDirectory.names(in: directory("cache")) == ["a"])
    }

    @Test func aMappedFileIsUnchangedByItsReplacement() throws {
        let cache = CacheDirectory(path: directory("cache"))
        try write("first", as: "a", in: cache)
        let file = try #require(cache.file("a"))
        try write("second", as: "a", in: cache)
        #expect(String(decoding: file.bytes, as: UTF8.self) == "first")
    }

    @Test func aFailedWriteLeavesNoFile() throws {
        let cache = CacheDirectory(path: directory("cache"))
        let cause = FileError(path: "elsewhere", operation: .read, code: EIO)
        #expect(throws: cause) { try cache.write("a") { _ throws(FileError) in throw cause } }
        #expect(TemporaryDirectory.names(in: directory("cache")) == [])
    }

    @Test func theOldestFilesAreDeletedAboveTheLimit() throws {
        let cache = CacheDirectory(path: directory("cache"), limit: 25)
        for (index, name) in ["a", "b", "c"].enumerated() {
            try write("ten bytes.", as: name, in: cache)
            age(name, by: 1000 - index)
        }
        // Writing "c" deleted "a".
        #expect(TemporaryDirectory.names(in: directory("cache")) == ["b", "c"])
        // Using a file updates its time.
        cache.touch("b")
        try write("ten bytes.", as: "d", in: cache)
        #expect(TemporaryDirectory.names(in: directory("cache")) == ["b", "d"])
    }

    @Test func aFileAboveTheLimitIsKeptAlone() throws {
        let cache = CacheDirectory(path: directory("cache"), limit: 5)
        try write("four", as: "a", in: cache)
        try write("eleven bytes", as: "b", in: cache)
        #expect(TemporaryDirectory.names(in: directory("cache")) == ["b"])
    }

    @Test func aDirectoryThatCannotBeCreatedIsAnError() {
        directory.put("", at: "file")
        let cache = CacheDirectory(path: directory("file/cache"))
        #expect(throws: FileError.self) { try write("a", as: "a", in: cache) }
        #expect(text(of: "a", in: cache) == nil)
    }
}
