public import Books
internal import Text

/// What a reader looks for: words, phrases, regular expressions and conditions on the fields of a book.
public struct Query: Hashable, Sendable {
    /// The query as it was typed.
    public let text: String
    /// What it says; up to the first mistake where it has one.
    public let expression: Expression
    /// Its first mistake.
    public let fault: QuerySyntaxError?

    /// The query that `text` is. What the reader may still be typing, such as a missing closing quote, is no mistake. Linear.
    public init(_ text: String) {
        var parser = QueryParser(text.utf8)
        self.text = text
        expression = parser.readAll() ?? .everything
        fault = parser.fault
    }

    /// The query for what this one and `other` find both.
    public func narrowed(by other: Query) -> Query {
        if expression == .everything { return other }
        return other.expression == .everything ? self : Query("(\(text)) (\(other.text))")
    }

    /// What must be true of a book.
    public indirect enum Expression: Hashable, Sendable {
        /// Any book has it.
        case everything
        case term(Term)
        /// The book does not have this.
        case not(Expression)
        /// The book has each of these, which are two or more, and none of which is of this kind.
        case all([Expression])
        /// The book has one of these, which are two or more, and none of which is of this kind.
        case any([Expression])
    }

    /// One condition, and where it was typed.
    public struct Term: Hashable, Sendable {
        /// The condition.
        public var condition: Condition
        /// Where it stands in the query's text, in bytes of UTF-8, without what excludes it.
        public var range: Range<Int>

        /// The condition that stands at `range`.
        public init(_ condition: Condition, at range: Range<Int>) {
            self.condition = condition
            self.range = range
        }
    }

    /// What can be asked of a book.
    public enum Condition: Hashable, Sendable {
        /// It has a text.
        case text(TextPattern)
        /// A number of it is within these bounds, which may be infinite.
        case number(NumberField, ClosedRange<Double>)
        /// Something is known of it.
        case known(KnownField)
        /// It is fiction, or not; nil: its catalog does not say.
        case fiction(Bool?)
        /// How far the reader has come with it; nil: nobody said.
        case status(Book.ReadingStatus?)
        /// It is a favourite.
        case favourite
        /// It is on the shelf whose name has this key (`shelfKey(of:)`).
        case shelf(String)
        /// A value matches a regular expression, which is well-formed; without a field, any that a word is looked for in.
        case regex(String, field: TextField?)
    }

    /// A text that is looked for.
    ///
    /// A language is another matter: it is the tag `folded`, or begins with it and a hyphen.
    public struct TextPattern: Hashable, Sendable {
        /// The text, folded.
        public var folded: [UInt8]
        /// The field whose value has it; nil for any of title, authors, series, subjects and ISBN.
        public var field: TextField?
        /// Whether it is all of the value, and not only a part of it.
        public var isWhole: Bool
        /// What the digits of an ISBN have, and not `folded`; nil where no number was typed. They are those of an ISBN-13
        /// where a valid ISBN-10 was typed.
        public var digits: [UInt8]?

        /// This text.
        public init(folded: [UInt8], field: TextField? = nil, isWhole: Bool = false, digits: [UInt8]? = nil) {
            self.folded = folded
            self.field = field
            self.isWhole = isWhole
            self.digits = digits
        }
    }

    /// The fields that have texts.
    public enum TextField: String, CaseIterable, Sendable {
        case title, author, subject, series, publisher, isbn, language

        /// Whether a word without a field is looked for in it.
        public var isAnywhere: Bool { self != .publisher && self != .language }
    }

    /// The fields that have numbers; `added` is the year.
    public enum NumberField: String, CaseIterable, Sendable { case pages, year, rating, added }

    /// What may be known of a book.
    public enum KnownField: String, CaseIterable, Sendable {
        case title, author, subject, series, publisher, isbn, language, pages, year, rating, added
        case description, cover, status, fiction
    }
}

extension Query {
    /// The key of a shelf's name: folded, with blanks for hyphens and underscores. Shelves are the same that have one key.
    public static func shelfKey(of name: String) -> String {
        let name = String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "-" || $0 == "_" ? " " : $0 }))
        return String(decoding: [UInt8](folding: name), as: UTF8.self)
    }

    /// Whether what it finds depends on what the reader marked.
    public var asksForMarks: Bool { expression.asksForMarks }

    /// What is looked for in `field` by words and phrases, for showing where it is. What is excluded is not among it.
    public func patterns(in field: TextField) -> [TextPattern] {
        expression.wanted.compactMap { condition in
            guard case .text(let pattern) = condition, Self.isApplied(pattern.field, to: field) else { return nil }
            return pattern
        }
    }

    /// What is looked for in `field` by regular expressions, for showing where it is. What is excluded is not among it.
    public func regularExpressions(in field: TextField) -> [String] {
        expression.wanted.compactMap { condition in
            guard case .regex(let pattern, let own) = condition, Self.isApplied(own, to: field) else { return nil }
            return pattern
        }
    }

    private static func isApplied(_ own: TextField?, to field: TextField) -> Bool {
        own.map { $0 == field } ?? field.isAnywhere
    }
}

extension Query.Expression {
    fileprivate var asksForMarks: Bool {
        switch self {
        case .everything: false
        case .term(let term):
            switch term.condition {
            case .favourite, .shelf, .status, .known(.status), .number(.rating, _), .known(.rating): true
            case .text, .number, .known, .fiction, .regex: false
            }
        case .not(let part): part.asksForMarks
        case .all(let parts), .any(let parts): parts.contains(where: \.asksForMarks)
        }
    }

    /// The conditions that are not excluded, in the order in which they were typed.
    fileprivate var wanted: [Query.Condition] {
        switch self {
        case .everything, .not: []
        case .term(let term): [term.condition]
        case .all(let parts), .any(let parts): parts.flatMap(\.wanted)
        }
    }
}
