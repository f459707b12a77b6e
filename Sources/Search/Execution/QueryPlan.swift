public import Books
internal import CText
internal import Glibc
internal import Indexing
internal import Text

/// The books that the reader marked, as far as queries ask for them: by their indices, ascending.
public struct UserDataFilter: Sendable {
    /// The favourites.
    public var favourites: [UInt32]
    /// What is on shelves, by the keys of their names (`Query.shelfKey(of:)`).
    public var shelves: [String: [UInt32]]

    /// The books to which the reader gave a status, by the status; what the catalog says of these does not count.
    public var statuses: [Book.ReadingStatus: [UInt32]] = [:]
    /// The books that the reader rated, by the rating; the same.
    public var ratings: [Int: [UInt32]] = [:]

    /// These marks.
    public init(favourites: [UInt32] = [], shelves: [String: [UInt32]] = [:]) {
        self.favourites = favourites
        self.shelves = shelves
    }
}

// Unchecked, as the compiler cannot know that nobody writes to the needles after they were made.
/// A query in the form in which books are held against it. Immutable.
final class QueryPlan: @unchecked Sendable {
    /// What is asked of a book.
    indirect enum Node {
        case everything, nothing
        /// One of these texts is in it.
        case text([Needle])
        /// A language of it has this tag.
        case language(LanguageCode, [Needle])
        case number(Query.NumberField, ClosedRange<Int>)
        case known(Query.KnownField)
        case fiction(Bool?)
        case status(Book.ReadingStatus?)
        case marked([UInt32])
        /// The regular expression of this number matches a line of one of these kinds.
        case regex(Int, kinds: UInt32)
        case not(Node)
        case all([Node])
        case any([Node])
    }

    /// A text that is looked for; its bytes belong to the plan.
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

    /// The plan of `expression` for books of which these are marked, and of which only `members`, ascending, count.
    init(_ expression: Query.Expression, marks: UserDataFilter = UserDataFilter(), among members: [UInt32]? = nil) {
        var planner = Planner(marks: marks)
        let node = planner.node(for: expression)
        root = members.map { Node.all([.marked($0), node]) } ?? node
        needles = planner.needles
        expressions = planner.expressions
    }

    deinit { for needle in needles { needle.needle.bytes.deallocate() } }
}

/// Makes the nodes of a plan.
private struct Planner {
    let marks: UserDataFilter
    var needles: [QueryPlan.Needle] = []
    var expressions: [RegularExpression] = []

    init(marks: UserDataFilter) { self.marks = marks }

    mutating func node(for expression: Query.Expression) -> QueryPlan.Node {
        switch expression {
        case .everything: return .everything
        case .term(let term): return node(for: term.condition)
        case .not(let part): return .not(node(for: part))
        case .any(let parts): return .any(parts.map { node(for: $0) })
        case .all(let parts):
            // What leaves the fewest books in the shortest time comes first.
            return .all(parts.map { node(for: $0) }.sorted { $0.cost < $1.cost })
        }
    }

    private mutating func node(for condition: Query.Condition) -> QueryPlan.Node {
        switch condition {
        case .text(let pattern): return node(for: pattern)
        case .number(.rating, let range):
            let own = marks.ratings.filter { range.contains(Double($0.key)) }
            return .own(own.values, of: marks.ratings.values, orElse: .number(.rating, range))
        case .number(let field, let range): return .number(field, range)
        case .known(.rating): return .own(marks.ratings.values, of: marks.ratings.values, orElse: .known(.rating))
        case .known(.status): return .own(marks.statuses.values, of: marks.statuses.values, orElse: .known(.status))
        case .known(let field): return .known(field)
        case .fiction(let isFiction): return .fiction(isFiction)
        case .status(let status):
            let own = status.flatMap { marks.statuses[$0] }.map { [$0] } ?? []
            return .own(own, of: marks.statuses.values, orElse: .status(status))
        case .favourite: return .marked(marks.favourites)
        case .shelf(let key): return marks.shelves[key].map(QueryPlan.Node.marked) ?? .nothing
        case .regex(let pattern, let field):
            // What is malformed is a fault of the query, and comes no further.
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
            // All of a number has all digits.
            if kinds & IndexedTextField.isbn.searchBit != 0, !pattern.isWhole || digits.count == IndexSegment.digitCount
            {
                found.append(needle(digits, kinds: IndexedTextField.isbn.searchBit))
            }
            kinds &= ~IndexedTextField.isbn.searchBit
        }
        if kinds != 0, !text.isEmpty {
            if pattern.isWhole {
                found.append(needle(text + [0x0A], kinds: kinds, beginsLine: true))
                // Catalogs write the place in a series behind its name.
                if pattern.field == .series {
                    for mark in [" #", ", ", " ("] {
                        found.append(needle(text + Array(mark.utf8), kinds: kinds, beginsLine: true))
                    }
                }
            } else {
                found.append(needle(text, kinds: kinds))
            }
        }
        return found.isEmpty ? .nothing : .text(found)
    }

    /// A tag, or one that has more parts behind it.
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
    /// The bits of the kinds of line that have the texts of `field`, or those that are searched without one.
    static func kinds(of field: Query.TextField?) -> UInt32 {
        switch field {
        case nil: IndexedTextField.searched.reduce(0) { $0 | $1.searchBit }
        case .title: IndexedTextField.title.searchBit
        case .author: IndexedTextField.author.searchBit
        case .subject: IndexedTextField.subject.searchBit
        case .series: IndexedTextField.series.searchBit
        case .publisher: IndexedTextField.publisher.searchBit
        case .isbn: IndexedTextField.isbn.searchBit
        case .language: IndexedTextField.language.searchBit
        }
    }
}

extension QueryPlan.Node {
    /// The books of `own`, and of those of which the reader says nothing (`all` are the others) those of `node`.
    fileprivate static func own(
        _ own: some Collection<[UInt32]>, of all: some Collection<[UInt32]>, orElse node: Self
    ) -> Self {
        if all.isEmpty { return node }
        return .any([.marked(own.joined().sorted()), .all([.not(.marked(all.joined().sorted())), node])])
    }

    fileprivate static func number(_ field: Query.NumberField, _ range: ClosedRange<Double>) -> Self {
        let isRating = field == .rating
        func clamped(_ number: Double) -> Int { Int(max(-1e9, min(1e9, number))) }
        let low = clamped(isRating ? lowestRating(range.lowerBound) : range.lowerBound.rounded(.up))
        let high = clamped(isRating ? -lowestRating(-range.upperBound) + 2 : range.upperBound.rounded(.down))
        return low <= high ? .number(field, low...high) : .nothing
    }

    /// The lowest number in the column of ratings that is at or above `bound`.
    ///
    /// Ratings are rounded to fortieths there, and what was typed must be so too, or "rating:3.73" would not find 3.73. A
    /// bound that is a little above what can be typed is that of what is greater.
    private static func lowestRating(_ bound: Double) -> Double {
        let typed = (bound * 1e6).rounded() / 1e6
        return 1 + (typed * 40).rounded() + (bound > typed ? 1 : 0)
    }

    /// How long a book takes, or how many are left, in no unit.
    fileprivate var cost: Int {
        switch self {
        case .nothing: 0
        case .marked(let indices): indices.count < 10_000 ? 1 : 30
        case .number, .fiction, .status, .everything: 20
        // Longer words are rarer, and are found as fast.
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
