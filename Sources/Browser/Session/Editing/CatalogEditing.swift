internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import JSON
internal import Library
internal import Search
internal import Shelves
internal import Threading

/// Commands that change the catalog: adding, editing, deleting and moving books.
struct CatalogActions {
    /// The session whose catalog they change.
    let session: Session

    /// The maximum number of books that the form compares; it says so if there are more.
    private static let comparedCount = 1000

    /// Performs the command, if it changes the catalog.
    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        // The command applies to the books as they are now.
        case .addBook, .editBook, .lookUp, .editRecord, .deleteBook, .moveBook: session.receiveEditsOfOthers()
        default: break
        }
        switch request.command {
        case .addBook: add(app)
        case .editBook: edit(app)
        case .lookUp: lookUp(app)
        case .editRecord: return .done(editRecord(app))
        case .deleteBook: delete(app)
        case .moveBook(let step): move(step, count: max(1, request.count ?? 1))
        default: return .ignored
        }
        return .done
    }

    /// Shows the reason why an edit was not made, if any.
    private func say(_ problem: EditRefusal?) {
        if let problem { session.status.say(problem.sentence) }
    }

    // MARK: - Forms

    private func add(_ app: App) {
        guard session.isEditable(inList: true) else { return }
        let neighbour = TrackedBooks(session.books.currentBook.map { [$0] } ?? [], in: session)
        let form = BookForm(title: "Add a book", books: [], fields: fields, usedFields: usedFields) { changes, app in
            var book = Book(title: "")
            for (field, value) in changes.values { if let value { field.set(value, in: &book) } }
            // If the neighbour is gone, the book is added at the end.
            let neighbour = neighbour.current?.first
            let edit = BookEdit(
                .added, [], title: book.shownTitle,
                .single { [book] catalog throws(CatalogEditError) in try catalog.add([book], after: neighbour) })
            return app.session.edit(edit, Message.addingBook.text(), savingThen: changes.isSaved)
        }
        letLookUp(in: form)
        app.push(form)
    }

    private func letLookUp(in form: BookForm) {
        guard session.services.lookup != nil else { return }
        form.lookUp = { [session] query, isAsked, app, found in
            session.lookUp(isAsked: isAsked, app) { found(BookFormFindings(query, in: $0)) }
        }
    }

    /// Looks a book up in the form, or the selected ones in a list.
    private func lookUp(_ app: App) {
        guard session.services.lookup != nil else { return session.status.say(.lookupOff) }
        guard session.isEditable(), let targets = books() else { return }
        if targets.count == 1 {
            edit(targets, app).lookUpBook(app)
        } else {
            session.lookUp(isAsked: true, app) { [session] lookup in
                app.push(LookupScreen(targets, fields: fields, in: lookup, session))
            }
        }
    }

    private func edit(_ app: App) {
        guard session.isEditable(), let targets = books() else { return }
        _ = edit(targets, app)
    }

    /// Opens the form for books.
    @discardableResult
    func edit(_ targets: ActionTarget, _ app: App) -> BookForm {
        let books = targets.books.prefix(Self.comparedCount).compactMap(session.library.store.bookAtHand)
        let title = books.first?.shownTitle ?? ""
        let tracked = TrackedBooks(targets.books, in: session)
        let form = BookForm(
            title: "Edit \(targets.name)", books: books, bookCount: targets.count, fields: fields,
            usedFields: usedFields
        ) {
            changes, app in
            guard let ids = tracked.current else { return EditRefusal(sentence: Message.booksGone.text()) }
            return change(ids, title: title, changes, app)
        }
        form.preview = { [session] transform in
            guard let ids = tracked.current else {
                session.status.say(.booksGone)
                return nil
            }
            do throws(CatalogEditError) {
                return try session.library.startPreview(of: transform, ids, notifying: session.wake)
            } catch {
                session.status.say(session.sentence(of: error))
                return nil
            }
        }
        if targets.count == 1 {
            form.editRecord = { [weak form] app in
                if let form { app.close(form) }
                return editRecord(app)
            }
            letLookUp(in: form)
        }
        app.push(form)
        return form
    }

    /// Sets the fields of the books to the changed values, and replaces in those of one field.
    ///
    /// - Returns: The reason why that failed; nil on success.
    private func change(_ ids: [BookID], title: String, _ changes: BookFormChanges, _ app: App) -> EditRefusal? {
        let activity = Message.changing.text(ids.count.of("book"))
        var transforms = changes.values.map { FieldTransform(setting: $0, to: $1) }
        if let replacement = changes.replacement { transforms.append(replacement) }
        let edit = BookEdit(.changed, ids, title: title, .bulk(.transforming(transforms)))
        return session.edit(edit, activity, savingThen: changes.isSaved)
    }

    /// The fields that the catalog can hold, in the order of the form.
    private var fields: [BookField] {
        let fields = session.library.store.schema.inForm
        guard let held = try? session.library.store.edited?.heldFields() else { return fields }
        return fields.filter(held.contains)
    }

    /// The number of books that show which fields are in use.
    private static let sampledCount = 50

    /// The fields that some of the first books of the catalog have, and those that nearly every book has.
    private var usedFields: Set<BookField> {
        let store = session.library.store
        let books = (0..<min(Self.sampledCount, store.index.count)).compactMap { store.bookAtHand(BookID($0)) }
        let used = fields.filter { field in books.contains { field.value(in: $0) != nil } }
        return Set(used).union([.title, .authors, .isbn, .published, .pageCount])
    }

    /// Returns the targets of a command. Returns nil and shows a message if there are none in the catalog.
    private func books() -> ActionTarget? {
        guard let targets = BookActions(session: session).targets() else { return nil }
        guard targets.missing.isEmpty else {
            session.status.say(.notEditable)
            return nil
        }
        return targets
    }

    /// Opens the record of the current book in the user's editor, and saves it if it is valid.
    private func editRecord(_ app: App) -> Effect {
        guard session.isEditable(), let targets = books(), let id = targets.books.first else { return .none }
        guard targets.count == 1, let record = session.library.store.edited?.record(id) else {
            session.status.say(.recordTakesOneBook)
            return .none
        }
        return .releaseTerminal {
            var text: [UInt8] = []
            JSONStyle().write(record, margin: [], to: &text)
            let problem = session.services.recordEditor.edit(String(decoding: text, as: UTF8.self), targets.name) {
                text in
                // The editor comes back with what does not fit, so that nothing typed there is lost.
                let edit = BookEdit(
                    .changed, [id], title: targets.name,
                    .single { catalog throws(CatalogEditError) in
                        try catalog.setRecord(of: id, to: Array(text.utf8))
                    })
                let refusal = session.edit(edit, Message.changing.text(targets.name))
                return refusal?.sentence ?? session.finishBulkChange()?.sentence
            }
            if let problem { session.status.say(problem) }
        }
    }

    // MARK: - Without a form

    private func delete(_ app: App) {
        guard let targets = books() else { return }
        let title = targets.books.first.flatMap(session.library.store.bookAtHand)?.shownTitle ?? targets.name
        let ids = targets.books
        let activity = Message.deletingBooks.text(targets.count.of("book"))
        say(session.edit(BookEdit(.deleted, ids, title: title, .bulk(.delete)), activity))
    }

    /// Moves the current book by `count` rows.
    private func move(_ step: Command.Step, count: Int) {
        guard session.books.list == .all, session.books.request.isPlain else {
            session.status.say(.moveNeedsCatalogOrder, NamedList.all.name, session.keyLabel(of: .sort(nil)))
            return
        }
        guard let targets = books(), let id = targets.books.first else { return }
        guard targets.count == 1 else {
            session.status.say(.moveOneBook, session.keyLabel(of: .cancel))
            return
        }
        if session.library.store.edited?.isOnServer == true {
            return session.status.say(session.sentence(of: .unordered))
        }
        let position = id.index + (step == .down ? count : -count)
        let target = min(max(0, position), session.library.store.index.count - 1)
        if target == id.index {
            session.status.say(step == .down ? .alreadyLast : .alreadyFirst, targets.name)
            return
        }
        let edit = BookEdit(
            .moved, [id], title: targets.name,
            .single { catalog throws(CatalogEditError) in try catalog.move(id, to: target) })
        say(session.edit(edit, Message.movingBook.text(targets.name)))
    }
}

/// The books of an open form, tracked through later edits and reloads.
struct TrackedBooks {
    private let ids: [BookID]
    private let keys: [MatchKeys]
    private let shiftCount: Int
    private let session: Session

    /// The maximum number of books that are found again after a reload.
    private static let maximumCount = 1000

    init(_ ids: [BookID], in session: Session) {
        session.takeShift()
        (self.ids, self.session, shiftCount) = (ids, session, session.history.shifts.count)
        keys = ids.count > Self.maximumCount ? [] : ids.compactMap(session.library.store.keys)
    }

    /// The books at their present positions; nil if one is gone.
    var current: [BookID]? {
        session.receiveEditsOfOthers()
        return session.current(ids, with: keys, since: shiftCount)
    }
}
