internal import Books
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

    /// The words for a query and a sort order.
    private var words: (query: String?, sort: String?) = (nil, nil)

    /// Creates a request in words, which may name fields that only the catalog has. `resolved(in:)` must follow once that
    /// is open.
    init(query: String?, sort: String?) {
        words = (query, sort)
        self.query = query.map { Query($0) }
        order = sort.flatMap { SortOrder($0) }
    }

    /// Returns the request for a catalog with these fields.
    ///
    /// - Throws: `CommandError` for a malformed query, or an unknown sort key.
    func resolved(in schema: Schema) throws(CommandError) -> BookRequest {
        var request = self
        request.query = words.query.map { Query($0, of: schema) }
        if let sentence = request.query?.errorSentence {
            throw CommandError(sentence: sentence, exitStatus: ExitStatus.usage)
        }
        guard let sort = words.sort else { return request }
        request.order = SortOrder(sort, of: schema)
        if request.order == nil {
            let keys = (SortOrder.Key.all(of: schema).map(\.name) + ["list"]).joined(separator: ", ")
            throw CommandError(sentence: CommandMessage.unknownSortKey.text(sort, keys), exitStatus: ExitStatus.usage)
        }
        return request
    }

    /// Whether all books are requested in catalog order.
    var isPlain: Bool { asksForAll && (words.sort == nil || order == .list) }

    /// Whether all books are requested.
    var asksForAll: Bool { query.map { $0.expression == .everything } ?? true }
}

extension Query {
    /// The error message of an invalid query with its position in characters, counted from 1; nil for a valid query.
    var errorSentence: String? {
        (syntaxError ?? unclosed).map { syntaxError in
            let before = String(decoding: text.utf8.prefix(syntaxError.range.lowerBound), as: UTF8.self)
            return "query, character \(before.count + 1): \(syntaxError.sentence)"
        }
    }
}
