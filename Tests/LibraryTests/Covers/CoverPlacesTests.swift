import Foundation
import TestSupport
import Testing

@testable import Books
@testable import Library
@testable import Remote

@Suite("Covers: places") struct CoverPlacesTests {
    private let directory: TemporaryDirectory
    /// The directory of a catalog, without symbolic links.
    private let library: String

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path + "/library", withIntermediateDirectories: false)
        try directory.write("[]".utf8, to: "library/books.json")
        library = try #require(realpath(directory.path + "/library", nil).map { String(cString: $0) })
    }

    private func source(_ cover: String?, besideCatalogAt path: String?) -> CoverSource? {
        var book = Book(title: "Emma")
        book.cover = cover
        return CoverPlaces(besideCatalogAt: path).source(of: book)
    }

    private func source(_ cover: String?) -> CoverSource? {
        source(cover, besideCatalogAt: directory.path + "/library/books.json")
    }

    @Test("A relative path begins in the directory of the catalog")
    func relativePath() {
        #expect(source("covers/a.jpg") == .file(path: library + "/covers/a.jpg", within: library))
        // Whether it leads out of the directory is decided when it is read.
        #expect(source("../a b.jpg") == .file(path: library + "/../a b.jpg", within: library))
    }

    @Test("A whole path must be in that directory, too")
    func absolutePath() {
        #expect(source("/etc/passwd") == .file(path: "/etc/passwd", within: library))
    }

    @Test("The directory is that of the file that a link leads to, or the library itself")
    func otherCatalogs() throws {
        let link = directory.path + "/link.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "library/books.json")
        let expected = CoverSource.file(path: library + "/a.jpg", within: library)
        #expect(source("a.jpg", besideCatalogAt: link) == expected)
        #expect(source("a.jpg", besideCatalogAt: directory.path + "/library") == expected)
        #expect(source("a.jpg", besideCatalogAt: directory.path + "/library/") == expected)
    }

    @Test("A picture within a record is its own place")
    func data() {
        #expect(source("data:image/png;base64,AA==") == .data("data:image/png;base64,AA=="))
        #expect(source("DATA:IMAGE/PNG;base64,AA==") == .data("DATA:IMAGE/PNG;base64,AA=="))
    }

    @Test(
        "Addresses of web servers are places",
        arguments: ["http://a.example/1.jpg", "https://a.example:8080/1.jpg?size=L", "HTTPS://a.example/é"])
    func web(address: String) {
        #expect(source(address) == WebLink(address).map { .web($0.text, isFetched: false) })
        #expect(source(address) != nil)
    }

    @Test(
        "Addresses of other schemes are no places, nor are those that hide their host",
        arguments: [
            "file:///etc/passwd", "ftp://a.example/1.jpg", "https://", "https://ann@a.example/1.jpg",
            "https://a.example/a b.jpg", "gopher://a.example",
        ])
    func otherSchemes(address: String) {
        #expect(source(address) == nil)
    }

    @Test("A book without a cover has no place")
    func none() {
        #expect(source("") == nil)
        #expect(source(nil) == nil)
    }

    @Test(
        "Of a catalog that is no file, only pictures within records and those on servers have a place",
        arguments: [nil, "https://a.example/books.json", "/nowhere/books.json"] as [String?])
    func catalogOnAServer(path: String?) {
        #expect(source("covers/a.jpg", besideCatalogAt: path) == nil)
        #expect(source("/etc/passwd", besideCatalogAt: path) == nil)
        #expect(source("", besideCatalogAt: path) == nil)
        #expect(source("data:image/png;base64,AA==", besideCatalogAt: path) == .data("data:image/png;base64,AA=="))
        #expect(
            source("https://b.example/1.jpg", besideCatalogAt: path)
                == .web("https://b.example/1.jpg", isFetched: false))
    }
}
