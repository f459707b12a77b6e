internal import Search
internal import Text

/// What the reader asks of a catalog on the command line: which books, and in which order.
struct BookRequest {
    /// What is looked for; nil where nothing was said.
    var query: Query?
    /// How the books are ordered; nil where nothing was said.
    var order: SortOrder?

    /// What a query and the names of keys say.
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
                    "books are not sorted by \"\(sort)\", but by \(Self.keys), \"-\" before one for the other way "
                    + "round, commas between several",
                exitStatus: ExitStatus.usage)
        }
    }

    /// Whether all books are asked for, as they are.
    var isPlain: Bool { asksForAll && (order ?? .list) == .list }

    /// Whether no book is left out.
    var asksForAll: Bool { query.map { $0.expression == .everything } ?? true }

    /// What books can be sorted by, for a sentence.
    private static var keys: String {
        (SortOrder.Key.allCases.map(\.rawValue) + ["list"]).asChoice
    }
}

extension Query {
    /// What is wrong with the query and where, counted in characters from 1; nil where nothing is.
    var faultSentence: String? {
        fault.map { fault in
            let before = String(decoding: text.utf8.prefix(fault.place.lowerBound), as: UTF8.self)
            return "in the query, at character \(before.count + 1): \(fault.sentence)"
        }
    }
}
