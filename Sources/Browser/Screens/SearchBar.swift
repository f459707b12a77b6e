internal import Catalog
internal import Graphemes
internal import Library
internal import Search
internal import Storage
internal import TerminalUI
internal import Threading

/// The search bar: what is typed is looked for in the open list at once.
final class SearchBar: TextInput {
    let context = CommandContext.search
    let placement = Placement.line
    let prompt = "/"
    var editor: LineEditor
    private let session: Session
    private let list: NamedList

    /// The search bar of the open list, with what is looked for now.
    init(_ session: Session) {
        self.session = session
        list = session.books.list
        editor = LineEditor(session.books.request.query.text)
    }

    var fault: QuerySyntaxError? { session.books.request.query.fault }

    func heading(_ app: App) -> Heading { app.main.heading(app) }

    func layout(in area: Rect, _ app: App) {}

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        InputLine(editor: editor, prompt: prompt, fault: fault).draw(on: &canvas, app)
    }

    func edited(_ app: App) {
        var request = session.books.request
        request.query = Query(editor.text)
        session.books.ask(for: request)
    }

    /// Keeps what was found.
    func accepted(_ app: App) -> Effect {
        app.close(self)
        session.books.advance()
        let query = session.books.request.query
        session.search.remember(query)
        if query.expression == .everything { session.search.origin = nil }
        return .none
    }

    /// Gives the whole list back, with its row and scroll.
    func cancelled(_ app: App) {
        app.close(self)
        app.main.giveWholeListBack(app)
    }

    func keyHints(_ app: App) -> [KeyHint]? {
        var hints = [KeyHint(.enter, "keep")]
        if !completions.candidates.isEmpty {
            hints.append(KeyHint(.tab, "complete"))
        } else if spelling != nil {
            hints.append(KeyHint(.tab, "accept"))
        }
        if session.books.table.rowCount > 1 { hints.append(.arrows("move")) }
        return hints + [KeyHint(.escape, "cancel")]
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response { .ignored }

    func point(_ mouse: Mouse, _ app: App) -> Response { .ignored }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if session.books.list != list { app.close(self) }
    }

    func spoken(_ app: App) -> Spoken {
        let fault = session.books.request.query.fault
        return Spoken(
            place: .books, typed: (prompt + editor.text).sanitized + (fault.map { ": " + $0.sentence } ?? ""),
            content: app.main.books.spoken.content)
    }

    // MARK: - Completion

    /// The field names or values that the word at the cursor can become.
    private var completions: (range: Range<Int>, candidates: [String]) {
        Query.completions(of: editor.text, at: editor.text.prefix(editor.cursor).utf8.count)
    }

    /// Completes the name of a field or a value at the cursor, as far as there is one way to.
    func complete(_ app: App) {
        let (range, candidates) = completions
        guard let first = candidates.first else {
            takeSpelling(app)
            return
        }
        let common = candidates.dropFirst().reduce(first) { common, candidate in
            String(zip(common, candidate).prefix { $0 == $1 }.map(\.0))
        }
        let bytes = Array(editor.text.utf8)
        let typed = String(decoding: bytes[range], as: UTF8.self)
        if common.count > typed.count {
            let text = String(decoding: bytes[..<range.lowerBound], as: UTF8.self) + common
            let rest = String(decoding: bytes[range.upperBound...], as: UTF8.self)
            editor = LineEditor(text + rest)
            for _ in rest { _ = editor.react(to: .left) }
            edited(app)
        }
        if candidates.count > 1 { session.status.say(candidates.joined(separator: " ")) }
    }

    /// The range that was probably meant, or the word in the catalog that is most similar to the one that was not found,
    /// and the query with it.
    private var spelling: (word: String, query: String)? {
        if let corrected = session.books.request.query.corrected { return (corrected.range, corrected.query) }
        guard let diagnosis = session.books.diagnosis, diagnosis.query == session.books.request.query,
            let found = diagnosis.result.value, let spelling = found.spellings.first
        else { return nil }
        return (spelling.word, diagnosis.query.replacing(found.term, with: spelling.word))
    }

    /// Searches for the most similar word in place of the one that was not found.
    private func takeSpelling(_ app: App) {
        guard let spelling else { return }
        editor = LineEditor(spelling.query)
        edited(app)
    }
}
