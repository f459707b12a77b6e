internal import ConnectorProtocol

/// A page of an OPDS 1.2 catalog, an Atom feed (RFC 4287).
///
/// Facets are not followed, since they only show subsets of the same books; neither are links to other kinds of
/// content. The search link is used only for a search.
final class AtomPage: XMLReceiver {
    private let url: String
    /// The base of the addresses in the document.
    private var base: String
    private var page = FeedPage()
    /// The open elements of the current entry, outermost first; empty between entries.
    private var open: [XMLElement] = []
    private var depth = 0
    private var text: [UInt8] = []

    private static let catalogTypes = ["atom+xml", "opds-catalog"]
    private static let relationsToOthers = [
        "self", "alternate", "related", "up", "start", "search", "http://opds-spec.org/facet", "previous", "first",
        "last",
    ]

    private init(at url: String) { (self.url, base) = (url, url) }

    /// Parses the document at `url`.
    ///
    /// - Throws: `ConnectorFailure` if it is not complete.
    static func page(_ document: [UInt8], at url: String) throws(ConnectorFailure) -> FeedPage {
        let reader = AtomPage(at: url)
        guard let parser = XMLPushParser(reader) else { throw ConnectorFailure(.helper, detail: "libxml2") }
        document.withUnsafeBufferPointer { parser.parse($0) }
        if parser.stop == nil { parser.finish() }
        if parser.stop == .entity { throw ConnectorFailure(.refused, .entity, at: .line(parser.stopLine)) }
        guard parser.hasEnded else { throw ConnectorFailure(.format, .damaged, at: .line(parser.stopLine)) }
        return reader.page
    }

    func begin(_ name: XMLName, _ attributes: XMLAttributes) {
        depth += 1
        text = []
        let isEntry: Bool = if case "entry" = name { true } else { false }
        if open.isEmpty, !isEntry {
            if depth == 1, let reference = attributes.value("base") {
                base = WebAddress.resolved(String(decoding: reference, as: UTF8.self), in: url) ?? url
            }
            if depth == 2, case "link" = name { addLink(attributes.strings) }
            return
        }
        let element = XMLElement(name.string, attributes.strings)
        open.last?.add(element)
        open.append(element)
    }

    func end(_ name: XMLName) {
        depth -= 1
        if let element = open.popLast() {
            if open.isEmpty { addEntry(element) }
        } else if depth == 1, case "totalResults" = name {
            page.total = Int(String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace })?.clampedCount
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let element = open.last { element.add(bytes) } else if text.count < 64 { text += bytes }
    }

    /// Adds a link of the feed itself.
    private func addLink(_ attributes: [(name: String, value: String)]) {
        func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
        guard let reference = value("href") else { return }
        if value("rel") == "search" { return addSearch(reference, type: value("type") ?? "") }
        guard let target = WebAddress.resolved(reference, in: base) else { return }
        switch value("rel") {
        case "next"?: page.next = target
        case "http://opds-spec.org/crawlable"?: page.complete = target
        default: break
        }
    }

    private func addSearch(_ reference: String, type: String) {
        if type.contains("opensearchdescription"), let address = WebAddress.resolved(reference, in: base) {
            page.search = page.search ?? .description(address)
        } else if Self.catalogTypes.contains(where: type.contains), reference.contains("{") {
            page.search = .template(reference)
        }
    }

    private func addEntry(_ entry: XMLElement) {
        entry.resolveLinks(in: base)
        var json: [UInt8] = []
        if case .book = entry.appendOPDS(to: &json) {
            let id = entry.texts("id").first ?? String(decoding: json, as: UTF8.self)
            page.publications.append(FeedPage.Publication(id: id, json: json))
        }
        // A book may belong to a group, which has its own list.
        for link in entry.all("link") {
            let relation = link[attribute: "rel"] ?? "subsection"
            let type = link[attribute: "type"] ?? ""
            guard let target = link[attribute: "href"], Self.catalogTypes.contains(where: type.contains),
                !type.contains("type=entry"), !Self.relationsToOthers.contains(relation),
                page.publications.last?.json != json || relation == "http://opds-spec.org/group"
                    || relation == "collection"
            else { continue }
            page.lists.append(target)
        }
    }
}
