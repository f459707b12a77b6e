internal import Books
internal import Formats
internal import Shelves

/// Converts user data to the form in which it is written to files, where shelves are known by their names.
struct UserDataFormatter {
    private let shelfNames: [Shelf.ID: String]

    /// Creates a converter of records of `userData`.
    init(_ userData: UserData) {
        shelfNames = Dictionary(userData.shelves.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the user data to be written; nil if there is none.
    func printed(_ bookData: UserBookData?) -> PrintedUserData? {
        guard let bookData else { return nil }
        var printed = PrintedUserData()
        printed.isFavourite = bookData.isFavourite
        // The order of shelves is not part of a book's data, and would differ after an import.
        printed.shelves = bookData.shelves.compactMap { shelfNames[$0] }.sorted()
        printed.status = bookData.status
        printed.readingLog = bookData.readingLog
        printed.rating = bookData.rating
        printed.note = bookData.note
        return printed.isEmpty ? nil : printed
    }
}
