public import Books

extension Book {
    /// The most links that are listed of a book.
    private static let maximumLinks = 20

    /// The links to pages of the web that it has: of what is no field of a book and of the identifiers first, then those
    /// in its description, and then its cover.
    public var links: [WebLink] {
        let texts =
            otherFields.map(\.text) + identifiers.map(\.value) + [sourceID, description, cover].compactMap(\.self)
        var links: [WebLink] = []
        for text in texts where links.count < Self.maximumLinks {
            for link in WebLink.all(in: text, limit: Self.maximumLinks) where !links.contains(link) {
                links.append(link)
            }
        }
        return Array(links.prefix(Self.maximumLinks))
    }
}
