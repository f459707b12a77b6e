public import Books
internal import Indexing
internal import Text

/// A parsed search query: words, phrases, regular expressions and conditions on the fields of a book.
public struct Query: Hashable, Sendable {
    /// The query as it was typed.
    public let text: String
    /// The fields of the catalog, whose names the query knows.
    public let schema: Schema
    /// The parsed query, up to the first error.
    public let expression: Expression
    /// The first syntax error.
    public let syntaxError: QuerySyntaxError?
    /// The first parenthesis or quotation mark without a closing one, which counts as closed at the end: the user may
    /// still be typing.
    public let unclosed: QuerySyntaxError?

    /// Parses a query. Linear.
    ///
    /// - Parameter schema: The fields of the catalog that is searched.
    public init(_ text: String, of schema: Schema = .ofEveryBook) {
        var parser = QueryParser(text.utf8, schema)
        self.text = text
        self.schema = schema
        expression = parser.readAll() ?? .everything
        syntaxError = parser.syntaxError
        unclosed = parser.unclosed
    }

    /// Whether both were typed alike and mean the same; other fields of the catalog that they do not name do not count.
    public static func == (one: Query, other: Query) -> Bool {
        one.text == other.text && one.expression == other.expression && one.syntaxError == other.syntaxError
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(expression)
        hasher.combine(syntaxError)
    }

    /// Returns the query for the books that match both this query and `other`.
    public func narrowed(by other: Query) -> Query {
        if expression == .everything { return other }
        return other.expression == .everything ? self : Query("(\(text)) (\(other.text))", of: schema)
    }

    /// A logical expression over conditions.
    public indirect enum Expression: Hashable, Sendable {
        /// Matches every book.
        case everything
        case term(Term)
        /// Matches the books that do not match the operand.
        case not(Expression)
        /// Matches the books that match all of at least two operands, none of which is `all` itself.
        case all([Expression])
        /// Matches the books that match any of at least two operands, none of which is `any` itself.
        case any([Expression])
    }

    /// A condition and its position in the text.
    public struct Term: Hashable, Sendable {
        /// The condition.
        public var condition: Condition
        /// The UTF-8 byte range in the query's text, without a preceding exclusion sign.
        public var range: Range<Int>

        /// Creates a term at `range`.
        public init(_ condition: Condition, at range: Range<Int>) {
            self.condition = condition
            self.range = range
        }
    }

    /// A condition on a book.
    public enum Condition: Hashable, Sendable {
        /// The book contains a text.
        case text(TextPattern)
        /// A number of the book is within these bounds, which may be infinite.
        case number(NumberField, ClosedRange<Double>)
        /// No book can match, for this reason.
        case impossible(Impossibility)
        /// A field of the book has a value.
        case known(KnownField)
        /// The book is fiction or non-fiction; nil if the catalog does not say.
        case fiction(Bool?)
        /// The book has this reading status; nil for none.
        case status(Book.ReadingStatus?)
        /// A value of the reading log is within these bounds, which may be infinite.
        case log(LogField, ClosedRange<Double>)
        /// The book is a favourite.
        case favourite
        /// The book has an ISBN, but no valid one.
        case invalidISBN
        /// The book is of a series of which the catalog lacks numbers.
        case seriesGap
        /// The book is on the shelf whose name has this key (`shelfKey(of:)`).
        case shelf(String)
        /// The reader's note on the book contains this normalized text.
        case note([UInt8])
        /// A value matches a well-formed regular expression; without a field, in any field that words are searched in.
        case regex(String, field: TextField?)
        /// A field that only the catalog has meets a condition.
        case own(BookField, OwnCondition)
    }

    /// A text to search for.
    ///
    /// A language pattern matches differently: the tag must equal `folded`, or start with it and a hyphen.
    public struct TextPattern: Hashable, Sendable {
        /// The normalized text.
        public var folded: [UInt8]
        /// The field to search; nil for title, authors, series, subjects and ISBN.
        public var field: TextField?
        /// Whether the text must be the whole value.
        public var isWhole: Bool
        /// The digits to search for in an ISBN instead of `folded`, or nil if the text is not a number. A valid ISBN-10
        /// is converted to ISBN-13.
        public var digits: [UInt8]?

        /// Creates a pattern.
        public init(folded: [UInt8], field: TextField? = nil, isWhole: Bool = false, digits: [UInt8]? = nil) {
            self.folded = folded
            self.field = field
            self.isWhole = isWhole
            self.digits = digits
        }
    }

    /// The text fields.
    public enum TextField: String, CaseIterable, Sendable {
        case title, author, subject, series, publisher, isbn, language

        /// Whether words without a field are searched in this field.
        public var isAnywhere: Bool { bookField.info.indexing == .line(isSearchedAnywhere: true) }

        /// The field of a book.
        public var bookField: BookField {
            guard let field = BookField(queryName: rawValue) else {
                preconditionFailure("\(self) is not in the table of fields")
            }
            return field
        }

        /// The field that searches `field`; fails for one whose text is not searched.
        public init?(_ field: BookField) {
            guard let name = field.info.queryNames.first, let found = Self(rawValue: name) else { return nil }
            self = found
        }

        /// Whether the values in the catalog complete what is typed; titles and ISBNs are too many.
        public var isCompleted: Bool { self != .title && self != .isbn }

        /// The lines of the index that have the values: those of titles and ISBNs have further ones, too.
        var lines: [IndexedTextField] {
            switch self {
            case .title: [.title, .otherTitle]
            case .isbn: [.isbn, .otherISBN]
            default: [line]
            }
        }

        /// The lines of the index that have the first values.
        var line: IndexedTextField {
            switch self {
            case .title: .title
            case .author: .author
            case .subject: .subject
            case .series: .series
            case .publisher: .publisher
            case .isbn: .isbn
            case .language: .language
            }
        }
    }

    /// The numeric fields; `added` is the year, and `mine` the rating in the user data.
    public enum NumberField: String, CaseIterable, Sendable { case pages, year, rating, added, mine }

    /// The fields that "has:" accepts.
    public enum KnownField: String, CaseIterable, Sendable {
        case title, author, subject, series, position, publisher, isbn, language, pages, year, rating, added, mine, read
        case description, cover, status, fiction, note

        /// The field of a catalog that is meant; nil if user data count, too.
        public var ofCatalog: BookField? {
            [.rating, .status, .mine, .read, .note].contains(self) ? nil : BookField(queryName: rawValue)
        }
    }
}

extension Query {
    /// Returns the key of a shelf name: normalized, with spaces for hyphens and underscores. Shelf names with equal
    /// keys denote the same shelf.
    public static func shelfKey(of name: String) -> String {
        let name = String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "-" || $0 == "_" ? " " : $0 }))
        return String(decoding: [UInt8](folding: name), as: UTF8.self)
    }

    /// Whether the result depends on user data.
    public var needsUserData: Bool { expression.needsUserData }

    /// Returns the texts to highlight in `field`, without those of excluded terms.
    public func patterns(in field: TextField) -> [TextPattern] {
        expression.wanted.compactMap { condition in
            guard case .text(let pattern) = condition, Self.isApplied(pattern.field, to: field) else { return nil }
            return pattern
        }
    }

    /// Returns the regular expressions to highlight in `field`, without those of excluded terms.
    public func regularExpressions(in field: TextField) -> [String] {
        expression.wanted.compactMap { condition in
            guard case .regex(let pattern, let patternField) = condition, Self.isApplied(patternField, to: field) else {
                return nil
            }
            return pattern
        }
    }

    private static func isApplied(_ patternField: TextField?, to field: TextField) -> Bool {
        patternField.map { $0 == field } ?? field.isAnywhere
    }
}

extension Query.Expression {
    fileprivate var needsUserData: Bool {
        switch self {
        case .everything: false
        case .term(let term):
            switch term.condition {
            case .favourite, .shelf, .status, .log, .known(.status), .number(.rating, _), .known(.rating),
                .number(.mine, _), .known(.mine), .known(.read), .note, .known(.note):
                true
            case .text, .number, .impossible, .known, .fiction, .invalidISBN, .seriesGap, .regex, .own: false
            }
        case .not(let part): part.needsUserData
        case .all(let parts), .any(let parts): parts.contains(where: \.needsUserData)
        }
    }

    /// The conditions of terms that are not excluded, in the order typed.
    var wanted: [Query.Condition] {
        switch self {
        case .everything, .not: []
        case .term(let term): [term.condition]
        case .all(let parts), .any(let parts): parts.flatMap(\.wanted)
        }
    }
}
