import Books

extension Book {
    /// Creates a book from the values that matter to a test.
    static func make(title: String = "Emma", authors: [String] = ["Jane Austen"], isbn: String? = nil) -> Book {
        Book(title: title, authors: authors, isbn: isbn.map(ISBN.init))
    }

    /// The identity of the first book like this one in a catalog.
    var identity: BookIdentity { BookIdentity(key: BookIdentity.Key(of: self)) }
}
