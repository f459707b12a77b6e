/// Queries of Open Library, in the language of Solr (openlibrary.org/search/howto), and the keys of editions and works.
enum OpenLibraryText {
    /// The operators.
    static let syntax = RecordSet.Syntax(
        and: { "(" + $0.joined(separator: " AND ") + ")" }, or: { "(" + $0.joined(separator: orSign) + ")" },
        // No term contains this sign, which is not sent: nobody wants all of Open Library.
        without: { "(\($0) NOT \($1))" }, everything: "\u{0}")

    private static let orSign = " OR "
    private static let (isbn, edition, work) = ("isbn:", "olid:", "key:\"/works/")

    /// Returns the expression that searches a field; nil if there is no index for it.
    static func expression(for value: LibraryValue, in field: LibraryField) -> String? {
        switch (value, field) {
        case (.word(let text), .isbn): return isKey(text) ? isbn + text : nil
        case (.word(let text), .id):
            guard isKey(text), text.hasPrefix("OL") else { return nil }
            return text.hasSuffix("M") ? edition + text : text.hasSuffix("W") ? work + text + "\"" : nil
        case (.phrase(let text), .author):
            // The words of a name may be in another order.
            let words = text.split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") }
            if words.isEmpty { return nil }
            return "author:(" + words.map { SolrText.quoted(String($0)) }.joined(separator: " AND ") + ")"
        case (.word(let text), _), (.phrase(let text), _):
            guard let name = name(of: field), text.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
            return name + SolrText.quoted(text)
        case (.years(let first, let last), .year):
            if let first, first == last { return "first_publish_year:\(first)" }
            let bounds = [first, last].map { $0.map(String.init) ?? "*" }
            return "first_publish_year:[\(bounds[0]) TO \(bounds[1])]"
        case (.years, _), (.whole, _): return nil
        }
    }

    private static func name(of field: LibraryField) -> String? {
        switch field {
        case .anywhere: ""
        case .title: "title:"
        case .author: "author:"
        case .subject: "subject:"
        case .publisher: "publisher:"
        case .language: "language:"
        case .isbn, .id, .series, .year: nil
        }
    }

    private static func isKey(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// What a query asks for.
    struct Request: Hashable {
        /// The editions with ISBNs or keys, as the API of books names them: `ISBN:9780553103540`, `OLID:OL1M`.
        var editions: [String] = []
        /// The query for the search, if any.
        var search: String?

        /// Reads a query: one for keys only is answered with editions, any other with works.
        init(_ query: String) {
            var works: [String] = []
            for term in query.filter({ $0 != "(" && $0 != ")" }).split(separator: orSign) {
                if term.hasPrefix(isbn), isKey(term.dropFirst(isbn.count)) {
                    editions.append("ISBN:" + term.dropFirst(isbn.count))
                } else if term.hasPrefix(edition), isKey(term.dropFirst(edition.count)) {
                    editions.append("OLID:" + term.dropFirst(edition.count))
                } else if term.hasPrefix(work), isKey(term.dropFirst(work.count).dropLast()) {
                    works.append(String(term))
                } else {
                    (editions, search) = ([], query)
                    return
                }
            }
            if !works.isEmpty { search = works.joined(separator: orSign) }
        }
    }
}
