internal import Books
internal import Catalog
internal import Graphemes
internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import TerminalUI
internal import Threading

/// The search bar: searches the open list while the query is typed.
final class SearchBar: LineInput {
    let context = CommandContext.search
    let prompt = "/"
    var editor: LineEditor
    private let session: Session
    private let list: NamedList
    /// The earlier queries while the keys go through them: the number of the one shown, before which there is the typed
    /// text, and the line as it was filled.
    private var recall: (queries: [String], number: Int, editor: LineEditor)?
    /// The completion that another Tab continues.
    private var completion: TabCompletion?
    /// The search for values that Tab started, with the line and the range to replace.
    private var search: (editor: LineEditor, range: Range<Int>, values: FoundValues)?

    /// Creates the search bar of the open list, with the current query.
    init(_ session: Session) {
        self.session = session
        list = session.books.list
        editor = LineEditor(session.books.request.query.text)
        session.books.acceptsSuggestions = true
    }

    var syntaxError: QuerySyntaxError? {
        let query = session.books.request.query
        return query.syntaxError ?? query.unclosed
    }

    var takesTextAtOnce: Bool { true }

    /// The message about terms that the source of the list ignored; "" if there are none.
    var note: String {
        let terms = session.books.pipeline.rows.ignoredTerms
        return terms.isEmpty ? "" : Message.termsIgnored.text(terms.joined(separator: " ").sanitized)
    }

    func edited(_ app: App) {
        var request = session.books.request
        request.query = Query(editor.text, of: session.library.store.schema)
        session.books.ask(for: request)
    }

    /// Keeps the results.
    func accepted(_ app: App) -> Effect {
        app.close(self)
        session.books.advance()
        let query = session.books.request.query
        session.search.remember(query)
        if query.expression != .everything { session.preferences.remember(query: query.text, in: session.catalogPath) }
        if query.expression == .everything { session.search.origin = nil }
        return .none
    }

    /// Restores the list with its position before the search.
    func cancelled(_ app: App) {
        app.close(self)
        app.main.clearSearch(app)
    }

    func keyHints(_ app: App) -> [KeyHint]? {
        var hints = [KeyHint(.enter, "keep")]
        if editor.text.isEmpty, !session.preferences.queries(for: session.catalogPath).isEmpty {
            hints.append(KeyHint(.up, "earlier search"))
        }
        if let tabHint { hints.append(KeyHint(.tab, tabHint)) }
        if session.books.table.rowCount > 1 { hints.append(.arrows("move")) }
        return hints + [KeyHint(.escape, "cancel")]
    }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if session.books.list != list { return app.close(self) }
        if changes.contains(.background) { receive(app) }
    }

    func closed(_ app: App) {
        stopSearch()
        session.books.acceptsSuggestions = false
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: .books,
            typed: (prompt + editor.text).sanitized + (syntaxError.map { ": " + $0.sentence } ?? "")
                + (note.isEmpty ? "" : ". " + note),
            content: app.main.books.spoken.content)
    }

    // MARK: - Earlier queries

    func type(_ key: Key, _ app: App) -> Effect? {
        let isRecalling = recall.map { $0.editor == editor } ?? editor.text.isEmpty
        let isEarlier = key == .control("p") || key == .up && isRecalling
        let isLater = key == .control("n") || key == .down && isRecalling && recall != nil
        guard isEarlier || isLater else { return typeText(key, app) }
        goThroughQueries(by: isEarlier ? 1 : -1, app)
        return Effect.none
    }

    /// Fills the line with an earlier query, or a later one, or what was typed before the keys went through them.
    private func goThroughQueries(by step: Int, _ app: App) {
        if recall?.editor != editor {
            let queries = session.preferences.queries(for: session.catalogPath).filter { $0 != editor.text }
            recall = ([editor.text] + queries, 0, editor)
        }
        guard let recall else { return }
        let number = recall.number + step
        guard recall.queries.indices.contains(number) else {
            if step > 0 { session.status.say(.noEarlierSearch) }
            return
        }
        editor = LineEditor(recall.queries[number])
        self.recall = (recall.queries, number, editor)
        edited(app)
    }

    // MARK: - Completion

    /// The number of UTF-8 bytes before the cursor.
    private var offset: Int { editor.text.prefix(editor.cursor).utf8.count }

    /// The field names or values that complete the word at the cursor.
    private var completions: (range: Range<Int>, candidates: [String]) {
        Query.completions(of: editor.text, at: offset, in: session.library.store.schema)
    }

    /// The value at the cursor that can be completed from the catalog or the shelves.
    private var unfinishedValue: Query.UnfinishedValue? {
        session.library.store.remote == nil
            ? Query.unfinishedValue(of: editor.text, at: offset, in: session.library.store.schema) : nil
    }

    /// The effect of Tab now.
    private var tabHint: String? {
        let (range, candidates) = completions
        if spelling != nil, range.isEmpty || candidates.isEmpty { return "accept" }
        return candidates.isEmpty && unfinishedValue == nil ? nil : "complete"
    }

    /// Completes the field name or value at the cursor; repeated, replaces it by the next candidate.
    func complete(_ app: App) {
        if var completion, completion.editor == editor {
            completion.advance()
            return show(completion, app)
        }
        let (range, candidates) = completions
        if spelling != nil, range.isEmpty || candidates.isEmpty { return takeSpelling(app) }
        if let value = unfinishedValue { return complete(value, app) }
        guard let first = candidates.first else { return }
        let common = candidates.dropFirst().reduce(first) { common, candidate in
            String(zip(common, candidate).prefix { $0 == $1 }.map(\.0))
        }
        let words = candidates.map { TabCompletion.Candidate(text: $0, label: $0) }
        guard candidates.count > 1, common.utf8.count > range.count else { return show(words, in: range, app) }
        // Completes as far as all candidates agree.
        let beginning = TabCompletion.Candidate(text: common, label: common)
        guard let step = TabCompletion([beginning], replacing: range, of: editor.text) else { return }
        editor = step.editor
        edited(app)
        session.status.say(candidates.joined(separator: " · "))
    }

    private func complete(_ value: Query.UnfinishedValue, _ app: App) {
        switch value.kind {
        case .shelf:
            let key = Query.shelfKey(of: value.typed)
            let shelves = session.library.userData.shelves.filter { Query.shelfKey(of: $0.name).hasPrefix(key) }
                .map { ($0.name, session.library.count(of: NamedList(.shelf($0.id), name: $0.name))?.books ?? 0) }
                .sorted { $0.1 > $1.1 }
            show(shelves.map { TabCompletion.Candidate($0.0, count: $0.1) }, in: value.range, app)
        case .text(let field):
            let task = session.books.pipeline.scope
                .completions(of: field, startingWith: value.typed, notifying: session.wake)
            search = (editor, value.range, .ofEveryBook(task))
            _ = task.wait(milliseconds: session.books.timeBudget)
            receive(app)
        case .own(let field):
            guard let task = session.values(of: field, startingWith: value.typed) else {
                return session.status.say(.searchingValues)
            }
            search = (editor, value.range, .own(task))
            _ = task.wait(milliseconds: session.books.timeBudget)
            receive(app)
        }
    }

    /// Shows the values of the search, if they are found and the line has not changed since.
    private func receive(_ app: App) {
        guard let search else { return }
        guard search.editor == editor else { return stopSearch() }
        guard let values = search.values.found(in: session.library.store) else {
            return session.status.say(.searchingValues)
        }
        self.search = nil
        session.status.clear()
        show(values.map { TabCompletion.Candidate($0.name, count: $0.bookCount) }, in: search.range, app)
    }

    private func stopSearch() {
        search?.values.cancel()
        search = nil
    }

    private func show(_ candidates: [TabCompletion.Candidate], in range: Range<Int>, _ app: App) {
        guard let completion = TabCompletion(candidates, replacing: range, of: editor.text) else {
            return session.status.say(.nothingCompletes)
        }
        show(completion, app)
    }

    private func show(_ completion: TabCompletion, _ app: App) {
        editor = completion.editor
        edited(app)
        self.completion = completion
        if !completion.message.isEmpty { session.status.say(completion.message) }
    }

    /// The correction of a range, or the word in the catalog that is most similar to the one without matches, with the
    /// corrected query.
    private var spelling: (word: String, query: String)? {
        if let corrected = session.books.request.query.corrected { return (corrected.range, corrected.query) }
        guard let diagnosis = session.books.diagnosis, diagnosis.query == session.books.request.query,
            let found = diagnosis.result.value
        else { return nil }
        if let place = found.elsewhere.first {
            return (place.field.info.label, diagnosis.query.searching(found.term, in: place.field))
        }
        guard let spelling = found.spellings.first else { return nil }
        return (spelling.word, diagnosis.query.replacing(found.term, with: spelling.word))
    }

    /// Searches for the corrected query.
    private func takeSpelling(_ app: App) {
        guard let spelling else { return }
        editor = LineEditor(spelling.query)
        edited(app)
    }
}

extension TabCompletion.Candidate {
    /// Creates the candidate for a value of `count` books.
    fileprivate init(_ value: String, count: Int) {
        self.init(text: Query.quoted(value), label: "\(value) (\(count.grouped))")
    }
}
