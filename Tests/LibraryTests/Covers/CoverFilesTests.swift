import Foundation
import TestSupport
import Testing

@testable import Books
@testable import Formats
@testable import Library

@Suite("Covers: files beside a catalog") struct CoverFilesTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["library", "library/covers"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory.path)/\(name)", withIntermediateDirectories: false)
        }
        _ = try directory.write("[]".utf8, to: "library/books.json")
        _ = try directory.write(Self.jpeg, to: "library/covers/a.jpg")
        _ = try directory.write("secret".utf8, to: "library/covers/text.jpg")
        _ = try directory.write(
            Self.jpeg + [UInt8](repeating: 0, count: CoverFiles.limit), to: "library/covers/large.jpg")
        _ = try directory.write(Self.jpeg, to: "outside.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/library/covers/link.jpg", withDestinationPath: directory.path + "/outside.jpg")
        #expect(mkfifo(directory.path + "/library/covers/pipe.jpg", 0o600) == 0)
    }

    private func picture(_ cover: String?, besideCatalogAt path: String? = nil) -> [UInt8]? {
        var book = Book(title: "Emma")
        book.cover = cover
        return CoverFiles(besideCatalogAt: path ?? directory.path + "/library/books.json").picture(of: book)?.bytes
    }

    @Test("A cover is read by its path in the directory of the catalog, or by its whole path")
    func found() {
        #expect(picture("covers/a.jpg") == Self.jpeg)
        #expect(picture("./covers/../covers/a.jpg") == Self.jpeg)
        #expect(picture(directory.path + "/library/covers/a.jpg") == Self.jpeg)
        // A library is a directory itself.
        #expect(picture("covers/a.jpg", besideCatalogAt: directory.path + "/library") == Self.jpeg)
    }

    @Test(
        "Nothing outside of the directory is read, and nothing that is no picture, no file, or too large",
        arguments: [
            "../outside.jpg", "covers/link.jpg", "covers/text.jpg", "covers/large.jpg", "covers/pipe.jpg", "covers",
            "covers/none.jpg", "", "/etc/passwd", "https://a.example/a.jpg", "file:///etc/passwd", "books.json",
        ])
    func refused(cover: String) {
        #expect(picture(cover) == nil)
    }

    @Test("A picture within a record is decoded, if it is one")
    func within() {
        let encoded = Data(Self.jpeg).base64EncodedString()
        #expect(picture("data:image/jpeg;base64," + encoded) == Self.jpeg)
        #expect(picture("data:image/svg+xml;base64," + Data("<svg/>".utf8).base64EncodedString()) == nil)
        #expect(picture("data:image/jpeg," + encoded) == nil)
        #expect(picture("data:image/jpeg;base64,%%%") == nil)
        #expect(picture("data:") == nil)
        #expect(picture(nil) == nil)
    }

    @Test("A catalog that is no file has no covers in files")
    func withoutDirectory() {
        for path in ["https://a.example/books.json", "/nowhere/books.json"] {
            #expect(picture("covers/a.jpg", besideCatalogAt: path) == nil)
            #expect(
                picture("data:image/jpeg;base64," + Data(Self.jpeg).base64EncodedString(), besideCatalogAt: path)
                    == Self.jpeg)
        }
    }
}
