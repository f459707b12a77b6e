internal import Books
internal import Catalog
internal import Graphemes
internal import Indexing
internal import Library
internal import Shelves
internal import Text

/// A book named on the command line: an identity as printed by all commands, or an ISBN in any form.
struct BookArgument {
    /// The argument as typed.
    let text: String
    /// The identity, if the argument is one.
    let identity: BookIdentity?
    /// The key, which several books may share.
    let key: BookIdentity.Key?

    /// Parses `text`.
    init(_ text: String) {
        self.text = text
        identity = BookIdentity(text)
        key = identity?.key ?? BookIdentity.Key(isbn: ISBN(text))
    }

    /// Returns the error message for a book that is not in the catalog called `catalog`.
    func sentenceOfAbsence(in catalog: String) -> String {
        let shown = text.sanitized
        if key != nil { return CommandMessage.noBook.text(shown, catalog) }
        return CommandMessage.notABookID.text(shown)
    }
}

/// The books of arguments, found in a catalog and among user data of missing books.
struct NamedBooks {
    private let library: Library
    private let finder: BookLookup
    private let missing: [BookIdentity]

    /// Finds the books of `names` in `library`. Linear in the catalog, regardless of the number of names.
    init(_ names: [BookArgument], in library: Library) {
        self.library = library
        finder = BookLookup(of: names.compactMap(\.key), in: library.store.index)
        let shelves = library.userData
        // The user data is located only if there is any, because this searches the whole catalog.
        missing =
            shelves.isEmpty ? [] : UserDataIndex(shelves, in: library.store.index).missing
    }

    /// Returns the books of the catalog with this name: one for an identity, all editions for an ISBN.
    func ids(of name: BookArgument) -> [BookID] {
        if let identity = name.identity { return finder.id(of: identity).map { [$0] } ?? [] }
        guard let key = name.key else { return [] }
        return finder.ids(matching: MatchKeys(isbn: nil, hash: key), by: .hash)
    }

    /// Returns the identities of user data with this name whose books are not in the catalog.
    func missingUserData(of name: BookArgument) -> [BookIdentity] {
        missing.filter { $0 == name.identity || name.identity == nil && $0.key == name.key }
    }
}
