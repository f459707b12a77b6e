import Foundation
import Testing

@testable import Browser
@testable import Library

@Suite("Preferences file")
struct PreferencesTests {
    private let user = User(bookCount: 3)

    private func content() throws -> String {
        try String(contentsOfFile: user.stateDirectory + "/preferences.json", encoding: .utf8)
    }

    /// The hash is XXH3 of "book 2\nan author\n" without its highest bit.
    @Test func theFileIsReadableAndHasThePlaceOfEachCatalog() throws {
        try user.browse("j")
        #expect(
            try content() == """
                {
                  "catalogs" : {
                    "/books/test.json" : {
                      "book" : "hash:3d1152a495f21af2",
                      "lastViewedListIndex" : 0,
                      "list" : "all",
                      "row" : 1,
                      "scrollOffset" : 0,
                      "turn" : 1
                    }
                  },
                  "lastCatalog" : "/books/test.json",
                  "version" : 1
                }

                """)
    }

    @Test func whatTerminalsSaidIsKeptByTheirTypes() throws {
        let preferences = PreferencesFile(directory: user.stateDirectory)
        for number in 0..<25 { preferences.remember(pictures: "kitty 0.\(number).0 kitty 10x20", in: "type-\(number)") }
        preferences.remember(pictures: "foot 1.13.1 sixel 9x18", in: "type-24")
        preferences.finish {}
        func kept(_ number: Int) -> String? {
            PreferencesFile.pictures(in: "type-\(number)", keptIn: user.stateDirectory)
        }
        #expect(kept(24) == "foot 1.13.1 sixel 9x18")
        #expect((0..<25).count { kept($0) != nil } == Preferences.maximumTerminalCount)
        #expect(preferences.problem == nil)
    }

    @Test func askingWhatTerminalsSaidLeavesADamagedFileAsItIs() throws {
        let path = user.stateDirectory + "/preferences.json"
        try FileManager.default.createDirectory(atPath: user.stateDirectory, withIntermediateDirectories: true)
        try Data("{\"version\": 1, damaged".utf8).write(to: URL(filePath: path))
        #expect(PreferencesFile.pictures(in: "xterm", keptIn: user.stateDirectory) == nil)
        #expect(try content() == "{\"version\": 1, damaged")
    }

    @Test func aHundredCatalogsAreRememberedAndTheOldestIsForgotten() throws {
        let user = User(bookCount: 9)
        for number in 0...100 {
            user.catalog = "/books/\(number).json"
            try user.browse("3 j")
            // Reopening a catalog makes it the most recently used one.
            if number == 50 {
                user.catalog = "/books/0.json"
                try user.browse("j")
            }
        }
        user.catalog = "/books/0.json"
        #expect(user.place?.row == 4)
        user.catalog = "/books/1.json"
        #expect(user.place == nil)
        for number in 2...100 {
            user.catalog = "/books/\(number).json"
            #expect(user.place?.row == 3)
        }
    }

    @Test func aNewerFileIsNotHarmed() throws {
        let newer = #"{"version": 99, "shape": ["unknown"]}"#
        try user.writePreferences(newer)
        try user.browse("j L j Enter q")
        #expect(try content() == newer)
        #expect(PreferencesFile(directory: user.stateDirectory).notice?.contains("newer") == true)
    }

    @Test(arguments: [
        "", "{", "[]", "nonsense", #"{"version": "one"}"#, #"{"version": 1}"#,
        #"{"version": 1, "catalogs": {"/a": {"lastViewedListIndex": 1e99, "row": 0, "scrollOffset": 0}}}"#,
    ])
    func anInvalidFileIsMovedAside(text: String) throws {
        try user.writePreferences(text)
        let file = PreferencesFile(directory: user.stateDirectory)
        #expect(file.notice?.contains("preferences.json.bad-1") == true)
        let aside = try String(contentsOfFile: user.stateDirectory + "/preferences.json.bad-1", encoding: .utf8)
        #expect(aside == text)
        #expect(try user.browse("j").status == "2/3")
    }

    @Test func twoProcessesSaveTheirPositions() throws {
        let first = PreferencesFile(directory: user.stateDirectory)
        let second = PreferencesFile(directory: user.stateDirectory)
        let place = Preferences.Place(lastViewedListIndex: 0, row: 1, scrollOffset: 0)
        try first.remember(place, in: "/a.json")
        try second.remember(place, in: "/b.json")
        let read = PreferencesFile(directory: user.stateDirectory)
        #expect(read.place(in: "/a.json") == place)
        #expect(read.place(in: "/b.json") == place)
        #expect(read.lastCatalog == "/b.json")
    }

    @Test func theLeastRecentlyUsedCatalogIsForgotten() {
        let place = Preferences.CatalogState(place: .init(lastViewedListIndex: 0, row: 1, scrollOffset: 0))
        var preferences = Preferences()
        let last = Preferences.maximumCatalogCount
        for number in 0..<last { preferences.remember(place, in: "/\(number).json") }
        preferences.remember(place, in: "/0.json")
        #expect(preferences.catalogs.count == last)
        preferences.remember(place, in: "/\(last).json")
        #expect(preferences.catalogs.count == last)
        #expect(preferences.catalogs["/0.json"]?.turn == last + 1)
        #expect(preferences.catalogs["/1.json"] == nil)
        #expect(preferences.catalogs["/\(last).json"]?.turn == last + 2)
    }

    @Test func withoutADirectoryNothingIsSavedAndNothingFails() throws {
        let file = PreferencesFile(directory: nil)
        try file.remember(.init(lastViewedListIndex: 0, row: 1, scrollOffset: 0), in: "/a.json")
        #expect(file.place(in: "/a.json")?.row == 1)
    }
}
