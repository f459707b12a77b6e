public import Indexing

/// Books of a catalog that may be one book.
public struct DuplicateGroup: Hashable, Sendable {
    /// Why the books are in one group, the surest reason first.
    public enum Reason: String, CaseIterable, Sendable {
        /// The records are equal, apart from the keys that the catalog gives them.
        case sameRecord = "same-record"
        /// The books have an ISBN, the title and the volume in common.
        case sameISBNAndTitle = "same-isbn-and-title"
        /// The books have an ISBN in common, as the volumes of a set may.
        case sameISBN = "same-isbn"
        /// The books have the same title and authors, and nothing says that they are different editions.
        case sameTitle = "same-title-and-authors"
        /// Title and authors differ in their spelling only.
        case similarTitle = "similar-title"
        /// The books have the same title and authors, but another ISBN, year or language.
        case editions

        /// The heading of the groups.
        public var heading: String {
            switch self {
            case .sameRecord: "Certain, equal records"
            case .sameISBNAndTitle: "Certain, same ISBN and title"
            case .sameISBN: "Likely, same ISBN"
            case .sameTitle: "Likely, same title and authors"
            case .similarTitle: "Likely, similar title"
            case .editions: "Other editions"
            }
        }

        /// How sure it is that the books are one book.
        public var certainty: Certainty {
            switch self {
            case .sameRecord, .sameISBNAndTitle: .certain
            case .sameISBN, .sameTitle, .similarTitle: .likely
            case .editions: .editions
            }
        }
    }

    /// How sure it is that the books of a group are one book.
    public enum Certainty: String, CaseIterable, Sendable {
        case certain, likely
        /// They are different editions of one work.
        case editions
    }

    /// Why the books are in the group.
    public let reason: Reason
    /// The books in catalog order, at least two.
    public let books: [BookID]

    /// Creates a group of `books`, which must be in catalog order.
    public init(_ reason: Reason, _ books: [BookID]) { (self.reason, self.books) = (reason, books) }
}
