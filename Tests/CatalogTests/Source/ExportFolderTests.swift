import Foundation
import TestSupport
import Testing

@testable import Catalog
@testable import Remote
@testable import Storage

@Suite("Folders for exports") struct ExportFolderTests {
    private let cache: TemporaryDirectory

    init() throws { cache = try TemporaryDirectory() }

    private var folders: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: cache.path + "/exports")) ?? []).sorted()
    }

    @Test func aFolderIsPrivateAndDeletedInTheEnd() throws {
        do {
            let folder = try ExportFolder(in: cache.path)
            try folder.append(Array("{}\n".utf8))
            #expect(try String(contentsOfFile: folder.rowsPath, encoding: .utf8) == "{}\n")
            try Data("x".utf8).write(to: URL(filePath: folder.filePath))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
            #expect(folders.count == 1)
        }
        #expect(folders == [])
    }

    /// The folders of running programs, and other folders, stay.
    @Test func foldersOfKilledProgramsAreDeletedLater() throws {
        let old = Date(timeIntervalSinceNow: -7200)
        // Linux never assigns such a large process ID as the first one.
        for (name, date) in [("999999999-a", old), ("999999998-b", Date()), ("\(getpid())-c", old), ("notes", old)] {
            let path = "\(cache.path)/exports/\(name)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(filePath: path + "/rows.jsonl"))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        do { _ = try ExportFolder(in: cache.path) }
        #expect(folders == ["\(getpid())-c", "999999998-b", "notes"].sorted())
    }
}
