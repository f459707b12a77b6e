internal import Books
internal import Editing
internal import Graphemes
internal import Library
internal import TerminalUI
internal import Text

/// The form for adding a book, or for editing one or several: a line for each field.
final class BookForm: TextInput {
    /// Makes the changes: the values of changed fields, nil for those that are cleared. Returns the reason if that
    /// fails; the form then stays open.
    typealias Acceptance = (_ changes: [BookField: FieldValue?], App) -> EditRefusal?

    /// Looks up a new book by the typed ISBN in other catalogs; the results arrive through `receiveFound`.
    var lookUp: ((ISBN, BookForm, App) -> Void)?
    /// Returns new results of the lookup, if any.
    var receiveFound: (() -> ISBNLookup.Results?)?
    /// Opens the record of the book in an editor.
    var editRecord: ((App) -> Effect)?
    private let title: String
    private let subject: String
    private let isNew: Bool
    private let accept: Acceptance
    private var fields: [BookFormField]
    /// The indices of the field with the cursor and of the field at the top.
    private var (current, top) = (0, 0)
    private var area = Rect.empty
    private var findings = BookFormFindings()
    private var completion = BookFormCompletion()
    /// The reason why the changes could not be made.
    private var refusal: String?
    /// Whether the last key started the sequence that opens the record.
    private var isAwaitingRecordKey = false

    /// Creates a form for `books`, or for a new book if there are none.
    ///
    /// - Parameters:
    ///   - bookCount: The number of books to edit, if `books` are only the first of them.
    ///   - fields: The fields that can be edited, in order; for a new book, the ISBN is moved to the front.
    init(
        title: String, books: [Book], bookCount: Int? = nil, fields: [BookField] = BookField.inForm,
        accept: @escaping Acceptance
    ) {
        self.title = title
        self.accept = accept
        isNew = books.isEmpty
        let count = bookCount ?? books.count
        subject = count == 1 ? books.first?.shownTitle ?? "" : count.of("book")
        let isbn = isNew ? fields.filter { $0 == .isbn } : []
        let ordered = isbn + fields.filter { !isbn.contains($0) }
        self.fields = ordered.map { BookFormField($0, of: books, count: count) }
    }

    /// Shows the books that were found in other catalogs.
    func found(_ books: [(source: String, book: Book)]) { findings = BookFormFindings(books) }

    // MARK: - Screen

    var context: CommandContext { .form }
    var placement: Placement { .popup }
    var prompt: String { "" }
    var editor: LineEditor {
        get { fields[current].editor }
        set { fields[current].editor = newValue }
    }

    func heading(_ app: App) -> Heading { app.main.heading(app) }

    func keyHints(_ app: App) -> [KeyHint]? {
        let field = fields[current]
        // In a narrow window, the hint bar keeps the last two and the first ones.
        var hints: [KeyHint] = []
        if findings.current != nil {
            hints += [KeyHint(.control("y"), "take all"), KeyHint(.control("t"), "take field")]
        }
        if findings.areSeveral { hints.append(KeyHint(.control("n"), "next result")) }
        hints.append(KeyHint(.enter, isLast ? verb : "next field"))
        if field.isCompleted, field.isBeingEdited { hints.append(KeyHint(.tab, "complete")) }
        if field.field == .description { hints.append(KeyHint(.control("o"), "line break")) }
        if field.canBeCleared { hints.append(KeyHint(.control("u"), field.isCleared ? "keep values" : "clear")) }
        if editRecord != nil { hints.append(.recordKeys) }
        hints.append(.arrows("move"))
        if !isLast { hints.append(KeyHint(.control("s"), verb)) }
        return hints + [KeyHint(.escape, "cancel")]
    }

    private var verb: String { isNew ? "add" : "change" }
    private var isLast: Bool { current == fields.count - 1 }

    // MARK: - Keys

    func type(_ key: Key, _ app: App) -> Effect? {
        let wasAwaitingRecordKey = isAwaitingRecordKey
        isAwaitingRecordKey = false
        if wasAwaitingRecordKey, key == .control("e"), let editRecord {
            // The record does not contain the changes in the form.
            guard fields.contains(where: \.isTouched) else { return editRecord(app) }
            refusal = Message.recordNeedsUnchangedForm.text()
            return Effect.none
        }
        switch key {
        case .control("s"): return accepted(app)
        case .enter:
            if isLast { return accepted(app) }
            move(by: 1, app)
        case .escape: cancelled(app)
        case .tab: complete(app)
        case .down: move(by: 1, app)
        case .up, .backTab: move(by: -1, app)
        case .pageDown: move(by: visibleCount, app)
        case .pageUp: move(by: -visibleCount, app)
        case .control("x") where editRecord != nil: isAwaitingRecordKey = true
        case .control("o") where fields[current].field == .description:
            edit(with: .character(BookFormField.lineBreak), app)
        case .control("u") where fields[current].canBeCleared: fields[current].toggleCleared()
        case .control("y"): takeAll(app)
        case .control("t"): takeField(app)
        case .control("n"): findings.advance()
        default: return edit(with: key, app)
        }
        return Effect.none
    }

    @discardableResult
    private func edit(with key: Key, _ app: App) -> Effect {
        switch editor.react(to: key) {
        case .edited: edited(app)
        case .moved, .accepted, .cancelled: break
        case .notHandled: return typeOther(key, app)
        }
        return .none
    }

    /// Terminal commands work here too.
    private func typeOther(_ key: Key, _ app: App) -> Effect {
        guard let request = app.singleKeyRequest(by: key) else { return .none }
        switch request.command {
        case .suspend, .redraw: return app.perform(request)
        case .interrupt:
            cancelled(app)
            if app.top !== self, app.front !== self { app.sayHowToQuit() }
        default: break
        }
        return .none
    }

    func edited(_ app: App) {
        fields[current].noteEdit()
        refusal = nil
        if isNew, fields[current].field == .isbn { lookUpISBN(app) }
    }

    /// Looks up a new book as soon as its ISBN is complete.
    private func lookUpISBN(_ app: App) {
        guard let lookUp else { return }
        let digits = editor.text.filter { $0.isNumber || "xX".contains($0) }.count
        guard digits == 10 || digits == 13, case .isbn(let isbn)? = try? fields[current].value() else {
            findings = BookFormFindings()
            return
        }
        if findings.number == isbn.number { return }
        findings = BookFormFindings(lookingUp: isbn)
        lookUp(isbn, self, app)
    }

    func pasted(_ text: String, _ app: App) {
        editor.insert(fields[current].field == .description ? BookFormField.shown(text) : text)
        edited(app)
    }

    func complete(_ app: App) {
        take(completion.complete(fields[current], in: app.session), app)
    }

    /// Shows the result of a completion; without one, the key moves to the next field.
    private func take(_ outcome: BookFormCompletion.Outcome, _ app: App) {
        switch outcome {
        case .completed(let line, let message):
            editor = line
            edited(app)
            app.session.status.say(message)
        case .searching: app.session.status.say(.searchingValues)
        case .nothing: move(by: 1, wrapping: true, app)
        case .overtaken: break
        }
    }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        guard changes.contains(.background) else { return }
        if let results = receiveFound?() { findings.receive(results) }
        guard completion.isSearching else { return }
        app.session.status.clear()
        take(completion.receive(for: fields[current], in: app.session), app)
    }

    func closed(_ app: App) { completion.stop() }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        if request.command == .cancel { cancelled(app) }
        return .done
    }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        let rect = view.fieldsRect
        if case .press = mouse.action, rect.contains(mouse.position) {
            go(to: min(top + mouse.position.row - rect.row, fields.count - 1), app)
        }
        return .done
    }

    // MARK: - Movement

    private func move(by count: Int, wrapping: Bool = false, _ app: App) {
        let target = current + count
        go(to: wrapping && target >= fields.count ? 0 : min(max(0, target), fields.count - 1), app)
    }

    private func go(to index: Int, _ app: App) {
        guard index != current else { return }
        leave()
        refusal = nil
        current = index
    }

    /// Checks the current field before another becomes current.
    private func leave() {
        completion.stop()
        fields[current].isBeingEdited = false
        fields[current].check()
    }

    // MARK: - Lookup results

    /// Fields that belong to the catalog of the result.
    private static let catalogFields: Set<BookField> = [.sourceID, .dateAdded, .status]

    /// Fills the empty fields from the result; typed text stays.
    private func takeAll(_ app: App) {
        guard let book = findings.current else { return }
        for index in fields.indices where fields[index].isEmpty && !Self.catalogFields.contains(fields[index].field) {
            fields[index].take(from: book)
        }
        findings.finish()
    }

    /// Replaces the text of the field by that of the result.
    private func takeField(_ app: App) {
        if let book = findings.current, fields[current].take(from: book) { refusal = nil }
    }

    // MARK: - Accepting and cancelling

    /// Checks all fields and makes the changes.
    func accepted(_ app: App) -> Effect {
        leave()
        for index in fields.indices {
            fields[index].forgetRefusal()
            fields[index].check(isNeeded: isNew && fields[index].field == .title)
        }
        if let index = fields.firstIndex(where: { $0.problem != nil }) {
            current = index
            return .none
        }
        var changes: [BookField: FieldValue?] = [:]
        for field in fields where field.isTouched {
            // The value was just checked, so `value()` does not throw; nil clears the field.
            changes.updateValue(try? field.value(), forKey: field.field)
        }
        if changes.isEmpty {
            app.close(self)
            app.session.status.say(.unchanged, subject)
            return .none
        }
        guard let problem = accept(changes, app) else {
            app.close(self)
            return .none
        }
        if let index = fields.firstIndex(where: { $0.field == problem.field }) {
            fields[index].refuse(problem.sentence)
            current = index
        } else {
            refusal = problem.sentence
        }
        return .none
    }

    /// Closes the form; asks first if a field was changed.
    func cancelled(_ app: App) {
        guard fields.contains(where: \.isTouched) else { return app.close(self) }
        app.push(
            ConfirmDialog(Message.discardChanges.text(), below: self, app, verbs: ("discard", "go on")) {
                [weak self] isConfirmed, app in
                if isConfirmed, let self { app.close(self) }
                return .none
            })
    }

    // MARK: - Drawing

    func layout(in area: Rect, _ app: App) {
        self.area = area
        let visible = visibleCount
        top = min(max(top, current - visible + 1), current, max(0, fields.count - visible))
    }

    /// What the form looks like now.
    private var view: BookFormView {
        BookFormView(
            title: title, fields: fields, current: current, top: top, area: area, problem: refusal,
            findings: findings.sentences)
    }

    /// The number of fields that there is room for.
    private var visibleCount: Int { view.visibleCount }

    func draw(on canvas: inout Canvas, _ app: App) -> Position { view.draw(on: &canvas) }

    func spoken(_ app: App) -> Spoken { view.spoken }
}

extension KeyHint {
    /// The hint of the keys that open the record.
    fileprivate static var recordKeys: KeyHint {
        var hint = KeyHint(.control("x"), "record")
        hint.key = KeyBindings.label(of: [.control("x"), .control("e")])
        return hint
    }
}
