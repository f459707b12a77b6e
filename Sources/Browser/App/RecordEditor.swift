/// The user's editor, for records as JSON.
public struct RecordEditor {
    /// Lets the user edit the record of the book called `title`; the terminal belongs to the editor meanwhile.
    /// `accept` saves the text, or returns the reason why it cannot; the text is then kept. Returns the reason if the
    /// record was not changed.
    public let edit: (_ record: String, _ title: String, _ accept: (String) -> String?) -> String?

    /// Creates an editor that calls `edit`.
    public init(_ edit: @escaping (_ record: String, _ title: String, _ accept: (String) -> String?) -> String?) {
        self.edit = edit
    }
}
