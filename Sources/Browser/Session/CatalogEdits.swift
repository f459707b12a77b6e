internal import Books
internal import Catalog
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
    ///   - kind: The kind of edit.
    ///   - ids: The books; empty for new ones.
    ///   - title: The title of the first book.
    ///   - activity: The activity in words: "Changing 10,000 books".
    ///   - work: Makes the edit.
    /// - Returns: The reason why it was not made, if that is known by then; a later one is shown in the status line.
    func edit(
        _ kind: CatalogEditStep.Kind, _ ids: [BookID], title: String, _ activity: String,
        _ work: EditWork
    ) -> EditRefusal? {
        do throws(CatalogEditError) {
            let change = try library.startEdit(kind, ids, title: title, notifying: wake, work)
            let showsFirst = kind == .added || kind == .moved
            begin(
                PendingBulkChange(change: change, activity: activity, showsFirst: showsFirst) { [self] outcome in
                    sentence(of: kind, ids, title: title, outcome)
                })
            return change.wait(milliseconds: settings.timeBudget ?? Self.editTimeLimit) ? finishBulkChange() : nil
        } catch {
            showEdits()
            return refusal(for: error)
        }
    }

    /// The time that the keyboard waits for an edit, in milliseconds: most values that do not fit are detected in the
    /// first books, while the form is still open.
    private static let editTimeLimit = 16

    /// The message for the outcome of an edit.
    private func sentence(
        of kind: CatalogEditStep.Kind, _ ids: [BookID], title: String, _ outcome: BulkChange.Outcome
    ) -> String {
        switch outcome {
        case .edited(let outcome?):
            let step = phrase(of: kind, title: title, count: outcome.bookCount)
            return Message.editMade.text(step, keyLabel(of: .saveCatalog), placeOfSaving)
        case .editedWithoutHistory(let error):
            let step = phrase(of: kind, title: title, count: ids.count)
            return Message.editNotUndoable.text(step, error.savingSentence)
        case .notEdited(let error): return sentence(of: error)
        case .edited(nil), .changed, .reversed, .unsaved, .passedOver, .hadNoEffect:
            return Message.noEdit.text(ids.count == 1 ? title : ids.count.of("book"))
        }
    }

    private func phrase(of kind: CatalogEditStep.Kind, title: String, count: Int) -> String {
        let books = count == 1 ? title : count.of("book")
        return switch kind {
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
        let text = error.sentence(changing: abbreviatedPath(catalogPath))
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Shows the books after edits.
    ///
    /// - Parameter current: The book that becomes current; nil to keep the current one.
    func showEdits(current: BookID? = nil) {
        note([.lists, .reloaded])
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
            Message.unsavedEdits.text(
                edited.unsavedCount.of("change"), placeOfSaving, keyLabel(of: .saveCatalog)))
    }

    /// Shows edits of another instance, if any.
    func receiveEditsOfOthers() {
        // Changes that run in the background here are in the journal too.
        guard bulkChange == nil, let edited = library.store.edited, edited.receiveEdits() else { return }
        if edited.isSavedElsewhere {
            reload()
        } else {
            library.forgetBooks()
            showEdits()
        }
        status.say(.editsOfOthers)
    }

    // MARK: - Undoing

    /// The outcome of reversing edits.
    enum Reversal {
        /// The edits are reversed, or there are none.
        case done
        /// There are edits, but the file already was in the state that reversing leads to.
        case withoutEffect
        /// The edits can never be reversed, for this reason; they must not block earlier changes.
        case skipped(String)
        /// The edits could not be reversed now; the status line shows the reason.
        case refused
    }

    /// Reverses the edits of the catalog that belong to an undo or redo.
    func reverseEdits(redoing isRedo: Bool) -> Reversal {
        reverseEdits { () throws(FileError) in try library.userData.editsToReverse(redoing: isRedo) }
    }

    /// Reverses the edits of the catalog that were made after `step`.
    func reverseEdits(goingBackTo step: UndoStep) -> Reversal {
        reverseEdits { () throws(FileError) in try library.userData.editsToReverse(goingBackTo: step) }
    }

    private func reverseEdits(_ find: () throws(FileError) -> [EditReversal]) -> Reversal {
        // If the journal cannot be read, the undo itself reports it.
        guard let reversals = try? find(), !reversals.isEmpty else { return .done }
        do throws(CatalogEditError) {
            let outcome = try library.reverse(reversals)
            let isInserted =
                reversals.last.map { $0.edit.kind == .moved || ($0.edit.kind == .deleted) != $0.isRedo } ?? false
            showEdits(current: isInserted ? outcome.map { BookID($0.position) } : nil)
            return outcome == nil ? .withoutEffect : .done
        } catch {
            showEdits()
            if error.isLasting { return .skipped(sentence(of: error)) }
            status.say(sentence(of: error))
            return .refused
        }
    }

    /// The message that undoing or redoing a step had no effect, because another program restored the file.
    func sentence(ofNoEffectOf step: UndoStep, redoing isRedo: Bool) -> String {
        (isRedo ? Message.hasStepAlready : .hadNoEffect).text(abbreviatedPath(catalogPath), step.phrase)
    }
}
