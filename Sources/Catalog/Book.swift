/// A book as its catalog describes it. Immutable: what the reader adds to it is kept elsewhere.
///
/// `Codable` in the native field names. Decoding is strict about types and lenient about what is missing; the
/// catalog's own reader, `RecordDecoder`, is lenient about both.
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
