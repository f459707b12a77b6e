internal import Books
internal import Editing
internal import Graphemes
internal import Library
internal import TerminalUI
internal import Text
internal import Threading

/// The form for adding a book, or for editing one or several: a line for each field.
///
/// The fields in use come first; the others are folded until the cursor goes beyond those. Values that identify a book
/// are locked for several books.
final class BookForm: TextInput {
    /// Makes the changes. Returns the reason if that fails; the form then stays open.
    typealias Acceptance = (_ changes: BookFormChanges, App) -> EditRefusal?

    /// The part of a form that is on the screen.
    struct Extent {
        /// The number of fields that are not folded: those in use until the others are shown.
        var shownCount: Int
        /// The line at the top.
        var top = 0
        /// The window.
        var area = Rect.empty
    }

    /// Starts to look the book up, and calls the last argument with the findings; `isAsked` tells whether the person has asked
    /// for that, or typed a whole ISBN.
    var lookUp: ((LookupQuery, _ isAsked: Bool, App, @escaping (BookFormFindings) -> Void) -> Void)?
    /// Starts computing what a replacement would do to the books; nil if it says that this is not possible.
    var preview: ((FieldTransform) -> BackgroundTask<ChangePreview>?)?
    /// Opens the record of the book in an editor.
    var editRecord: ((App) -> Effect)?
    private let title: String
    let subject: String
    let isNew: Bool
    let accept: Acceptance
    var fields: [BookFormField]
    /// The index of the field with the cursor.
    var current = 0
    /// The part of the form that is on the screen.
    var extent: Extent
    private(set) var findings = BookFormFindings()
    private var completion = BookFormCompletion()
    /// The reason why the changes could not be made.
    var refusal: String?
    /// Whether the last key started the sequence that opens the record.
    private var isAwaitingRecordKey = false

    /// Creates a form for `books`, or for a new book if there are none.
    ///
    /// - Parameters:
    ///   - bookCount: The number of books to edit, if `books` are only the first of them.
    ///   - fields: The fields that can be edited, in order; for a new book, the ISBN is moved to the front.
    ///   - usedFields: The fields that books of the catalog have.
    init(
        title: String, books: [Book], bookCount: Int? = nil, fields: [BookField] = BookField.inForm,
        usedFields: Set<BookField> = [], accept: @escaping Acceptance
    ) {
        self.title = title
        self.accept = accept
        isNew = books.isEmpty
        let count = bookCount ?? books.count
        subject = count == 1 ? books.first?.shownTitle ?? "" : count.of("book")
        let isbn = isNew ? fields.filter { $0 == .isbn } : []
        let ordered = isbn + fields.filter { !isbn.contains($0) }
        let all = ordered.map { BookFormField($0, of: books, count: count) }
        let isUsed = { (field: BookFormField) in
            field.isUsed || field.field == .title || usedFields.contains(field.field)
        }
        let used = all.filter(isUsed)
        self.fields = used + all.filter { !isUsed($0) }
        // A fold that hides one or two fields would take as much room as they do.
        extent = Extent(shownCount: fields.count - used.count < 3 ? self.fields.count : used.count)
    }

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
            hints += [KeyHint(.control("y"), "fill"), KeyHint(.control("t"), "take")]
        }
        if findings.areSeveral { hints.append(KeyHint(.control("n"), "books found")) }
        if field.isCompleted, field.isBeingEdited { hints.append(KeyHint(.tab, "complete")) }
        if field.field == .description { hints.append(KeyHint(.control("o"), "line break")) }
        if field.canBeCleared { hints.append(KeyHint(.control("u"), field.isCleared ? "keep values" : "clear")) }
        if editRecord != nil { hints.append(.recordKeys) }
        let isBeforeFold = current == extent.shownCount - 1 && extent.shownCount < fields.count
        hints.append(isBeforeFold ? KeyHint(.down, "more fields") : .arrows("move"))
        if preview != nil { hints.append(KeyHint(.control("r"), "replace")) }
        if lookUp != nil { hints.append(KeyHint(.control("g"), "look up")) }
        hints.append(KeyHint(.control("s"), "save " + app.session.placeSaved))
        return hints + [KeyHint(.enter, isNew ? "add" : "change"), KeyHint(.escape, "cancel")]
    }

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
        case .control("s"): return accepted(app, savingThen: true)
        case .enter: return accepted(app)
        case .control("r") where preview != nil: replace(app)
        case .escape: cancelled(app)
        case .tab: complete(app)
        case .down: move(by: 1, app)
        case .up, .backTab: move(by: -1, app)
        case .pageDown: move(by: visibleCount, app)
        case .pageUp: move(by: -visibleCount, app)
        case .control("x") where editRecord != nil: isAwaitingRecordKey = true
        case .control("o") where fields[current].field == .description:
            edit(with: .character(BookFormField.lineBreak), app)
        case .control("u") where fields[current].isLocked || fields[current].canBeCleared:
            unlocking(app) { form in
                if form.fields[form.current].canBeCleared {
                    form.fields[form.current].toggleCleared()
                } else {
                    form.edit(with: key, app)
                }
            }
        case .control("g") where lookUp != nil: lookUpBook(app)
        case .control("y"): fill()
        case .control("t"): takeNext()
        case .control("n") where findings.areSeveral: app.push(FoundBookPicker(findings.books, for: self))
        default: return edit(with: key, app)
        }
        return Effect.none
    }

    @discardableResult
    private func edit(with key: Key, _ app: App) -> Effect {
        if fields[current].isLocked {
            var copy = editor
            if case .edited = copy.react(to: key) {
                unlocking(app) { $0.edit(with: key, app) }
                return .none
            }
        }
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
        guard fields[current].field == .isbn else { return }
        if isNew { return lookUpISBN(app) }
        // What was found is another book.
        if case .isbn? = findings.query, findings.query != isbnQuery { show(BookFormFindings()) }
    }

    /// Looks up a new book as soon as its ISBN is complete.
    private func lookUpISBN(_ app: App) {
        guard lookUp != nil else { return }
        let digits = editor.text.filter { $0.isNumber || "xX".contains($0) }
        // Ten digits can be the beginning of thirteen, and another book.
        let isBeginning = digits.count == 10 && ["978", "979"].contains(digits.prefix(3))
        guard digits.count == 10 || digits.count == 13, !isBeginning, let query = isbnQuery else {
            show(BookFormFindings())
            return
        }
        if findings.query != query { lookUp(query, isAsked: false, app) }
    }

    func pasted(_ text: String, _ app: App) {
        unlocking(app) { form in
            form.editor.insert(form.fields[form.current].field == .description ? BookFormField.shown(text) : text)
            form.edited(app)
        }
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
        findings.receive()
        guard completion.isSearching else { return }
        app.session.status.clear()
        take(completion.receive(for: fields[current], in: app.session), app)
    }

    /// Offers other findings, in place of those before.
    func show(_ findings: BookFormFindings) {
        self.findings.stop()
        self.findings = findings
    }

    /// Uses one of several books that were found.
    func choose(_ book: LookedUpBook) { findings.choose(book) }

    func closed(_ app: App) {
        completion.stop()
        findings.stop()
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        if request.command == .cancel { cancelled(app) }
        return .done
    }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        if let rows = mouse.wheelRows {
            move(by: rows, app)
        } else if case .press = mouse.action {
            switch view.line(at: mouse.position) {
            case .field(let index)?: go(to: index, app)
            case .fold?: go(to: extent.shownCount, app)
            case .problem, nil: break
            }
        }
        return .done
    }

    // MARK: - Movement

    /// Moves by fields; from the last one in use, to the others.
    private func move(by count: Int, wrapping: Bool = false, _ app: App) {
        let target = current + count
        if wrapping, target >= fields.count { return go(to: 0, app) }
        go(to: min(max(0, target), current < extent.shownCount - 1 ? extent.shownCount - 1 : fields.count - 1), app)
    }

    /// Makes a field current; the others are unfolded if it is one of them.
    private func go(to index: Int, _ app: App) {
        guard index != current else { return }
        leave()
        refusal = nil
        reveal(index)
    }

    /// Puts the cursor into a field, and shows it if it is folded.
    func reveal(_ index: Int) {
        current = index
        if index >= extent.shownCount { extent.shownCount = fields.count }
    }

    /// Checks the current field before another becomes current.
    func leave() {
        completion.stop()
        fields[current].isBeingEdited = false
        fields[current].check()
    }

    // MARK: - Drawing

    func layout(in area: Rect, _ app: App) {
        extent.area = area
        extent.top = view.top(revealing: current)
    }

    /// What the form looks like now.
    private var view: BookFormView {
        BookFormView(
            title: title, fields: fields, shownCount: extent.shownCount, current: current, top: extent.top,
            area: extent.area,
            problem: refusal, findings: findings)
    }

    /// The number of fields that there is room for.
    private var visibleCount: Int { view.visibleCount }

    func draw(on canvas: inout Canvas, _ app: App) -> Position { view.draw(on: &canvas) }

    func spoken(_ app: App) -> Spoken { view.spoken }
}

extension KeyHint {
    /// The hint of the keys that open the record.
    fileprivate static let recordKeys = KeyHint(.control("x"), .control("e"), text: "record")
}
