public import Books
internal import Graphemes
internal import Text

extension Book {
    /// Whether the title has no visible characters.
    public var isUntitled: Bool { !GraphemeSanitizer(title).contains { $0 != .space } }

    /// The title for a list; without one, what else the book has: "Untitled (Press · 1989)".
    ///
    /// The book needs all of its fields.
    public var nameInList: String {
        guard isUntitled else { return title }
        let usual: [BookField] = [.subtitle, .otherTitle, .sortTitle, .series, .publisher, .published, .isbn]
        let texts = (usual + own.map(\.field) + [.description]).map { $0.shown(in: self) } + otherFields.map(\.text)
        let parts = texts.lazy.compactMap { $0?.onOneLine.nonEmpty }.prefix(Self.partCount)
        return parts.isEmpty ? shownTitle : "\(shownTitle) (\(parts.joined(separator: " · ")))"
    }

    /// The number of texts that stand for a title.
    private static let partCount = 3
}
