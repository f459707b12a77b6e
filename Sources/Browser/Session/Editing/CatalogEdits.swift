internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import JSON
internal import Library
internal import Shelves
internal import Storage
internal import TerminalUI

/// Editing the catalog, and showing edits made here or in another instance.
extension Session {
    /// Makes an edit of the catalog on another thread, and waits for it within a frame.
    ///
    /// - Parameters:
    ///   - activity: The activity in words: "Changing 10,000 books".
    ///   - isSaved: Whether the catalog is saved once the edit is made.
    /// - Returns: The reason why it was not made, if that is known by then; a later one is shown in the status line.
    func edit(_ edit: BookEdit, _ activity: String, savingThen isSaved: Bool = false) -> EditRefusal? {
        guard awaitSavedUserData() else { return EditRefusal(sentence: Message.stillSaving.text()) }
        do throws(CatalogEditError) {
            let change = try library.start(edit, notifying: wake)
            let showsFirst = edit.kind == .added || edit.kind == .moved
            begin(
                PendingBulkChange(
                    change: change, activity: activity, showsFirst: showsFirst, isSaved: isSaved
                ) { [self] outcome in sentence(of: edit, outcome) })
            return change.wait(milliseconds: settings.timeBudget ?? Self.frame) ? finishBulkChange() : nil
        } catch {
            showEdits()
            return refusal(for: error)
        }
    }

    /// The message for the outcome of an edit.
    private func sentence(of edit: BookEdit, _ outcome: BulkChange.Outcome) -> String {
        switch outcome {
        case .edited(let outcome?):
            // All that became one count, and not those that are changed and deleted.
            let step = phrase(of: edit, count: edit.kind == .merged ? edit.ids.count : outcome.bookCount)
            return Message.editMade.text(step, keyLabel(of: .undo), keyLabel(of: .saveCatalog))
        case .editedWithoutHistory(let error):
            let step = phrase(of: edit, count: edit.ids.count)
            return Message.editNotUndoable.text(step, error.savingSentence)
        case .notEdited(let error): return sentence(of: error)
        case .edited(nil), .changed, .reversed, .unsaved, .passedOver, .hadNoEffect:
            return Message.noEdit.text(edit.ids.count == 1 ? edit.title : edit.ids.count.of("book"))
        }
    }

    private func phrase(of edit: BookEdit, count: Int) -> String {
        let books = count == 1 ? edit.title : count.of("book")
        return switch edit.kind {
        case .changed: "Changed \(books)"
        case .added: "Added \(books)"
        case .deleted: "Deleted \(books)"
        case .moved: "Moved \(books)"
        case .merged: "Merged \(books)"
        case .sorted: "Sorted the catalog"
        }
    }

    /// The message of an error in editing the catalog, for the status line.
    func sentence(of error: CatalogEditError) -> String {
        let path = abbreviatedPath(catalogPath)
        let text = error.sentence(changing: path)
        return text.hasPrefix(path) ? text : text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Shows the books after edits.
    ///
    /// - Parameter current: The book that becomes current; nil to keep the current one.
    func showEdits(current: BookID? = nil) {
        note([.lists, .reloaded])
        // The same numbers may be other books now.
        changing.datedStatus = nil
        books.takeShift(takeShift(), current: current)
        library.startLocatingUserData(notifying: wake)
        library.countQueries(notifying: wake)
    }

    /// Returns the shift of book positions since the last call, and records it for open forms.
    @discardableResult
    func takeShift() -> BookShift {
        let shift = library.store.edited?.takeShift() ?? BookShift()
        history.note(shift)
        return shift
    }

    /// Returns the present positions of books from the time when `shiftCount` shifts had been recorded; nil if one is
    /// gone, or if the catalog was reloaded and the books are not found by their keys.
    func current(_ ids: [BookID], with keys: [MatchKeys], since shiftCount: Int) -> [BookID]? {
        takeShift()
        let later = history.shifts[min(shiftCount, history.shifts.count)...]
        if later.isEmpty { return ids }
        if later.contains(where: \.isUnknown) {
            guard keys.count == ids.count else { return nil }
            let lookup = BookLookup(of: keys.flatMap(\.all), in: library.store.index)
            let found = keys.compactMap { lookup.ids(matching: $0, by: .all).first }
            return found.count == ids.count ? found : nil
        }
        let moved = ids.compactMap { id in later.reduce(Optional(id)) { id, shift in id.flatMap { shift($0) } } }
        return moved.count == ids.count ? moved : nil
    }

    /// Shows the message that edits of an earlier run are not saved.
    func sayUnsavedEdits() {
        guard let edited = library.store.edited, edited.unsavedCount > 0 else { return }
        status.add(
            Message.unsavedEdits.text(edited.unsavedCount.of("unsaved change"), keyLabel(of: .saveCatalog)))
    }

    /// Shows edits of another instance, if any.
    func receiveEditsOfOthers() {
        // Changes that run in the background here are in the journal too.
        guard changing.bulkChange == nil, let edited = library.store.edited, edited.receiveEdits() else { return }
        if edited.isSavedElsewhere {
            reload()
        } else {
            library.forgetBooks()
            showEdits()
        }
        status.say(.editsOfOthers)
    }
}
