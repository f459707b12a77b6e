/// The rules of a mapping by their fields.
///
/// A table, as a dictionary is put together at run time, which takes longer than to read the first books.
public struct FieldRules: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    private var table: [FieldMapping.Rule?] = Array(repeating: nil, count: BookField.allCases.count)

    /// No rules.
    public init() {}

    /// These rules; of several for one field the last.
    public init(dictionaryLiteral elements: (BookField, FieldMapping.Rule)...) {
        for (field, rule) in elements { self[field] = rule }
    }

    /// The rule of a field; nil where it has none.
    public subscript(field: BookField) -> FieldMapping.Rule? {
        get { table[field.index] }
        set { table[field.index] = newValue }
    }

    /// The fields that have a rule, in the order of their declaration.
    public var fields: [BookField] { BookField.allCases.filter { self[$0] != nil } }

    /// Whether no field has one.
    public var isEmpty: Bool { table.allSatisfy { $0 == nil } }
}

extension BookField {
    /// The place of this field among all, counted from zero.
    fileprivate var index: Int {
        switch self {
        case .title: 0
        case .authors: 1
        case .isbn: 2
        case .pageCount: 3
        case .fiction: 4
        case .sourceID: 5
        case .subtitle: 6
        case .sortTitle: 7
        case .publisher: 8
        case .published: 9
        case .languages: 10
        case .subjects: 11
        case .series: 12
        case .seriesPosition: 13
        case .description: 14
        case .cover: 15
        case .identifiers: 16
        case .contributors: 17
        case .rating: 18
        case .status: 19
        case .dateAdded: 20
        }
    }
}
