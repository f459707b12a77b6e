/// A book as its catalog describes it. Immutable: what the reader adds to it is kept elsewhere.
///
/// `Codable` in the five fields of the native record; `FieldMapping` reads and writes all of them. Decoding is strict about
/// types and lenient about what is missing; the catalog's own reader, `RecordDecoder`, is lenient about both.
public struct Book: Codable, Hashable, Sendable {
    /// The title, on one line; "" where the catalog has none.
    public var title: String
    /// The authors in the catalog's order; empty where it names none.
    public var authors: [String]
    /// The book number, which may be an invalid one.
    public var isbn: ISBN?
    /// The number of pages, above zero.
    public var pageCount: Int?
    /// Whether it is fiction; nil where the catalog does not say.
    public var fiction: Bool?

    /// The key that the catalog itself has for it.
    public var sourceID: String?
    /// The title's second part.
    public var subtitle: String?
    /// The title as it is sorted, as the catalog says.
    public var sortTitle: String?
    /// Who published it.
    public var publisher: String?
    /// When it was published.
    public var published: PartialDate?
    /// Its languages as tags of BCP 47, or as the catalog names them where they are none.
    public var languages: [String] = []
    /// What it is about.
    public var subjects: [String] = []
    /// The series that it is a part of.
    public var series: String?
    /// Its place in the series; between two others for what came between them.
    public var seriesPosition: Double?
    /// What somebody wrote about it: plain text, a line feed after each paragraph but the last.
    public var description: String?
    /// Where a picture of its cover is.
    public var cover: String?
    /// Its numbers in other schemes than ISBN, in the catalog's order.
    public var identifiers: [Identifier] = []
    /// Who else had a part in it, in the catalog's order.
    public var contributors: [Contributor] = []
    /// How good somebody found it, from 0 to 5.
    public var rating: Double?
    /// How far the reader has come with it.
    public var status: ReadingStatus?
    /// When it came to the catalog.
    public var dateAdded: PartialDate?
    /// What the catalog has of it that is none of these fields, in the catalog's order.
    public var otherFields: [OtherField] = []

    /// A number in a scheme.
    public struct Identifier: Hashable, Sendable {
        /// The scheme as the catalog names it, "doi".
        public var scheme: String
        /// The number.
        public var value: String

        /// The number `value` in `scheme`.
        public init(scheme: String, value: String) {
            self.scheme = scheme
            self.value = value
        }
    }

    /// Somebody who had a part in a book.
    public struct Contributor: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The part, "translator"; nil where the catalog does not say.
        public var role: String?

        /// Somebody of this name, and the part.
        public init(name: String, role: String? = nil) {
            self.name = name
            self.role = role
        }
    }

    /// How far a reader has come with a book.
    public enum ReadingStatus: String, Hashable, Sendable, CaseIterable {
        case toRead = "to-read"
        case reading, read, abandoned
    }

    /// A value that the catalog has and that is no field of a book.
    public struct OtherField: Hashable, Sendable {
        /// Where it is in the record, "metadata.modified".
        public var path: String
        /// The value as text on one line.
        public var text: String

        /// The value `text` at `path`.
        public init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    private enum CodingKeys: String, CodingKey { case title, authors, isbn, pageCount, fiction }

    /// A book of these fields.
    public init(
        title: String, authors: [String] = [], isbn: ISBN? = nil, pageCount: Int? = nil, fiction: Bool? = nil
    ) {
        self.title = title
        self.authors = authors
        self.isbn = isbn
        self.pageCount = pageCount
        self.fiction = fiction
    }

    /// A book decoded from its native fields; missing and null ones are unknown.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        title = try fields.decodeIfPresent(String.self, forKey: .title) ?? ""
        authors = try fields.decodeIfPresent([String].self, forKey: .authors) ?? []
        isbn = try fields.decodeIfPresent(ISBN.self, forKey: .isbn)
        pageCount = try fields.decodeIfPresent(Int.self, forKey: .pageCount).flatMap { $0 > 0 ? $0 : nil }
        fiction = try fields.decodeIfPresent(Bool.self, forKey: .fiction)
    }
}
