internal import Books
internal import Library
internal import Shelves
internal import Text

/// A change of the user data of books that can be repeated for others.
struct Marking {
    /// The change.
    let change: UserDataChange
    /// Returns the message for books with a name; the user data is that before the change, of a few books.
    let message: (_ books: String, _ userData: [UserBookData?]) -> String

    /// Creates a marking that is confirmed by a message about the books, whose other values come before them.
    init(_ change: UserDataChange, saying message: Message, _ values: String...) {
        self.change = change
        self.message = { name, _ in message.text(values + [name]) }
    }

    /// Creates a marking that is confirmed by a message.
    init(_ change: UserDataChange, saying message: @escaping (_ books: String) -> String) {
        (self.change, self.message) = (change, { name, _ in message(name) })
    }

    /// Creates a marking that changes ratings by half stars.
    init(ratingStep halves: Int) {
        change = .ratingStep(halves: halves)
        message = { name, userData in
            guard userData.count == 1 else {
                return (halves > 0 ? Message.ratingRaised : .ratingLowered).text(name)
            }
            let rating = userData[0]?.rating
            return rating.changed(byHalves: halves).map { Message.rated.text($0.text, name) }
                ?? Message.ratingRemoved.text(name)
        }
    }
}

/// A status that books got as of a day.
struct DatedStatus {
    /// The status.
    var status: Book.ReadingStatus
    /// The day.
    var day: CalendarDay
    /// The books.
    var targets: ActionTarget

    /// Creates the status that a marking gives to books; nil if it gives none, or not as of a day.
    init?(_ change: UserDataChange, of targets: ActionTarget, today: CalendarDay) {
        guard case .status(let status?, let given) = change,
            let day = given.map(CalendarDay.init) ?? today
        else { return nil }
        (self.status, self.day, self.targets) = (status, day, targets)
    }
}

/// Changes of the user data and the catalog in this run.
struct ChangeState {
    /// The change of many books in progress, if any.
    var bulkChange: PendingBulkChange?
    /// The last marking, which can be repeated for other books.
    var lastMarking: Marking?
    /// The last change, if it set a status of books as of a day.
    var datedStatus: DatedStatus?
}
