/// The user's editor, for notes.
public struct NoteEditor {
    /// The result of editing.
    public enum Outcome: Hashable, Sendable {
        /// The edited text.
        case text(String)
        /// The reason why there is no text, for a message.
        case problem(String)
    }

    /// Lets the user edit the note on the book called `title`; the terminal belongs to the editor meanwhile.
    public let edit: (_ note: String, _ title: String) -> Outcome

    /// Creates an editor that calls `edit`.
    public init(_ edit: @escaping (_ note: String, _ title: String) -> Outcome) {
        self.edit = edit
    }
}
