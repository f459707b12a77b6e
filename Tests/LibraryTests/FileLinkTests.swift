import Foundation
import TestSupport
import Testing

@testable import Library

@Suite("Links to files of a library") struct FileLinkTests {
    private let directory: TemporaryDirectory
    private var library: String { directory.path + "/Library" }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path + "/Library/Émile Zola/Nana (4)", withIntermediateDirectories: true)
    }

    /// Writes a file with this name into the library.
    @discardableResult
    private func write(_ name: String, mode: Int = 0o644) throws -> String {
        let path = library + "/" + name
        try Data("text".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func refusal(of name: String) throws -> FileLink.Refusal? {
        let link = try #require(FileLink(library + "/" + name, below: library))
        do {
            let url = try link.url()
            Issue.record("\(url) is opened")
            return nil
        } catch {
            return error
        }
    }

    @Test func aBookOfTheLibraryIsOneArgumentOfHarmlessCharacters() throws {
        let path = try write("Émile Zola/Nana (4)/Na'na; $(id) \"&\".EPUB")
        let link = try #require(FileLink(path, below: library))
        #expect(link.text == "Émile Zola/Nana (4)/Na'na; $(id) \"&\".EPUB")
        #expect(
            try link.url().hasSuffix(
                "/Library/%C3%89mile%20Zola/Nana%20%284%29/Na%27na%3B%20%24%28id%29%20%22%26%22.EPUB"))
        #expect(try link.url().hasPrefix("file:///"))
    }

    @Test(arguments: [
        "/etc/passwd", "/etc/book.epub", "Library/a.epub", "/Library2/a.epub", "/Library/../a.epub",
        "/Library/a/../../b.epub", "/Library/./a.epub", "/Library//a.epub", "/Library/a.desktop", "/Library/a.sh",
        "/Library/a.html", "/Library/epub", "/Library/a.epub/", "/Library/a.epub.exe", "/Library/",
        "file:///Library/a.epub",
    ])
    func whatIsNotBelowTheLibraryOrNotABookIsNoLink(path: String) {
        #expect(FileLink(path, below: "/Library") == nil)
        #expect(FileLink(path, below: "Library") == nil)
    }

    /// The path is resolved once: whatever another program does meanwhile, the address names a book of the library. A
    /// program that may write there can also change the book itself after it is opened.
    @Test func aLinkThatIsSwappedMeanwhileNeverLeadsOut() throws {
        let inside = try write("inside.epub")
        let outside = directory.path + "/outside.epub"
        try Data("text".utf8).write(to: URL(filePath: outside))
        let name = library + "/book.epub"
        let root = try #require(library.withCString { realpath($0, nil) }.map { String(cString: $0) })
        let script = "while :; do ln -sfn '\(inside)' '\(name)'; ln -sfn '\(outside)' '\(name)'; done"
        let swapping = Process()
        swapping.executableURL = URL(filePath: "/bin/sh")
        swapping.arguments = ["-c", script]
        try swapping.run()
        defer {
            swapping.terminate()
            swapping.waitUntilExit()
        }
        let link = try #require(FileLink(name, below: library))
        var opened = 0
        var refused = 0
        let deadline = ContinuousClock.now + .seconds(30)
        while (opened < 50 || refused < 50) && ContinuousClock.now < deadline {
            do throws(FileLink.Refusal) {
                let url = try link.url()
                // Its name is that of the link, if the link was replaced by a file between two steps.
                #expect(url.hasPrefix("file://" + root + "/") && url.hasSuffix(".epub"))
                opened += 1
            } catch {
                #expect(error == .outside || error == .missing(ENOENT))
                refused += 1
            }
        }
        #expect(opened > 0 && refused > 0)
    }

    @Test func aFileThatIsGoneIsNotOpened() throws {
        #expect(try refusal(of: "gone.epub") == .missing(ENOENT))
    }

    @Test func aSymbolicLinkThatLeadsOutOfTheLibraryIsNotOpened() throws {
        let outside = directory.path + "/outside.epub"
        try Data("text".utf8).write(to: URL(filePath: outside))
        try FileManager.default.createSymbolicLink(atPath: library + "/a.epub", withDestinationPath: outside)
        #expect(try refusal(of: "a.epub") == .outside)
        try FileManager.default.createSymbolicLink(atPath: library + "/up", withDestinationPath: "..")
        #expect(try refusal(of: "up/outside.epub") == .outside)
        // A library that is a link itself, and one to another book in it, are what they lead to.
        let path = try write("b.epub")
        try FileManager.default.createSymbolicLink(atPath: library + "/c.epub", withDestinationPath: path)
        try FileManager.default.createSymbolicLink(atPath: directory.path + "/Link", withDestinationPath: library)
        let link = try #require(FileLink(directory.path + "/Link/c.epub", below: directory.path + "/Link/"))
        #expect(try link.url().hasSuffix("/Library/b.epub"))
    }

    @Test func whatIsNoRegularFileOrNoBookBehindALinkIsNotOpened() throws {
        try FileManager.default.createDirectory(atPath: library + "/a.epub", withIntermediateDirectories: false)
        #expect(try refusal(of: "a.epub") == .notBook)
        #expect(mkfifo(library + "/b.epub", 0o600) == 0)
        #expect(try refusal(of: "b.epub") == .notBook)
        let script = try write("run.sh")
        try FileManager.default.createSymbolicLink(atPath: library + "/c.epub", withDestinationPath: script)
        #expect(try refusal(of: "c.epub") == .notBook)
        // The file system ends the name at the zero.
        try write("run.exe")
        #expect(try refusal(of: "run.exe\u{0}.epub") == .notBook)
    }

    @Test(arguments: [0o755, 0o744, 0o555]) func anExecutableFileIsNotOpened(mode: Int) throws {
        try write("a.epub", mode: mode)
        #expect(try refusal(of: "a.epub") == .executable)
    }
}
