import Books
import CatalogTesting
import Foundation
import Indexing
import JSON
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import Editing

@Suite("Editing the books of a catalog") struct EditedCatalogTests: CatalogEditing {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The text of each book in an index, with its numeric fields.
    private func entries(_ index: BookIndex) -> [String] {
        (0..<index.count).map { number in
            let facts = index.facts(at: number)
            var text = ""
            for line in index.text(at: number) { text += String(decoding: line.content, as: UTF8.self) + "\n" }
            return text + " \(facts.year) \(facts.pages) \(facts.rating) \(index.keys(of: BookID(number)))"
        }
    }

    // MARK: - Before it is saved

    @Test func anEditIsSeenAtOnceAndTheFileStays() throws {
        let path = try write()
        let catalog = try open(path)
        let outcome = try #require(try setTitle("Emma Woodhouse", of: 0, in: catalog))
        #expect(outcome.bookCount == 1)
        #expect(catalog.summary(of: BookID(0)).value?.title == "Emma Woodhouse")
        #expect(entries(catalog.index)[0].hasPrefix("emma woodhouse\njane austen\n"))
        #expect(catalog.unsavedCount == 1)
        #expect(try content(path) == Self.text)
    }

    @Test func theNextStartHasTheEditsAgain() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try setTitle("Kidnapped!", of: 2, in: catalog)
        _ = try catalog.remove([BookID(0)])
        _ = try catalog.move(BookID(2), to: 0)
        _ = try catalog.add([Book(title: "Ulysses", authors: ["James Joyce"])], after: BookID(0))
        let again = try open(path)
        #expect(titles(again) == ["Middlemarch", "Ulysses", "Drácula", "Kidnapped!"])
        #expect(titles(again) == titles(catalog))
        #expect(entries(again.index) == entries(catalog.index))
        #expect(again.unsavedCount == 4)
    }

    @Test func anotherInstanceAdoptsTheEdits() throws {
        let path = try write()
        let (one, other) = (try open(path), try open(path))
        _ = try one.remove([BookID(1)])
        #expect(other.receiveEdits())
        #expect(titles(other) == ["Emma", "Kidnapped", "Middlemarch"])
        // The second process refers to the book by its position before the first one inserted another.
        _ = try one.add([Book(title: "First")], after: nil)
        _ = try one.move(BookID(3), to: 0)
        _ = try setTitle("Middlemarch II", of: 2, in: other)
        #expect(titles(other) == ["First", "Emma", "Kidnapped", "Middlemarch II"])
        #expect(one.receiveEdits())
        #expect(titles(one) == titles(other))
    }

    @Test func restoringTheOldValueIsNotAnEdit() throws {
        let catalog = try open(try write())
        #expect(try setTitle("Emma", of: 0, in: catalog) == nil)
        _ = try setTitle("Emma 2", of: 0, in: catalog)
        _ = try setTitle("Emma", of: 0, in: catalog)
        #expect(catalog.unsavedCount == 0)
        #expect(catalog.isUnchanged)
    }

    @Test func aBookReplacingADeletedOneCountsAsTwoEdits() throws {
        let catalog = try open(try write())
        let deleted = try #require(try catalog.remove([BookID(1)]))
        let added = try #require(try catalog.add([Book(title: "Ulysses")], after: BookID(0)))
        #expect(titles(catalog) == ["Emma", "Ulysses", "Kidnapped", "Middlemarch"])
        #expect(catalog.unsavedCount == 2)
        // The edits survive a restart, and undoing both leaves none.
        #expect(try open(catalog.path).unsavedCount == 2)
        _ = try catalog.reverse(added.number, redoing: false)
        #expect(catalog.unsavedCount == 1)
        _ = try catalog.reverse(deleted.number, redoing: false)
        #expect(catalog.unsavedCount == 0)
        #expect(catalog.isUnchanged)
    }

    @Test func addingAndDeletingABookIsNotAChange() throws {
        let catalog = try open(try write())
        _ = try catalog.add([Book(title: "Ulysses")], after: BookID(0))
        #expect(catalog.unsavedCount == 1)
        _ = try catalog.remove([BookID(1)])
        #expect(catalog.unsavedCount == 0)
        #expect(catalog.isUnchanged)
    }

    @Test func aDeletedBookIsRestoredBesideNewOnes() throws {
        let catalog = try open(try write())
        _ = try setTitle("Kidnapped!", of: 2, in: catalog)
        _ = try catalog.add([Book(title: "First"), Book(title: "Second")], after: BookID(0))
        // Emma is before the new books, Dracula after them, and Kidnapped is changed.
        let deleted = try #require(try catalog.remove([BookID(0), BookID(3), BookID(4)]))
        #expect(catalog.unsavedCount == 5)
        _ = try catalog.reverse(deleted.number, redoing: false)
        #expect(titles(catalog) == ["Emma", "First", "Second", "Drácula", "Kidnapped!", "Middlemarch"])
        #expect(catalog.unsavedCount == 3)
    }

    @Test func unrepresentableValuesAreRejectedAndNothingChanges() throws {
        let path = try write(#"[{"name": "A", "by": "B"}, {"name": "C", "by": "D"}]"#)
        let catalog = try open(path)
        let before = titles(catalog)
        #expect(throws: CatalogEditError.notARecord) { try catalog.setRecord(of: BookID(0), to: Array("[1]".utf8)) }
        #expect(throws: CatalogEditError.notARecord) { try catalog.setRecord(of: BookID(0), to: Array("{".utf8)) }
        #expect(titles(catalog) == before)
        #expect(catalog.unsavedCount == 0)
    }

    // MARK: - Saving

    @Test func savingWritesTheEditsAndNothingElse() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try catalog.set([.published], of: [BookID(0)]) { $0.published = PartialDate(year: 1816) }
        _ = try catalog.remove([BookID(3)])
        _ = try catalog.add([Book(title: "Ulysses", authors: ["James Joyce"])], after: BookID(0))
        let titles = titles(catalog)
        let entries = entries(catalog.index)
        guard case .saved(let count) = try save(catalog) else { return #expect(Bool(false)) }
        #expect(count == 3)
        #expect(
            try content(path) == """
                [
                  {"title": "Emma", "authors": ["Jane Austen"], "year": 1816, "isbn": "9780141439587"},
                  {"title": "Ulysses", "authors": ["James Joyce"]},
                  {"title": "Dr\\u00e1cula",   "authors": ["Bram Stoker"], "year": 1897},
                  {"title": "Kidnapped", "authors": ["R. L. Stevenson"], "year": 1886, "x": [ 1,2 ]}
                ]

                """)
        #expect(catalog.unsavedCount == 0)
        #expect(self.titles(catalog) == titles)
        #expect(self.entries(catalog.index) == entries)
        let again = try open(path)
        #expect(self.titles(again) == titles)
        #expect(self.entries(again.index) == entries)
        #expect(again.unsavedCount == 0)
    }

    @Test func savingWithoutAnEditWritesNothing() throws {
        let path = try write()
        let catalog = try open(path)
        let before = RandomAccessInput.Fingerprint(ofFileAt: path)
        guard case .nothing = try save(catalog) else { return #expect(Bool(false)) }
        #expect(RandomAccessInput.Fingerprint(ofFileAt: path) == before)
    }

    @Test func anUnconfirmedSaveIsRecognizedByTheFile() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try setTitle("Emma 2", of: 0, in: catalog)
        _ = try save(catalog)
        // As if the process had been killed after the renaming.
        let journal = try #require(EditedCatalog.journalPath(of: path, in: directory.path + "/state"))
        var lines = try content(journal).split(separator: "\n")
        #expect(lines.removeLast().contains("saved"))
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: journal))
        let again = try open(path)
        #expect(again.history.pending.isEmpty)
        #expect(again.unsavedCount == 0)
    }

    @Test func editsArePendingUntilTheyAreSaved() throws {
        func isPending(_ path: String) throws -> Bool {
            let catalog = EditedCatalog(
                JSONFileCatalog(path: path),
                journalPath: EditedCatalog.journalPath(of: path, in: directory.path + "/state"))
            try catalog.base.open()
            let isPending = catalog.hasPendingEdits
            // Querying does not remove an edit.
            _ = catalog.receive()
            #expect(catalog.unsavedCount == (isPending ? 1 : 0))
            #expect(catalog.hasPendingEdits == isPending)
            return isPending
        }
        let path = try write()
        #expect(try !isPending(path))
        let catalog = try open(path)
        _ = try setTitle("Emma 2", of: 0, in: catalog)
        #expect(try isPending(path))
        _ = try save(catalog)
        #expect(try !isPending(path))
    }

    @Test func anUnconfirmedSaveCountsOnceDespiteLaterChanges() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try catalog.add([Book(title: "Ulysses"), Book(title: "Dubliners")], after: BookID(0))
        _ = try catalog.remove([BookID(4)])
        _ = try catalog.move(BookID(1), to: 3)
        let expected = ["Emma", "Dubliners", "Drácula", "Ulysses", "Middlemarch"]
        _ = try save(catalog)
        // As if the process had been killed after the renaming, and another program had then changed a book.
        try write(Array(try lines(path).dropLast()), asJournalOf: path)
        try Data(try content(path).replacing("1815", with: "1816").utf8).write(to: URL(filePath: path))
        let again = try open(path)
        #expect(titles(again) == expected)
        _ = try save(again)
        #expect(titles(try open(path)) == expected)
    }

    @Test func anInterruptedSaveKeepsABookAddedTwice() throws {
        let path = try write()
        let catalog = try open(path)
        for _ in 0..<2 { _ = try catalog.add([Book(title: "Ulysses")], after: BookID(0)) }
        let old = try Data(contentsOf: URL(filePath: path))
        let fingerprint = try #require(RandomAccessInput.Fingerprint(ofFileAt: path))
        let line = #"{"saving":"1:2:3:4","over":"\#(fingerprint)"}"#
        try write(try lines(path) + [line], asJournalOf: path)
        let again = try open(path)
        #expect(titles(again).prefix(3) == ["Emma", "Ulysses", "Ulysses"])
        #expect(try Data(contentsOf: URL(filePath: path)) == old)
    }

    @Test func aFullySavedJournalIsReadOnDemand() throws {
        let path = try write()
        let catalog = try open(path)
        let outcome = try #require(try setTitle("Emma 2", of: 0, in: catalog))
        _ = try save(catalog)
        let (again, other) = (try open(path), try open(path))
        #expect(again.journal?.isPutOff == true && !again.hasPendingEdits)
        #expect(!again.receiveEdits())
        // Edits of another window appear.
        _ = try other.remove([BookID(1)])
        #expect(other.journal?.isPutOff == false)
        #expect(again.receiveEdits())
        #expect(titles(again) == ["Emma 2", "Kidnapped", "Middlemarch"])
        // The edit that it saved before is undone.
        _ = try save(again)
        let last = try open(path)
        #expect(last.journal?.isPutOff == true)
        _ = try last.reverse(outcome.number, redoing: false)
        #expect(titles(last) == ["Emma", "Kidnapped", "Middlemarch"])
        // Numbers continue.
        #expect(try #require(try setTitle("Emma 3", of: 0, in: last)).number > outcome.number)
    }

    @Test func editsDuringASaveAreNotDeferred() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try setTitle("Emma 2", of: 0, in: catalog)
        _ = try save(catalog)
        var lines = try lines(path)
        let step =
            #"{"edit":2,"changes":[{"remove":[{"at":1,"record":"{\"title\": \"Dr\\u00e1cula\",   \"authors\": [\"Bram Stoker\"], \"year\": 1897}"}]}]}"#
        lines.insert(step, at: lines.count - 1)
        try write(lines, asJournalOf: path)
        #expect(titles(try open(path)) == ["Emma 2", "Kidnapped", "Middlemarch"])
    }

    @Test func undoReachesBeyondASave() throws {
        let path = try write()
        let catalog = try open(path)
        let first = try #require(try setTitle("Emma 2", of: 0, in: catalog))
        let second = try #require(try catalog.remove([BookID(1)]))
        _ = try save(catalog)
        let again = try open(path)
        _ = try again.reverse(second.number, redoing: false)
        _ = try again.reverse(first.number, redoing: false)
        #expect(titles(again) == ["Emma", "Drácula", "Kidnapped", "Middlemarch"])
        _ = try save(again)
        #expect(try content(path) == Self.text)
        _ = try again.reverse(first.number, redoing: true)
        #expect(titles(again)[0] == "Emma 2")
    }

    @Test(arguments: [
        text, text.replacing("\n", with: "\r\n"),
        #"{"a":1,"books":[{"title":"A","authors":[]} , {"title":"\\u0026","authors":[]}],"z":2}"#,
    ])
    func restoringAllDeletedBooksGivesTheSameBytes(_ text: String) throws {
        let path = try write(text)
        let catalog = try open(path)
        let outcome = try #require(try catalog.remove((0..<catalog.index.count).map { BookID($0) }))
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        #expect(try open(path).index.count == 0)
        let again = try open(path)
        _ = try again.reverse(outcome.number, redoing: false)
        guard case .saved = try save(again) else { return #expect(Bool(false)) }
        #expect(try content(path) == text)
    }

    // MARK: - Changes on disk

    @Test func editsAreAppliedToChangesOfOthers() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try setTitle("Emma 2", of: 0, in: catalog)
        _ = try catalog.remove([BookID(2)])
        // The first book is moved to the end and gets another year.
        let others = """
            [{"title": "Dr\\u00e1cula",   "authors": ["Bram Stoker"], "year": 1897},
             {"title": "Kidnapped", "authors": ["R. L. Stevenson"], "year": 1886, "x": [ 1,2 ]},
             {"title": "Emma", "authors": ["Jane Austen"], "year": 1816, "isbn": "9780141439587"}]
            """
        try Data(others.utf8).write(to: URL(filePath: path))
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        #expect(
            try content(path) == """
                [{"title": "Dr\\u00e1cula",   "authors": ["Bram Stoker"], "year": 1897},
                 {"title": "Emma 2", "authors": ["Jane Austen"], "year": 1816, "isbn": "9780141439587"}]
                """)
    }

    @Test(arguments: [JSONMerge.Side.mine, .theirs]) func aConflictIsResolvedByTheUser(_ side: JSONMerge.Side) throws {
        let path = try write()
        let catalog = try open(path)
        _ = try catalog.set([.title, .published], of: [BookID(0)]) {
            $0.title = "Mine"
            $0.published = PartialDate(year: 1800)
        }
        try Data(Self.text.replacing("Emma", with: "Theirs").utf8).write(to: URL(filePath: path))
        guard case .clashing = try save(catalog) else { return #expect(Bool(false)) }
        #expect(try content(path).contains("Theirs"))
        let clash = try #require(catalog.clashes.first)
        #expect(clash.old.title == "Emma")
        #expect(clash.conflicts.map(\.keys) == [["title"]])
        try catalog.resolveClashes { _, _ in side }
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        // Only one side changed the year.
        let title = side == .mine ? "Mine" : "Theirs"
        #expect(
            try content(path) == Self.text.replacing("Emma", with: title).replacing("1815", with: "1800"))
        #expect(try open(path).unsavedCount == 0)
    }

    @Test(arguments: [JSONMerge.Side.mine, .theirs]) func severalEditsAreOneConflict(_ side: JSONMerge.Side) throws {
        let path = try write()
        let catalog = try open(path)
        _ = try setTitle("B", of: 0, in: catalog)
        _ = try catalog.set([.published], of: [BookID(0)]) { $0.published = PartialDate(year: 1800) }
        _ = try setTitle("C", of: 0, in: catalog)
        try Data(Self.text.replacing("Emma", with: "Theirs").utf8).write(to: URL(filePath: path))
        guard case .clashing = try save(catalog) else { return #expect(Bool(false)) }
        try catalog.resolveClashes { _, _ in side }
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        let title = side == .mine ? "C" : "Theirs"
        #expect(try content(path) == Self.text.replacing("Emma", with: title).replacing("1815", with: "1800"))
    }

    @Test(arguments: [JSONMerge.Side.mine, .theirs]) func aDeletedBookIsAConflict(_ side: JSONMerge.Side) throws {
        let path = try write()
        let catalog = try open(path)
        _ = try setTitle("Drácula 2", of: 1, in: catalog)
        _ = try catalog.remove([BookID(2)])
        let lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false)
        let others = lines.filter { !$0.contains("Stoker") }.joined(separator: "\n").replacing("1886", with: "1887")
        try Data(others.utf8).write(to: URL(filePath: path))
        guard case .clashing = try save(catalog) else { return #expect(Bool(false)) }
        #expect(catalog.clashes.count == 2)
        try catalog.resolveClashes { _, _ in side }
        _ = try save(catalog)
        #expect(
            titles(try open(path))
                == (side == .mine ? ["Emma", "Drácula 2", "Middlemarch"] : ["Emma", "Kidnapped", "Middlemarch"]))
    }

    // MARK: - Damaged journals

    @Test func aRepeatedLineCountsOnce() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try catalog.add([Book(title: "Ulysses")], after: BookID(0))
        let outcome = try #require(try catalog.add([Book(title: "Dubliners")], after: BookID(1)))
        _ = try catalog.reverse(outcome.number, redoing: false)
        let lines = try lines(path)
        #expect(lines.count == 4)
        try write([lines[0], lines[1], lines[1], lines[2], lines[1], lines[3], lines[3]], asJournalOf: path)
        #expect(titles(try open(path)) == ["Emma", "Ulysses", "Drácula", "Kidnapped", "Middlemarch"])
    }

    @Test func anUndoLineNamesTheStepWithoutItsRecords() throws {
        let path = try write()
        let catalog = try open(path)
        let outcome = try #require(try catalog.remove([BookID(0), BookID(2)]))
        _ = try catalog.reverse(outcome.number, redoing: false)
        _ = try catalog.reverse(outcome.number, redoing: true)
        #expect(try lines(path).suffix(2) == [#"{"undo":\#(outcome.number)}"#, #"{"redo":\#(outcome.number)}"#])
        #expect(titles(try open(path)) == ["Drácula", "Middlemarch"])
        _ = try catalog.reverse(outcome.number, redoing: false)
        #expect(titles(try open(path)) == ["Emma", "Drácula", "Kidnapped", "Middlemarch"])
    }

    @Test func anUndoOfALostStepIncludesItsRecords() throws {
        let path = try write()
        let catalog = try open(path)
        let outcome = try #require(try setTitle("Emma 2", of: 0, in: catalog))
        _ = try save(catalog)
        try FileManager.default.removeItem(atPath: try journal(path))
        #expect(!catalog.receiveEdits())
        _ = try catalog.reverse(outcome.number, redoing: false)
        #expect(titles(catalog)[0] == "Emma")
        #expect(titles(try open(path))[0] == "Emma")
    }

    @Test(arguments: ["", "garbage\n", "first line alone"])
    func replacingAnOpenJournalLosesAndRepeatsNothing(_ other: String) throws {
        let path = try write()
        let catalog = try open(path)
        _ = try catalog.add([Book(title: "Ulysses")], after: BookID(0))
        _ = try catalog.remove([BookID(3)])
        switch other {
        case "": try FileManager.default.removeItem(atPath: try journal(path))
        case "first line alone": try write(Array(try lines(path).prefix(2)), asJournalOf: path)
        default: try Data(other.utf8).write(to: URL(filePath: try journal(path)))
        }
        #expect(!catalog.receiveEdits())
        _ = try setTitle("Emma 2", of: 0, in: catalog)
        let expected = ["Emma 2", "Ulysses", "Drácula", "Middlemarch"]
        #expect(titles(catalog) == expected)
        let again = try open(path)
        #expect(titles(again) == expected)
        #expect(again.unsavedCount == 3)
        _ = try save(again)
        #expect(titles(try open(path)) == expected)
    }

    @Test(arguments: [
        // More edits are saved than remain.
        [#"{"rebased":[]}"#, #"{"saved":"1:2:3:4"}"#],
        [#"{"edit":9223372036854775807,"changes":[{"remove":[]}]}"#],
        // The same book twice, and positions that are not ascending or do not exist.
        [#"{"edit":7,"changes":[{"remove":[{"at":0,"record":"R"},{"at":0,"record":"R"}]}]}"#],
        [#"{"edit":7,"changes":[{"replace":[{"at":0,"old":"R","new":"{}"},{"at":0,"old":"R","new":"[]"}]}]}"#],
        [#"{"edit":7,"changes":[{"insert":[{"at":3,"record":"{}"},{"at":1,"record":"{}"},{"at":1,"record":"1"}]}]}"#],
        [#"{"edit":7,"changes":[{"insert":[{"at":9223372036854775807,"record":"{}"}]}]}"#],
        [#"{"edit":7,"changes":[{"move":{"from":0,"to":9223372036854775807,"record":"R"}}]}"#],
    ]) func linesThatNobodyWroteDoNoHarm(_ added: [String]) throws {
        let path = try write()
        let catalog = try open(path)
        _ = try setTitle("Middlemarch 2", of: 3, in: catalog)
        let record =
            #"{\"title\": \"Emma\", \"authors\": [\"Jane Austen\"], \"year\": 1815, \"isbn\": \"9780141439587\"}"#
        let saving = #"{"saving":"1:2:3:4"}"#
        try write(
            try lines(path) + [saving] + added.map { $0.replacing("\"R\"", with: "\"\(record)\"") }, asJournalOf: path)
        let again = try open(path)
        #expect(try content(path) == Self.text)
        _ = try again.remove([BookID(1)])
        let titles = titles(again)
        if !again.clashes.isEmpty { try again.resolveClashes { _, _ in .theirs } }
        _ = try save(again)
        #expect(self.titles(try open(path)) == titles)
    }

    // MARK: - Any edits

    @Test(
        "Any edits give what a list of records gives, in any form of file, and undoing all gives the same bytes",
        .thorough, arguments: [0, 1, 2, 3, 4, 5])
    func randomEdits(_ form: Int) throws {
        var random = SplitMix(seed: UInt64(form) + 1)
        for round in 0..<25 {
            let count = Int.random(in: 3...9, using: &random)
            let records = (0..<count).map { #"{"title": "T\#($0)", "authors": ["A\#($0 % 3)"], "n": \#($0).50}"# }
            let text: String
            switch form {
            case 0: text = "[" + records.joined(separator: ",") + "]"
            case 1: text = "[\n  " + records.joined(separator: ",\n  ") + "\n]\n"
            case 2: text = "\u{FEFF}[\r\n  " + records.joined(separator: " ,\r\n  ") + "\r\n]"
            case 3: text = records.joined(separator: "\n") + "\n"
            case 4: text = records.joined(separator: "\n")
            default: text = #"{"a": 1, "books": [null, "# + records.joined(separator: ", 7, ") + #"], "z": []}"#
            }
            let path = try write(text, named: "r\(form)-\(round)" + ([3, 4].contains(form) ? ".jsonl" : ".json"))
            var catalog = try open(path)
            var model = records.indices.map { "T\($0)" }
            var steps: [Int] = []
            var isSaved = false
            for number in 0..<Int.random(in: 1...12, using: &random) {
                let index = model.isEmpty ? 0 : Int.random(in: 0..<model.count, using: &random)
                var outcome: EditOutcome?
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<3 where !model.isEmpty:
                    outcome = try setTitle("N\(number)", of: index, in: catalog)
                    model[index] = "N\(number)"
                case 3..<5 where model.count > 2:
                    let other = Int.random(in: 0..<model.count, using: &random)
                    let gone = Set([index, other])
                    // A list of one record no longer shows the separator.
                    if gone.count > model.count - 2 { continue }
                    outcome = try catalog.remove(gone.map { BookID($0) })
                    model = model.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
                case 5..<7 where !model.isEmpty:
                    outcome = try catalog.add(
                        [Book(title: "X\(number)"), Book(title: "Y\(number)")], after: BookID(index))
                    model.insert(contentsOf: ["X\(number)", "Y\(number)"], at: index + 1)
                case 7..<9 where !model.isEmpty:
                    let to = Int.random(in: 0..<model.count, using: &random)
                    outcome = try catalog.move(BookID(index), to: to)
                    model.insert(model.remove(at: index), at: to)
                default:
                    if Bool.random(using: &random) {
                        catalog = try open(path)
                    } else {
                        _ = try save(catalog)
                        isSaved = true
                    }
                }
                if let outcome { steps.append(outcome.number) }
                try #require(titles(catalog) == model, "form \(form), round \(round)")
            }
            _ = try save(catalog)
            let again = try open(path)
            try #require(titles(again) == model, "form \(form), round \(round)")
            #expect(entries(again.index) == entries(catalog.index))
            #expect(
                (0..<model.count).map { again.index.offset(at: $0) }
                    == (0..<model.count).map { catalog.index.offset(at: $0) })
            for step in steps.reversed() { _ = try again.reverse(step, redoing: false) }
            try #require(titles(again) == records.indices.map { "T\($0)" }, "form \(form), round \(round)")
            _ = try save(again)
            // Separators between records that were written again are those of their neighbours.
            if form != 5, !isSaved || form < 4 {
                try #require(try content(path) == text, "form \(form), round \(round)")
            }
        }
    }
}
