import Foundation
import TestSupport
import Testing

@testable import Library

@Suite("The sample") struct SampleCatalogTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func sample(_ name: String = "catalog.json") throws -> SampleCatalog {
        let path = try directory.write("[]".utf8, to: name)
        return SampleCatalog(path: path, stateDirectory: nil, home: directory.path + "/home")
    }

    @Test func itIsKnownByEveryPathOfTheFile() throws {
        let sample = try sample()
        let path = directory.path + "/catalog.json"
        try FileManager.default.createSymbolicLink(atPath: directory.path + "/link", withDestinationPath: path)
        try FileManager.default.linkItem(atPath: path, toPath: directory.path + "/hard")
        try FileManager.default.createDirectory(atPath: directory.path + "/sub", withIntermediateDirectories: false)
        for name in ["catalog.json", "link", "hard", "sub/../catalog.json", "./catalog.json"] {
            #expect(sample.isFile(at: directory.path + "/" + name), "\(name)")
        }
        try FileManager.default.copyItem(atPath: path, toPath: directory.path + "/copy")
        for name in ["copy", "missing", "sub"] { #expect(!sample.isFile(at: directory.path + "/" + name), "\(name)") }
    }

    @Test func theCommandToCopyItQuotesThePath() throws {
        let sentence = try sample().refusal(of: directory.path + "/catalog.json")
        let path = directory.path + "/catalog.json"
        #expect(
            sentence == "nothing changed: \(path) is the sample of stacks. "
                + "Change a copy: cp \(path) \(directory.path)/home/books.json")
        let quoted = try sample("it's a catalog.json").refusal(of: directory.path + "/it's a catalog.json")
        #expect(quoted.contains(" cp '\(directory.path)/it'\\''s a catalog.json' "))
    }

    @Test func anExistingFileIsNeverOverwritten() throws {
        let sample = try sample()
        let taken = try directory.write("mine".utf8, to: "taken.json")
        #expect(throws: (any Error).self) { try sample.copy(to: taken, with: nil) }
        #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == [
                "catalog.json", "taken.json",
            ])
        try sample.copy(to: directory.path + "/new.json", with: nil)
        #expect(try String(contentsOfFile: directory.path + "/new.json", encoding: .utf8) == "[]")
    }
}
