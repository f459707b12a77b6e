internal import Catalog
internal import Shelves
internal import Storage
internal import TerminalUI

/// What the reader does with what is their own: marks on books, shelves, queries, and the way back.
extension Browser {
    // MARK: - Marks

    /// Makes the books favourites, or, where all are, no longer.
    func toggleFavourite() {
        change("★ Favourite", orElse: "No longer a favourite") { marks in
            .favourite(!marks.allSatisfy { $0?.isFavourite ?? false })
        } isOn: {
            $0 == .favourite(true)
        }
    }

    /// Notes how far the reader has come with the books; where that is noted of all already, forgets it.
    func setStatus(_ status: Book.ReadingStatus?) {
        change(status?.shown ?? "No status", orElse: "No status") { marks in
            .status(marks.allSatisfy { $0?.status == status } ? nil : status)
        } isOn: {
            $0 == .status(status)
        }
    }

    /// Rates the books; 0 takes the rating away.
    func rate(_ digit: Character?) {
        guard let rating = digit?.wholeNumberValue else { return }
        let stars = String(repeating: "★", count: rating) + String(repeating: "☆", count: 5 - rating)
        change(rating > 0 ? stars : "Not rated", orElse: "") { _ in
            .rating(rating > 0 ? rating : nil)
        } isOn: { _ in
            true
        }
    }

    /// Changes the marks of what a command is about, and says so.
    private func change(
        _ text: String, orElse other: String, to make: ([Mark?]) -> MarkChange, isOn: (MarkChange) -> Bool
    ) {
        guard let targets = ownTargets() else { return }
        let marks = targets.books.map(library.mark(at:)) + targets.missing.map { library.shelves.marks[$0] }
        let change = make(marks)
        // The title last: it may be longer than the line.
        apply(change, to: targets, saying: (isOn(change) ? text : other) + ": " + targets.name)
    }

    /// What a command about marks is about: books, or marks of books that are not in the catalog.
    struct OwnTargets {
        var books: [Int]
        var missing: [BookIdentity]
        /// What they are called: a title, or how many.
        var name: String

        /// Whether these are the books of `others`, as far as a reader could tell.
        func isLike(_ others: OwnTargets?) -> Bool {
            name == others?.name && books.count == others?.books.count && missing == others?.missing
        }
    }

    /// The marked books, or else the selected one. Nil, and a message, where there is none.
    func ownTargets() -> OwnTargets? {
        if bookSource.marks.isEmpty, rangeStart == nil, let identity = selectedMissing {
            return OwnTargets(books: [], missing: [identity], name: library.shelves.marks[identity]?.title ?? "")
        }
        let books = targets()
        guard let first = books.first else { return nil }
        guard let book = library.store.book(at: first) else {
            message = Book.missingText
            return nil
        }
        return OwnTargets(books: books, missing: [], name: books.count == 1 ? book.shownTitle : books.count.of("book"))
    }

    /// Makes a change, and says `text`, or why it was not saved.
    func apply(_ change: MarkChange, to targets: OwnTargets, saying text: String) {
        makeChange(saying: text) { () throws(FileError) in
            try library.apply(change, to: targets.books, missing: targets.missing)
        }
    }

    /// Does what changes something of the reader's own, and says `text`, or why it was not saved; shows the lists as they
    /// are then.
    func makeChange(saying text: String, _ body: () throws(FileError) -> Void) {
        message = text
        do throws(FileError) {
            try offeringUndo(body)
            if !library.shelves.isSaved { message = "Until you quit, as it cannot be saved: " + text }
        } catch {
            message = "Not saved yet, and tried again with the next change or at the end: \(error.savingSentence)"
        }
        showChanges()
    }

    /// Does what may change something of the reader's own, and offers to take that back where it did.
    private func offeringUndo<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) {
        // What others changed before is no part of it.
        try? library.shelves.load()
        let before = library.shelves.changeCount
        defer { if library.shelves.changeCount != before { offersUndo = true } }
        try body()
    }

    /// Shows what is another now that the reader's own was changed, here or by another stacks.
    func showChanges() {
        isDetailStale = true
        listsTable.reloadData()
        if let current = library.lists.first(where: { $0 == list }) {
            // It may be called something else now.
            list = current
            if list == .all, !listing.request.query.asksForMarks {
                bookTable.reloadData()
            } else {
                refillKeepingSelection()
            }
        } else {
            leaveListThatIsGone()
        }
        library.countQueries(notifying: notify)
    }

    /// Shows what is the reader's own, where it was read meanwhile.
    func takeInShelves() {
        do throws(FileError) {
            guard try library.takeInShelves() else { return }
            if let notice = library.shelves.notice { message = notice }
        } catch {
            message = "favourites and shelves are missing, as they cannot be read: \(error.savingSentence)"
        }
        let goal = goal
        showChanges()
        if let goal { pursue(goal) }
    }

    /// Shows all books in place of the list that was open, as it is gone.
    private func leaveListThatIsGone() {
        if message.isEmpty { message = "The list \(list.name) is gone: it was deleted elsewhere" }
        let row = focus == .lists ? listsTable.selectedRow : nil
        if overlays.contains(.facets) { closeOverlays() }
        if focus == .detail { focus = .list }
        show(.all)
        guard let row else { return }
        showLists()
        listsTable.select(row)
    }

    /// Shows the books that the open list has now. The selected one stays selected; where it left the list, the one behind
    /// it is.
    private func refillKeepingSelection() {
        let (index, missing) = (selectedIndex, selectedMissing)
        let (row, top) = (bookTable.selectedRow ?? 0, bookTable.topRow)
        anchor = nil
        refill()
        guard listing.progress == nil else {
            anchor = index.map { Anchor(index: $0, offset: row - top) }
            return
        }
        let place =
            index.flatMap { bookSource.list.row(of: $0) }
            ?? missing.flatMap { identity in bookSource.missing.firstIndex { $0.identity == identity } }
            .map { $0 + bookSource.list.count }
        if let place {
            if place != row { bookTable.select(place, top: place - (row - top)) }
        } else if focus == .detail {
            // Another book takes the place of one that left the list: not the moment to read on.
            focus = .list
        }
    }

    /// Shows how many books the saved queries find, where that was counted meanwhile.
    func takeInCounts() {
        if !library.shelves.queries.isEmpty { listsTable.reloadData() }
    }

    /// Takes in what other instances changed, where they did.
    func takeInChangesOfOthers() {
        guard library.shelves.isRead else { return }
        let before = library.shelves.changeCount
        // What cannot be read now is read the next time.
        try? library.shelves.load()
        if library.shelves.changeCount != before { showChanges() }
    }

    // MARK: - Notes

    /// Lets the reader write a note on the book, in their editor.
    func writeNote() -> Reaction {
        guard let targets = ownTargets() else { return .carryOn }
        guard targets.books.count + targets.missing.count == 1 else {
            message = "A note is of one book: \(targets.books.count.grouped) are marked"
            return .carryOn
        }
        let mark =
            targets.books.first.flatMap(library.mark(at:))
            ?? targets.missing.first.flatMap { library.shelves.marks[$0] }
        let note = mark?.note ?? ""
        return .lend { [weak self] in
            guard let self else { return }
            switch self.noteEditor.edit(note, targets.name) {
            case .text(let text):
                let text = text.trimmingBlankEnds
                if text == note { return }
                apply(
                    .note(text.isEmpty ? nil : text), to: targets,
                    saying: (text.isEmpty ? "No note any more: " : "Note: ") + targets.name)
            case .problem(let sentence): message = sentence
            }
        }
    }

    // MARK: - Shelves

    /// Lets the reader pick a shelf to put the books on, or to take them off.
    func openShelfPicker(isPutting: Bool) {
        guard let targets = ownTargets() else { return }
        let marks = targets.books.map(library.mark(at:)) + targets.missing.map { library.shelves.marks[$0] }
        var shelves = library.shelves.shelves
        if !isPutting {
            shelves = shelves.filter { shelf in marks.contains { $0?.shelves.contains(shelf.id) ?? false } }
            guard let first = shelves.first else {
                let isOne = targets.books.count + targets.missing.count == 1
                message = isOne ? "This book is on no shelf" : "These books are on no shelf"
                return
            }
            if shelves.count == 1 {
                apply(.shelf(first.id, false), to: targets, saying: "No longer on \(first.name): \(targets.name)")
                return
            }
        }
        shelfPicker = ShelfPicker(
            shelves.map { ($0, library.count(of: CatalogList(.shelf($0.id), name: $0.name)) ?? 0) },
            isPutting: isPutting, isTaken: { [library] in library.list(named: $0) != nil })
        pickedFor = targets
        overlays.append(.shelves)
    }

    /// What a key does in the picker.
    func reactInShelfPicker(to key: Key) -> Reaction {
        guard let picker = shelfPicker else { return .carryOn }
        switch picker.editor.react(to: key) {
        case .edited: picker.find()
        case .moved: break
        case .accepted: pickShelf()
        case .cancelled: closeOverlay()
        case .notHandled:
            return reactToOtherKey(key) {
                move(in: picker.table, $0)
            } interrupting: {
                closeOverlay()
            }
        }
        return .carryOn
    }

    /// Puts the books on the shelf that is selected in the picker, or takes them off.
    func pickShelf() {
        guard let picker = shelfPicker, let choice = picker.selection else { return }
        closeOverlay()
        guard let targets = ownTargets() else { return }
        guard targets.isLike(pickedFor) else {
            message = "Nothing was done, as the list has changed meanwhile: choose the book again"
            return
        }
        switch choice {
        case .shelf(let shelf):
            apply(
                .shelf(shelf.id, picker.isPutting), to: targets,
                saying: (picker.isPutting ? "On \(shelf.name): " : "No longer on \(shelf.name): ") + targets.name)
        case .new(let name):
            guard let shelf = makeShelf(named: name) else { return }
            apply(.shelf(shelf.id, true), to: targets, saying: "On \(shelf.name), which is new: \(targets.name)")
        }
    }

    private func makeShelf(named name: String) -> Shelf? {
        do throws(ShelvesError) {
            try checkName(name)
            return try library.shelves.makeShelf(named: name)
        } catch {
            message = error.sentence
            // Where it could not be saved it is there all the same, in memory.
            return library.shelves.shelves.first { $0.name == name }
        }
    }

    // MARK: - Prompts

    /// Asks for the name of a new shelf.
    func askForShelf() { prompt = Prompt(purpose: .newShelf, editor: LineEditor()) }

    /// Asks for another name of the selected list.
    func askForName() {
        guard let list = selectedOwnList else { return }
        prompt = Prompt(purpose: .rename(list), editor: LineEditor(list.name))
    }

    /// Asks for a name for what is searched for.
    func askForQueryName() {
        let request = listing.request
        guard request.query.expression != .everything else {
            message = "There is no search to save: \(keyLabel(of: .search)) begins one"
            return
        }
        acceptSearch()
        let sort = request.order == .list ? nil : request.order.description
        prompt = Prompt(
            purpose: .saveQuery(text: textOfListedQuery, sort: sort), editor: LineEditor(request.query.text))
    }

    /// A query that finds in all books what is listed: what is searched for, and what the open list has in common.
    private var textOfListedQuery: String {
        let text = listing.request.query.text
        let common: String
        switch list.kind {
        case .all, .status: return text
        case .favourites: common = "is:favourite"
        case .shelf: common = "on:\"\(list.name.filter { $0 != "\"" && $0 != "\\" })\""
        case .query: common = library.query(of: list).map { Self.grouped($0.text) } ?? ""
        }
        return common + " " + Self.grouped(text)
    }

    /// A query as a part of another one.
    private static func grouped(_ text: String) -> String { text.contains("|") ? "(\(text))" : text }

    /// That no other list has the name, those that are not the reader's among them.
    private func checkName(_ name: String, of list: CatalogList? = nil) throws(ShelvesError) {
        let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
        if let other = library.lists.first(where: { $0.name.lowercased() == name && $0 != list }) {
            throw .nameIsTaken(other.name)
        }
    }

    /// The selected list, where it is one that the reader made; else nil, and a message.
    private var selectedOwnList: CatalogList? {
        guard let row = listsTable.selectedRow, library.lists[row].isReadersOwn else {
            message = "Only shelves and queries of your own can be renamed, moved and deleted"
            return nil
        }
        return library.lists[row]
    }

    /// What a key does in the prompt.
    func reactInPrompt(to key: Key) -> Reaction {
        guard var prompt else { return .carryOn }
        let outcome = prompt.editor.react(to: key)
        self.prompt = prompt
        switch outcome {
        case .edited, .moved: break
        case .accepted:
            self.prompt = nil
            accept(prompt)
        case .cancelled: self.prompt = nil
        case .notHandled:
            return reactToOtherKey(key) { _ in
            } interrupting: {
                self.prompt = nil
            }
        }
        return .carryOn
    }

    private func accept(_ prompt: Prompt) {
        var made: CatalogList?
        do throws(ShelvesError) {
            try offeringUndo { () throws(ShelvesError) in made = try make(prompt.purpose, named: prompt.editor.text) }
        } catch {
            message = error.sentence
            // What was typed is not lost.
            if case .notSaved = error {} else { self.prompt = prompt }
        }
        showChanges()
        if focus == .lists, let made, let row = library.lists.firstIndex(of: made) { listsTable.select(row) }
    }

    /// Makes or renames what was asked for.
    ///
    /// - Returns: The list that is new; nil where none is.
    private func make(_ purpose: Prompt.Purpose, named name: String) throws(ShelvesError) -> CatalogList? {
        switch purpose {
        case .newShelf:
            try checkName(name)
            let shelf = try library.shelves.makeShelf(named: name)
            message = "New shelf: \(shelf.name)"
            return CatalogList(.shelf(shelf.id), name: shelf.name)
        case .saveQuery(let text, let sort):
            try checkName(name)
            let query = try library.shelves.saveQuery(named: name, text: text, sort: sort)
            message = "Saved: \(query.name)"
            return CatalogList(.query(query.id), name: query.name)
        case .rename(let list):
            try checkName(name, of: list)
            switch list.kind {
            case .shelf(let id): try library.shelves.renameShelf(id, to: name)
            case .query(let id): try library.shelves.renameQuery(id, to: name)
            case .all, .favourites, .status: break
            }
            let renamed = library.lists.first { $0 == list }
            message = renamed.map { "Renamed: \($0.name)" } ?? "\(list.name) was deleted meanwhile"
            return nil
        }
    }

    // MARK: - Lists

    /// Moves the selected list among those of its kind.
    func moveList(by step: Int) {
        guard let list = selectedOwnList else { return }
        makeListChange { () throws(FileError) in
            switch list.kind {
            case .shelf(let id):
                guard let index = library.shelves.shelves.firstIndex(where: { $0.id == id }) else { return }
                try library.shelves.moveShelf(id, to: min(max(0, index + step), library.shelves.shelves.count - 1))
            case .query(let id):
                guard let index = library.shelves.queries.firstIndex(where: { $0.id == id }) else { return }
                try library.shelves.moveQuery(id, to: min(max(0, index + step), library.shelves.queries.count - 1))
            case .all, .favourites, .status: break
            }
        }
        if let row = library.lists.firstIndex(of: list) { listsTable.select(row) }
    }

    /// Asks whether the selected list is to be deleted: another key than the one that asks must say so.
    func askToDelete() {
        guard let list = selectedOwnList else { return }
        listToDelete = list
        let what: String
        if case .shelf = list.kind {
            what = "the shelf \(list.name) with \((library.count(of: list) ?? 0).of("book"))"
        } else {
            what = "the query \(list.name)"
        }
        message = "Delete \(what)? y deletes it, any other key keeps it"
    }

    /// Deletes the list that the reader was asked about, where `key` says so.
    func answerToDelete(_ list: CatalogList, with key: Key) {
        listToDelete = nil
        guard key == .character("y") else {
            message = "Kept: \(list.name)"
            return
        }
        message = "Deleted: \(list.name); \(keyLabel(of: .undo)) brings it back"
        makeListChange { () throws(FileError) in
            switch list.kind {
            case .shelf(let id): try library.shelves.deleteShelf(id)
            case .query(let id): try library.shelves.deleteQuery(id)
            case .all, .favourites, .status: break
            }
        }
    }

    private func makeListChange(_ body: () throws(FileError) -> Void) {
        do throws(FileError) {
            try offeringUndo(body)
        } catch {
            message = "Not saved yet, and tried again with the next change or at the end: \(error.savingSentence)"
        }
        showChanges()
    }

    // MARK: - Undo

    /// Takes the last change back.
    func undo() {
        step("Taken back", orElse: "There is nothing to take back") { () throws(FileError) in
            try library.shelves.undo()
        }
    }

    /// Makes the change again that was taken back last.
    func redo() {
        step("Made again", orElse: "There is nothing to make again") { () throws(FileError) in
            try library.shelves.redo()
        }
    }

    private func step(_ text: String, orElse none: String, _ body: () throws(FileError) -> Step?) {
        do throws(FileError) {
            message = try body().map { "\(text): \($0.sentence)" } ?? none
        } catch {
            message = "Not saved yet, and tried again with the next change or at the end: \(error.savingSentence)"
        }
        showChanges()
    }

    /// Shows all changes.
    func openHistory() {
        do throws(FileError) {
            historySource.steps = try library.shelves.history(limit: Self.historyLimit)
        } catch {
            message = "The history cannot be read: \(error.savingSentence)"
            return
        }
        historyTable.placeholder = "Nothing was changed yet."
        historyTable.reloadData()
        historyTable.select(0, top: 0)
        overlays.append(.history)
    }

    /// The most changes that are shown.
    private static let historyLimit = 10_000

    /// What a command does among the changes.
    func performInHistory(_ request: KeyInterpreter.Request) {
        switch request.command {
        case .open: goBackInHistory()
        case .history: closeOverlay()
        case .undo, .redo:
            request.command == .undo ? undo() : redo()
            let row = historyTable.selectedRow
            historySource.steps = (try? library.shelves.history(limit: Self.historyLimit)) ?? []
            historyTable.reloadData()
            if let row { historyTable.select(row) }
        default: move(in: historyTable, request)
        }
    }

    private func goBackInHistory() {
        guard let row = historyTable.selectedRow else { return }
        let step = historySource.steps[row]
        closeOverlay()
        message = "Nothing was changed since: \(step.sentence)"
        do throws(FileError) {
            try offeringUndo { () throws(FileError) in try library.shelves.goBack(to: step) }
            if offersUndo {
                message = "Back to where this was done: \(step.sentence); \(keyLabel(of: .undo)) takes that back"
            }
        } catch {
            message = "Not saved yet, and tried again with the next change or at the end: \(error.savingSentence)"
        }
        showChanges()
    }
}

extension ShelvesError {
    /// What is wrong, and what to do.
    var sentence: String {
        switch self {
        case .nameIsBlank: "A name has at least one letter"
        case .nameIsTaken(let name): "There is a list called \(name) already: choose another name"
        case .notSaved(let error):
            "Not saved yet, and tried again with the next change or at the end: \(error.savingSentence)"
        }
    }
}

extension String {
    /// This text without blank lines and blanks at its ends.
    fileprivate var trimmingBlankEnds: String {
        let isBlank = { (character: Character) in character.isWhitespace }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
