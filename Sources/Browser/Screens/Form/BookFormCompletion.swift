internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI
internal import Threading

/// The completion of a field in the form from the values that the catalog has.
struct BookFormCompletion {
    /// What came of the key that completes.
    enum Outcome {
        /// The text is completed: the new line, and the message that lists the candidates.
        case completed(LineEditor, String)
        /// The values are still searched for.
        case searching
        /// Nothing completes the text.
        case nothing
        /// Something else was typed since.
        case overtaken
    }

    /// The candidates that the key goes on with.
    private var completion: TabCompletion?
    /// The search for values, with the line and the part of it that they complete.
    private var search: (editor: LineEditor, range: Range<Int>, typed: String, task: BackgroundTask<[ValueCompletion]>)?

    /// Whether values are being searched for.
    var isSearching: Bool { search != nil }

    /// Completes `field` at its cursor; again, puts the next candidate there.
    mutating func complete(_ field: BookFormField, in session: Session) -> Outcome {
        if var completion, completion.editor == field.editor {
            if completion.isSingle { return .nothing }
            completion.advance()
            self.completion = completion
            return .completed(completion.editor, completion.message)
        }
        stop()
        let (library, store) = (session.library, session.library.store)
        guard field.isBeingEdited, store.remote == nil, let kind = field.completionField,
            let (range, typed) = field.unfinished
        else { return .nothing }
        let task = BookSearch.Scope(library.books(in: .all), of: store.index)
            .completions(of: kind, startingWith: typed, notifying: session.wake)
        search = (field.editor, range, typed, task)
        _ = task.wait(milliseconds: session.books.timeBudget)
        return receive(for: field, in: session)
    }

    /// Completes `field` with the values that were searched for, if they are known by now and nothing else was typed
    /// since.
    mutating func receive(for field: BookFormField, in session: Session) -> Outcome {
        guard let search, search.editor == field.editor else {
            stop()
            return .overtaken
        }
        guard let values = search.task.value else { return .searching }
        self.search = nil
        let names = values.map { ($0.name(in: session.library.store), $0.bookCount) }
        // What is whole already needs no completion.
        if names.contains(where: { $0.0.lowercased() == search.typed.lowercased() }) { return .nothing }
        let candidates = names.map { name, count in
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

    /// Ends the search.
    mutating func stop() {
        search?.task.cancel()
        search = nil
        completion = nil
    }
}
