public import Books

extension Book {
    /// The maximum number of links listed for a book.
    private static let maximumLinks = 20

    /// The scheme of identifiers that are paths of the files of the book.
    private static let fileScheme = "file"

    /// Returns the links of the book: its files in the calibre library at `directory`, if that is open, then its web
    /// links.
    public func links(below directory: String?) -> [BookLink] {
        let files = identifiers.compactMap { fileLink(of: $0, below: directory) }
        return Array((files.map { .file($0) } + webLinks.map { .web($0) }).prefix(Self.maximumLinks))
    }

    /// Returns the links that can be opened, each with a short name: the format of a file, the host of a web page, and last
    /// the picture of the cover, if it is on the web.
    public func namedLinks(below directory: String?) -> [(name: String, link: BookLink)] {
        let links = links(below: directory)
        var hosts: [String: Int] = [:]
        for case .web(let link) in links { hosts[link.host, default: 0] += 1 }
        let named = links.map { link -> (name: String, link: BookLink) in
            switch link {
            case .file(let file): (file.format, link)
            case .web(let page): (hosts[page.host] == 1 ? page.host : page.shortened, link)
            }
        }
        return named + (cover.flatMap { WebLink($0) }.map { [("cover", .web($0))] } ?? [])
    }

    /// Returns the identifiers that are not links to files.
    public func identifiersWithoutFiles(below directory: String?) -> [Identifier] {
        identifiers.filter { fileLink(of: $0, below: directory) == nil }
    }

    private func fileLink(of identifier: Identifier, below directory: String?) -> FileLink? {
        guard let directory, identifier.scheme == Self.fileScheme else { return nil }
        return FileLink(identifier.value, below: directory)
    }

    /// The web links of the book: first those in other fields and identifiers, then in the description; no pictures.
    var webLinks: [WebLink] {
        let own = self.own.filter { !Self.isPicture($0.field.info.own?.path.description ?? "") }.flatMap(\.value.texts)
        let texts =
            own + otherFields.filter { !Self.isPicture($0.path) && !Self.isRelation($0.path) }.map(\.text)
            + identifiers.map(\.value)
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

    /// Whether the value at a path is the relation of a link, which may be an address but leads to no book (RFC 8288).
    private static func isRelation(_ path: String) -> Bool { path.hasSuffix(".rel") }

    /// Whether the value at a path links to a picture of the book, by its name: "small_image_url", "imageLinks.thumbnail".
    private static func isPicture(_ path: String) -> Bool {
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
