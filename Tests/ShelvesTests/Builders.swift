import Books

extension Book {
    /// A book of which a test says only what it cares about.
    static func make(title: String = "Emma", authors: [String] = ["Jane Austen"], isbn: String? = nil) -> Book {
        Book(title: title, authors: authors, isbn: isbn.map(ISBN.init))
    }

    /// The identity of the first book like this one in a catalog.
    var identity: BookIdentity { BookIdentity(key: BookIdentity.Key(of: self)) }
}
