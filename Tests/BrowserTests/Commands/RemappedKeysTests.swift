import Catalog
import Search
import TerminalTesting
import Testing

@testable import Browser
@testable import Search
@testable import TerminalUI

/// Hints and help name the remapped keys.
@Suite("Remapped keys")
struct RemappedKeysTests {
    private let user = User(bookCount: 3)

    init() {
        // As by the config file: all commands have their standard keys except those that are remapped there.
        let others: [Command: [String]] = [
            .favourite: ["F2"], .lists: ["^g"], .help: ["F3"], .setBookmark: ["x"], .goToBookmark: ["^x"],
            .search: ["^s"],
            .sort(.title): ["F5"], .moveColumn(.down): ["F6"], .moveColumn(.up): ["F7"], .quit: ["^q"],
            .resizeColumn(.wider): ["F9"], .selectRow: [], .toggleColumn: [],
            .interrupt: ["^n"], .reload: ["F8"],
        ]
        var bindings = KeyBindings()
        for command in Command.allCases {
            for keys in others[command] ?? command.info.keys {
                bindings.bind(KeyBindings.sequence(of: keys), to: command)
            }
        }
        user.settings.keys = bindings
    }

    @Test func hintsShowTheRemappedKeys() throws {
        #expect(
            try user.browse().hints.replacing(#/ {4,}/#, with: "   ")
                == " Enter open   ^g lists   F2 favourite   ^s search   F5 sort   F3 help   ^q quit")
        #expect(try user.browse("|").hints.hasPrefix(" F6 F7 move   < F9 width   – show or hide"))
    }

    @Test func helpShowsThem() throws {
        let text = try user.browse("F3", rows: 150).text
        #expect(text.contains("F2  ") && text.contains("no key"))
        let bindings = try #require(user.settings.keys)
        #expect(HelpScreen.paragraphs(of: bindings, matching: "F2").map(\.label) == ["", "F2"])
        #expect(HelpScreen.paragraphs(of: bindings, matching: "favourite").contains { $0.label == "F2" })
    }

    @Test func thePaletteShowsThem() throws {
        #expect(try user.browse(": f a v o u r i t e").popup("Commands")[2].hasSuffix("F2"))
        #expect(try user.browse(": s e l e c t").popup("Commands")[2].hasPrefix("▌Select "))
    }

    @Test func messagesNameThem() throws {
        #expect(try user.browse("t", resumes: false).status == "1/3  t does nothing here. Press F3 for all keys")
        #expect(try user.browse("x a", resumes: false).status == "1/3  Bookmark a set. Return with ^xa")
        #expect(try user.browse("^x b", resumes: false).status == "1/3  Bookmark b is not set. Set it with xb")
        #expect(try user.browse("n", resumes: false).status == "1/3  No previous search. Press ^s to search")
        #expect(try user.browse("^n", resumes: false).status == "1/3  Press ^n again to quit")
        #expect(
            try user.browse("^g j Enter", resumes: false).row(2).contains(
                "No favourites yet. Press F2 on a book to add it"))
    }

    @Test func theyWork() throws {
        #expect(try user.browse("F2", resumes: false).text.contains("★ Book 1"))
        #expect(try user.browse("^n", resumes: false).status.contains("Press"))
        let quit = ScriptedTerminal(columns: 100, rows: 24, keys: "^n ^n j")
        #expect(try user.browse(on: quit) == .quit)
    }
}
