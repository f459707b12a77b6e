internal import ConnectorProtocol

/// How the search of a catalog is asked: an address with places for what is searched for, or a document that has one.
enum FeedSearch: Equatable {
    /// A template for addresses, as OpenSearch or RFC 6570 has them, relative to the page that names it.
    case template(String)
    /// The address of a description (OpenSearch 1.1).
    case description(String)

    /// The names of the place for the words, in templates of OPDS 1.2 and 2.0.
    private static let wordNames = ["searchTerms", "query", "q"]
    /// What else must be given (OpenSearch 1.1, section 4.4).
    private static let otherValues = [
        "startPage": "1", "startIndex": "1", "count": "50", "language": "*", "inputEncoding": "UTF-8",
        "outputEncoding": "UTF-8",
    ]

    /// The part of an address of stacks before the words that are searched for, which servers do not get to see.
    static let fragment = "#search="

    /// Returns an address without the words that follow it, and those.
    static func parts(of source: String) -> (url: String, words: String?) {
        guard let range = source.firstRange(of: fragment) else { return (source, nil) }
        return (String(source[..<range.lowerBound]), percentDecoded(source[range.upperBound...]))
    }

    /// Returns the address that `template` makes for a search for `words`; nil if it has no place for them.
    ///
    /// A place is "{name}", "{name?}" if it may be left out, or "{?name,name}" for a query of its own.
    static func address(_ template: String, for words: String) -> String? {
        var address = ""
        var rest = template[...]
        var hasWords = false
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            address += rest[..<start]
            var place = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if let first = place.first, first == "?" || first == "&" {
                place = place.dropFirst()
                let names = place.split(separator: ",").map(String.init)
                guard let name = wordNames.first(where: names.contains) ?? (hasWords ? nil : names.first) else {
                    continue
                }
                address += "\(first)\(name)=\(WebAddress.escaped(words))"
                hasWords = true
                continue
            }
            let isOptional = place.last == "?"
            let name = String(isOptional ? place.dropLast() : place)
            if wordNames.contains(name) {
                address += WebAddress.escaped(words)
                hasWords = true
            } else if !isOptional, let value = otherValues[name] {
                address += value
            }
        }
        return hasWords ? address + rest : nil
    }
}

/// The template in a description of OpenSearch 1.1: that for feeds of books, or one for other feeds.
final class OpenSearchDescription: XMLReceiver {
    /// The templates and their types.
    private var templates: [(type: String, template: String)] = []

    /// Returns the template of a document.
    ///
    /// - Throws: `ConnectorFailure` if the document is not whole, or has none for a feed.
    static func template(in document: [UInt8]) throws(ConnectorFailure) -> String {
        let reader = OpenSearchDescription()
        guard let parser = XMLPushParser(reader) else { throw ConnectorFailure(.helper, detail: "libxml2") }
        document.withUnsafeBufferPointer { parser.parse($0) }
        if parser.stop == nil { parser.finish() }
        let feeds = reader.templates.filter { $0.type.contains("atom+xml") || $0.type.contains("opds") }
        guard parser.hasEnded, let best = feeds.first(where: { $0.type.contains("opds") }) ?? feeds.first else {
            throw ConnectorFailure(.unsupported, .noSearch)
        }
        return best.template
    }

    func begin(_ name: XMLName, _ attributes: XMLAttributes) {
        guard case "Url" = name else { return }
        let found = attributes.strings
        guard let template = found.first(where: { $0.name == "template" })?.value else { return }
        templates.append((found.first { $0.name == "type" }?.value.lowercased() ?? "", template))
    }

    func end(_ name: XMLName) {}

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
}
