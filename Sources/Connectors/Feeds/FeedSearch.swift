internal import ConnectorProtocol

/// The search of a catalog: a template for addresses, or the address of a document that contains one.
enum FeedSearch: Equatable {
    /// A template of OpenSearch or RFC 6570, relative to the page that names it.
    case template(String)
    /// The address of an OpenSearch 1.1 description document.
    case description(String)

    /// The names of the parameter for the search terms, in templates of OPDS 1.2 and 2.0.
    private static let wordNames = ["searchTerms", "query", "q"]
    /// The values of other required parameters (OpenSearch 1.1, section 4.4).
    private static let otherValues = [
        "startPage": "1", "startIndex": "1", "count": "50", "language": "*", "inputEncoding": "UTF-8",
        "outputEncoding": "UTF-8",
    ]

    /// The prefix of the search terms in addresses of stacks; never sent to servers.
    static let fragment = "#search="

    /// Splits an address into the part without search terms, and the search terms.
    static func parts(of source: String) -> (url: String, words: String?) {
        guard let range = source.firstRange(of: fragment) else { return (source, nil) }
        return (String(source[..<range.lowerBound]), percentDecoded(source[range.upperBound...]))
    }

    /// Returns the address for a search for `words`; nil if the template has no parameter for them.
    ///
    /// A parameter is written "{name}", "{name?}" if it is optional, or "{?name,name}" for a whole query.
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

/// Finds the template in an OpenSearch 1.1 description: preferably for OPDS feeds, otherwise for other feeds.
final class OpenSearchDescription: XMLReceiver {
    /// The templates and their types.
    private var templates: [(type: String, template: String)] = []

    /// Returns the template in a document.
    ///
    /// - Throws: `ConnectorFailure` if the document is incomplete or has no template for feeds.
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
