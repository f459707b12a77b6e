public import Books
public import Editing
public import Indexing
internal import Text

/// How several records of a book become one: which of them stays, and which value each field gets.
public struct MergeProposal: Sendable {
    /// A value of a field, and the numbers of the books that have it.
    public struct Value: Hashable, Sendable {
        /// The value.
        public let value: FieldValue
        /// The numbers of the books; none for a list that has the items of several.
        public let books: [Int]
    }

    /// The values of a field, of which one is chosen.
    public struct Choice: Sendable {
        /// The field.
        public let field: BookField
        /// The different values in the order of the books, after the joined one of a list; at least one.
        public let values: [Value]
        /// The number of the chosen value.
        public fileprivate(set) var chosen: Int

        /// The value that the book gets.
        public var value: FieldValue { values[chosen].value }
        /// Whether the chosen value has the items of several books.
        public var isJoined: Bool { values[chosen].books.isEmpty }
    }

    /// The books.
    public let books: [Book]
    /// The number of the book whose record stays, and to which the reader's data goes.
    public private(set) var kept: Int
    /// The fields that at least one of the books has.
    public private(set) var choices: [Choice]

    /// Creates the proposal for books of a catalog with this schema: the record with the most fields stays, and each field
    /// gets its fullest and best spelt value; lists are joined, except those of authors.
    ///
    /// - Parameter kept: The number of the book that stays with all its values, which only gets those that it lacks, each
    ///   from the first book that has it; nil to choose.
    public init(_ books: [Book], in schema: Schema, keeping kept: Int? = nil) {
        let fields = schema.fields.filter { $0 != .sourceID && $0.info.own?.isInternal != true }
        self.books = books
        let counts = books.map { book in fields.count { $0.value(in: book) != nil } }
        self.kept = kept ?? counts.firstIndex(of: counts.max() ?? 0) ?? 0
        choices = fields.compactMap { Choice(of: $0, in: books, keeping: kept) }
    }

    /// The numbers of all books, that of the one that stays first.
    public var order: [Int] { [kept] + books.indices.filter { $0 != kept } }

    /// The number of values that the book does not get, apart from those that are parts of a joined list.
    public var droppedValueCount: Int {
        choices.reduce(0) { $0 + ($1.isJoined ? 0 : $1.values.count { !$0.books.isEmpty } - 1) }
    }

    /// Chooses the next value of the field with this number; after the last one, the first.
    public mutating func chooseNext(at number: Int) {
        choices[number].chosen = (choices[number].chosen + 1) % choices[number].values.count
    }

    /// Lets the record of the next book stay; after the last one, that of the first.
    public mutating func keepNext() { kept = (kept + 1) % books.count }

    /// Returns the edit, of books that are now at these places.
    ///
    /// - Parameter ids: The books in the order of `books`.
    public func merging(_ ids: [BookID]) -> BookMerging {
        let values = choices.map { ($0.field, $0.value) }
        return BookMerging(order.map { ids[$0] }) { book in
            for (field, value) in values where field.value(in: book)?.isIdentical(to: value) != true {
                field.set(value, in: &book)
            }
        }
    }
}

extension MergeProposal.Choice {
    /// Fails if no book has the field.
    fileprivate init?(of field: BookField, in books: [Book], keeping kept: Int?) {
        var found: [(value: FieldValue, books: [Int])] = []
        var numbers: [FieldValue: Int] = [:]
        for (number, book) in books.enumerated() {
            guard let value = field.value(in: book) else { continue }
            if let known = numbers[value] {
                found[known].books.append(number)
            } else {
                numbers[value] = found.count
                found.append((value, [number]))
            }
        }
        if found.isEmpty { return nil }
        var values = found.map { MergeProposal.Value(value: $0.value, books: $0.books) }
        let own = kept.flatMap { kept in values.firstIndex { $0.books.contains(kept) } }
        let best = kept == nil ? values.indices.max { values[$0].isWorse(than: values[$1]) } : nil
        var chosen = own ?? best ?? 0
        // Several numbers have no place in a record.
        if field.isList, field != .authors, field.info.own?.kind.isNumeric != true, values.count > 1 {
            // The items of the book that stays come first.
            let first = own.map { [values[$0].value] } ?? []
            let joined = FieldValue.joining(first + values.map(\.value), choosesBest: kept == nil)
            if let known = numbers[joined] {
                chosen = known
            } else {
                values.insert(MergeProposal.Value(value: joined, books: []), at: 0)
                chosen = 0
            }
        }
        (self.field, self.values, self.chosen) = (field, values, chosen)
    }
}

extension MergeProposal.Value {
    /// Whether another value is better: fuller or better spelt, or else that of more books, or else that of an earlier one.
    fileprivate func isWorse(than other: Self) -> Bool {
        let (mine, theirs) = (value.quality, other.value.quality)
        if mine != theirs { return mine < theirs }
        return (books.count, -(books.first ?? 0)) < (other.books.count, -(other.books.first ?? 0))
    }
}

/// How full and how well spelt a value is.
private struct Quality: Comparable {
    /// Whether no character was lost.
    var isWhole = true
    /// Whether it is neither all in capitals nor all in small letters, where the script has both.
    var isCased = true
    /// How many items, or how exact.
    var detail = 0
    /// The number of bytes of letters and digits: accents count, punctuation does not.
    var length = 0

    static func < (left: Quality, right: Quality) -> Bool {
        if left.isWhole != right.isWhole { return right.isWhole }
        if left.isCased != right.isCased { return right.isCased }
        return (left.detail, left.length) < (right.detail, right.length)
    }

    init(detail: Int = 0) { self.detail = detail }

    init(of texts: [String]) {
        detail = texts.count
        var (hasCapital, hasSmall) = (false, false)
        for scalar in texts.lazy.flatMap(\.unicodeScalars) {
            if scalar == "\u{FFFD}" { isWhole = false }
            if scalar.properties.isUppercase { hasCapital = true }
            if scalar.properties.isLowercase { hasSmall = true }
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                length += UTF8.width(scalar)
            }
        }
        isCased = hasCapital == hasSmall
    }
}

extension FieldValue {
    fileprivate var quality: Quality {
        switch self {
        case .text(let text): Quality(of: [text])
        case .list(let items): Quality(of: items.map(\.text))
        // A day says more than a year.
        case .date(let date): Quality(detail: date.description.count)
        case .isbn(let isbn): Quality(detail: isbn.isValid ? 1 : 0)
        case .number, .integer, .boolean, .status: Quality()
        }
    }

    /// Returns a list with the items of all lists, those first that come first; of items that are spelt alike but for upper
    /// case and accents, the first one, or the better one.
    fileprivate static func joining(_ lists: [FieldValue], choosesBest: Bool) -> FieldValue {
        var items: [Item] = []
        var places: [Item: Int] = [:]
        for case .list(let more) in lists {
            for item in more {
                let key = Item(text: item.text.folded, tag: item.tag?.folded)
                if let place = places[key] {
                    let isBetter = Quality(of: [items[place].text]) < Quality(of: [item.text])
                    if choosesBest, isBetter { items[place] = item }
                } else {
                    places[key] = items.count
                    items.append(item)
                }
            }
        }
        return .list(items)
    }
}
