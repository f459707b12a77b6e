/// The user's editor, for records as JSON.
public struct RecordEditor {
    /// Lets the user edit the record of the book called `title`; the terminal belongs to the editor meanwhile. `accept`
    /// takes the text over, or returns why it cannot; the text is then kept. Returns why the record is unchanged.
    public let edit: (_ record: String, _ title: String, _ accept: (String) -> String?) -> String?

    /// Creates an editor that does what `edit` does.
    public init(_ edit: @escaping (_ record: String, _ title: String, _ accept: (String) -> String?) -> String?) {
        self.edit = edit
    }
}
