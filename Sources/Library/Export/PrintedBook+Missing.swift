internal import Books
internal import Formats
internal import Shelves

extension PrintedBook {
    /// Creates a book that is known only from user data.
    ///
    /// - Parameter userData: The user data to be written; nil leaves it out.
    init(identity: BookIdentity, bookData: UserBookData, userData: PrintedUserData?) {
        var book = Book(title: bookData.title, authors: bookData.authors)
        book.isbn = bookData.keys.isbn.map { ISBN(String($0.description.drop { $0 != ":" }.dropFirst())) }
        self.init(book: book, identity: identity, isInCatalog: false, userData: userData)
    }
}
