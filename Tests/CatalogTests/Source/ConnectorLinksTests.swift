import ConnectorProtocol
import Foundation
import Indexing
import TestSupport
import Testing

@testable import Catalog
@testable import Remote
@testable import Storage

/// A connector program that was taken over is confined to the cache, but can make links there to any file of the user;
/// see Tests/Servers/links.py.
@Suite("Links made by the connector program") struct ConnectorLinksTests {
    private let directory: TemporaryDirectory
    private let mirror: MirrorDirectory
    private static let secret = #"{"title": "Diary"}"# + "\n"
    private static let program =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Servers/links.py"

    init() throws {
        directory = try TemporaryDirectory()
        mirror = MirrorDirectory(of: "http://fake/books.csv", in: directory.path + "/cache")
        try directory.write(Self.secret.utf8, to: "secret.jsonl")
    }

    private var secret: String { directory.path + "/secret.jsonl" }

    /// The link itself, if it is one.
    private func type(of path: String) throws -> FileAttributeType? {
        try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    }

    private func copy(_ kind: String) throws -> Download.Outcome? {
        try directory.write(kind.utf8, to: "kind")
        return try Download(of: mirror, by: SourceAccess(program: Self.program), with: Self.program) {}.wait()
    }

    @Test(arguments: ["copy", "name"])
    func aLinkDoesNotBecomeTheCopy(kind: String) throws {
        guard case .failed(let failure) = try copy(kind) else {
            Issue.record("the link was taken for a copy")
            return
        }
        #expect(failure.kind == .helper)
        #expect(mirror.state == nil)
        #expect(!FileManager.default.fileExists(atPath: mirror.dataPath))
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == Self.secret)
    }

    @Test func theStateIsNotWrittenThroughALink() throws {
        guard case .complete = try copy("state") else {
            Issue.record("the source was not copied")
            return
        }
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == Self.secret)
        let state = mirror.path + "/state.json"
        #expect(try type(of: state) == .typeRegular)
        #expect(try FileManager.default.attributesOfItem(atPath: state)[.posixPermissions] as? Int == 0o600)
        #expect(mirror.state?.rows == 1)
    }

    @Test(arguments: [true, false])
    func aLinkInPlaceOfTheLastCopyCountsAsNoCopy(isSymbolic: Bool) throws {
        _ = try copy("state")
        #expect(mirror.state != nil)
        let catalog = JSONFileCatalog(path: mirror.dataPath, known: .lines, copyOf: mirror.source)
        try catalog.open()
        #expect(catalog.index.count == 1)
        try FileManager.default.removeItem(atPath: mirror.dataPath)
        if isSymbolic {
            try FileManager.default.createSymbolicLink(atPath: mirror.dataPath, withDestinationPath: secret)
        } else {
            try FileManager.default.linkItem(atPath: secret, toPath: mirror.dataPath)
        }
        #expect(mirror.state == nil)
        // It may have been replaced after the state was read.
        #expect(throws: CatalogError.self) { try catalog.reload() }
        // A catalog of the user may be a link.
        let own = JSONFileCatalog(path: mirror.dataPath, known: .lines)
        try own.open()
        #expect(own.index.count == 1)
    }

    @Test func aLinkIsNotExported() throws {
        try directory.write(Array("export".utf8), to: "kind")
        let export = try DatabaseExport(by: ConnectorProgram(path: Self.program, cache: directory.path + "/cache"))
        try export.append(Array("{}\n".utf8))
        export.make(replacing: nil) {}
        while !export.isMade { usleep(1000) }
        #expect(export.failure == nil)
        let target = try ReplacementFile(path: directory.path + "/books.db")
        #expect(throws: FileError.self) { try export.complete(target, overwriting: false) }
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/books.db"))
    }
}
