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

    @Test func aTruncatedFileReadsAsZerosAndIsDamaged() throws {
        let cache = CacheDirectory(path: directory("cache"))
        for name in ["a", "b"] { try write(String(repeating: "x", count: 5 << 12), as: name, in: cache) }
        let (file, other) = (try #require(cache.file("a")), try #require(cache.file("b")))
        #expect(!file.isDamaged && file.bytes[4 << 12] == UInt8(ascii: "x"))
        #expect(truncate(directory("cache/a"), 1 << 12) == 0)
        #expect(file.isDamaged)
        #expect(file.bytes[4 << 12] == 0 && file.bytes.allSatisfy { $0 == 0 })
        // Writing the file again does not bring back the bytes.
        try write(String(repeating: "x", count: 5 << 12), as: "a", in: cache)
        #expect(file.isDamaged && cache.file("a")?.isDamaged == false)
        #expect(!other.isDamaged && other.bytes.allSatisfy { $0 == UInt8(ascii: "x") })
        cache.delete("a")
        #expect(cache.file("a") == nil)
    }

    @Test func aFileIsTruncatedWhileThreadsReadIt() async throws {
        let cache = CacheDirectory(path: directory("cache"))
        try write(String(repeating: "x", count: 512 << 12), as: "a", in: cache)
        let file = try #require(cache.file("a"))
        let path = directory("cache/a")
        await onThreads(4) { number in
            if number == 0 { truncate(path, 1 << 12) }
            for _ in 0..<3 { #expect(file.bytes.allSatisfy { $0 == 0 || $0 == UInt8(ascii: "x") }) }
        }
        #expect(file.isDamaged)
    }

    /// More files than can be mapped at a time.
    @Test func filesThatCannotBeMappedAreNotFound() throws {
        let cache = CacheDirectory(path: directory("cache"))
        try write("text", as: "a", in: cache)
        do {
            let files = (0..<200).map { _ in cache.file("a") }
            #expect(files.contains { $0 == nil } && files[0] != nil)
        }
        #expect(text(of: "a", in: cache) == "text")
    }

    @Test func aPlantedNameDoesNotPreventWriting() throws {
        let cache = CacheDirectory(path: directory("cache"))
        mkdir(directory("cache"), 0o700)
        directory.put("planted", at: "cache/a.\(getpid()).tmp")
        try write("text", as: "a", in: cache)
        #expect(text(of: "a", in: cache) == "text")
        #expect(directory.text(of: "cache/a.\(getpid()).tmp") == "planted")
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
