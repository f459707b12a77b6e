internal import Books
internal import Graphemes
internal import Library
internal import TerminalUI
internal import Text

/// The form in which a book is added, or one or several books are changed: a line for each field.
final class BookForm: TextInput {
    /// Takes over the values of the touched fields, nil for those that are made empty. Returns why that could not be
    /// done; the form then stays open.
    typealias Acceptance = (_ changes: [BookField: FieldValue?], App) -> EditRefusal?

    /// Searches elsewhere for a book that is added, by the ISBN that was typed; `found(_:)` takes what was found.
    var lookUp: ((ISBN, BookForm, App) -> Void)?
    /// Returns what a search found, if anything new was.
    var receiveFound: (() -> ISBNLookup.Results?)?
    /// Opens the record of the book in an editor.
    var editRecord: ((App) -> Effect)?
    private let title: String
    private let subject: String
    private let isNew: Bool
    private let accept: Acceptance
    private var fields: [BookFormField]
    /// The index of the field that has the cursor, and of the one at the top.
    private var (current, top) = (0, 0)
    private var area = Rect.empty
    private var findings = BookFormFindings()
    private var completion = BookFormCompletion()
    /// Why the changes could not be made.
    private var refusal: String?
    /// Whether the key before began the sequence that opens the record.
    private var isAwaitingRecordKey = false

    /// The fields in the order of the form.
    static let order: [BookField] = [
        .title, .authors, .published, .series, .seriesPosition, .publisher, .isbn, .pageCount, .languages, .subjects,
        .subtitle, .sortTitle, .fiction, .contributors, .identifiers, .rating, .status, .dateAdded, .cover, .sourceID,
        .description,
    ]

    /// Creates a form for `books`, or for a new book if there are none.
    ///
    /// - Parameters:
    ///   - bookCount: The number of books that are changed, if `books` are only the first of them.
    ///   - fields: The fields that can be changed, in their order; the ISBN comes first for a new book.
    init(
        title: String, books: [Book], bookCount: Int? = nil, fields: [BookField] = BookForm.order,
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

    /// Shows what was found elsewhere of the book that is added.
    func found(_ books: [(source: String, book: Book)]) { findings = BookFormFindings(books) }

    // MARK: - The screen

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
        // In a narrow window the last two stay, and of the others the first ones.
        var hints: [KeyHint] = []
        if findings.current != nil {
            hints += [KeyHint(.control("y"), "take all"), KeyHint(.control("t"), "take field")]
        }
        if findings.areSeveral { hints.append(KeyHint(.control("n"), "next finding")) }
        hints.append(KeyHint(.enter, isLast ? verb : "next field"))
        if field.completionField != nil, field.isBeingEdited { hints.append(KeyHint(.tab, "complete")) }
        if field.field == .description { hints.append(KeyHint(.control("o"), "line break")) }
        if field.canBeCleared { hints.append(KeyHint(.control("u"), field.isCleared ? "keep values" : "make empty")) }
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
            // What was typed is not in the record.
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

    /// What concerns the terminal works while other keys type text, too.
    private func typeOther(_ key: Key, _ app: App) -> Effect {
        guard let request = app.requestAtOnce(by: key) else { return .none }
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

    /// Looks a new book up as soon as its ISBN is whole.
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

    /// Takes over what came of a completion: without any, the key goes to the next field.
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

    // MARK: - Moving

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

    /// Checks the field that is left.
    private func leave() {
        completion.stop()
        fields[current].isBeingEdited = false
        fields[current].check()
    }

    // MARK: - What was found elsewhere

    /// Fields that belong to the catalog in which a book was found.
    private static let ownFields: Set<BookField> = [.sourceID, .dateAdded, .status]

    /// Fills the empty fields from what was found; what was typed stays.
    private func takeAll(_ app: App) {
        guard let book = findings.current else { return }
        for index in fields.indices where fields[index].isEmpty && !Self.ownFields.contains(fields[index].field) {
            fields[index].take(from: book)
        }
        findings.finish()
    }

    /// Replaces the field by what was found.
    private func takeField(_ app: App) {
        if let book = findings.current, fields[current].take(from: book) { refusal = nil }
    }

    // MARK: - The end

    /// Checks all fields, and has the changes made.
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
            // The field fits, as it was just checked: without a value it is made empty.
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

    /// Closes the form; asks first if something was typed.
    func cancelled(_ app: App) {
        guard fields.contains(where: \.isTouched) else { return app.close(self) }
        app.push(
            ConfirmDialog(Message.discardChanges.text(), below: self, app, verbs: ("discard", "go on")) {
                [weak self] isConfirmed, app in
                if isConfirmed, let self { app.close(self) }
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
