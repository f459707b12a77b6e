/// A link of a book that can be opened.
public enum BookLink: Hashable, Sendable {
    /// A web page.
    case web(WebLink)
    /// A file of the book in the calibre library that is open.
    case file(FileLink)

    /// The link as it is shown.
    public var text: String {
        switch self {
        case .web(let link): link.text
        case .file(let link): link.text
        }
    }
}
