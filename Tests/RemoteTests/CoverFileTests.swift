import Foundation
import Glibc
import TestSupport
import Testing

@testable import Remote
@testable import Storage

@Suite("Covers: files and pictures within records") struct CoverFileTests {
    private static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
    private let directory: TemporaryDirectory
    /// The directory of a catalog, with a cover in a folder.
    private let library: String

    init() throws {
        directory = try TemporaryDirectory()
        library = directory.path + "/library"
        for name in ["library", "library/covers", "library2"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory.path)/\(name)", withIntermediateDirectories: false)
        }
        try directory.write(Self.picture, to: "library/covers/a.jpg")
        try directory.write(Self.picture, to: "outside.jpg")
        try directory.write(Self.picture, to: "library2/b.jpg")
    }

    /// Returns the bytes of a file that a catalog in the library names, or the code of the error.
    private func read(_ path: String, upTo limit: Int = CoverFile.limit) -> Result<[UInt8], FileError> {
        read(.file(path: path, within: library), upTo: limit)
    }

    private func read(_ source: CoverSource, upTo limit: Int) -> Result<[UInt8], FileError> {
        do throws(FileError) {
            guard let file = try CoverFile(source) else { return .success([]) }
            return .success(try file.bytes(upTo: limit))
        } catch {
            return .failure(error)
        }
    }

    private func code(_ result: Result<[UInt8], FileError>) -> Int32? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    private func link(_ name: String, to target: String) throws -> String {
        let path = "\(library)/\(name)"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        return path
    }

    @Test("A file below the directory is read")
    func below() throws {
        for path in ["covers/a.jpg", "./covers/../covers/a.jpg", "covers//a.jpg"] {
            #expect(read("\(library)/\(path)") == .success(Self.picture), "\(path)")
        }
        // A directory may be named in any way.
        let source = CoverSource.file(path: library + "/covers/a.jpg", within: library + "/covers/../")
        #expect(read(source, upTo: 100) == .success(Self.picture))
        #expect(read(.file(path: directory.path + "/outside.jpg", within: "/"), upTo: 100) == .success(Self.picture))
    }

    @Test("A file outside of the directory may not be read, whatever its path looks like")
    func outside() throws {
        let paths = [
            "\(library)/../outside.jpg", "\(library)/covers/../../outside.jpg", "\(directory.path)/outside.jpg",
            // The name of the directory is only the beginning of another one.
            "\(library)2/b.jpg", "/etc/passwd", library,
        ]
        for path in paths { #expect(code(read(path)) == EPERM, "\(path)") }
        #expect(code(read(.file(path: library + "/covers/a.jpg", within: "/nowhere"), upTo: 100)) == EPERM)
    }

    @Test("A symbolic link is read only if its target is below the directory")
    func links() throws {
        #expect(code(read(try link("out.jpg", to: directory.path + "/outside.jpg"))) == EPERM)
        #expect(code(read(try link("up.jpg", to: "../outside.jpg"))) == EPERM)
        let folder = try link("folder", to: directory.path)
        #expect(code(read(folder + "/outside.jpg")) == EPERM)
        #expect(read(folder + "/library/covers/a.jpg") == .success(Self.picture))
        #expect(read(try link("in.jpg", to: "covers/a.jpg")) == .success(Self.picture))
        #expect(code(read(try link("none.jpg", to: "covers/none.jpg"))) == ENOENT)
        #expect(code(read(try link("loop.jpg", to: "loop.jpg"))) == ELOOP)
    }

    @Test("A file that does not exist is missing, also if a file is where its folder should be")
    func missing() {
        #expect(code(read(library + "/none.jpg")) == ENOENT)
        #expect(code(read(library + "/covers/a.jpg/b.jpg")) == ENOTDIR)
    }

    @Test("A directory or a pipe is not read")
    func notAFile() throws {
        #expect(code(read(library + "/covers")) == EISDIR)
        let pipe = library + "/pipe.jpg"
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(code(read(pipe)) == ENOTSUP)
    }

    @Test("A file may have as many bytes as the limit, and no more")
    func limit() throws {
        let path = library + "/covers/a.jpg"
        #expect(read(path, upTo: 7) == .success(Self.picture))
        #expect(code(read(path, upTo: 6)) == EFBIG)
        #expect(CoverFile.limit == 33_554_432)
        #expect(truncate(path, 33_554_433) == 0)
        #expect(code(read(path)) == EFBIG)
    }

    @Test("The version changes with the size and the time of the file, and is not that of another file")
    func version() throws {
        let path = library + "/covers/a.jpg"
        func version(_ path: String) throws -> String {
            try #require(try CoverFile(.file(path: path, within: library))).version
        }
        func touch(seconds: Int) {
            let time = timespec(tv_sec: seconds, tv_nsec: 0)
            #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
        }
        touch(seconds: 1_000_000_000)
        let first = try version(path)
        #expect(try version(path) == first)
        // A link leads to the same picture.
        #expect(try version(try link("in.jpg", to: "covers/a.jpg")) == first)
        touch(seconds: 1_000_000_001)
        let second = try version(path)
        #expect(second != first)
        try directory.write(Self.picture + [4], to: "library/covers/a.jpg")
        touch(seconds: 1_000_000_001)
        let third = try version(path)
        #expect(third != second && third != first)
        try directory.write(Self.picture, to: "library/covers/a.jpg")
        touch(seconds: 1_000_000_000)
        #expect(try version(path) == first)
        let copy = try directory.write(Self.picture, to: "library/covers/copy.jpg")
        #expect(try version(copy) != first)
    }

    @Test("A picture on a server is no file")
    func web() throws {
        let file = try CoverFile(.web("https://a.example/a.jpg", isFetched: true))
        #expect(file.map(\.version) == nil)
        #expect(CoverSource.web("https://a.example/a.jpg", isFetched: true).isOnTheWeb)
        #expect(!CoverSource.data("data:,").isOnTheWeb && !CoverSource.file(path: "a", within: "b").isOnTheWeb)
    }

    // MARK: - Pictures within records

    @Test(
        "A picture within a record is decoded, whatever its type",
        arguments: [
            "data:image/png;base64,/9j/4AECAw==", "data:;base64,/9j/4AECAw==", "data:image/png;BASE64,/9j/4AECAw==",
            "data:image/jpeg;charset=utf-8;base64,/9j/4AECAw==",
        ])
    func data(address: String) throws {
        #expect(read(.data(address), upTo: 1000) == .success(Self.picture))
        #expect(try CoverFile(.data(address))?.version == address)
    }

    @Test(
        "An address of another form has no picture",
        arguments: [
            "data:image/png,/9j/4AECAw==", "data:image/png;base64", "data:image/png;base64,/9j/4AECA",
            "data:image/png;base64,/9j/4AEC!w==", "data:image/png;base64;a=b,/9j/4AECAw==", "data:", "",
            "data:image/svg+xml,%3Csvg%3E",
        ])
    func wrongData(address: String) {
        #expect(read(.data(address), upTo: 1000) == .failure(FileError(path: "data:", operation: .read, code: EINVAL)))
    }

    @Test("A picture within a record that is too long is not decoded")
    func longData() {
        let address = "data:image/png;base64," + String(repeating: "AAAA", count: 1000)
        #expect(read(.data(address), upTo: 4000) == .success([UInt8](repeating: 0, count: 3000)))
        let failure = FileError(path: "data:", operation: .read, code: EFBIG)
        #expect(read(.data(address), upTo: 2999) == .failure(failure))
        // It is too long before anything is known of its form.
        #expect(read(.data(String(repeating: "!", count: 8000)), upTo: 2999) == .failure(failure))
    }

    // MARK: - Thumbnails

    /// Writes a new thumbnail as the connector program does.
    private func makeThumbnail(_ bytes: [UInt8]) throws -> String { try directory.write(bytes, to: "thumbnail") }

    @Test("A thumbnail is kept, and found again by the version of its picture")
    func thumbnails() throws {
        let cache = directory.path + "/cache"
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: false)
        let thumbnails = Thumbnails(in: cache)
        #expect(thumbnails.bytes(ofVersion: "a 1 7") == nil)
        let path = try makeThumbnail([1, 2, 3])
        thumbnails.take(path, asVersion: "a 1 7")
        #expect(!FileManager.default.fileExists(atPath: path))
        thumbnails.take(try makeThumbnail([4]), asVersion: "b 1 7")
        for thumbnails in [thumbnails, Thumbnails(in: cache)] {
            #expect(thumbnails.bytes(ofVersion: "a 1 7") == [1, 2, 3])
            #expect(thumbnails.bytes(ofVersion: "b 1 7") == [4])
            #expect(thumbnails.bytes(ofVersion: "a 2 7") == nil)
        }
        thumbnails.take(try makeThumbnail([5]), asVersion: "a 1 7")
        #expect(thumbnails.bytes(ofVersion: "a 1 7") == [5])
        #expect(try FileManager.default.contentsOfDirectory(atPath: cache + "/covers").count == 2)
    }

    @Test("A version can be a whole picture, and the name of its thumbnail is short nevertheless")
    func longVersion() throws {
        let thumbnails = Thumbnails(in: directory.path)
        let version = "data:image/png;base64," + String(repeating: "/", count: 100_000)
        thumbnails.take(try makeThumbnail([6]), asVersion: version)
        #expect(thumbnails.bytes(ofVersion: version) == [6])
        #expect(thumbnails.bytes(ofVersion: version + "/") == nil)
    }

    @Test("A thumbnail that is missing is made again, and nothing is said")
    func missingThumbnail() {
        let thumbnails = Thumbnails(in: directory.path)
        thumbnails.take(directory.path + "/nothing", asVersion: "a")
        #expect(thumbnails.bytes(ofVersion: "a") == nil)
        // There is no place for it.
        let nowhere = Thumbnails(in: directory.path + "/outside.jpg")
        nowhere.take(library + "/covers/a.jpg", asVersion: "a")
        #expect(nowhere.bytes(ofVersion: "a") == nil)
        #expect(FileManager.default.fileExists(atPath: library + "/covers/a.jpg"))
    }

    /// The program that makes thumbnails reads what strangers wrote.
    @Test("A link in place of a thumbnail is not read, neither a symbolic nor a hard one")
    func linkedThumbnail() throws {
        let thumbnails = Thumbnails(in: directory.path)
        let secret = directory.path + "/outside.jpg"
        let symbolic = directory.path + "/symbolic"
        try FileManager.default.createSymbolicLink(atPath: symbolic, withDestinationPath: secret)
        thumbnails.take(symbolic, asVersion: "a")
        #expect(!FileManager.default.fileExists(atPath: symbolic))
        #expect(thumbnails.bytes(ofVersion: "a") == nil)
        let hard = directory.path + "/hard"
        try FileManager.default.linkItem(atPath: secret, toPath: hard)
        thumbnails.take(hard, asVersion: "b")
        #expect(thumbnails.bytes(ofVersion: "b") == nil)
        #expect(FileManager.default.contents(atPath: secret).map { [UInt8]($0) } == Self.picture)
    }
}
