internal import Books
internal import Catalog
internal import Indexing
internal import Library

/// A book with its readings, and the id that commands accept.
struct IdentifiedBook {
    /// The id.
    var id: BookIdentity
    /// The book.
    var book: LoggedBook
}

extension Library {
    /// The books with readings and their ids. Linear in the catalog.
    var identifiedBooks: [IdentifiedBook] {
        let books = loggedBooks
        let ids = books.compactMap { book in if case .catalog(let id) = book.place { id } else { nil } }
        let identities = IdentityTable(of: ids, in: store.index)
        return books.map { book in
            switch book.place {
            case .catalog(let id): IdentifiedBook(id: identities[id], book: book)
            case .missing(let identity): IdentifiedBook(id: identity, book: book)
            }
        }
    }

    /// Returns the first book with a name; nil if neither the catalog nor the user data has one. Linear in the catalog.
    func identifiedBook(named name: BookArgument) -> IdentifiedBook? {
        let named = NamedBooks([name], in: self)
        if let id = named.ids(of: name).first {
            let identity = IdentityTable(of: [id], in: store.index)[id]
            return loggedBook(at: .catalog(id)).map { IdentifiedBook(id: identity, book: $0) }
        }
        return named.missingUserData(of: name).first.flatMap { identity in
            loggedBook(at: .missing(identity)).map { IdentifiedBook(id: identity, book: $0) }
        }
    }
}
