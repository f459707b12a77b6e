public import Books
internal import JSON

/// The user data of a book: favourite, shelves, reading status, rating, note, and the books that it is not.
public struct UserBookData: Hashable, Sendable {
    /// Whether the book is a favourite.
    public var isFavourite = false
    /// The ids of the shelves that contain the book, including deleted ones, which an undo can restore;
    /// `UserData.shown(_:)` removes these.
    public var shelves: Set<Shelf.ID> = []
    /// The reading status.
    public var status: Book.ReadingStatus?
    /// The readings of the book, and the day on which it became one to read.
    public var readingLog = ReadingLog()
    /// The rating.
    public var rating: StarRating?
    /// The note.
    public var note: String?
    /// The ids of the groups of books of which the reader says that they are not the same: two books with an id in common
    /// are different.
    public var distinctions: Set<String> = []

    /// The description of the book, without the user data.
    var book: StoredBook

    /// Members of the snapshot that this version does not know; they are kept unchanged.
    var unknownMembers: [JSONValue.Member] = []

    /// Creates empty user data of a book with this title and these keys.
    public init(
        title: String, authors: [String] = [], keys: MatchKeys, catalog: String? = nil, sourceID: String? = nil
    ) {
        self.init(
            on: StoredBook(title: title, authors: authors, keys: keys, catalog: catalog, sourceID: sourceID))
    }

    /// Creates empty user data of `book`.
    init(on book: StoredBook) { self.book = book }

    /// The title of the book when the data was created.
    public var title: String { book.title }

    /// The authors of the book when the data was created.
    public var authors: [String] { book.authors }

    /// The match keys of the book's record when the data was created.
    public var keys: MatchKeys { book.keys }

    /// The path of the catalog in which the data was created; nil in journals of early versions.
    public var catalog: String? { book.catalog }

    /// The book's key in this catalog.
    public var sourceID: String? { book.sourceID }

    /// The most recent day of each status, such as "2026-11-21".
    public var statusDates: [Book.ReadingStatus: String] { readingLog.statusDates }

    /// Whether all values are unset.
    public var isEmpty: Bool {
        !isFavourite && shelves.isEmpty && status == nil && readingLog.isEmpty && rating == nil && note == nil
            && distinctions.isEmpty
    }
}

extension UserBookData {
    /// Copies the values that are missing here from `other`, user data of the same book.
    mutating func merge(_ other: UserBookData) {
        isFavourite = isFavourite || other.isFavourite
        shelves.formUnion(other.shelves)
        distinctions.formUnion(other.distinctions)
        status = status ?? other.status
        readingLog.merge(other.readingLog)
        rating = rating ?? other.rating
        note = note ?? other.note
    }

    /// The value of a field.
    subscript(field: UserDataField) -> LineValue {
        get {
            switch field {
            case .favourite: .flag(isFavourite)
            case .shelf(let id): .flag(shelves.contains(id))
            case .status: LineValue(status, readingLog)
            case .rating: rating.map(LineValue.rating) ?? .nothing
            case .note: note.map(LineValue.text) ?? .nothing
            case .distinction(let id): .flag(distinctions.contains(id))
            }
        }
        set {
            switch field {
            case .favourite: isFavourite = newValue == .flag(true)
            case .shelf(let id):
                if newValue == .flag(true) { shelves.insert(id) } else { shelves.remove(id) }
            case .status:
                if case .status(let status, let log) = newValue {
                    (self.status, readingLog) = (status, log)
                } else {
                    (status, readingLog) = (nil, ReadingLog())
                }
            case .rating: if case .rating(let stars) = newValue { rating = stars } else { rating = nil }
            case .note: if case .text(let text) = newValue { note = text } else { note = nil }
            case .distinction(let id):
                if newValue == .flag(true) { distinctions.insert(id) } else { distinctions.remove(id) }
            }
        }
    }
}
