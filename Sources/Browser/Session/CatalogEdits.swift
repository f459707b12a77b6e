internal import Books
internal import Catalog
internal import Indexing
internal import JSON
internal import Library
internal import Shelves
internal import Storage
internal import TerminalUI

/// Editing the catalog, and showing what was edited, here or in another stacks.
extension Session {
    /// Makes an edit of the catalog and shows it.
    ///
    /// - Parameters:
    ///   - kind: What is done with the books.
    ///   - ids: The books; for new ones none.
    ///   - title: The title of the first book.
    ///   - body: Makes the edit.
    /// - Returns: Why it was not made; nil if it was.
    func edit(
        _ kind: CatalogEditStep.Kind, _ ids: [BookID], title: String,
        _ body: (EditedCatalog) throws(CatalogEditError) -> EditOutcome?
    ) -> EditRefusal? {
        do throws(LibraryEditError) {
            let outcome = try library.edit(kind, ids, title: title, body)
            showEdits(current: kind == .added || kind == .moved ? outcome.map { BookID($0.position) } : nil)
            status.say(sentence(of: kind, ids, title: title, .edited(outcome)))
            status.offersUndo = outcome != nil
        } catch {
            showEdits()
            switch error {
            case .catalog(let error): return refusal(for: error)
            case .history(let error):
                status.say(sentence(of: kind, ids, title: title, .editedWithoutHistory(error)))
            }
        }
        return nil
    }

    /// Makes an edit of many books on another thread.
    ///
    /// - Parameters:
    ///   - kind: What is done with the books.
    ///   - ids: The books.
    ///   - title: The title of the first book.
    ///   - activity: What is being done: "Changing 10,000 books".
    ///   - prepare: Begins the edit.
    /// - Returns: Why it was not made, if that is known at once.
    func startEdit(
        _ kind: CatalogEditStep.Kind, _ ids: [BookID], title: String, _ activity: String,
        _ prepare: @escaping @Sendable (EditedCatalog, [BookID]) throws(CatalogEditError) -> EditPreparation
    ) -> EditRefusal? {
        do throws(CatalogEditError) {
            let change = try library.startEdit(kind, ids, title: title, notifying: wake, preparing: prepare)
            begin(
                PendingBulkChange(change: change, activity: activity) { [self] outcome in
                    sentence(of: kind, ids, title: title, outcome)
                })
            return change.wait(milliseconds: settings.timeBudget ?? Self.editPatience) ? finishBulkChange() : nil
        } catch {
            return refusal(for: error)
        }
    }

    /// The number of books that are edited within a frame.
    static let fewEdits = 100
    /// How long the keyboard waits for an edit of more books, in milliseconds: most values that do not fit are found in the
    /// first books, while the form is still open.
    private static let editPatience = 16

    /// What is said of an edit.
    private func sentence(
        of kind: CatalogEditStep.Kind, _ ids: [BookID], title: String, _ outcome: BulkChange.Outcome
    ) -> String {
        switch outcome {
        case .edited(let outcome?):
            let step = phrase(of: kind, title: title, count: outcome.bookCount)
            return Message.editMade.text(step, keyLabel(of: .saveCatalog))
        case .editedWithoutHistory(let error):
            let step = phrase(of: kind, title: title, count: ids.count)
            return Message.editNotUndoable.text(step, error.savingSentence)
        case .notEdited(let error): return sentence(of: error)
        default: return Message.noEdit.text(ids.count == 1 ? title : ids.count.of("book"))
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

    /// The message of an error in editing the catalog, as a sentence of the status line.
    func sentence(of error: CatalogEditError) -> String {
        let text = error.sentence(changing: abbreviatedPath(catalogPath))
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Shows the books as they are after edits.
    ///
    /// - Parameter current: The book that becomes current; nil if the one that is stays.
    func showEdits(current: BookID? = nil) {
        note([.lists, .reloaded])
        books.takeShift(takeShift(), current: current)
        library.startLocatingUserData(notifying: wake)
        library.countQueries(notifying: wake)
    }

    /// Returns what became of the positions of books since this was called last, and remembers it for open forms.
    @discardableResult
    func takeShift() -> BookShift {
        let shift = library.store.edited?.takeShift() ?? BookShift()
        history.note(shift)
        return shift
    }

    /// Returns where books are now that were looked at when so many shifts were known; nil if one is gone, or if the catalog
    /// was read anew and they are not found by their keys.
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

    /// Says once that edits of an earlier run are not saved.
    func sayUnsavedEdits() {
        guard let edited = library.store.edited, edited.unsavedCount > 0 else { return }
        status.add(Message.unsavedEdits.text(edited.unsavedCount.of("change"), keyLabel(of: .saveCatalog)))
    }

    /// Shows what another instance edited, if it did.
    func receiveEditsOfOthers() {
        // What a change in the background has journalled is not another's.
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

    /// What became of edits that were to be reversed.
    enum Reversal {
        /// They are reversed, or there are none.
        case done
        /// There are some, but the file has been as it would be then.
        case withoutEffect
        /// They cannot be reversed, for this reason, nor later: they must not stand in the way of earlier changes.
        case skipped(String)
        /// They could not be reversed now; the status line says why.
        case refused
    }

    /// Reverses the edits of the catalog that an undo or redo concerns.
    func reverseEdits(redoing isRedo: Bool) -> Reversal {
        reverseEdits { () throws(FileError) in try library.userData.editsToReverse(redoing: isRedo) }
    }

    /// Reverses the edits of the catalog that were made after `step`.
    func reverseEdits(goingBackTo step: UndoStep) -> Reversal {
        reverseEdits { () throws(FileError) in try library.userData.editsToReverse(goingBackTo: step) }
    }

    private func reverseEdits(_ find: () throws(FileError) -> [EditReversal]) -> Reversal {
        // Where the journal cannot be read, the undo itself says so.
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

    /// That a step was undone or redone whose edits had no effect: the file was put back by another program.
    func sentence(ofNoEffectOf step: UndoStep, redoing isRedo: Bool) -> String {
        (isRedo ? Message.hasStepAlready : .hadNoEffect).text(abbreviatedPath(catalogPath), step.phrase)
    }

    // MARK: - Saving

    /// Saves the edits in the file.
    ///
    /// - Returns: The edits that clash with what others changed in the file, for the reader to decide; none if there are no
    ///   such edits.
    func saveCatalog() -> [EditClash] {
        guard let edited = library.store.edited else {
            status.say(sentence(of: library.store.obstacleToEditing))
            return []
        }
        let place = currentPlace
        do throws(CatalogEditError) {
            var progress = try edited.save(notifying: wake)
            if case .running = progress {
                progress = try edited.receiveSave(waiting: Self.savePatience, notifying: wake) ?? .running
            }
            return show(progress, of: edited, at: place)
        } catch {
            showEdits()
            status.say(sentence(of: error))
            return []
        }
    }

    /// How long the screen waits for a save before it goes on in the background, in milliseconds.
    private static let savePatience = 100

    private func show(_ progress: SaveProgress, of edited: EditedCatalog, at place: Preferences.Place?) -> [EditClash] {
        let name = abbreviatedPath(catalogPath)
        switch progress {
        case .nothing: status.say(.nothingToSave)
        case .running: status.say(.savingCatalog, name)
        case .saved(let count):
            lasting.isChangedOnDisk = false
            status.say(.catalogSaved, name, count.of("book"))
        case .clashing: status.say(.clashesFound, edited.clashes.count.of("book"))
        }
        if case .running = progress { return [] }
        library.forgetBooks()
        showEdits()
        // The file was read anew, so that positions tell nothing.
        if let place, books.currentBook.flatMap(library.store.keys) != place.keys { books.jump(to: .place(place)) }
        if case .clashing = progress { return edited.clashes }
        return []
    }

    /// Takes over what came of a save in the background.
    func receiveSave() {
        guard let edited = library.store.edited, edited.isSaving else { return }
        let place = currentPlace
        do throws(CatalogEditError) {
            guard let progress = try edited.receiveSave(waiting: 0, notifying: wake) else { return }
            if case .running = progress { return }
            _ = show(progress, of: edited, at: place)
        } catch {
            status.say(sentence(of: error))
        }
    }

    /// Waits for a save in the background, and for what follows it.
    func finishSave() {
        defer { library.store.edited?.finishShorteningJournal() }
        while let edited = library.store.edited, edited.isSaving {
            do throws(CatalogEditError) {
                _ = try edited.receiveSave(waiting: 1000, notifying: {})
            } catch {
                status.say(sentence(of: error))
            }
        }
    }

    /// Ends clashes as the reader decided, and saves.
    ///
    /// - Returns: The clashes that came up meanwhile.
    func resolveClashes(_ choose: @escaping (_ clash: Int, _ keys: [String]) -> JSONMerge.Side) -> [EditClash] {
        guard let edited = library.store.edited else { return [] }
        do throws(CatalogEditError) {
            try edited.resolveClashes(choose)
        } catch {
            status.say(sentence(of: error))
            return []
        }
        library.forgetBooks()
        showEdits()
        return saveCatalog()
    }

    /// What the reader must know after the browser ended: that edits are not saved. Nil if all are.
    public func noticeAtTheEnd() -> String? {
        guard let edited = library.store.edited, edited.unsavedCount > 0 else { return nil }
        return Message.unsavedAtTheEnd.text(abbreviatedPath(catalogPath), edited.unsavedCount.of("change"))
    }
}
