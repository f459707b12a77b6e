internal import Books
internal import Catalog
internal import ConnectorProtocol
internal import Editing
internal import Graphemes
internal import Indexing
internal import JSON
internal import Library
internal import Storage

/// Saving the edits of the catalog.
extension Session {
    /// What saving writes, in words.
    var placeSaved: String { library.store.edited?.isOnServer == true ? "on the server" : "the file" }

    /// Saves the edits in the file, or on the server.
    func saveCatalog() {
        guard let edited = library.store.edited else {
            return status.say(sentence(of: library.store.obstacleToEditing))
        }
        let place = currentPlace
        do throws(CatalogEditError) {
            var progress = try edited.save(notifying: wake)
            if case .running = progress {
                let limit = settings.timeBudget ?? Self.saveTimeLimit
                progress = try edited.receiveSave(waiting: limit, notifying: wake) ?? .running
            }
            show(progress, of: edited, at: place)
        } catch {
            showEdits()
            say(error, of: edited)
        }
    }

    /// Shows why the edits were not saved, and asks for a password if that is the reason.
    private func say(_ error: CatalogEditError, of edited: EditedCatalog) {
        guard let question = edited.passwordQuestion else {
            status.say(sentence(of: error))
            return
        }
        status.say(
            question.isRepeated ? .passwordWrong : .passwordNeeded, question.place, "; your changes are kept",
            keyLabel(of: .saveCatalog))
        questions.add(.passwordToSave)
    }

    /// The time that the screen waits for a save before it continues in the background, in milliseconds.
    private static let saveTimeLimit = 100

    private func show(_ progress: SaveProgress, of edited: EditedCatalog, at place: Preferences.Place?) {
        switch progress {
        case .nothing: status.say(.nothingToSave)
        case .running: return sayProgress(of: edited)
        case .saved(let count):
            lasting.isChangedOnDisk = false
            status.say(sentence(ofSaving: count, of: edited))
        case .refused(let refusals, let count):
            let saved = count > 0 ? sentence(ofSaving: count, of: edited) : nil
            status.say(([saved].compactMap(\.self) + refusals.sentences).joined(separator: ". "))
        case .clashing:
            status.say(.clashesFound, edited.clashes.count.of("book"))
            questions.add(.clashes)
        }
        showReloaded(at: place)
    }

    /// The maximum number of fields that are named.
    private static let namedFieldCount = 3

    private func sentence(ofSaving count: Int, of edited: EditedCatalog) -> String {
        let names = edited.savedFields.map { $0.info.label.uncapitalized }
        if names.isEmpty { return Message.catalogSaved.text(shownName, count.of("book")) }
        var listed = names.joined(separator: ", ")
        if names.count > Self.namedFieldCount { listed = names.count.of("field") }
        if !edited.areAllSavedFieldsKnown { listed += ", …" }
        return Message.catalogSavedFields.text(shownName, count.of("book"), listed)
    }

    /// Shows the books after they were read again, so that positions are meaningless.
    private func showReloaded(at place: Preferences.Place?) {
        library.forgetBooks()
        showEdits()
        if let place, books.currentBook.flatMap(library.store.keys) != place.keys { books.jump(to: .place(place)) }
    }

    /// The name of the catalog in messages.
    private var shownName: String { abbreviatedPath(catalogPath) }

    /// Shows how much of the edits is saved.
    private func sayProgress(of edited: EditedCatalog) {
        guard let progress = edited.sendingProgress else {
            status.say(.savingCatalog, shownName)
            return
        }
        let rate = progress.rate.map { ", \($0.words)" } ?? ""
        status.say(
            .sendingChanges, shownName, progress.count.grouped, progress.total.of("book"), rate, keyLabel(of: .cancel))
    }

    /// Takes over the result of a save in the background.
    func receiveSave() {
        guard let edited = library.store.edited, edited.isSaving else { return }
        let place = currentPlace
        let before = library.version(of: .edits)
        do throws(CatalogEditError) {
            guard let progress = try edited.receiveSave(waiting: 0, notifying: wake) else { return }
            if case .running = progress {
                if edited.isSending { sayProgress(of: edited) }
                // Before they are sent, the edits may have been applied to a newer copy.
                if library.version(of: .edits) != before { showReloaded(at: place) }
                return
            }
            show(progress, of: edited, at: place)
        } catch {
            if library.version(of: .edits) != before { showReloaded(at: place) }
            say(error, of: edited)
        }
    }

    /// Stops saving: what a server has by then stays there, and a file stays as it is unless it is being replaced.
    ///
    /// - Returns: False if nothing is being saved.
    func stopSaving() -> Bool {
        guard let edited = library.store.edited, edited.isSaving else { return false }
        edited.stopSaving()
        return true
    }

    /// How long the end of the browser waits for a server.
    private static let sendingTimeLimit = Duration.seconds(5)

    /// Waits for a save in the background and the work that follows it.
    func finishSave() {
        defer { library.store.edited?.finishShorteningJournal() }
        let end = ContinuousClock.now + Self.sendingTimeLimit
        while let edited = library.store.edited, edited.isSaving {
            // A server may be slow; what it does not get is kept.
            if edited.isSending, ContinuousClock.now > end { edited.stopSaving() }
            do throws(CatalogEditError) {
                _ = try edited.receiveSave(waiting: edited.isSending ? 100 : 1000, notifying: {})
            } catch {
                status.say(sentence(of: error))
            }
        }
    }

    /// Resolves clashes as the user chose, and saves; clashes that arose meanwhile are asked about again.
    func resolveClashes(_ choose: @escaping ClashScreen.Choice) {
        guard let edited = library.store.edited else { return }
        do throws(CatalogEditError) {
            try edited.resolveClashes(choose)
        } catch {
            return status.say(sentence(of: error))
        }
        library.forgetBooks()
        showEdits()
        saveCatalog()
    }

    /// The message after the browser ended that edits are not saved; nil if all are.
    public func noticeAtTheEnd() -> String? {
        guard let edited = library.store.edited, edited.unsavedCount > 0 else { return nil }
        return Message.unsavedAtTheEnd.text(
            shownName, edited.unsavedCount.of("unsaved change"), keyLabel(of: .saveCatalog))
    }
}

extension [ServerRefusal] {
    /// The number of refusals that are described.
    private static var describedCount: Int { 3 }

    /// The messages about the first refusals, and about the number of others.
    fileprivate var sentences: [String] {
        let others = count - Self.describedCount
        let first = prefix(Self.describedCount).map { refusal in
            let sentence = refusal.row.sentence(of: refusal.title.isEmpty ? "(no title)" : refusal.title.sanitized)
            return sentence.prefix(1).uppercased() + sentence.dropFirst()
        }
        return others > 0 ? first + [Message.publishRefusedMore.text(others.of("more book"))] : first
    }
}
