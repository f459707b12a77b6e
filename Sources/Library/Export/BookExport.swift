public import Books
public import Catalog
public import Formats
internal import Graphemes
public import Indexing
public import Shelves

/// Writes books in a format, piece by piece, so that the caller can show progress and stop.
public struct BookExport {
    /// The state of an export.
    public enum State: Hashable, Sendable {
        /// More books follow.
        case unfinished
        /// All books are written.
        case finished
        /// A record is gone because the catalog was changed.
        case catalogChanged
    }

    private let store: BookStore
    private let books: BookList
    private let missing: [PrintedBook]
    private let identities: IdentityTable?
    private let userData: ((BookID) -> PrintedUserData?)?
    private let recordedBook: ((BookID) -> RecordedBook?)?
    private var form: any BookFormatter
    private let covers: CoverFiles?
    private let losses: [FieldLoss]
    /// Whether a book suffered each of the losses.
    private var isSuffered: [Bool]
    /// The number of books processed so far, written or not.
    public private(set) var position = 0
    /// The number of books that were written so far.
    public private(set) var writtenCount = 0

    /// Creates the export of `books` of `store`, followed by the books in `missing`, which the catalog does not contain.
    ///
    /// - Parameters:
    ///   - library: The library with the user data to write; nil leaves user data out.
    ///   - catalogPath: The path of the catalog, beside which covers are; nil if it is no file.
    ///   - recordedBook: Returns a book with its record; nil for those of the catalog.
    public init(
        _ books: BookList, missing: [(identity: BookIdentity, bookData: UserBookData)] = [], of store: BookStore,
        as form: any BookFormatter, userDataOf library: Library?, coversBeside catalogPath: String? = nil,
        recordedBook: ((BookID) -> RecordedBook?)? = nil
    ) {
        self.store = store
        self.books = books
        self.form = form
        losses = self.form.expect(store.schema)
        isSuffered = losses.map { _ in false }
        covers = form.needsCovers ? CoverFiles(besideCatalogAt: catalogPath) : nil
        self.recordedBook = form.needsRecords ? recordedBook ?? store.recordedBook : nil
        let formatting = form.needsUserData ? library.map { UserDataFormatter($0.userData) } : nil
        self.missing = missing.map {
            PrintedBook(identity: $0.identity, bookData: $0.bookData, userData: formatting?.printed($0.bookData))
        }
        userData = library.flatMap { library in
            formatting.map { formatting in { formatting.printed(library.userData(of: $0)) } }
        }
        identities = form.needsIdentities ? Self.identities(of: books, in: store) : nil
        if form.needsIdentities {
            let known = books.count
            self.form.expect(
                (0..<count).lazy.compactMap { [identities, missing = self.missing] position in
                    position < known ? identities?[books[position]] : missing[position - known].identity
                })
        }
    }

    /// The number of books to process.
    public var count: Int { books.count + missing.count }

    /// Returns the sentence that says what a format could not keep of the books written so far; nil if it kept all.
    ///
    /// - Parameter label: The name of the format.
    public func sentenceOfLosses(in label: String) -> String? {
        let names = zip(losses, isSuffered).filter(\.1).map(\.0.name)
        return names.isEmpty ? nil : Message.exportLeftOut.text(label, names.joined(separator: ", ").sanitized)
    }

    /// Appends the next books to `text`, at most `limit`, with the text before the first and after the last one.
    public mutating func write(_ limit: Int, to text: inout [UInt8]) -> State {
        if position == 0 { form.begin(&text) }
        let end = limit < count - position ? position + limit : count
        while position < min(end, books.count) {
            guard append(books[position], to: &text) else { return .catalogChanged }
            position += 1
        }
        while position < end {
            append(missing[position - books.count], to: &text)
            position += 1
        }
        guard position == count else { return .unfinished }
        form.end(&text)
        return .finished
    }

    private mutating func append(_ id: BookID, to text: inout [UInt8]) -> Bool {
        let userData = userData?(id)
        if form.omitsBooksWithoutUserData && userData == nil { return true }
        let recorded = recordedBook?(id)
        let book =
            recorded?.book
            ?? (form.needsWholeBooks ? store.bookAtHand(id) : store.summary(of: id).value.map(Book.init))
        guard let book else { return false }
        var printed = PrintedBook(
            book: book, identity: identities?[id], userData: userData, record: recorded?.record)
        printed.cover = covers?.picture(of: book)
        (printed.unread, printed.spellings) = (recorded?.unread ?? [], recorded?.spellings ?? [:])
        append(printed, to: &text)
        return true
    }

    private mutating func append(_ book: PrintedBook, to text: inout [UInt8]) {
        for index in losses.indices where !isSuffered[index] && losses[index].isSuffered(book) {
            isSuffered[index] = true
        }
        form.append(book, to: &text)
        writtenCount += 1
    }

    /// Returns the identities of `books`; for a few books this is much faster than computing those of the whole catalog.
    private static func identities(of books: BookList, in store: BookStore) -> IdentityTable? {
        if books.count == 0 { return nil }
        if books.count > 1000 { return IdentityTable(of: store.index) }
        return IdentityTable(of: (0..<books.count).map { books[$0] }, in: store.index)
    }
}
