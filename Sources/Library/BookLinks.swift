public import Books

extension Book {
    /// The maximum number of links listed for a book.
    private static let maximumLinks = 20

    /// The web links of the book: first those in other fields and identifiers, then in the description, then the cover.
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
