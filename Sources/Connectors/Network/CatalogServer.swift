internal import ConnectorProtocol

/// Recognizes catalog servers by their responses.
enum CatalogServer {
    /// Returns the connector for the catalog at `url`, whose response starts with `input`: an OPDS feed, a web page
    /// that links to one, or a calibre server; nil for other content.
    static func connector(
        for input: SourceInput, _ head: HTTPHead, at url: String, _ context: RequestContext
    ) throws(ConnectorFailure) -> (any Connector)? {
        let type = head["content-type"]?.lowercased()
        if PublicationsPage.isLikely(input.prefix, type: type) {
            return try FeedConnector(
                try document(input, context), at: url, .publications, version: input.version, context)
        }
        guard let start = input.prefix.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }),
            start == UInt8(ascii: "<")
        else { return nil }
        let text = String(decoding: input.prefix.prefix(1 << 14), as: UTF8.self)
        let beginning = text.prefix(1024).lowercased()
        if beginning.contains("<!doctype html") || beginning.contains("<html") {
            return try connector(ofPage: text, at: url, context)
        }
        guard try XMLFormat.detect(in: input.prefix)?.root == "feed" else { return nil }
        return try FeedConnector(try document(input, context), at: url, .atom, version: input.version, context)
    }

    private static func document(
        _ input: SourceInput, _ context: RequestContext
    ) throws(ConnectorFailure) -> [UInt8] {
        // More pages of unknown size follow.
        defer { context.transferred.total = nil }
        let content = input.content()
        let document = try content.read(upTo: FeedConnector.pageLimit + 1)
        if document.count > FeedConnector.pageLimit { throw ConnectorFailure(.refused, .tooLarge) }
        if content.isCut { throw ConnectorFailure(.offline, .brokenOff, detail: HTTPRequest.host(of: input.path)) }
        return document
    }

    /// Returns the connector for the catalog of a web page: the feed it links to, calibre's content server, or a feed
    /// at the usual path; nil if there is none.
    private static func connector(
        ofPage page: String, at url: String, _ context: RequestContext
    ) throws(ConnectorFailure) -> (any Connector)? {
        if let feed = feed(in: page, at: url) { return try connector(ofFeedAt: feed, context) }
        // The page of a single file, such as a login form, does not lead to a catalog of the server.
        guard url.prefix(while: { $0 != "?" }).hasSuffix("/") else { return nil }
        if let calibre = try CalibreServerConnector(at: url, context) { return calibre }
        guard let usual = WebAddress.resolved("opds", in: url) else { return nil }
        do throws(ConnectorFailure) {
            return try connector(ofFeedAt: usual, context)
        } catch {
            // There is no feed.
            if error.kind == .cancelled || error.kind == .auth { throw error }
            return nil
        }
    }

    private static func connector(
        ofFeedAt url: String, _ context: RequestContext
    ) throws(ConnectorFailure) -> (any Connector)? {
        let request = HTTPRequest(url: url)
        let content = try HTTPBytes(request, by: context)
        if let failure = ConnectorFailure(answer: content.head, host: request.host) { throw failure }
        let input = try SourceInput(content, at: url)
        let isPage = String(decoding: input.prefix.prefix(1024), as: UTF8.self).lowercased().contains("<html")
        return isPage ? nil : try connector(for: input, content.head, at: content.url, context)
    }

    /// Returns the address of the feed that a web page links to (OPDS 1.2, section 3).
    private static func feed(in page: String, at url: String) -> String? {
        for tag in page.split(separator: "<") where tag.prefix(4).lowercased() == "link" {
            let attributes = tag.prefix { $0 != ">" }
            guard attributes.contains("profile=opds-catalog") || attributes.contains("opds+json"),
                let range = attributes.firstRange(of: "href=")
            else { continue }
            let rest = attributes[range.upperBound...]
            guard let quote = rest.first, quote == "\"" || quote == "'" else { continue }
            return WebAddress.resolved(String(rest.dropFirst().prefix { $0 != quote }), in: url)
        }
        return nil
    }
}
