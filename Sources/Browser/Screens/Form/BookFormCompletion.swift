internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI
internal import Threading

/// The completion of a form field from the values in the catalog.
struct BookFormCompletion {
    /// The result of the completion key.
    enum Outcome {
        /// The completed line, and the message that lists the candidates.
        case completed(LineEditor, String)
        /// The search for values is still running.
        case searching
        /// Nothing completes the text.
        case nothing
        /// The line has changed since.
        case overtaken
    }

    /// The completion that the key continues.
    private var completion: TabCompletion?
    /// The search for values, with the line, the range to replace and the text in it.
    private var search: (editor: LineEditor, range: Range<Int>, typed: String, values: FoundValues)?

    /// Whether a search for values is running.
    var isSearching: Bool { search != nil }

    /// Completes `field` at its cursor; repeated, replaces the text by the next candidate.
    mutating func complete(_ field: BookFormField, in session: Session) -> Outcome {
        if var completion, completion.editor == field.editor {
            if completion.isSingle { return .nothing }
            completion.advance()
            self.completion = completion
            return .completed(completion.editor, completion.message)
        }
        stop()
        let (library, store) = (session.library, session.library.store)
        guard field.isBeingEdited, store.remote == nil, field.isCompleted, let (range, typed) = field.unfinished else {
            return .nothing
        }
        let values: FoundValues
        if let kind = field.completionField {
            values = .ofEveryBook(
                BookSearch.Scope(library.books(in: .all), of: store.index)
                    .completions(of: kind, startingWith: typed, notifying: session.wake))
        } else if let task = session.values(of: field.field, startingWith: typed, inAllBooks: true) {
            values = .own(task)
        } else {
            return .searching
        }
        search = (field.editor, range, typed, values)
        values.wait(milliseconds: session.books.timeBudget)
        return receive(for: field, in: session)
    }

    /// Completes `field` with the values of the search, if they are found and the line has not changed since.
    mutating func receive(for field: BookFormField, in session: Session) -> Outcome {
        guard let search, search.editor == field.editor else {
            stop()
            return .overtaken
        }
        guard let names = search.values.found(in: session.library.store) else { return .searching }
        self.search = nil
        // A complete value needs no completion.
        if names.contains(where: { $0.name.lowercased() == search.typed.lowercased() }) { return .nothing }
        let others = field.otherItems
        let candidates = names.filter { !others.contains($0.name.lowercased()) }.map { name, count in
            TabCompletion.Candidate(
                text: field.field.isList ? FieldInput.text(ofListItem: name) : name,
                label: "\(name) (\(count.grouped))")
        }
        guard let found = TabCompletion(candidates, replacing: search.range, of: search.editor.text) else {
            return .nothing
        }
        completion = found
        return .completed(found.editor, found.message)
    }

    /// Stops the search.
    mutating func stop() {
        search?.values.cancel()
        search = nil
        completion = nil
    }
}
