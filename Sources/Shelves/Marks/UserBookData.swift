public import Books
internal import JSON

/// What the reader has said of a book.
public struct UserBookData: Hashable, Sendable {
    /// Whether it is a favourite.
    public var isFavourite = false
    /// The ids of the shelves it is on. Those of deleted shelves are among them, in case the shelf comes back:
    /// `UserData.shown(_:)` leaves them out.
    public var shelves: Set<Shelf.ID> = []
    /// How far the reader has come with it.
    public var status: Book.ReadingStatus?
    /// The day on which the reader last got to each status, "2026-11-21".
    public var statusDates: [Book.ReadingStatus: String] = [:]
    /// How good the reader finds it, from 0 to 5.
    public var rating: Int?
    /// What the reader wrote about it.
    public var note: String?

    /// Its title when it was first marked.
    public var title: String
    /// Its authors when it was first marked.
    public var authors: [String]
    /// The keys that its record gave when it was first marked.
    public var keys: MatchKeys
    /// The path of the catalog in which it was first marked; nil where the journal is from before that was kept.
    public var catalog: String?
    /// The key that this catalog has for it.
    public var sourceID: String?

    /// What the snapshot has of it that is unknown here, as a later version may write: kept as it is.
    var unknownMembers: [JSONValue.Member] = []

    /// A mark that says nothing yet, on a book of this title and these keys.
    public init(
        title: String, authors: [String] = [], keys: MatchKeys, catalog: String? = nil, sourceID: String? = nil
    ) {
        self.title = title
        self.authors = authors
        self.keys = keys
        self.catalog = catalog
        self.sourceID = sourceID
    }

    /// Whether it says nothing.
    public var isEmpty: Bool {
        !isFavourite && shelves.isEmpty && status == nil && rating == nil && note == nil
    }
}

extension UserBookData {
    /// A mark that says nothing yet, on `book`.
    init(on book: MarkedBook) {
        self.init(
            title: book.title, authors: book.authors, keys: book.keys, catalog: book.catalog, sourceID: book.sourceID)
    }

    /// What it says beside the marks.
    var book: MarkedBook {
        MarkedBook(title: title, authors: authors, keys: keys, catalog: catalog, sourceID: sourceID)
    }

    /// Takes over from `other`, a mark on the same book, what this one does not say.
    mutating func merge(_ other: UserBookData) {
        isFavourite = isFavourite || other.isFavourite
        shelves.formUnion(other.shelves)
        if status == nil {
            status = other.status
            statusDates = other.statusDates
        }
        rating = rating ?? other.rating
        note = note ?? other.note
    }

    /// What it says in `field`.
    subscript(field: MarkField) -> LineValue {
        get {
            switch field {
            case .favourite: .flag(isFavourite)
            case .shelf(let id): .flag(shelves.contains(id))
            case .status: status.map { .status($0, statusDates) } ?? .nothing
            case .rating: rating.map(LineValue.number) ?? .nothing
            case .note: note.map(LineValue.text) ?? .nothing
            }
        }
        set {
            switch field {
            case .favourite: isFavourite = newValue == .flag(true)
            case .shelf(let id):
                if newValue == .flag(true) { shelves.insert(id) } else { shelves.remove(id) }
            case .status:
                if case .status(let status, let dates) = newValue {
                    (self.status, statusDates) = (status, dates)
                } else {
                    (status, statusDates) = (nil, [:])
                }
            case .rating: if case .number(let number) = newValue { rating = number } else { rating = nil }
            case .note: if case .text(let text) = newValue { note = text } else { note = nil }
            }
        }
    }
}
