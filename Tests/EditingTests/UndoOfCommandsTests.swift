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

@Suite("Undoing changes that commands made") struct UndoOfCommandsTests: CatalogEditing {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func journalPath(_ path: String) -> String? {
        EditedCatalog.journalPath(of: path, in: directory.path + "/state")
    }

    /// Changes a file like a command.
    ///
    /// - Returns: The number of the step.
    private func write(to path: String, _ change: (FileEditor) throws -> Void) throws -> Int {
        let editor = try FileEditor(path, journalPath: journalPath(path))
        try change(editor)
        return try #require(try editor.saveForUndo())
    }

    enum Change: CaseIterable {
        case set, add, delete, deleteAll, moveUp, moveDown, merge, sort

        func make(in editor: FileEditor) throws {
            switch self {
            case .set:
                for index in [2, 0] {
                    let id = BookID(index)
                    var book = try #require(editor.book(id))
                    book.title += "!"
                    try editor.set([.title], of: id, to: book)
                }
            case .add: try editor.add([Book(title: "Ulysses", authors: ["James Joyce"]), Book(title: "Nana")])
            case .delete: try editor.remove([BookID(3), BookID(1)])
            case .deleteAll: try editor.remove((0..<4).map { BookID($0) })
            case .moveUp: try editor.move(BookID(3), after: false, BookID(1))
            case .moveDown: try editor.move(BookID(0), after: true, BookID(2))
            case .merge:
                var book = try #require(editor.book(BookID(1)))
                book.pageCount = 418
                try editor.set([.pageCount], of: BookID(1), to: book)
                try editor.remove([BookID(0), BookID(2)])
            case .sort: try editor.sort(into: [3, 0, 2, 1].map { BookID($0) })
            }
        }

        /// The first words of the resulting titles.
        var titles: [String] {
            switch self {
            case .set: ["Emma!", "Drácula", "Kidnapped!", "Middlemarch"]
            case .add: ["Emma", "Drácula", "Kidnapped", "Middlemarch", "Ulysses", "Nana"]
            case .delete: ["Emma", "Kidnapped"]
            case .deleteAll: []
            case .moveUp: ["Emma", "Middlemarch", "Drácula", "Kidnapped"]
            case .moveDown: ["Drácula", "Kidnapped", "Emma", "Middlemarch"]
            case .merge: ["Drácula", "Middlemarch"]
            case .sort: ["Middlemarch", "Emma", "Kidnapped", "Drácula"]
            }
        }
    }

    @Test("Undo restores the bytes of the file, and redo those that the command wrote", arguments: Change.allCases)
    func undoAndRedo(_ change: Change) throws {
        let path = try write()
        let number = try write(to: path, change.make)
        let written = try content(path)
        let catalog = try open(path)
        #expect(titles(catalog) == change.titles)
        #expect(catalog.unsavedCount == 0)
        _ = try #require(try catalog.reverse(number, redoing: false))
        #expect(titles(catalog) == ["Emma", "Drácula", "Kidnapped", "Middlemarch"])
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        #expect(try content(path) == Self.text)
        let again = try open(path)
        _ = try #require(try again.reverse(number, redoing: true))
        #expect(titles(again) == change.titles)
        if change != .deleteAll {
            guard case .saved = try save(again) else { return #expect(Bool(false)) }
            #expect(try content(path) == written)
        }
    }

    @Test("A command that changes the first books of an empty list is undone")
    func firstBooks() throws {
        let path = try write(#"{"books": []}"#)
        let number = try write(to: path) { try $0.add([Book(title: "Emma"), Book(title: "Nana")]) }
        let catalog = try open(path)
        #expect(titles(catalog) == ["Emma", "Nana"])
        _ = try #require(try catalog.reverse(number, redoing: false))
        #expect(titles(catalog).isEmpty)
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        #expect(try content(path) == #"{"books": []}"#)
    }

    @Test("A command keeps unsaved edits, and writes only its own change")
    func pendingEdits() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try setTitle("Emma 2", of: 0, in: catalog)
        let number = try write(to: path) { try $0.remove([BookID(1)]) }
        #expect(try content(path).contains("\"Emma\"") && !content(path).contains("Stoker"))
        let next = try open(path)
        #expect(titles(next) == ["Emma 2", "Kidnapped", "Middlemarch"])
        #expect(next.unsavedCount == 1)
        // A window that was open all the time undoes it too, although it has not reloaded the file.
        _ = try #require(try catalog.reverse(number, redoing: false))
        #expect(titles(catalog) == ["Emma 2", "Drácula", "Kidnapped", "Middlemarch"])
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        #expect(try content(path) == Self.text.replacing("Emma", with: "Emma 2"))
    }

    @Test("The start after a command does not read the journal if there are no unsaved edits")
    func putOff() throws {
        let path = try write()
        for _ in 0..<2 {
            _ = try write(to: path) { try $0.add([Book(title: "Nana")]) }
            #expect(try open(path).journal?.isPutOff == true)
        }
        #expect(titles(try open(path)).suffix(2) == ["Nana", "Nana"])
    }

    @Test("The start after others have replaced the file does not read the journal either, and undo knows it")
    func putOffAfterReplacement() throws {
        let path = try write()
        let number = try write(to: path) { try $0.add([Book(title: "Nana")]) }
        let text = try content(path)
        // Longer than before, so that its fingerprint differs.
        try Data((text.replacing("Middlemarch", with: "Middlemarch, a study") + " ").utf8)
            .write(to: URL(filePath: path))
        let catalog = try open(path)
        #expect(catalog.journal?.isPutOff == true && catalog.unsavedCount == 0)
        #expect(titles(catalog) == ["Emma", "Drácula", "Kidnapped", "Middlemarch, a study", "Nana"])
        _ = try #require(try catalog.reverse(number, redoing: false))
        #expect(titles(catalog) == ["Emma", "Drácula", "Kidnapped", "Middlemarch, a study"])
        // An unsaved edit is not overlooked.
        try Data(text.utf8).write(to: URL(filePath: path))
        let again = try open(path)
        #expect(again.journal?.isPutOff == false && again.unsavedCount == 1)
        #expect(titles(again) == ["Emma", "Drácula", "Kidnapped", "Middlemarch"])
    }

    @Test("A command that was killed before the file changed leaves no unsaved edit")
    func killed() throws {
        let path = try write()
        _ = try write(to: path) { try $0.remove([BookID(1)]) }
        try Data(Self.text.utf8).write(to: URL(filePath: path))
        try write(Array(try lines(path).prefix(2)), asJournalOf: path)
        let catalog = try open(path)
        #expect(titles(catalog) == ["Emma", "Drácula", "Kidnapped", "Middlemarch"])
        #expect(catalog.unsavedCount == 0)
    }

    @Test("A sort is not undone if other programs have sorted or changed the books since")
    func reorderedMeanwhile() throws {
        let path = try write()
        let number = try write(to: path, Change.sort.make)
        _ = try write(to: path) { try $0.move(BookID(0), after: true, BookID(1)) }
        let catalog = try open(path)
        #expect(throws: CatalogEditError.changedSince) { try catalog.reverse(number, redoing: false) }
        #expect(titles(catalog) == ["Emma", "Middlemarch", "Kidnapped", "Drácula"])
    }

    @Test("After a journal was deleted, the numbers of earlier steps are not reused")
    func numbers() throws {
        let path = try write()
        let number = try write(to: path) { try $0.remove([BookID(1)]) }
        try FileManager.default.removeItem(atPath: try #require(journalPath(path)))
        sleep(1)
        let catalog = try open(path)
        #expect(throws: CatalogEditError.stepGone) { try catalog.reverse(number, redoing: false) }
        #expect(try #require(try setTitle("Emma 2", of: 0, in: catalog)).number > number)
    }

    // MARK: - After clashes

    @Test(
        "Undoing an edit that clashed gives what the others wrote, and no book twice",
        arguments: [
            JSONMerge.Side.mine, .theirs,
        ])
    func afterClashes(_ side: JSONMerge.Side) throws {
        let path = try write()
        let catalog = try open(path)
        let changed = try #require(try setTitle("Mine", of: 0, in: catalog))
        let deleted = try #require(try catalog.remove([BookID(1), BookID(2)]))
        let others = Self.text.replacing("Emma", with: "Theirs").replacing("1886", with: "1887")
        try Data(others.utf8).write(to: URL(filePath: path))
        guard case .clashing = try save(catalog) else { return #expect(Bool(false)) }
        try catalog.resolveClashes { _, _ in side }
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        let next = try open(path)
        #expect(titles(next) == (side == .mine ? ["Mine", "Middlemarch"] : ["Theirs", "Kidnapped", "Middlemarch"]))
        _ = try #require(try next.reverse(deleted.number, redoing: false))
        let outcome = try next.reverse(changed.number, redoing: false)
        #expect((outcome == nil) == (side == .theirs))
        #expect(titles(next) == ["Theirs", "Drácula", "Kidnapped", "Middlemarch"])
        guard case .saved = try save(next) else { return #expect(Bool(false)) }
        #expect(try content(path) == others)
    }

    @Test("A book deleted by others is removed again when the edit that kept it is undone")
    func deletedThere() throws {
        let path = try write()
        let catalog = try open(path)
        let changed = try #require(try setTitle("Mine", of: 0, in: catalog))
        let lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false)
        let others = lines.filter { !$0.contains("Emma") }.joined(separator: "\n")
        try Data(others.utf8).write(to: URL(filePath: path))
        guard case .clashing = try save(catalog) else { return #expect(Bool(false)) }
        try catalog.resolveClashes { _, _ in .mine }
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        _ = try catalog.reverse(changed.number, redoing: false)
        #expect(titles(catalog) == ["Drácula", "Kidnapped", "Middlemarch"])
    }

    @Test("Edits count once if their save lost a line of the journal")
    func lostLine() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try catalog.add([Book(title: "Nana")], after: BookID(0))
        _ = try setTitle("Kidnapped 2", of: 3, in: catalog)
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        try write(try lines(path).filter { !$0.hasPrefix(#"{"saving""#) }, asJournalOf: path)
        let again = try open(path)
        #expect(titles(again) == ["Emma", "Nana", "Drácula", "Kidnapped 2", "Middlemarch"])
        #expect(again.unsavedCount == 0)
    }
}
