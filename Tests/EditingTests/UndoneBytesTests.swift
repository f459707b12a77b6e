import Books
import CatalogTesting
import Foundation
import Indexing
import TestSupport
import Testing

@testable import Catalog
@testable import Editing

@Suite("Undoing everything restores the same bytes, also after a save") struct UndoneBytesTests: CatalogEditing {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static func book(_ number: Int) -> String {
        #"{"title":"T\#(number)","authors":["A B"],"pageCount":\#(number)}"#
    }

    private static let long = String(repeating: "[], ", count: 3000)
    private static let (one, two, three) = (book(1), book(2), book(3))

    /// A catalog in one of the layouts of other programs.
    struct Layout: CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var name = "books.json"
        var isList = true
        /// Whether it would be no catalog without its first books.
        var keepsFirst = false
    }

    static let layouts = [
        Layout(testDescription: "pretty", text: "[\n  \(one),\n  \(two),\n  \(three)\n]\n"),
        Layout(testDescription: "minified", text: "[\(one),\(two),\(three)]"),
        Layout(testDescription: "uneven separators", text: "[\(one)\n,\n\(two) , \(three),\n\n \(book(4)) ]"),
        Layout(
            testDescription: "blank lines", text: "\n\(one)\n\n\(two)  \n\n\n  \(three)\n\(book(4))",
            name: "books.jsonl"),
        Layout(testDescription: "CR LF", text: "[\r\n\t\(one),\r\n\t\(two),\r\n\r\n\t\(three)\r\n]\r\n"),
        Layout(testDescription: "lines with CR LF", text: "\(one)\r\n\r\n\(two)\r\n\(three)", name: "books.jsonl"),
        Layout(testDescription: "BOM", text: "\u{FEFF}[ \(one), \(two),\n\(three)]"),
        Layout(testDescription: "lines with a BOM", text: "\u{FEFF}\n\(one)\n\(two)\n\n", name: "books.jsonl"),
        Layout(testDescription: "one book", text: "[\n \(one)\n]\n"),
        Layout(testDescription: "one line", text: "\(one)\n", name: "books.jsonl"),
        Layout(
            testDescription: "nested list",
            text: #"{"n":"[]","shelves":[{"books":[ \#(one),\#(two) ]},{"x":1,"books":[\#(three)]}, {"books":[]}]}"#,
            keepsFirst: true),
        Layout(
            testDescription: "a long text around",
            text: #"{"n":"\#(long)","books":[ \#(one) , \#(two)], "m":["\#(long)"]}"#),
        Layout(
            testDescription: "other elements", text: "[7, \(one), null ,\(two)\n, [],\(three),5 ]", keepsFirst: true),
        Layout(
            testDescription: "other lines", text: "\(one)\n\(two)\nx\n\n\(three)\n{\"a\n\(book(4))",
            name: "books.jsonl",
            keepsFirst: true),
        Layout(
            testDescription: "members", text: #"{"books":{"a": \#(one), "b" : \#(two),"c":\#(three)}}"#, isList: false),
    ]

    /// A random session of edits by several instances, one after another.
    private struct Session {
        let tests: UndoneBytesTests
        let path: String
        let layout: Layout
        var random: SplitMix
        var catalog: EditedCatalog
        /// The steps that were made, and those that were undone.
        var (done, undone): ([Int], [Int]) = ([], [])
        var log: [String] = []
        private var count = 10

        init(_ tests: UndoneBytesTests, _ layout: Layout, seed: UInt64) throws {
            (self.tests, self.layout) = (tests, layout)
            path = try tests.write(layout.text, named: "\(seed)-" + layout.name)
            random = SplitMix(seed: seed)
            catalog = try tests.open(path)
        }

        private mutating func pick(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

        private mutating func picked() -> [BookID] {
            let ids = (0..<catalog.index.count).dropFirst(layout.keepsFirst ? 2 : 0).map { BookID($0) }
            return pick(4) == 0 ? ids : ids.filter { _ in pick(3) == 0 }
        }

        private mutating func newBook() -> Book {
            count += 1
            return Book(title: "N\(count)", authors: ["C D"])
        }

        mutating func step() throws {
            let size = catalog.index.count
            var outcome: EditOutcome?
            let first = layout.keepsFirst ? 2 : 0
            let choice = pick(layout.isList ? 10 : 5)
            log.append("\(choice)")
            switch choice {
            case 0: _ = try tests.save(catalog)
            // Nothing is done before, as if it had been killed.
            case 1: catalog = try tests.open(path)
            case 2 where size > 0:
                count += 1
                outcome = try tests.setTitle("R\(count)", of: pick(size), in: catalog)
            case 3: return try undo()
            case 4: return try redo()
            case 5: outcome = try catalog.remove(picked())
            case 6 where size > first + 1:
                outcome = try catalog.move(
                    BookID(first + pick(size - first)), to: first + pick(size - first))
            case 7:
                outcome = try catalog.add(
                    [newBook(), newBook()], after: size > 0 ? BookID(min(size - 1, max(first, pick(size)))) : nil)
            case 8, 9:
                // A command writes the file, and keeps the unsaved edits.
                _ = try tests.save(catalog)
                try change()
                return
            default: return
            }
            if let outcome { (done, undone) = (done + [outcome.number], []) }
        }

        private mutating func change() throws {
            let editor = try FileEditor(path, journalPath: try tests.journal(path))
            let size = editor.count
            let first = layout.keepsFirst ? 2 : 0
            guard size > first + 1 else { return }
            let (one, other) = (BookID(first + pick(size - first)), BookID(first + pick(size - first)))
            let choice = pick(4)
            log[log.count - 1] += "\(choice)"
            switch choice {
            case 0: try editor.move(one, after: pick(2) == 0, other)
            case 1:
                // Not if the list is several ones.
                let order = Array(0..<first) + Array(first..<size).shuffled(using: &random)
                try editor.sort(into: order.map { BookID($0) })
                if (try? editor.changes) == nil { return }
            case 2:
                var book = try #require(editor.book(one))
                book.pageCount = 9
                try editor.set([.pageCount], of: one, to: book)
                if one != other { try editor.remove([other]) }
            default: try editor.add([newBook(), newBook()])
            }
            if let number = try editor.saveForUndo() { (done, undone) = (done + [number], []) }
            try catalog.readChangedFile()
        }

        mutating func undo() throws {
            guard let number = done.popLast() else { return }
            _ = try catalog.reverse(number, redoing: false)
            undone.append(number)
        }

        mutating func redo() throws {
            guard let number = undone.popLast() else { return }
            _ = try catalog.reverse(number, redoing: true)
            done.append(number)
        }

        mutating func saved() throws -> String {
            _ = try tests.save(catalog)
            return try tests.content(path)
        }
    }

    @Test("Random edits, saves, starts and commands are undone and redone to the same bytes", arguments: layouts)
    func randomSessions(_ layout: Layout) throws {
        for seed in 0..<(isQuickRun ? 3 : 40) as Range<UInt64> {
            var session = try Session(self, layout, seed: seed)
            do {
                for _ in 0..<Int(seed % 12 + 2) { try session.step() }
                let last = try session.saved()
                let count = session.done.count
                while !session.done.isEmpty {
                    try session.undo()
                    if seed % 3 == 0 { _ = try session.saved() }
                    if seed % 5 == 0 { session.catalog = try open(session.path) }
                }
                try #require(try session.saved() == layout.text)
                for _ in 0..<count {
                    try session.redo()
                    if seed % 4 == 0 { _ = try session.saved() }
                }
                try #require(try session.saved() == last)
            } catch {
                let text = try content(session.path).prefix(2000)
                Issue.record("\(error) with the seed \(seed): \(session.log): \(String(reflecting: text))")
                return
            }
        }
    }

    /// An edit of a catalog in the browser.
    enum Edit: CaseIterable {
        case removeFirst, removeLast, removeAll, moveDown, moveUp, changeAndRemove

        func make(in catalog: EditedCatalog) throws -> [EditOutcome?] {
            let last = BookID(catalog.index.count - 1)
            switch self {
            case .removeFirst: return [try catalog.remove([BookID(0)])]
            case .removeLast: return [try catalog.remove([last])]
            case .removeAll: return [try catalog.remove((0..<catalog.index.count).map { BookID($0) })]
            case .moveDown: return [try catalog.move(BookID(0), to: 1)]
            case .moveUp: return [try catalog.move(last, to: 0)]
            case .changeAndRemove:
                return [
                    try catalog.set([.title], of: [BookID(0)]) { $0.title = "Z" }, try catalog.remove([BookID(0)]),
                ]
            }
        }
    }

    @Test("One edit is undone after a save and a new start", arguments: layouts.filter(\.isList), Edit.allCases)
    func oneEdit(_ layout: Layout, _ edit: Edit) throws {
        if layout.keepsFirst, edit == .removeAll { return }
        let path = try write(layout.text, named: layout.name)
        var catalog = try open(path)
        let outcomes = try edit.make(in: catalog)
        _ = try save(catalog)
        catalog = try open(path)
        for outcome in outcomes.reversed() {
            if let outcome { _ = try catalog.reverse(outcome.number, redoing: false) }
        }
        _ = try save(catalog)
        #expect(try content(path) == layout.text)
    }

    @Test("A redo puts a book that a command added where the save had it")
    func redoneOrder() throws {
        let path = try write("[\(Self.one),\(Self.two)]")
        let catalog = try open(path)
        let move = try #require(try catalog.move(BookID(0), to: 1))
        let editor = try FileEditor(path, journalPath: try journal(path))
        try editor.add([Book(title: "T3", authors: ["A B"])])
        let added = try #require(try editor.saveForUndo())
        _ = try save(catalog)
        #expect(titles(catalog) == ["T2", "T1", "T3"])
        let saved = try content(path)
        for number in [added, move.number] { _ = try catalog.reverse(number, redoing: false) }
        _ = try save(catalog)
        #expect(try content(path) == "[\(Self.one),\(Self.two)]")
        for number in [move.number, added] { _ = try catalog.reverse(number, redoing: true) }
        _ = try save(catalog)
        #expect(try content(path) == saved)
    }

    @Test("A deletion in a journal of an earlier version is undone with the separators of a neighbour")
    func formerDeletion() throws {
        let path = try write("[\(Self.one), \(Self.three)]")
        let record = #"{"at":1,"record":\#(quoted(Self.two)),"behind":\#(quoted(Self.one))}"#
        try writeJournal(of: path, #"{"edit":7,"changes":[{"remove":[\#(record)]}]}"#)
        #expect(try undone(path) == "[\(Self.one), \(Self.two), \(Self.three)]")
    }

    @Test("A deletion of all books in a journal of an earlier version is undone to the same bytes")
    func formerDeletionOfAll() throws {
        let path = try write("[]\n")
        let first = #"{"at":0,"record":\#(quoted(Self.one)),"gap":"\n ","end":""}"#
        let second = #"{"at":1,"record":\#(quoted(Self.two)),"gap":" ,\n ","end":"\n"}"#
        try writeJournal(of: path, #"{"edit":7,"changes":[{"remove":[\#(first),\#(second)]}]}"#)
        #expect(try undone(path) == "[\n \(Self.one) ,\n \(Self.two)\n]\n")
    }

    private func undone(_ path: String) throws -> String {
        let catalog = try open(path)
        _ = try catalog.reverse(7, redoing: false)
        _ = try save(catalog)
        return try content(path)
    }

    private func quoted(_ text: String) -> String { "\"" + text.replacing("\"", with: "\\\"") + "\"" }

    /// Makes the journal of a catalog with one step, which is saved.
    private func writeJournal(of path: String, _ step: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory.path + "/state/edits", withIntermediateDirectories: true)
        let heading = #"{"catalog":"\#(path)","version":1}"#
        try write([heading, step, #"{"saving":"1:2:3:4"}"#, #"{"saved":"1:2:3:4"}"#], asJournalOf: path)
    }
}
