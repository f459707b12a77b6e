public import Books

/// Books as Foundation reads and writes them: the five basic fields of a native record, strict about types and lenient
/// about missing values.
extension Book: Codable {
    private enum CodingKeys: String, CodingKey { case title, authors, isbn, pageCount, fiction }

    /// Decodes a book from its native fields, treating missing and null values as unknown.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            title: try fields.decodeIfPresent(String.self, forKey: .title) ?? "",
            authors: try fields.decodeIfPresent([String].self, forKey: .authors) ?? [],
            isbn: try fields.decodeIfPresent(ISBN.self, forKey: .isbn),
            pageCount: try fields.decodeIfPresent(Int.self, forKey: .pageCount).flatMap { $0 > 0 ? $0 : nil },
            fiction: try fields.decodeIfPresent(Bool.self, forKey: .fiction))
    }

    /// Encodes the fields that are known.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(title, forKey: .title)
        try fields.encode(authors, forKey: .authors)
        try fields.encodeIfPresent(isbn, forKey: .isbn)
        try fields.encodeIfPresent(pageCount, forKey: .pageCount)
        try fields.encodeIfPresent(fiction, forKey: .fiction)
    }
}

extension ISBN: Codable {
    /// Decodes an ISBN from its text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text in the catalog.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
