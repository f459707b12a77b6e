internal import ConnectorProtocol
internal import JSON

/// A page of an OPDS 2.0 catalog, in JSON.
///
/// Facets are not followed, since they only show subsets of the same books.
struct PublicationsPage {
    private let url: String
    private(set) var page = FeedPage()

    /// Returns whether the start of a document looks like OPDS 2.0.
    static func isLikely(_ prefix: [UInt8], type: String?) -> Bool {
        guard prefix.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else { return false }
        if type?.contains("opds+json") == true { return true }
        let text = String(decoding: prefix.prefix(1 << 14), as: UTF8.self)
        return text.contains("\"metadata\"") && text.contains("\"links\"")
            && ["\"publications\"", "\"navigation\"", "\"groups\""].contains(where: text.contains)
    }

    /// Reads the document at `url`.
    ///
    /// - Throws: `ConnectorFailure` if the document is incomplete.
    init(_ document: [UInt8], at url: String) throws(ConnectorFailure) {
        self.url = url
        guard let feed = JSONValue(parsing: document), feed.members != nil else {
            throw ConnectorFailure(.format, .damaged)
        }
        page.total = feed["metadata"]?["numberOfItems"]?.asCount
        page.next = link("next", in: feed["links"])
        page.complete = link("http://opds-spec.org/crawlable", in: feed["links"])
        page.search = Self.links("search", in: feed["links"]).first { $0["templated"]?.boolean == true }?["href"]?
            .string
            .map(FeedSearch.template)
        for publication in feed["publications"]?.elements ?? [] { add(publication) }
        addLists(feed["navigation"])
        for group in feed["groups"]?.elements ?? [] {
            for publication in group["publications"]?.elements ?? [] { add(publication) }
            addLists(group["navigation"])
            if let list = link("self", in: group["links"]) { page.lists.append(list) }
        }
    }

    private mutating func add(_ publication: JSONValue) {
        let record = resolved(publication)
        let json = Array(record.json.utf8)
        let metadata = publication["metadata"]
        let id =
            metadata?["identifier"]?.string ?? link("self", in: publication["links"])
            ?? String(decoding: json, as: UTF8.self)
        page.publications.append(FeedPage.Publication(id: id, json: json))
    }

    private mutating func addLists(_ links: JSONValue?) {
        for link in links?.elements ?? [] where link["templated"]?.boolean != true {
            let type = link["type"]?.string ?? "application/opds+json"
            guard type.contains("opds+json"), !type.contains("publication"),
                let target = link["href"]?.string.flatMap({ WebAddress.resolved($0, in: url) })
            else { continue }
            page.lists.append(target)
        }
    }

    private func link(_ relation: String, in links: JSONValue?) -> String? {
        Self.links(relation, in: links).first?["href"]?.string.flatMap { WebAddress.resolved($0, in: url) }
    }

    private static func links(_ relation: String, in links: JSONValue?) -> [JSONValue] {
        (links?.elements ?? []).filter { link in
            link["rel"]?.string == relation || link["rel"]?.elements?.contains { $0.string == relation } == true
        }
    }

    /// Returns a publication with absolute links, because the record is stored without the address of the document.
    private func resolved(_ publication: JSONValue) -> JSONValue {
        guard let members = publication.members else { return publication }
        return .object(
            members.map { member in
                guard ["links", "images"].contains(member.key), let links = member.value.elements else { return member }
                return JSONValue.Member(key: member.key, value: .array(links.map(resolvedLink)))
            })
    }

    private func resolvedLink(_ link: JSONValue) -> JSONValue {
        guard let members = link.members, link["templated"]?.boolean != true else { return link }
        return .object(
            members.map { member in
                guard member.key == "href", let target = member.value.string,
                    let address = WebAddress.resolved(target, in: url)
                else { return member }
                return JSONValue.Member(key: "href", value: .string(address))
            })
    }
}
