import Foundation
import Glibc
import TestSupport
import Testing

@testable import Catalog
@testable import Editing
@testable import Remote

@Suite("The total size of copies and kept pages") struct MirrorDirectoryLimitTests {
    private let directory: TemporaryDirectory
    private let limits: CopyLimits
    private static let gigabyte = 1 << 30

    init() throws {
        directory = try TemporaryDirectory()
        let state = directory.path + "/state"
        limits = CopyLimits(hasUnsavedEdits: { EditedCatalog.hasUnsavedEdits(ofCatalog: $0, in: state) })
    }

    /// Makes a copy of this size, without using the disk, that was last used this long ago.
    @discardableResult
    private func copy(_ source: String, gigabytes: Int, usedBefore seconds: Double?) throws -> MirrorDirectory {
        let mirror = MirrorDirectory(of: source, in: directory.path)
        try FileManager.default.createDirectory(atPath: mirror.path, withIntermediateDirectories: true)
        let state = #"{"source":"\#(source)","kind":"csv","rows":1,"fetched":1}"#
        try Data(state.utf8).write(to: URL(filePath: mirror.path + "/state.json"))
        try Data().write(to: URL(filePath: mirror.dataPath))
        try #require(truncate(mirror.dataPath, off_t(gigabytes * Self.gigabyte)) == 0)
        if let seconds {
            _ = DirectoryUse(of: mirror)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: mirror.path + "/in-use")
        }
        return mirror
    }

    private var sources: Set<String> { Set(MirrorDirectory.all(in: directory.path).map(\.source)) }

    @Test("Above the limit, the least recently used are deleted, until the rest fits") func leastRecentlyUsed() throws {
        try copy("/c", gigabytes: 5, usedBefore: 20)
        try copy("/a", gigabytes: 5, usedBefore: 40)
        try copy("/b", gigabytes: 5, usedBefore: 30)
        let new = try copy("/new", gigabytes: 1, usedBefore: nil)
        // 16 GB and the small files are more than the limit.
        new.deleteUnusedOthers(above: limits)
        #expect(sources == ["/b", "/c", "/new"])
        new.deleteUnusedOthers(above: limits)
        #expect(sources == ["/b", "/c", "/new"])
    }

    @Test("A greater limit for a copy leaves room for two of them") func greaterLimit() throws {
        try copy("/a", gigabytes: 30, usedBefore: 40)
        let new = try copy("/new", gigabytes: 9, usedBefore: nil)
        new.deleteUnusedOthers(above: CopyLimits(copy: 20 * Self.gigabyte))
        #expect(sources == ["/a", "/new"])
        new.deleteUnusedOthers(above: CopyLimits(copy: 19 * Self.gigabyte))
        #expect(sources == ["/new"])
    }

    @Test("The new copy stays, however large") func newCopy() throws {
        try copy("/a", gigabytes: 1, usedBefore: 40)
        let new = try copy("/new", gigabytes: 20, usedBefore: 50)
        new.deleteUnusedOthers(above: limits)
        #expect(sources == ["/new"])
    }

    @Test("A copy that is in use, or is being made, stays") func used() throws {
        let open = try copy("/a", gigabytes: 6, usedBefore: 40)
        let copied = try copy("/b", gigabytes: 6, usedBefore: 30)
        try copy("/c", gigabytes: 6, usedBefore: 20)
        let new = try copy("/new", gigabytes: 1, usedBefore: nil)
        let use = try #require(DirectoryUse(of: open))
        // As if it had been open for long.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -40)], ofItemAtPath: open.path + "/in-use")
        let file = try DownloadFile(in: copied.path)
        withExtendedLifetime((use, file)) { new.deleteUnusedOthers(above: limits) }
        #expect(sources == ["/a", "/b", "/new"])
    }

    @Test("The copy of a library with unsaved edits stays") func unsavedEdits() throws {
        let address = "http://127.0.0.1:9/"
        let journal = try #require(EditedCatalog.journalPath(of: address, in: directory.path + "/state"))
        let removal = CatalogEdit.remove([.init(position: 0, bytes: Array("{}".utf8))])
        let step = EditJournal.Step(number: 1, kind: .edit, edits: [removal])
        try EditJournal(path: journal, catalogPath: address).append { _ in [.step(step)] }
        try copy(address, gigabytes: 10, usedBefore: 40)
        try copy("/b", gigabytes: 6, usedBefore: 30)
        let new = try copy("/new", gigabytes: 1, usedBefore: nil)
        new.deleteUnusedOthers(above: limits)
        #expect(sources == [address, "/new"])
        // Nothing is left to save.
        try EditJournal(path: journal, catalogPath: address).append { _ in [.rebased([])] }
        try copy("/b", gigabytes: 6, usedBefore: 30)
        new.deleteUnusedOthers(above: limits)
        #expect(sources == ["/b", "/new"])
    }
}
