internal import Books
internal import Catalog
internal import Graphemes
internal import Indexing
internal import Library
internal import Shelves

/// What a reader calls a book on the command line: an identity as all commands print it, or an ISBN in any form.
struct BookArgument {
    /// As it was typed.
    let text: String
    /// The one book that it is.
    let identity: BookIdentity?
    /// What it has in common with others.
    let key: BookIdentity.Key?

    /// What `text` calls.
    init(_ text: String) {
        self.text = text
        identity = BookIdentity(text)
        key = identity?.key ?? BookIdentity.Key(isbn: ISBN(text))
    }

    /// Why there is no such book in the catalog that is called `catalog`.
    func sentenceOfAbsence(in catalog: String) -> String {
        let shown = text.sanitized
        if key != nil { return "there is no book \(shown) in \(catalog), nor among your marks" }
        return "\"\(shown)\" is neither a valid ISBN nor the id of a book, as stacks search --format json prints it"
    }
}

/// The books that were called by name, in a catalog and among the marks on others.
struct NamedBooks {
    private let library: Library
    private let finder: BookLookup
    private let missing: [BookIdentity]

    /// A finder of the books of these names in `library`. Linear in the catalog, and not in the names.
    init(_ names: [BookArgument], in library: Library) {
        self.library = library
        finder = BookLookup(of: names.compactMap(\.key), in: library.store.index)
        let shelves = library.shelves
        // Asked for only where there are any marks, as it looks through all of the catalog, too.
        missing =
            shelves.isEmpty ? [] : MarkIndex(shelves, in: library.store.index).missing
    }

    /// The books of this name in the catalog: one if it is an identity, and all editions of an ISBN.
    func ids(of name: BookArgument) -> [BookID] {
        if let identity = name.identity { return finder.id(of: identity).map { [$0] } ?? [] }
        guard let key = name.key else { return [] }
        return finder.ids(matching: MatchKeys(isbn: nil, hash: key), by: .hash)
    }

    /// The marks of this name whose books are not in the catalog.
    func missingMarks(of name: BookArgument) -> [BookIdentity] {
        missing.filter { $0 == name.identity || name.identity == nil && $0.key == name.key }
    }
}
