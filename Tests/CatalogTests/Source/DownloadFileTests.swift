import Foundation
import TestSupport
import Testing

@testable import Catalog
@testable import Remote
@testable import Storage

@Suite("New copies of sources") struct DownloadFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }

    @Test func aNewCopyIsPrivateAndDeletedUnlessCompleted() throws {
        do {
            let file = try DownloadFile(in: directory.path)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(names.count == 1)
        }
        #expect(names == [])
        do {
            let file = try DownloadFile(in: directory.path)
            try FileManager.default.moveItem(atPath: file.path, toPath: directory.path + "/data.jsonl")
        }
        #expect(names == ["data.jsonl"])
    }

    /// A locked file is being written, however old it is; an unlocked one is a leftover, however new.
    @Test func theNextCopyDeletesLeftoversOfKilledProcesses() throws {
        let other = try DownloadFile(in: directory.path)
        for name in ["new.1.jsonl", "database-1.db", "state.json.1.tmp", "data.jsonl", "state.json"] {
            _ = try directory.write("x".utf8, to: name)
        }
        let old = Date(timeIntervalSinceNow: -90_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: other.path)
        do {
            let file = try DownloadFile(in: directory.path)
            #expect(Set(names).isSuperset(of: [fileName(of: other.path), fileName(of: file.path), "database-1.db"]))
            #expect(!names.contains("new.1.jsonl"))
        }
        withExtendedLifetime(other) {}
        #expect(FileManager.default.fileExists(atPath: other.path))
    }

    @Test func withoutAnotherCopyTheFilesOfTheConnectorAreDeletedToo() throws {
        for name in [
            "new.1.jsonl", "database-1.db", "database-1.db-wal", "state.json.1.tmp", "data.jsonl", "state.json",
        ] {
            _ = try directory.write("x".utf8, to: name)
        }
        do { _ = try DownloadFile(in: directory.path) }
        #expect(names == ["data.jsonl", "state.json"])
    }
}
