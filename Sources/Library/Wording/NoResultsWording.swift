internal import Books
public import Search

extension NoResultsDiagnosis {
    /// Returns the message that names the term of `query` that leaves no books, with the terms before it, or with
    /// words of similar spelling.
    ///
    /// - Parameter acceptingKey: The label of the key that accepts the first suggestion, if any.
    public func sentence(of query: Query, acceptingKey: String? = nil) -> String {
        let written = query.text(of: term)
        let name = "“" + (written.isQuoted ? String(written.dropFirst().dropLast()) : written) + "”"
        let isText = if case .text(let pattern) = term.condition { pattern.field == nil } else { false }
        if let preceding {
            let many =
                isExcluded ? "all \(isText ? "contain" : "match")" : "none also \(isText ? "contains" : "matches")"
            let one =
                isExcluded
                ? "which \(isText ? "contains" : "matches")" : "which does not \(isText ? "contain" : "match")"
            let count = preceding.bookCount.of("book")
            return "\(preceding.text): \(count)" + (preceding.bookCount == 1 ? ", \(one)" : "; \(many)") + " \(name)"
        }
        if isExcluded { return "All books \(isText ? "contain" : "match") \(name)" }
        if let place = elsewhere.first {
            let fields = elsewhere.prefix(Self.shownSpellingCount).map {
                "\($0.field.info.label): \(written) (\($0.bookCount.grouped))"
            }
            let key = acceptingKey.map { Message.keySearchesThere.text($0, place.field.info.label) } ?? ""
            return Message.matchElsewhere.text(fields.joined(separator: ", ")) + key
        }
        guard let first = spellings.first else { return Message.noMatchFor.text(name) }
        let words = spellings.prefix(Self.shownSpellingCount).map { "\($0.word) (\($0.bookCount.grouped))" }
        let key = acceptingKey.map { " \($0) accepts" + (words.count > 1 ? " \(first.word)" : "") } ?? ""
        return Message.didYouMean.text(name, words.alternatives) + key
    }

    /// The maximum number of suggestions in a message.
    private static let shownSpellingCount = 3
}

extension [String] {
    /// The elements as alternatives: "a, b or c".
    fileprivate var alternatives: String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

extension String {
    /// Whether the text is in quotation marks.
    fileprivate var isQuoted: Bool { count > 2 && hasPrefix("\"") && hasSuffix("\"") }
}
