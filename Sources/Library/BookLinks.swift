public import Books

extension Book {
    /// The maximum number of links listed for a book.
    private static let maximumLinks = 20

    /// The web links of the book, without pictures: first those in other fields and identifiers, then those in the
    /// description.
    public var links: [WebLink] {
        let texts =
            otherFields.filter { !$0.isPicture }.map(\.text) + identifiers.map(\.value)
            + [sourceID, description].compactMap(\.self)
        let cover = cover.flatMap { WebLink($0) }
        var links: [WebLink] = []
        for text in texts where links.count < Self.maximumLinks {
            for link in WebLink.all(in: text, limit: Self.maximumLinks)
            where !links.contains(link) && link != cover && !link.isPicture {
                links.append(link)
            }
        }
        return Array(links.prefix(Self.maximumLinks))
    }
}

extension Book.OtherField {
    /// Whether the field links to a picture of the book, by its name: "small_image_url", "imageLinks.thumbnail".
    fileprivate var isPicture: Bool {
        let name = path.lowercased()
        return ["cover", "image", "thumbnail"].contains(where: name.contains)
    }
}

extension WebLink {
    /// Whether the link ends in the extension of a picture.
    fileprivate var isPicture: Bool {
        let path = text.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif"].contains(where: path.hasSuffix)
    }
}
