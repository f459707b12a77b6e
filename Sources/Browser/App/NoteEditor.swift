/// The reader's editor, for notes.
public struct NoteEditor {
    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// The text as the reader left it.
        case text(String)
        /// Why there is none, for people.
        case problem(String)
    }

    /// Lets the reader edit a note on a book that is called so; the terminal is the editor's meanwhile.
    public let edit: (_ note: String, _ title: String) -> Outcome

    /// An editor that does what `edit` does.
    public init(_ edit: @escaping (_ note: String, _ title: String) -> Outcome) {
        self.edit = edit
    }
}
