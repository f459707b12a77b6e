internal import Books
internal import Catalog
internal import Library
internal import Shelves
internal import Storage

/// What the reader does with what is their own: marks on books, and the notes among them.
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
        _ text: String, orElse other: String, to make: ([UserBookData?]) -> MarkChange, isOn: (MarkChange) -> Bool
    ) {
        guard let targets = ownTargets() else { return }
        let marks = targets.books.map(library.mark(at:)) + targets.missing.map { library.shelves.marks[$0] }
        let change = make(marks)
        // The title last: it may be longer than the line.
        apply(change, to: targets, saying: (isOn(change) ? text : other) + ": " + targets.name)
    }

    /// What a command about marks is about: books, or marks of books that are not in the catalog.
    struct ActionTarget {
        var books: [Int]
        var missing: [BookIdentity]
        /// What they are called: a title, or how many.
        var name: String

        /// Whether these are the books of `others`, as far as a reader could tell.
        func isLike(_ others: ActionTarget?) -> Bool {
            name == others?.name && books.count == others?.books.count && missing == others?.missing
        }
    }

    /// The marked books, or else the selected one. Nil, and a message, where there is none.
    func ownTargets() -> ActionTarget? {
        if bookSource.marks.isEmpty, rangeStart == nil, let identity = selectedMissing {
            return ActionTarget(books: [], missing: [identity], name: library.shelves.marks[identity]?.title ?? "")
        }
        let books = targets()
        guard let first = books.first else { return nil }
        guard let book = library.store.book(at: first) else {
            message = Book.missingText
            return nil
        }
        return ActionTarget(
            books: books, missing: [], name: books.count == 1 ? book.shownTitle : books.count.of("book"))
    }

    /// Makes a change, and says `text`, or why it was not saved.
    func apply(_ change: MarkChange, to targets: ActionTarget, saying text: String) {
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
    func offeringUndo<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) {
        // What others changed before is no part of it.
        try? library.shelves.load()
        let before = library.shelves.changeCount
        defer { if library.shelves.changeCount != before { offersUndo = true } }
        try body()
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
        return .releaseTerminal { [weak self] in
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
}

extension String {
    /// This text without blank lines and blanks at its ends.
    fileprivate var trimmingBlankEnds: String {
        let isBlank = { (character: Character) in character.isWhitespace }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
