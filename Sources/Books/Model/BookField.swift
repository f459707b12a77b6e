public import JSON

/// A field of a book: a value that knows all that the program asks about a field.
///
/// The fields of every catalog are the rows of one table, in BookFieldTable.swift; those that a catalog has beside them are
/// made from its records. Everything above `Book` goes through them and names a field only if it means just that one, as
/// the heading of a card means the title.
public struct BookField: Hashable, Sendable {
    /// The properties, which are never copied.
    public let info: Info

    /// Whether both are the same field: the same row of the table, or a catalog's own field with the same properties.
    public static func == (one: BookField, other: BookField) -> Bool {
        one.info === other.info || one.info.own != nil && one.info.own == other.info.own
    }

    /// Hashes the field.
    public func hash(into hasher: inout Hasher) {
        if let own = info.own { hasher.combine(own.name) } else { hasher.combine(ObjectIdentifier(info)) }
    }

    /// The name of the field in a profile, in edits and in reports.
    public var id: String { info.id }

    /// Whether values are collected from all candidates instead of the first, because each candidate may have its own
    /// role or scheme.
    public var gathers: Bool { info.kind == .gatheredList }

    /// Whether the field holds several values.
    public var isList: Bool { info.kind == .list || gathers }

    /// The properties of a field.
    public final class Info: Sendable {
        fileprivate let id: String
        /// The label of the field on the screen.
        public let label: String
        /// The kind of its values.
        public let kind: Kind
        /// The description of a valid value in error messages, such as "a date".
        public let noun: String
        /// How a book keeps the value.
        let accessor: FieldAccessor
        /// The names by which the field is recognized, as `FieldNames` takes them.
        let nameList: StaticString
        /// The name of its member in the JSON of stacks.
        public let nativeKey: String
        /// The names of the field in queries, the canonical one first; empty if queries do not support it.
        public let queryNames: [String]
        /// The list column of the field, if it has one.
        public let column: Column?
        /// How lists are sorted by the field, if they can be.
        public let order: Order?
        /// Whether books are counted and grouped by the values.
        public let isFacet: Bool
        /// How the index keeps the values, if it does.
        public let indexing: Indexing?
        /// What the field is in the records of its catalog, if only that has it.
        public let own: OwnField?

        init(
            _ id: String, _ label: String, _ kind: Kind, _ noun: String, _ accessor: FieldAccessor,
            _ names: StaticString,
            nativeKey: String?, queryNames: [String], column: Column?, order: Order?, isFacet: Bool,
            indexing: Indexing?,
            own: OwnField? = nil
        ) {
            (self.id, self.label, self.kind, self.noun) = (id, label, kind, noun)
            (self.accessor, nameList, self.nativeKey) = (accessor, names, nativeKey ?? id)
            (self.queryNames, self.column, self.order) = (queryNames, column, order)
            (self.isFacet, self.indexing, self.own) = (isFacet, indexing, own)
        }
    }

    /// The names by which the field is recognized.
    public var names: FieldNames { FieldNames.ofFields[id] ?? FieldNames("") }

    /// The names that tell of an object anywhere in a text that it is a book. They are read alone, as every start needs
    /// them, while the others are needed for unknown keys only.
    public var namesOfBooks: [String] {
        info.nameList.withUTF8Buffer { bytes in
            bytes.split(separator: UInt8(ascii: " ")).filter { $0.suffix(2).elementsEqual("**".utf8) }
                .map { String(decoding: $0.dropLast(2), as: UTF8.self) }
        }
    }

    /// The kinds of field values.
    public enum Kind: Sendable {
        case text, number, isbn, date, boolean, status, link
        /// Several values, from the first path in a record that has any.
        case list
        /// Several values, each with its role or scheme, from all paths in a record that have any.
        case gatheredList
    }

    /// A column of the list of books.
    public struct Column: Sendable {
        /// The heading.
        public let heading: String
        /// The width in columns of text.
        public let width: Width
        /// The least width.
        public let least: Int
        /// The width that the column of a text has before the rest of the room is shared.
        public let comfortable: Int
        /// The least width beside the column of the sort order.
        public let narrow: Int
        /// The priority in a narrow table, whose least important columns are hidden; nil for a column that stays.
        public let priority: Int?
        /// Whether the values are numbers, which end below each other.
        public let isNumber: Bool

        /// A width: a number of columns of text, or a share of those that other columns leave.
        public enum Width: Sendable {
            case fixed(Int), share(Int)
        }

        init(
            _ heading: String, _ width: Width, least: Int? = nil, comfortable: Int? = nil, priority: Int? = nil,
            narrow: Int? = nil, isNumber: Bool = false
        ) {
            (self.heading, self.width, self.priority, self.isNumber) = (heading, width, priority, isNumber)
            if case .fixed(let count) = width { self.least = count } else { self.least = least ?? 1 }
            self.narrow = narrow ?? self.least
            self.comfortable = comfortable ?? self.least
        }
    }

    /// How a list is sorted by a field.
    public enum Order: Sendable {
        /// By text.
        case text
        /// By number or date, the least first.
        case number
        /// By number or date; who asks for it wants the greatest first: the newest or the best.
        case greatestFirst
    }

    /// How the index keeps the values of a field.
    public enum Indexing: Hashable, Sendable {
        /// As lines of the text that is searched, by words without a field, too, or only by those for the field.
        case line(isSearchedAnywhere: Bool)
        /// As a number.
        case column
        /// As the fact that there is a value.
        case presence
        /// As a column of its own, which is made when it is first needed.
        case onFirstUse
    }

    /// Creates a row of the table.
    init(
        _ id: String, _ label: String, _ kind: Kind, _ noun: String, _ accessor: FieldAccessor, names: StaticString,
        nativeKey: String? = nil, query: [String] = [], column: Column? = nil, order: Order? = nil,
        isFacet: Bool = false, indexing: Indexing? = nil
    ) {
        info = Info(
            id, label, kind, noun, accessor, names, nativeKey: nativeKey, queryNames: query, column: column,
            order: order, isFacet: isFacet, indexing: indexing)
    }
}

// MARK: - A catalog's own fields

extension BookField {
    /// Creates a field that only one catalog has.
    public init(_ own: OwnField) {
        let isNumber = own.kind == .number
        let width: Column.Width =
            switch own.kind {
            case .number, .date, .boolean: .fixed(min(16, max(own.kind == .date ? 10 : 7, own.label.count + 2)))
            case .text, .list, .link: .share(1)
            }
        info = Info(
            own.name, own.label, own.kind.fieldKind, own.kind.noun, .init(own), "", nativeKey: own.path.soleName,
            queryNames: [own.name], column: Column(own.label, width, least: 10, priority: 3, isNumber: isNumber),
            order: own.kind == .date ? .greatestFirst : own.kind.isNumeric ? .number : .text,
            isFacet: own.isFacet && !own.isInternal && [.text, .list, .boolean].contains(own.kind),
            indexing: .onFirstUse, own: own)
    }

    /// Whether only its catalog has the field.
    public var isOwn: Bool { info.own != nil }
}

extension OwnField.Kind {
    fileprivate var fieldKind: BookField.Kind {
        switch self {
        case .text: .text
        case .list: .list
        case .number: .number
        case .date: .date
        case .boolean: .boolean
        case .link: .link
        }
    }

    /// The description of a valid value in error messages.
    fileprivate var noun: String {
        switch self {
        case .text: "a string"
        case .list: "a list"
        case .number: "a number"
        case .date: "a date"
        case .boolean: "yes or no"
        case .link: "a link"
        }
    }
}

// MARK: - Looking up

extension BookField {
    /// The field with this name in a profile.
    public init?(id: String) {
        guard let field = Self.fieldsByID[id] else { return nil }
        self = field
    }

    /// The field with this name in a profile or in queries, in any case.
    public init?(named name: String) {
        let name = name.lowercased()
        let field = Self.builtIn.first { $0.id.lowercased() == name || $0.info.queryNames.contains(name) }
        guard let field else { return nil }
        self = field
    }

    /// The field with this canonical name in a query, column, sort key or facet, such as "author" or "year".
    public init?(queryName: String) {
        guard let field = Self.fieldsByQueryName[queryName] else { return nil }
        self = field
    }

    private static let fieldsByID = fields { $0.id }
    private static let fieldsByQueryName = fields { $0.info.queryNames.first }

    private static func fields(by name: (BookField) -> String?) -> [String: BookField] {
        var fields: [String: BookField] = [:]
        for field in builtIn { if let name = name(field) { fields[name] = field } }
        return fields
    }
}

extension BookField: CustomStringConvertible {
    /// The name in a profile.
    public var description: String { id }
}

// MARK: - Values

extension BookField {
    /// Returns the value of this field that `raw` encodes, or nil if it is not readable.
    public func value(of raw: JSONValue) -> FieldValue? { info.accessor.read(raw) }

    /// Returns the value of this field in `book`, or nil if it is empty.
    public func value(in book: Book) -> FieldValue? { info.accessor.value(book) }

    /// Sets this field of `book` to `value`, which must have been produced by the same field.
    public func set(_ value: FieldValue, in book: inout Book) { info.accessor.set(value, &book) }

    /// Makes this field of `book` empty.
    public func clear(in book: inout Book) { info.accessor.set(nil, &book) }
}
