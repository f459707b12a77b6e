internal import Library
internal import Shelves
internal import Text

/// A change of the user data of books that can be repeated for others.
struct Marking {
    /// The change.
    let change: UserDataChange
    /// Returns the message for books with a name.
    let message: (_ books: String) -> String

    /// Creates a marking that is confirmed by a message about the books, whose other values come before them.
    init(_ change: UserDataChange, saying message: Message, _ values: String...) {
        self.change = change
        self.message = { message.text(values + [$0]) }
    }

    /// Creates a marking that is confirmed by a message.
    init(_ change: UserDataChange, saying message: @escaping (_ books: String) -> String) {
        (self.change, self.message) = (change, message)
    }
}

/// Changes of the user data and the catalog in this run.
struct ChangeState {
    /// The change of many books in progress, if any.
    var bulkChange: PendingBulkChange?
    /// The last marking, which can be repeated for other books.
    var lastMarking: Marking?
}
