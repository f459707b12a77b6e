import Foundation
import Graphemes
import Shelves
import TerminalTesting
import Testing

@testable import Browser
@testable import Library
@testable import TerminalUI

/// Queries saved as lists.
@Suite("Saved searches")
struct SavedSearchTests {
    private let user = User(
        books: [
            .make(title: "Emma", authors: ["Jane Austen"], pageCount: 474),
            .make(title: "Cosmos", authors: ["Carl Sagan"], pageCount: 365),
            .make(title: "Persuasion", authors: ["Jane Austen"], pageCount: 249),
            .make(title: "Contact", authors: ["Carl Sagan"], pageCount: 432),
        ])

    private func save(_ query: String, as name: String? = nil, before: String = "", after: String = "") throws {
        let rename = name.map { "^u " + typed($0) + " " } ?? ""
        try user.browse("\(before) / \(typed(query)) Enter \(after) W \(rename)Enter", resumes: false)
    }

    @Test func aQueryIsSavedUnderItsTextOrAnotherName() throws {
        let terminal = try user.browse("/ " + typed("austen") + " Enter W Enter")
        #expect(terminal.status == "1/2  Saved search: austen")
        try save("sagan", as: "Carl")
        #expect(user.saved.queries.map(\.name) == ["austen", "Carl"])
        #expect(user.saved.queries.map(\.text) == ["austen", "sagan"])
        let list = try user.browse("L G Enter", resumes: false)
        #expect(list.hasTitle(" Carl (2)") && list.selection == "Cosmos")
    }

    @Test func typingReplacesTheProposedName() throws {
        try user.browse("/ " + typed("austen") + " Enter W " + typed("Jane") + " Enter", resumes: false)
        try user.browse("/ " + typed("sagan") + " Enter W End s Enter", resumes: false)
        #expect(user.saved.queries.map(\.name) == ["Jane", "sagans"])
        let terminal = try user.browse("/ " + typed("austen") + " Enter W", resumes: false)
        let row = try #require(terminal.screens.last).row(22)
        #expect(row.filter { $0.style.surface == .selection }.map(\.glyph.text).joined() == "austen")
    }

    @Test func withoutAQueryThereIsNothingToSave() throws {
        #expect(try user.browse("W").status == "1/4  No search to save. Press / to start one")
    }

    @Test func itIsOpenedInTheOrderItWasSavedIn() throws {
        try save("austen", after: "s p")
        #expect(user.saved.queries.map(\.sort) == ["pages"])
        let terminal = try user.browse("L G Enter", resumes: false)
        #expect(terminal.hasTitle(" austen (2) ▸ pages ↑"))
        #expect(terminal.selection == "Persuasion")
        // Other lists keep their order.
        let others = try user.browse("L G Enter L g g Enter", resumes: false)
        #expect(others.hasTitle(" All books (4)   ") && others.selection == "Emma")
    }

    @Test func itIsResumed() throws {
        try save("austen", after: "s p")
        try user.browse("L G Enter j", resumes: false)
        let terminal = try user.browse()
        #expect(terminal.hasTitle(" austen (2) ▸ pages ↑") && terminal.selection == "Emma")
    }

    @Test func itFollowsChangesOfUserData() throws {
        try save("is:favourite")
        let terminal = try user.browse("j t L G Enter", resumes: false)
        #expect(terminal.hasTitle(" is:favourite (1)") && terminal.selection == "★ Cosmos")
        let gone = try user.browse("L G Enter t", resumes: false)
        #expect(gone.hasTitle(" is:favourite (0)"))
        let back = try user.browse("L G Enter u", resumes: false)
        #expect(back.hasTitle(" is:favourite (1)"))
    }

    @Test func aSearchForUserDataIsUpdated() throws {
        let terminal = try user.browse("t / " + typed("is:favourite") + " Enter t")
        #expect(terminal.hasTitle(" All books (0)"))
    }

    @Test func itSearchesTheListInWhichItWasSaved() throws {
        try user.browse("t j b " + typed("to lend") + " Enter")
        try save("a", as: "x", before: "L j Enter")
        try save("a|c", as: "y", before: "L G k Enter")
        #expect(user.saved.queries.map(\.text) == ["is:favourite a", "on:\"to lend\" (a|c)"])
        let lists = try user.browse("L G Enter", resumes: false)
        #expect(lists.hasTitle(" y (1)") && lists.selection == "Cosmos")
    }

    @Test func itIsCountedInTheBackground() throws {
        try save("austen")
        let terminal = try user.browse("L", resumes: false)
        #expect(terminal.row(10).contains("austen"))
        let count = terminal.row(10).prefix { $0 != "│" }.split(separator: " ").last ?? ""
        #expect(count == "…" || count == "2")
        // Results that take longer are shown when the browser is woken.
        let app = user.makeApp(resumes: false)
        _ = app.draw(size: Size(rows: 24, columns: 80))
        app.session.library.countQueries(notifying: {})
        for _ in 0..<200 where app.session.library.count(of: app.session.library.lists[7]) == nil { usleep(10_000) }
        ScriptedTerminal.Step.keys("L").forEach {
            if case .events(let events) = $0 { events.forEach { _ = app.handle($0) } }
        }
        _ = app.handle(.wakeUp)
        #expect(app.draw(size: Size(rows: 24, columns: 80)).canvas.text(ofRow: 10).contains(" 2 │"))
    }

    @Test func itIsRenamedMovedAndDeletedLikeAShelf() throws {
        try save("austen")
        try save("sagan")
        let renamed = try user.browse("L G = ^u " + typed("Carl") + " Enter", resumes: false)
        #expect(renamed.status == "9/9  Renamed to “Carl”")
        try user.browse("L G K", resumes: false)
        #expect(user.saved.queries.map(\.name) == ["Carl", "austen"])
        let question = try user.browse("L G D", resumes: false)
        #expect(question.status == "9/9  Delete saved search “austen”? y delete, Esc keep")
        try user.browse("L G D y", resumes: false)
        #expect(user.saved.queries.map(\.name) == ["Carl"])
    }

    @Test func aTakenNameIsReportedAndCanBeChanged() throws {
        try save("austen")
        let terminal = try user.browse("/ " + typed("austen") + " Enter W Enter", resumes: false)
        #expect(terminal.row(-1).hasPrefix(" “austen” already exists"))
        #expect(terminal.row(-2).hasPrefix(" Name of this saved search: austen"))
    }

    @Test func aMistakenQueryIsALimitedOne() throws {
        // The text before the mistake filters the list, as in the search bar.
        try save("austen pages:many", as: "odd")
        #expect(try user.browse("L G Enter", resumes: false).hasTitle(" odd (2)"))
    }

    @Test func aQueryThatFindsNothingSaysSo() throws {
        try save("xyzzy")
        #expect(
            try user.browse("L G Enter", resumes: false).text.contains("This saved search finds no books in this"))
    }

    @Test func itCanBeSearchedLikeAnyList() throws {
        try save("austen")
        let terminal = try user.browse("L G Enter / " + typed("emma") + " Enter", resumes: false)
        #expect(terminal.hasTitle(" austen (1)  ⟂ emma"))
    }
}
