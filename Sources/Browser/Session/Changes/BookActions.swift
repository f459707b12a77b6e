internal import Books
internal import Catalog
internal import Editing
internal import Graphemes
internal import Indexing
internal import JSON
internal import Library
internal import Shelves
internal import Storage
internal import TerminalUI
internal import Text

/// The target of a command that changes user data: books of the catalog, or books with user data that are missing from
/// the catalog.
struct ActionTarget {
    /// The books of the catalog.
    var books: [BookID]
    /// The books that are not in the catalog.
    var missing: [BookIdentity]
    /// The name for messages: a title, or a count.
    var name: String

    /// The number of books.
    var count: Int { books.count + missing.count }

    /// Whether `others` has the same name, count and missing books, and so looks the same to the user.
    func looksLike(_ others: ActionTarget) -> Bool {
        name == others.name && books.count == others.books.count && missing == others.missing
    }
}

/// Commands that act on the selected books, or else on the current one.
struct BookActions {
    /// The session whose books they act on.
    let session: Session

    private var library: Library { session.library }

    /// Performs the command, if it is one that acts on books and needs no more typing.
    func perform(_ request: CommandRequest) -> Response {
        switch request.command {
        case .favourite: toggleFavourite()
        case .status(let status): setStatus(status)
        case .rate: rate(request.argument)
        case .repeatMarking: repeatMarking()
        case .moveDayBack: moveDayBack()
        case .note: return .done(writeNote())
        case .copy(let part): copy(part)
        case .openLink: openLink(number: request.count)
        default: return .ignored
        }
        return .done
    }

    // MARK: - Targets

    /// Returns the selected books, or else the current one. Returns none and shows a message if too many are selected.
    private func books() -> [BookID] {
        session.books.endRange()
        let selected = session.books.rows.selection.books
        guard !selected.isEmpty, session.books.rows.selection.use != .passedOver else {
            return session.books.currentBook.map { [$0] } ?? []
        }
        let limit = RowSelection.maximumTargets
        guard selected.count <= limit else {
            session.status.say(.selectionTooLarge, selected.count.grouped, limit.grouped)
            return []
        }
        return selected.ids
    }

    /// Returns the selected books, or else the current row: a book, or one that is missing from the catalog. Returns
    /// nil and shows a message if there is no target.
    func targets() -> ActionTarget? {
        let selection = session.books.rows.selection
        let isUsed = !selection.books.isEmpty && selection.use != .passedOver
        if !isUsed, selection.rangeStart == nil, let identity = session.books.currentMissing {
            return ActionTarget(books: [], missing: [identity], name: library.userData.books[identity]?.title ?? "")
        }
        let books = books()
        guard let book = first(of: books) else { return nil }
        return ActionTarget(
            books: books, missing: [], name: books.count == 1 ? book.shownTitle : books.count.of("book"))
    }

    /// Returns the first of the books; nil if there are none. Shows a message and returns nil if it is not available, or
    /// if one of a few is being read.
    private func first(of ids: [BookID]) -> Book? {
        var first: Book?
        for id in ids.count > Self.fewTargets ? ids.prefix(1) : ids[...] {
            let slot = library.store.book(id)
            if first == nil { first = slot.value }
            if first == nil || slot == .pending {
                session.sayUnavailable(slot)
                return nil
            }
        }
        return first
    }

    /// The user data of `targets`.
    func userData(of targets: ActionTarget) -> [UserBookData?] {
        targets.books.map(library.userData(of:)) + targets.missing.map { library.userData.books[$0] }
    }

    /// Makes a change and shows `text`, or the reason why the change was not saved.
    func apply(_ change: UserDataChange, to targets: ActionTarget, saying text: String) {
        if targets.count > Self.fewTargets, !session.awaitSavedUserData() { return }
        if targets.count > Self.fewTargets,
            let task = library.startChange(
                of: targets.books, missing: targets.missing, notifying: session.wake, making: { _ in change })
        {
            return startChange(task, of: targets) { _ in text }
        }
        session.change(saying: text) { () throws(FileError) in
            try library.apply(change, to: targets.books, missing: targets.missing)
        }
    }

    // MARK: - User data

    /// Adds the books to the favourites, or removes them if all are favourites.
    private func toggleFavourite() {
        mark { userData in
            .favourite(!userData.allSatisfy { $0?.isFavourite ?? false })
        } as: {
            Marking($0, saying: $0 == .favourite(true) ? .favourited : .unfavourited)
        }
    }

    /// Sets the reading status of the books, or clears it if all have this status already and nothing but today's entry
    /// is behind it: a reading that took longer is not lost by a key that is pressed again.
    private func setStatus(_ status: Book.ReadingStatus?) {
        let today = library.today.text
        if let status, let targets = targets(), targets.count == 1, let bookData = userData(of: targets)[0],
            bookData.status == status, !bookData.readingLog.hasNothing(behind: status, but: today)
        {
            return say(status, keptOf: targets)
        }
        mark { userData in
            let isCleared = userData.allSatisfy {
                $0?.status == status && $0?.readingLog.hasNothing(behind: status, but: today) != false
            }
            return .status(isCleared ? nil : status)
        } as: { change in
            if let status, change == .status(status) {
                Marking(change, saying: .statusSet, status.shown)
            } else {
                Marking(change, saying: .statusCleared)
            }
        }
    }

    /// Says that books have a status already, and what changes it.
    private func say(_ status: Book.ReadingStatus, keptOf targets: ActionTarget) {
        let otherDay = session.keyLabel(of: .statusOn(status))
        if status == .read {
            session.status.say(.readAlready, targets.name, session.keyLabel(of: .status(.reading)), otherDay)
        } else {
            session.status.say(.statusKept, status.shown, targets.name, otherDay)
        }
    }

    /// Sets the reading status of the books as of a day.
    func setStatus(_ status: Book.ReadingStatus, on day: DayInput, today: CalendarDay, of targets: ActionTarget) {
        let day = (text: day.text, shown: day.shown(today: today))
        mark(targets, Marking(.status(status, on: day.text), saying: .statusSetOn, status.shown, day.shown))
    }

    /// Marks the books as others were marked last.
    private func repeatMarking() {
        guard let marking = session.changing.lastMarking else {
            session.status.say(.nothingToRepeat, session.keyLabel(of: .favourite))
            return
        }
        guard let targets = targets() else { return }
        // Entering the same status once more would begin another reading.
        if case .status(let status?, on: nil) = marking.change,
            userData(of: targets).allSatisfy({ $0?.status == status })
        {
            return say(status, keptOf: targets)
        }
        mark(targets, marking)
    }

    /// Moves the day of the status that the books have just got back by one.
    private func moveDayBack() {
        guard let targets = targets() else { return }
        guard let last = session.changing.datedStatus, last.targets.books == targets.books,
            last.targets.missing == targets.missing
        else {
            session.status.say(
                .nothingToMoveBack, session.keyLabel(of: .moveDayBack), session.keyLabel(of: .status(.read)))
            return
        }
        let day = last.day - 1
        if targets.count == 1, let bookData = userData(of: targets)[0],
            let problem = bookData.problem(with: last.status, on: day.text)
        {
            session.status.say(problem.phrase(of: targets.name))
            return
        }
        let shown = DayInput.shown(day.text, today: library.today)
        mark(
            targets,
            Marking(.status(last.status, on: day.text)) { [key = session.keyLabel(of: .moveDayBack)] books in
                Message.movedBack.text(last.status.shown, shown, books, key)
            })
    }

    /// Sets how far the reader has come in the books.
    func setProgress(_ input: ProgressInput, today: CalendarDay, of targets: ActionTarget) {
        let status = targets.count == 1 ? userData(of: targets)[0]?.status : nil
        let text: String
        if status == .read || status == .abandoned {
            text = Message.readingAgain.text(input.place.shown, targets.name)
        } else if let day = input.day {
            text = Message.progressSetOn.text(input.place.shown, day.shown(today: today), targets.name)
        } else {
            text = Message.progressSet.text(input.place.shown, targets.name)
        }
        apply(.progress(input.place, on: input.day?.text), to: targets, saying: text)
    }

    /// Returns the dialog for the day or the progress of a command about the books; nil and shows a message if there is
    /// no target.
    func readingDialog(for command: Command) -> ReadingDialog? {
        guard let targets = targets() else { return nil }
        let pageCount = targets.books.count == 1 ? library.store.bookAtHand(targets.books[0])?.pageCount : nil
        let bookData = targets.count == 1 ? userData(of: targets)[0] : nil
        return ReadingDialog(command, for: targets, bookData: bookData, pageCount: pageCount, today: library.today)
    }

    /// Rates the books; 0 removes the rating, + and - change it by half a star.
    private func rate(_ argument: Character?) {
        let marking: Marking
        switch argument {
        case "+": marking = Marking(ratingStep: 1)
        case "-": marking = Marking(ratingStep: -1)
        case let digit:
            guard let number = digit?.wholeNumberValue else { return }
            let rating = StarRating(whole: number)
            marking =
                number > 0
                ? Marking(.rating(rating), saying: .rated, rating.text)
                : Marking(.rating(nil), saying: .ratingRemoved)
        }
        let change = marking.change
        mark { _ in
            change
        } as: { _ in
            marking
        }
    }

    /// Marks books, and remembers how.
    func mark(_ targets: ActionTarget, _ marking: Marking) {
        apply(marking.change, to: targets, saying: marking.message(targets.name, userData(of: targets)))
        note(marking, of: targets)
    }

    /// Remembers how books were marked last.
    private func note(_ marking: Marking, of targets: ActionTarget) {
        session.changing.lastMarking = marking
        session.changing.datedStatus = DatedStatus(marking.change, of: targets, today: library.today)
    }

    /// Marks the targets, and remembers how.
    ///
    /// - Parameters:
    ///   - make: Returns the change for books with this user data.
    ///   - marking: Returns the marking that makes a change.
    private func mark(
        _ make: @escaping @Sendable ([UserBookData?]) -> UserDataChange,
        as marking: @escaping (UserDataChange) -> Marking
    ) {
        guard let targets = targets() else { return }
        if targets.count > Self.fewTargets, !session.awaitSavedUserData() { return }
        if targets.count > Self.fewTargets,
            let change = library.startChange(
                of: targets.books, missing: targets.missing, notifying: session.wake, making: make)
        {
            return startChange(change, of: targets) { change in
                let marking = marking(change)
                note(marking, of: targets)
                return marking.message(targets.name, [])
            }
        }
        mark(targets, marking(make(userData(of: targets))))
    }

    /// The number of books whose change takes less than a frame.
    private static let fewTargets = 500

    /// Changes many books in the background, and then shows the sentence that `sentence` returns for the change.
    func startChange(
        _ change: BulkChange, of targets: ActionTarget, saying sentence: @escaping (UserDataChange) -> String
    ) {
        session.begin(
            PendingBulkChange(change: change, activity: Message.changing.text(targets.count.of("book"))) { outcome in
                switch outcome {
                case .changed(let change):
                    let text = sentence(change)
                    return session.library.userData.isSaved
                        ? text : Message.keptUntilQuit.text(text)
                case .unsaved(let error): return error.retrySentence
                case .reversed, .edited, .notEdited, .editedWithoutHistory, .passedOver, .hadNoEffect: return ""
                }
            })
    }

    /// Opens a note on the book in the user's editor.
    private func writeNote() -> Effect {
        guard let targets = targets() else { return .none }
        guard targets.count == 1 else {
            session.status.say(.noteTakesOneBook, targets.books.count.grouped)
            return .none
        }
        let note = userData(of: targets).first.flatMap { $0?.note } ?? ""
        return .releaseTerminal {
            switch session.services.noteEditor.edit(note, targets.name) {
            case .text(let text):
                let text = text.trimmingBlankEnds
                if text == note { return }
                apply(
                    .note(text.isEmpty ? nil : text), to: targets,
                    saying: (text.isEmpty ? Message.noteDeleted : .noteSaved).text(targets.name))
            case .problem(let sentence): session.status.say(sentence)
            }
        }
    }

    // MARK: - Copying and links

    /// Copies the part of each book to the clipboard, or else to a file.
    private func copy(_ part: Command.CopiedPart) {
        let ids = books()
        guard let first = first(of: ids) else { return }
        let books = ids.compactMap { id in library.store.wholeBook(id).map { (id, $0) } }
        let lines = books.compactMap { id, book in text(of: book, id, for: part) }.filter { !$0.isEmpty }
        guard !lines.isEmpty else {
            session.status.say(books.count == 1 ? .noSuchProperty : .noneHasProperty, part.noun)
            return
        }
        let copied = lines.joined(separator: "\n")
        if session.services.clipboard(copied) {
            let what = books.count == 1 ? first.shownTitle : lines.count.of("book")
            session.status.say(.copied, part.noun, what)
            return
        }
        do throws(FileError) {
            let path = try session.services.copies.keep(copied)
            session.status.say(path.map { Message.copiedToFile.text($0) } ?? Message.noClipboard.text())
        } catch {
            session.status.say(.notCopied, error.savingSentence)
        }
    }

    private func text(of book: Book, _ id: BookID, for part: Command.CopiedPart) -> String? {
        switch part {
        case .title: return book.shownTitle.onOneLine
        case .authors: return book.authors.listed.onOneLine
        case .isbn: return book.isbn?.text.onOneLine
        case .record:
            var bytes: [UInt8] = []
            let record = library.store.recordBacked?.record(id)
            (record ?? book.nativeRecord(identity: library.identity(of: id))).writeHarmlessly(to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The maximum number of links that one command opens.
    private static let maximumLinks = 10

    /// Opens the link of the book with `number`, by default the first; of several books, that link of each.
    private func openLink(number: Int?) {
        let ids = books()
        guard ids.count <= Self.maximumLinks else {
            session.status.say(.tooManyLinks, String(Self.maximumLinks), ids.count.grouped)
            return
        }
        guard let first = first(of: ids) else { return }
        let books = ids.compactMap(library.store.bookAtHand)
        let number = max(1, number ?? 1)
        let directory = library.store.libraryDirectory
        let links = books.compactMap { book in book.namedLinks(below: directory).dropFirst(number - 1).first?.link }
        guard !links.isEmpty else {
            let count = first.namedLinks(below: directory).count
            if books.count == 1 && count > 0 {
                session.status.say(.noSuchLink, String(number), count.of("link"))
            } else {
                session.status.say(books.count == 1 ? .noLink : .noLinks)
            }
            return
        }
        session.open(links)
    }
}

extension Command.CopiedPart {
    /// The name of the part in messages.
    fileprivate var noun: String {
        switch self {
        case .title: "title"
        case .authors: "authors"
        case .isbn: "ISBN"
        case .record: "record"
        }
    }
}

extension String {
    /// This text on one line, because a copy of several books has one line per book, and without control characters,
    /// because it may be pasted into a shell.
    fileprivate var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ").sanitized }

    /// This text without leading and trailing whitespace.
    fileprivate var trimmingBlankEnds: String {
        let isBlank = { (character: Character) in character.isWhitespace }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
