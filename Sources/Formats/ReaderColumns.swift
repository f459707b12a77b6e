internal import Books

/// What the tables of Goodreads and of StoryGraph have in common.
extension PrintedUserData {
    /// The number of finished readings; one for a book that was read, even if its log is empty.
    var finishedCount: Int { max(readingLog.finishedCount, status == .read ? 1 : 0) }

    /// The first known day of the book, as the day on which it was added to the reader's books: "2026/11/21"; "" if none
    /// is known.
    var slashedDateAdded: String { (statusDates[.toRead] ?? statusDates.values.min())?.slashed ?? "" }

    /// Returns the last day of a status: "2026/11/21"; "" if it is not known.
    func slashedDate(of status: Book.ReadingStatus) -> String { statusDates[status]?.slashed ?? "" }
}

extension String {
    /// The date in the form of these tables: "2026-11-21" becomes "2026/11/21".
    var slashed: String { replacing("-", with: "/") }
}
