internal import Library
internal import Search
internal import Text

/// The books and the order requested on the command line.
struct BookRequest {
    /// The query; nil if none was given.
    var query: Query?
    /// The sort order; nil if none was given.
    var order: SortOrder?

    /// All books in catalog order.
    static let everything = BookRequest()

    private init() {}

    /// Parses a query and a sort order.
    init(query: String?, sort: String?) throws(CommandError) {
        self.query = query.map { Query($0) }
        if let sentence = self.query?.faultSentence {
            throw CommandError(sentence: sentence, exitStatus: ExitStatus.usage)
        }
        guard let sort else { return }
        order = SortOrder(sort)
        if order == nil {
            throw CommandError(
                sentence:
                    Message.unknownSortKey.text(sort, Self.keys),
                exitStatus: ExitStatus.usage)
        }
    }

    /// Whether all books are requested in catalog order.
    var isPlain: Bool { asksForAll && (order ?? .list) == .list }

    /// Whether all books are requested.
    var asksForAll: Bool { query.map { $0.expression == .everything } ?? true }

    /// The sort keys for a sentence.
    private static var keys: String {
        (SortOrder.Key.allCases.map(\.rawValue) + ["list"]).joined(separator: ", ")
    }
}

extension Query {
    /// The error message of an invalid query with its position in characters, counted from 1; nil for a valid query.
    var faultSentence: String? {
        fault.map { fault in
            let before = String(decoding: text.utf8.prefix(fault.range.lowerBound), as: UTF8.self)
            return "query, character \(before.count + 1): \(fault.sentence)"
        }
    }
}
