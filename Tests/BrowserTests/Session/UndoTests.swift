import Foundation
import Shelves
import TerminalTesting
import TestSupport
import Testing

@testable import Books
@testable import Browser
@testable import Library
@testable import TerminalUI

/// Undo, redo and the history, also after a restart.
@Suite("Undo, redo and history")
struct UndoTests {
    private let user = User(bookCount: 5)

    @Test func eachChangeIsUndoneAfterARestartAndRedone() throws {
        user.writeNote = { _ in .text("n") }
        try user.browse("t r 4 m d e b a Enter")
        let all = user.saved.books
        let back = [
            "added Book 1 to new shelf “a”", "note on Book 1", "marked Book 1 as read", "★★★★☆ for Book 1",
            "added Book 1 to favourites",
        ]
        for sentence in back {
            #expect(try user.browse("u").status == "1/5  Undone: " + sentence)
        }
        #expect(user.saved.isEmpty && user.saved.shelves.isEmpty)
        #expect(try user.browse("u").status == "1/5  Nothing to undo")
        for sentence in back.reversed() {
            #expect(try user.browse("^r").status == "1/5  Redone: " + sentence)
        }
        #expect(try user.browse("^r").status == "1/5  Nothing to redo")
        #expect(user.saved.books == all)
    }

    @Test func anotherChangeEndsRedo() throws {
        #expect(try user.browse("t u j r 3 ^r").status == "2/5  Nothing to redo")
    }

    @Test func undoWorksInTheListsAndTheDetail() throws {
        #expect(try user.browse("t Enter u").status == "1/5  Undone: added Book 1 to favourites")
        #expect(try user.browse("t L u").status == "1/7  Undone: added Book 1 to favourites")
    }

    @Test func aDeletedShelfComesBackWithItsBooks() throws {
        try user.browse("V b a Enter")
        try user.browse("L G D y", resumes: false)
        try user.browse("u", resumes: false)
        #expect(try user.browse("L G Enter", resumes: false).hasTitle(" a (5)"))
    }

    @Test func theHistoryListsChangesNewestFirst() throws {
        try user.browse("t j r 4 u")
        let terminal = try user.browse("U")
        #expect(terminal.title.hasPrefix(" History"))
        #expect(terminal.status == "1/2")
        let lines = (2...3).map { terminal.row($0) }
        #expect(lines[0].contains("★★★★☆ for Book 2") && lines[0].contains("undone"))
        #expect(lines[1].contains("Added Book 1 to favourites") && !lines[1].contains("undone"))
        #expect(lines[1].contains(/(today|yesterday) \d\d:\d\d/))
    }

    @Test func enterUndoesAllLaterChangesAndCanBeUndone() throws {
        try user.browse("t j r 4 j m d")
        let terminal = try user.browse("U G Enter")
        #expect(terminal.title.hasPrefix(" All books"))
        #expect(terminal.status == "3/5  Back to: added Book 1 to favourites. u undoes this")
        #expect(user.saved.books.values.map { $0.title } == ["Book 1"])
        #expect(try user.browse("u").status == "3/5  Undone: undo of 2 changes")
        #expect(user.saved.books.count == 3)
    }

    @Test func enterOnTheLastChangeHasNothingToUndo() throws {
        let terminal = try user.browse("t U Enter")
        #expect(terminal.status == "1/5  Nothing changed since: added Book 1 to favourites")
        #expect(!terminal.hints.contains("u undo"))
        #expect(user.saved.books.count == 1)
    }

    @Test func undoInTheHistoryIsSeenThere() throws {
        let terminal = try user.browse("t j r 4 U u")
        #expect(terminal.title.hasPrefix(" History"))
        #expect(terminal.row(2).contains("undone"))
        #expect(!(try user.browse("U ^r").row(2).contains("undone")))
    }

    @Test func undoOfTheOpenShelfLeavesTheHistoryOpen() throws {
        try user.browse("L + a Enter Enter")
        let terminal = try user.browse("U u")
        #expect(terminal.title.hasPrefix(" History"))
        #expect(try user.browse("Esc").title.hasPrefix(" All books"))
    }

    @Test func anEmptyHistorySaysSoAndIsClosedByItsKeyAndEsc() throws {
        #expect(try user.browse("U").text.contains("No changes yet."))
        #expect(try user.browse("U Enter").title.hasPrefix(" History"))
        for key in ["U", "Esc", "q", "h"] { #expect(try user.browse("U " + key).title.hasPrefix(" All books")) }
    }

    @Test func theHistoryIsAnnounced() throws {
        try user.browse("t j r 4")
        let told = try user.narrate("U", resumes: false).answer
        #expect(told.first == "History")
        #expect(told.last?.contains("★★★★☆ for Book 2") == true && told.last?.hasSuffix("1 of 2") == true)
    }

    @Test func aClickSelectsInTheHistoryAndADoubleClickGoesBack() throws {
        try user.browse("t j r 4")
        let one = try user.browse(steps: ScriptedTerminal.Step.keys("U") + [.click(row: 3, column: 30)])
        #expect(one.status == "2/2")
        let two = try user.browse(
            steps: ScriptedTerminal.Step.keys("U") + [
                .click(row: 3, column: 30, time: 1), .click(row: 3, column: 30, time: 90),
            ])
        #expect(two.status.contains("Back to: added Book 1 to favourites"))
    }

    @Test func aLongTitleDoesNotHideTheChange() throws {
        let long = User(books: [.make(title: String(repeating: "very ", count: 60) + "long")])
        #expect(try long.browse("t U", columns: 60).row(2).contains("Added very"))
        #expect(try long.browse("u").text.contains("Undone: added very"))
    }

    // MARK: - Against a model

    /// The expected user data of each book, updated step by step, and the previous states.
    private struct Model {
        struct Own: Equatable {
            var isFavourite = false
            var status: Book.ReadingStatus?
            var rating: StarRating?
            var shelves: Set<String> = []
        }
        struct State: Equatable {
            var books = [Own](repeating: Own(), count: 8)
            var shelves: [String] = []
        }
        var state = State()
        var undone: [State] = []
        var done: [State] = []

        mutating func change(_ body: (inout State) -> Void) {
            let before = state
            body(&state)
            if state != before { (done, undone) = (done + [before], []) }
        }
        mutating func undo() { if let last = done.popLast() { undone.append(state); state = last } }
        mutating func redo() { if let next = undone.popLast() { done.append(state); state = next } }
    }

    private func keep(_ app: App, equalTo model: Model, in user: User, _ place: String) {
        for shelves in [app.session.library.userData, user.saved] {
            #expect(shelves.shelves.map(\.name) == model.state.shelves, "\(place)")
            for (number, own) in model.state.books.enumerated() {
                let title = "Book \(number + 1)"
                let bookData = shelves.books.values.first { $0.title == title }.map(shelves.shown(_:))
                let names = Set(shelves.shelves.filter { bookData?.shelves.contains($0.id) ?? false }.map(\.name))
                let found = Model.Own(
                    isFavourite: bookData?.isFavourite ?? false, status: bookData?.status, rating: bookData?.rating,
                    shelves: names)
                #expect(found == own, "\(place): \(title)")
            }
        }
    }

    /// A thousand commands in one home with restarts in between: after each, the user data equals the model's, on the
    /// screen and on disk.
    @Test(.thorough, arguments: 1...4 as ClosedRange<UInt64>)
    func aThousandRandomCommandsAgreeWithASimpleModel(seed: UInt64) throws {
        let user = User(bookCount: 8)
        // The keys need the rows of the list, also with sanitizers on a busy machine.
        user.settings.timeBudget = 60_000
        var dice = SplitMix(seed: seed)
        var model = Model()
        var app = user.makeApp(resumes: false)
        func give(_ keys: String) {
            for step in ScriptedTerminal.Step.keys(keys) {
                guard case .events(let events) = step else { continue }
                for event in events { _ = app.handle(event) }
                app.update()
                _ = app.draw(size: Size(rows: 24, columns: 100))
            }
        }
        _ = app.draw(size: Size(rows: 24, columns: 100))
        let names = ["w", "x", "y", "z"]
        for number in 0..<250 {
            let first = Int.random(in: 0..<8, using: &dice)
            let count = Bool.random(using: &dice) ? 1 : Int.random(in: 1...(8 - first), using: &dice)
            let books = first..<(first + count)
            give("Esc g g " + (first > 0 ? "\(first) j" : "") + (count > 1 ? " \(count) Space" : ""))
            var keys = ""
            switch Int.random(in: 0..<10, using: &dice) {
            case 0, 1:
                keys = "t"
                model.change { state in
                    let isOn = !books.allSatisfy { state.books[$0].isFavourite }
                    for book in books { state.books[book].isFavourite = isOn }
                }
            case 2:
                let rating = Int.random(in: 0...5, using: &dice)
                keys = "r \(rating)"
                model.change { state in
                    for book in books { state.books[book].rating = rating > 0 ? StarRating(whole: rating) : nil }
                }
            case 3, 4:
                let (key, status): (String, Book.ReadingStatus?) =
                    [("t", .toRead), ("r", .reading), ("d", .read), ("x", .abandoned), ("n", nil)]
                    .randomElement(using: &dice) ?? ("n", nil)
                keys = "m " + key
                model.change { state in
                    let isOff = status == nil || books.allSatisfy { state.books[$0].status == status }
                    for book in books { state.books[book].status = isOff ? nil : status }
                }
            case 5, 6:
                let name = names.randomElement(using: &dice) ?? "w"
                keys = "b \(name) Enter"
                model.change { state in
                    if !state.shelves.contains(name) { state.shelves.append(name) }
                    for book in books { state.books[book].shelves.insert(name) }
                }
            case 7:
                guard let name = model.state.shelves.randomElement(using: &dice) else { continue }
                let row = 8 + (model.state.shelves.firstIndex(of: name) ?? 0)
                keys = "L \(row) G D y L g g Enter"
                model.change { state in
                    state.shelves.removeAll { $0 == name }
                    for book in 0..<8 { state.books[book].shelves.remove(name) }
                }
            case 8:
                keys = "u"
                model.undo()
            default:
                keys = "^r"
                model.redo()
            }
            // Digits are counts, and separate keys here.
            give(
                keys.split(separator: " ").flatMap { Int($0) == nil ? [String($0)] : $0.map(String.init) }.joined(
                    separator: " "))
            if Int.random(in: 0..<12, using: &dice) == 0 {
                if Bool.random(using: &dice) { _ = app.session.problemAtTheEnd() }
                app = user.makeApp(resumes: false)
                _ = app.draw(size: Size(rows: 24, columns: 100))
            } else {
                give("Esc Esc")
            }
            keep(app, equalTo: model, in: user, "seed \(seed), command \(number): \(keys)")
        }
    }
}
