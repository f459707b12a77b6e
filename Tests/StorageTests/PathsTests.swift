import Glibc
import Testing

@testable import Storage

@Suite("Files: paths") struct PathsTests {
    private let temporary = TemporaryDirectory()

    @Test(arguments: [("a/b/c", "a/b"), ("/a/b", "/a"), ("/a", "/"), ("a", "."), ("", "."), ("a/", "a")])
    func aPathIsInItsDirectory(path: String, directory: String) {
        #expect(Storage.directory(of: path) == directory)
    }

    @Test func aPathIsResolvedThroughLinks() throws {
        temporary.put("", at: "file")
        symlink("file", temporary("link"))
        #expect(resolvedPath(temporary("link")) == resolvedPath(temporary("file")))
        #expect(try #require(resolvedPath(temporary("link"))).hasSuffix("/file"))
        #expect(resolvedPath("/..") == "/")
    }

    @Test func aMissingFileIsNotResolved() {
        #expect(resolvedPath(temporary("file")) == nil)
        symlink("file", temporary("link"))
        #expect(resolvedPath(temporary("link")) == nil)
    }

    @Test func directoriesAreCreatedWithTheirParents() throws {
        try makeDirectories(temporary("a/b/c"))
        for name in ["a", "a/b", "a/b/c"] { #expect(temporary.mode(of: name) == 0o700) }
        try makeDirectories(temporary("a/b/c"))
        try makeDirectories(temporary("a/d"))
        #expect(temporary.names == ["a"])
        #expect(temporary.mode(of: "a/d") == 0o700)
    }

    @Test func rootAndCurrentDirectoryAreNotCreated() throws {
        try makeDirectories("/")
        try makeDirectories(".")
    }

    @Test func noDirectoryIsCreatedBelowAFile() {
        temporary.put("", at: "file")
        let error = #expect(throws: FileError.self) { try makeDirectories(temporary("file/a/b")) }
        #expect(error == FileError(path: temporary("file/a/b"), operation: .makeDirectory, code: ENOTDIR))
    }

    @Test func theNamesInADirectoryAreSortedAndHiddenOnesLeftOut() throws {
        for name in ["b.json", "a.json", ".hidden", "C"] { temporary.put("", at: name) }
        #expect(try fileNames(inDirectory: temporary.path) == ["C", "a.json", "b.json"])
    }

    @Test func aMissingDirectoryHasNoNames() {
        let error = #expect(throws: FileError.self) { try fileNames(inDirectory: temporary("none")) }
        #expect(error?.isMissing == true)
    }
}
