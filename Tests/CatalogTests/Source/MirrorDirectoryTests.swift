import ConnectorProtocol
import Foundation
import JSON
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import Remote

@Suite("The directories of copies and kept pages") struct MirrorDirectoryTests {
    private let directory: TemporaryDirectory
    /// Two addresses to which earlier versions gave the same directory.
    private static let good = "http://127.0.0.1:9101/good.csv"
    private static let evil = "http://127.0.0.1:9102/evil.csv?SndCRMcTRj4Csu5eF"

    init() throws { directory = try TemporaryDirectory() }

    private func earlierPath(of source: String) -> String { "\(directory.path)/remote/\(earlierName(of: source))" }

    /// Makes a copy of `source` with one row in the directory at `path`.
    private func copy(_ source: String, to path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(#"{"title":"Emma"}"#.utf8).write(to: URL(filePath: path + "/data.jsonl"))
        let state = #"{"source":"\#(source)","kind":"csv","rows":1,"fetched":1,"etag":"\"1\""}"#
        try Data(state.utf8).write(to: URL(filePath: path + "/state.json"))
    }

    @Test("The name is the SHA-256 of the source") func name() {
        let mirror = MirrorDirectory(of: "abc", in: directory.path)
        #expect(
            mirror.path == directory.path + "/remote/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("Addresses for which earlier versions had one directory have two, so that neither gets the other's copy")
    func collision() throws {
        try copy(Self.evil, to: earlierPath(of: Self.good))
        #expect(earlierPath(of: Self.good) == earlierPath(of: Self.evil))
        let good = MirrorDirectory(of: Self.good, in: directory.path)
        #expect(good.state == nil)
        try copy(Self.good, to: good.path)
        let evil = MirrorDirectory(of: Self.evil, in: directory.path)
        #expect(evil.state?.source == Self.evil && evil.path != good.path)
        #expect(MirrorDirectory(of: Self.good, in: directory.path).state?.source == Self.good)
        #expect(Set(MirrorDirectory.all(in: directory.path).map(\.source)) == [Self.good, Self.evil])
    }

    @Test("The copy that an earlier version made is taken over once") func takingOver() throws {
        try copy(Self.good, to: earlierPath(of: Self.good))
        #expect(MirrorDirectory.all(in: directory.path).map(\.source) == [Self.good])
        #expect(!FileManager.default.fileExists(atPath: earlierPath(of: Self.good)))
        let good = MirrorDirectory(of: Self.good, in: directory.path)
        #expect(good.state?.rows == 1)
        #expect(try String(contentsOfFile: good.dataPath, encoding: .utf8) == #"{"title":"Emma"}"#)
        // Another copy under the earlier name does not replace it.
        try copy(Self.good, to: earlierPath(of: Self.good))
        try FileManager.default.removeItem(atPath: good.dataPath)
        #expect(MirrorDirectory(of: Self.good, in: directory.path).state == nil)
    }

    @Test("The copy of another source in a directory counts as none, and is not listed") func anotherSource() throws {
        let good = MirrorDirectory(of: Self.good, in: directory.path)
        try copy(Self.evil, to: good.path)
        #expect(good.state == nil)
        #expect(MirrorDirectory.all(in: directory.path).isEmpty)
        // A new copy replaces it.
        let new = try DownloadFile(in: good.path)
        try Data(#"{"title":"Persuasion"}"#.utf8).write(to: URL(filePath: new.path))
        let opened = OpenedSource(mode: .mirror, kind: "csv")
        let row = MirroredCopy(rows: 1, bytes: 22, isComplete: true, defects: [])
        try good.keep(new.path, with: MirrorState(opened, row, of: Self.good, in: nil, fingerprint: nil))
        #expect(good.state?.source == Self.good)
    }

    // MARK: - Pages

    private static let request = PageRequest(query: "emma", at: .row(0), limit: 64, generation: 0)

    private func page(_ title: String) -> PageStore.Page {
        PageStore.Page(time: 1, rows: [.object([JSONValue.Member(key: "title", value: .string(title))])])
    }

    /// Keeps a page of a source and waits until it can be read.
    private func keep(_ title: String, of source: String) throws {
        let store = PageStore(in: MirrorDirectory(of: source, in: directory.path))
        store.keep(page(title), of: Self.request, kind: "fake")
        for _ in 1...500 where store.page(of: Self.request) == nil { Thread.sleep(forTimeInterval: 0.01) }
        try #require(store.page(of: Self.request) != nil)
    }

    private func title(of source: String) -> String? {
        let store = PageStore(in: MirrorDirectory(of: source, in: directory.path))
        return store.page(of: Self.request)?.rows.first?["title"]?.string
    }

    @Test("Kept pages are those of their source, and others are not shown") func pages() throws {
        try keep("Emma", of: Self.good)
        let good = MirrorDirectory(of: Self.good, in: directory.path)
        let evil = MirrorDirectory(of: Self.evil, in: directory.path)
        try FileManager.default.copyItem(atPath: good.path, toPath: evil.path)
        #expect(title(of: Self.good) == "Emma")
        #expect(title(of: Self.evil) == nil)
        #expect(evil.keptPages == nil)
        // The first page that is kept deletes those of the other source.
        try keep("Dracula", of: Self.evil)
        #expect(evil.keptPages?.source == Self.evil && evil.keptPages?.count == 1)
        #expect(title(of: Self.good) == "Emma")
    }

    @Test("The pages that an earlier version has kept are still there") func earlierPages() throws {
        try keep("Emma", of: Self.good)
        let good = MirrorDirectory(of: Self.good, in: directory.path)
        let pages = good.path + "/pages"
        let request = "emma\n\nrow(0)\n64"
        let (name, earlier) = (hashedName(of: request) + ".json", earlierName(of: request) + ".json")
        try FileManager.default.moveItem(atPath: "\(pages)/\(name)", toPath: "\(pages)/\(earlier)")
        try FileManager.default.moveItem(atPath: good.path, toPath: earlierPath(of: Self.good))
        #expect(title(of: Self.evil) == nil)
        #expect(title(of: Self.good) == "Emma")
        #expect(FileManager.default.fileExists(atPath: "\(pages)/\(name)"))
        #expect(!FileManager.default.fileExists(atPath: "\(pages)/\(earlier)"))
    }
}
