public import Books
internal import CText
internal import Glibc
internal import Indexing
internal import Text

/// The user data that queries can refer to, as ascending book indices.
public struct UserDataFilter: Sendable {
    /// The favourites.
    public var favourites: [UInt32]
    /// The books on shelves, by the keys of the shelf names (`Query.shelfKey(of:)`).
    public var shelves: [String: [UInt32]]

    /// The books by the reading status in the user data, which overrides the status in the catalog.
    public var statuses: [Book.ReadingStatus: [UInt32]] = [:]
    /// The books by the rating in the user data, which overrides the rating in the catalog.
    public var ratings: [StarRating: [UInt32]] = [:]
    /// The books with the values of their reading logs, which may have several of a field.
    public var logs: [Query.LogField: [(book: UInt32, value: Double)]] = [:]
    /// The books with a note.
    public var notes: [(book: UInt32, text: String)] = []
    /// The books by the years in which the user finished them.
    public var readYears: [Int: [UInt32]] = [:]

    /// Creates a filter with favourites and shelves only.
    public init(favourites: [UInt32] = [], shelves: [String: [UInt32]] = [:]) {
        self.favourites = favourites
        self.shelves = shelves
    }
}

// Unchecked, because the compiler cannot know that the needles are never written after initialization.
/// A query compiled for execution. Immutable.
final class QueryPlan: @unchecked Sendable {
    /// A condition on a book.
    indirect enum Node {
        case everything, nothing
        /// The book contains one of these texts.
        case text([Needle])
        /// The book has a language with this tag.
        case language(LanguageCode, [Needle])
        case number(Query.NumberField, ClosedRange<Int>)
        case known(Query.KnownField)
        case fiction(Bool?)
        case invalidISBN
        case status(Book.ReadingStatus?)
        case marked([UInt32])
        /// The regular expression with this index matches a line of one of these kinds.
        case regex(Int, kinds: UInt32)
        /// A value of a column meets a condition.
        case column(ColumnMatches)
        /// The same for a condition that takes a while to work out.
        case worked(WorkedMatches)
        case not(Node)
        case all([Node])
        case any([Node])
    }

    /// A text to search for; the plan owns its bytes.
    struct Needle {
        let needle: text_needle

        fileprivate init(_ bytes: [UInt8], kinds: UInt32, beginsLine: Bool = false) {
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
            copy.initialize(from: bytes, count: bytes.count)
            needle = text_needle(bytes: copy, count: bytes.count, kinds: kinds, begins_line: beginsLine)
        }
    }

    let root: Node
    /// The regular expressions.
    let expressions: [RegularExpression]
    private let needles: [Needle]

    /// Compiles `expression` for the books of a scope; without one, no book has a value in a field that has a column.
    init(
        _ expression: Query.Expression, userData: UserDataFilter = UserDataFilter(), in scope: BookSearch.Scope? = nil
    ) {
        var planner = Planner(userData: userData, scope: scope)
        let node = planner.node(for: expression)
        root = scope?.members.map { Node.all([.marked($0), node]) } ?? node
        needles = planner.needles
        expressions = planner.expressions
    }

    deinit { for needle in needles { needle.needle.bytes.deallocate() } }
}

/// Builds the nodes of a plan.
private struct Planner {
    let userData: UserDataFilter
    var needles: [QueryPlan.Needle] = []
    var expressions: [RegularExpression] = []

    let scope: BookSearch.Scope?

    init(userData: UserDataFilter, scope: BookSearch.Scope?) { (self.userData, self.scope) = (userData, scope) }

    mutating func node(for expression: Query.Expression) -> QueryPlan.Node {
        switch expression {
        case .everything: return .everything
        case .term(let term): return node(for: term.condition)
        case .not(let part): return .not(node(for: part))
        case .any(let parts): return .any(parts.map { node(for: $0) })
        case .all(let parts):
            // The cheapest and most selective condition comes first.
            return .all(parts.map { node(for: $0) }.sorted { $0.cost < $1.cost })
        }
    }

    private mutating func node(for condition: Query.Condition) -> QueryPlan.Node {
        switch condition {
        case .text(let pattern): return node(for: pattern)
        case .number(.rating, let range):
            let userBooks = userData.ratings.filter { range.contains($0.key.stars) }
            return .fromUserData(userBooks.values, of: userData.ratings.values, orElse: .number(.rating, range))
        case .number(.mine, let range):
            return .marked(userData.ratings.filter { range.contains($0.key.stars) }.values)
        case .number(let field, let range): return .number(field, range)
        case .known(.mine): return .marked(userData.ratings.values)
        case .known(.note): return .marked([userData.notes.map(\.book)])
        case .note(let text):
            let found = userData.notes.filter { [UInt8](folding: $0.text).has(text) }
            return .marked([found.map(\.book)])
        case .known(.read): return .marked(userData.readYears.values)
        case .impossible: return .nothing
        case .known(.rating):
            return .fromUserData(userData.ratings.values, of: userData.ratings.values, orElse: .known(.rating))
        case .known(.status):
            return .fromUserData(userData.statuses.values, of: userData.statuses.values, orElse: .known(.status))
        case .known(let field): return .known(field)
        case .fiction(let isFiction): return .fiction(isFiction)
        case .status(let status):
            let userBooks = status.flatMap { userData.statuses[$0] }.map { [$0] } ?? []
            return .fromUserData(userBooks, of: userData.statuses.values, orElse: .status(status))
        case .log(let field, let range):
            let values = userData.logs[field] ?? []
            let found = QueryPlan.Node.marked(Set(values.filter { range.contains($0.value) }.map(\.book)).sorted())
            // Books without a reading have none to list.
            guard field == .readings, range.contains(0) else { return found }
            return .any([found, .not(.marked(Set(values.map(\.book)).sorted()))])
        case .favourite: return .marked(userData.favourites)
        case .invalidISBN: return .invalidISBN
        case .seriesGap:
            guard let scope, let column = scope.columns[.series] else { return .nothing }
            return .worked(WorkedMatches { ColumnMatches(column, ofValues: SeriesGaps.ranks(of: column, in: scope)) })
        case .shelf(let key): return userData.shelves[key].map(QueryPlan.Node.marked) ?? .nothing
        case .own(let field, let condition):
            guard let column = scope?.columns[field] else { return .nothing }
            return .column(
                ColumnMatches(column, condition) { needle($0, kinds: IndexedTextField.title.searchBit).needle })
        case .regex(let pattern, let field):
            // Malformed expressions are reported as syntax errors of the query.
            guard let expression = try? RegularExpression(pattern) else { return .nothing }
            expressions.append(expression)
            return .regex(expressions.count - 1, kinds: QueryPlan.kinds(of: field))
        }
    }

    private mutating func node(for pattern: Query.TextPattern) -> QueryPlan.Node {
        var kinds = QueryPlan.kinds(of: pattern.field)
        let text = pattern.folded
        if pattern.field == .language { return language(text) }
        var found: [QueryPlan.Needle] = []
        if let digits = pattern.digits, digits != text || pattern.field == .isbn {
            // A whole-value match requires all digits of the ISBN.
            let isbns = QueryPlan.kinds(of: .isbn)
            if kinds & isbns != 0, !pattern.isWhole || digits.count == IndexSegment.digitCount {
                found.append(needle(digits, kinds: isbns))
            }
            kinds &= ~isbns
        }
        if kinds != 0, !text.isEmpty {
            if pattern.isWhole {
                found.append(needle(text + [0x0A], kinds: kinds, beginsLine: true))
                // Catalogs append the position to the name of a series.
                if pattern.field == .series {
                    for bookData in [" #", ", ", " ("] {
                        found.append(needle(text + Array(bookData.utf8), kinds: kinds, beginsLine: true))
                    }
                }
            } else {
                found.append(needle(text, kinds: kinds))
            }
        }
        return found.isEmpty ? .nothing : .text(found)
    }

    /// Matches a tag, or a longer one that starts with it and a hyphen.
    private mutating func language(_ tag: [UInt8]) -> QueryPlan.Node {
        let code = LanguageCode(of: String(decoding: tag, as: UTF8.self))
        let kinds = IndexedTextField.language.searchBit
        let lines = [UInt8(ascii: "\n"), UInt8(ascii: "-")].map { needle(tag + [$0], kinds: kinds, beginsLine: true) }
        return .language(code.text.utf8.elementsEqual(tag) ? code : .unknown, lines)
    }

    private mutating func needle(_ bytes: [UInt8], kinds: UInt32, beginsLine: Bool = false) -> QueryPlan.Needle {
        let needle = QueryPlan.Needle(bytes, kinds: kinds, beginsLine: beginsLine)
        needles.append(needle)
        return needle
    }
}

extension QueryPlan {
    /// Returns the bits of the lines that contain `field`, or of the default fields if it is nil.
    static func kinds(of field: Query.TextField?) -> UInt32 {
        (field?.lines ?? IndexedTextField.searched).reduce(0) { $0 | $1.searchBit }
    }
}

extension QueryPlan.Node {
    /// Returns a node that matches the books in `userBooks`, and those that match `node` unless they are in `all`.
    fileprivate static func fromUserData(
        _ userBooks: some Collection<[UInt32]>, of all: some Collection<[UInt32]>, orElse node: Self
    ) -> Self {
        if all.isEmpty { return node }
        return .any([.marked(userBooks.joined().sorted()), .all([.not(.marked(all.joined().sorted())), node])])
    }

    /// Returns a node that matches the books in these lists of the user data.
    fileprivate static func marked(_ lists: some Collection<[UInt32]>) -> Self {
        // A book that was read in two years is in two lists.
        .marked(Set(lists.joined()).sorted())
    }

    fileprivate static func number(_ field: Query.NumberField, _ range: ClosedRange<Double>) -> Self {
        field.storedValues(in: range).map { .number(field, $0) } ?? .nothing
    }

    /// The relative cost of testing a book, weighted by the expected number of matches.
    fileprivate var cost: Int {
        switch self {
        case .nothing: 0
        case .marked(let indices): indices.count < 10_000 ? 1 : 30
        case .number, .fiction, .invalidISBN, .status, .everything, .column, .worked: 20
        // Longer words are rarer and equally fast to find.
        case .text(let needles): 200 - min(100, (needles.map { Int($0.needle.count) }.min() ?? 0) * 4)
        case .language: 210
        case .known: 220
        case .all(let parts): parts.first?.cost ?? 0
        case .any(let parts): 100 + parts.reduce(0) { max($0, $1.cost) }
        case .not(let part): 300 + part.cost
        case .regex: 5000
        }
    }
}

extension Query.NumberField {
    /// Returns the values of this field in an index that are in `range`; nil if there are none.
    public func storedValues(in range: ClosedRange<Double>) -> ClosedRange<Int>? {
        func clamped(_ number: Double) -> Int { Int(max(-1e9, min(1e9, number))) }
        let isRating = self == .rating
        let low = clamped(isRating ? Self.lowestRating(range.lowerBound) : range.lowerBound.rounded(.up))
        let high = clamped(isRating ? -Self.lowestRating(-range.upperBound) + 2 : range.upperBound.rounded(.down))
        return low <= high ? low...high : nil
    }

    /// Returns the lowest value in the rating column that is at or above `bound`.
    ///
    /// Ratings are rounded to multiples of 1/40, and the typed bound must be too, or "rating:3.73" would not match
    /// 3.73. A bound slightly above a typeable number means greater than that number.
    private static func lowestRating(_ bound: Double) -> Double {
        let typed = (bound * 1e6).rounded() / 1e6
        return 1 + (typed * 40).rounded() + (bound > typed ? 1 : 0)
    }
}
