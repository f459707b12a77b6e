internal import Storage

/// The pages of the guide: Markdown files in one directory.
struct GuideFolder {
    /// The path of the directory.
    let path: String

    /// The name of the page that lists the others.
    static let index = "index.md"
    /// The maximum size of a page in bytes.
    private static let maximumSize = 1 << 20

    /// Returns the page with a file name; nil if it is missing or cannot be read.
    func page(named name: String) -> GuidePage? {
        guard Self.isPage(name), let bytes = try? ReadOnlyFile.bytes(at: "\(path)/\(name)", upTo: Self.maximumSize)
        else { return nil }
        let page = MarkdownPage(String(decoding: bytes, as: UTF8.self))
        return GuidePage(name: name, page: page.numbered(where: Self.isFollowed))
    }

    /// Whether a link of a page can be followed: to a page, to a heading, or to the web.
    private static func isFollowed(_ target: String) -> Bool {
        target.hasPrefix("https://") || target.hasPrefix("http://") || target.hasPrefix("#")
            || isPage(target.prefix { $0 != "#" })
    }

    /// Whether `name` is a file name of a page; a path is not, so that no other directory is read.
    private static func isPage(_ name: some StringProtocol) -> Bool {
        name.hasSuffix(".md") && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
    }
}

/// A page of the guide.
struct GuidePage {
    /// The name of its file.
    let name: String
    /// Its contents, with numbered links.
    let page: MarkdownPage

    /// Whether it is the page that lists the others.
    var isIndex: Bool { name == GuideFolder.index }

    /// The title for the title bar.
    var title: String { isIndex ? "Guide" : "Guide ▸ " + (page.title.isEmpty ? name : page.title) }
}
