public import JSON
internal import Text

/// The value of one field of a book.
public enum FieldValue: Hashable, Sendable {
    case text(String)
    case number(Double)
    case integer(Int)
    case boolean(Bool)
    case isbn(ISBN)
    case date(PartialDate)
    case status(Book.ReadingStatus)
    case list([Item])

    /// An item of a list: a name with its role, an identifier with its scheme, or a plain text.
    public struct Item: Hashable, Sendable {
        /// The text, or the name.
        public var text: String
        /// The role of a name, or the scheme of an identifier.
        public var tag: String?

        /// Creates an item.
        public init(text: String, tag: String? = nil) { (self.text, self.tag) = (text, tag) }
    }

    /// The value as text, with semicolons between the items of a list.
    public var text: String {
        switch self {
        case .text(let text): text
        case .number(let number):
            number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
        case .integer(let integer): String(integer)
        case .boolean(let isTrue): isTrue ? "yes" : "no"
        case .isbn(let isbn): isbn.text
        case .date(let date): date.description
        case .status(let status): status.rawValue
        case .list(let items): items.map(\.text).joined(separator: "; ")
        }
    }

    /// Whether both values are spelled alike, byte for byte: texts in another normalization form are not.
    func isIdentical(to other: FieldValue) -> Bool {
        guard self == other else { return false }
        switch (self, other) {
        case (.text(let one), .text(let another)): return one.utf8.elementsEqual(another.utf8)
        case (.list(let items), .list(let others)):
            return zip(items, others).allSatisfy { one, another in
                one.text.utf8.elementsEqual(another.text.utf8)
                    && (one.tag ?? "").utf8.elementsEqual((another.tag ?? "").utf8)
            }
        default: return true
        }
    }

    /// Whether both values mean the same; valid ISBNs are compared by number, not by spelling.
    func says(_ other: FieldValue) -> Bool {
        if case .isbn(let left) = self, case .isbn(let right) = other, left.isValid {
            return left.number == right.number
        }
        return self == other
    }
}

extension BookField {
    /// Whether values are collected from all candidates instead of the first, because each candidate may have its own
    /// role or scheme.
    public var gathers: Bool { info.kind == .gatheredList }

    /// Whether the field holds several values.
    public var isList: Bool { info.kind == .list || gathers }

    /// Returns the value of this field that `raw` encodes, or nil if it is not readable.
    public func value(of raw: JSONValue) -> FieldValue? {
        switch self {
        case .title, .subtitle, .sortTitle: raw.titleText.map(FieldValue.text)
        // In an object without a name, the first text may be anything.
        case .publisher: raw.texts.nonEmpty.map { .text($0.joined(separator: "; ")) }
        case .series: raw.name.map(FieldValue.text)
        // A key that starts with "urn:isbn:" is the book's ISBN and nothing else.
        case .sourceID: raw.text.flatMap { $0.lowercased().hasPrefix("urn:isbn:") ? nil : .text($0) }
        case .description: raw.paragraphs.map(FieldValue.text)
        case .cover: raw.link.map(FieldValue.text)
        case .authors: Self.list(raw.names)
        case .languages: Self.list(raw.languages)
        case .subjects: Self.list(raw.texts)
        case .isbn: raw.isbn.map(FieldValue.isbn)
        case .pageCount: raw.pages.map(FieldValue.integer)
        case .fiction: raw.fiction.map(FieldValue.boolean)
        case .published, .dateAdded: raw.partialDate.map(FieldValue.date)
        case .seriesPosition, .rating: raw.double.map(FieldValue.number)
        case .status: raw.text.flatMap(Book.ReadingStatus.init(naming:)).map(FieldValue.status)
        case .identifiers: Self.list(identifiers: raw.identifiers)
        case .contributors: Self.list(contributors: raw.contributors)
        }
    }

    /// Returns the value of this field in `book`, or nil if it is empty.
    public func value(in book: Book) -> FieldValue? {
        switch self {
        case .title: book.title.isEmpty ? nil : .text(book.title)
        case .authors: Self.list(book.authors)
        case .isbn: book.isbn.map(FieldValue.isbn)
        case .pageCount: book.pageCount.map(FieldValue.integer)
        case .fiction: book.fiction.map(FieldValue.boolean)
        case .sourceID: book.sourceID.map(FieldValue.text)
        case .subtitle: book.subtitle.map(FieldValue.text)
        case .sortTitle: book.sortTitle.map(FieldValue.text)
        case .publisher: book.publisher.map(FieldValue.text)
        case .published: book.published.map(FieldValue.date)
        case .languages: Self.list(book.languages)
        case .subjects: Self.list(book.subjects)
        case .series: book.series.map(FieldValue.text)
        case .seriesPosition: book.seriesPosition.map(FieldValue.number)
        case .description: book.description.map(FieldValue.text)
        case .cover: book.cover.map(FieldValue.text)
        case .identifiers: Self.list(identifiers: book.identifiers)
        case .contributors: Self.list(contributors: book.contributors)
        case .rating: book.rating.map(FieldValue.number)
        case .status: book.status.map(FieldValue.status)
        case .dateAdded: book.dateAdded.map(FieldValue.date)
        }
    }

    /// Sets this field of `book` to `value`, which must have been produced by the same field.
    public func set(_ value: FieldValue, in book: inout Book) {
        switch (self, value) {
        case (.title, .text(let text)): book.title = text
        case (.authors, .list(let items)): book.authors = items.map(\.text)
        case (.isbn, .isbn(let isbn)): book.isbn = isbn
        case (.pageCount, .integer(let count)): book.pageCount = count
        case (.fiction, .boolean(let isFiction)): book.fiction = isFiction
        case (.sourceID, .text(let text)): book.sourceID = text
        case (.subtitle, .text(let text)): book.subtitle = text
        case (.sortTitle, .text(let text)): book.sortTitle = text
        case (.publisher, .text(let text)): book.publisher = text
        case (.published, .date(let date)): book.published = date
        case (.languages, .list(let items)): book.languages = items.map(\.text)
        case (.subjects, .list(let items)): book.subjects = items.map(\.text)
        case (.series, .text(let text)): book.series = text
        case (.seriesPosition, .number(let number)): book.seriesPosition = number
        case (.description, .text(let text)): book.description = text
        case (.cover, .text(let text)): book.cover = text
        case (.identifiers, .list(let items)):
            book.identifiers = items.map { Book.Identifier(scheme: $0.tag ?? "", value: $0.text) }
        case (.contributors, .list(let items)):
            book.contributors = items.map { Book.Contributor(name: $0.text, role: $0.tag) }
        case (.rating, .number(let number)): book.rating = number
        case (.status, .status(let status)): book.status = status
        case (.dateAdded, .date(let date)): book.dateAdded = date
        default: assertionFailure("\(value) is no \(rawValue)")
        }
    }

    /// Makes this field of `book` empty.
    public func clear(in book: inout Book) {
        switch self {
        case .title: book.title = ""
        case .authors: book.authors = []
        case .isbn: book.isbn = nil
        case .pageCount: book.pageCount = nil
        case .fiction: book.fiction = nil
        case .sourceID: book.sourceID = nil
        case .subtitle: book.subtitle = nil
        case .sortTitle: book.sortTitle = nil
        case .publisher: book.publisher = nil
        case .published: book.published = nil
        case .languages: book.languages = []
        case .subjects: book.subjects = []
        case .series: book.series = nil
        case .seriesPosition: book.seriesPosition = nil
        case .description: book.description = nil
        case .cover: book.cover = nil
        case .identifiers: book.identifiers = []
        case .contributors: book.contributors = []
        case .rating: book.rating = nil
        case .status: book.status = nil
        case .dateAdded: book.dateAdded = nil
        }
    }

    private static func list(_ texts: [String]) -> FieldValue? {
        texts.isEmpty ? nil : .list(texts.map { FieldValue.Item(text: $0) })
    }

    private static func list(contributors: [Book.Contributor]) -> FieldValue? {
        contributors.isEmpty ? nil : .list(contributors.map { FieldValue.Item(text: $0.name, tag: $0.role) })
    }

    /// Leaves out ISBNs, which have their own field.
    private static func list(identifiers: [Book.Identifier]) -> FieldValue? {
        let others = identifiers.filter { !$0.scheme.lowercased().hasPrefix("isbn") }
        return others.isEmpty ? nil : .list(others.map { FieldValue.Item(text: $0.value, tag: $0.scheme) })
    }
}

extension JSONValue {
    /// The text of a string or number, or the first name in an array or object.
    fileprivate var name: String? {
        switch self {
        case .array, .object: texts.first
        case .null, .boolean, .number, .string: text
        }
    }

    /// The title: the text of a string or number, the first text of an object, or the first readable element of an
    /// array; without MARC subfield codes.
    public var titleText: String? {
        let title: String? =
            switch self {
            case .array(let elements): elements.firstMade(\.titleText)
            case .object: texts.first ?? text
            case .null, .boolean, .number, .string: text
            }
        guard let title = title?.withoutSubfieldCodes, !title.isEmpty else { return nil }
        return title
    }
}

extension Book.ReadingStatus {
    /// Parses a status name, ignoring case and accepting spaces or underscores instead of hyphens.
    fileprivate init?(naming text: String) {
        let word = text.lowercased().replacing(" ", with: "-").replacing("_", with: "-")
        self.init(rawValue: word)
    }
}
