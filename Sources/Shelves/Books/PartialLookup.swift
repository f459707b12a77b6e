internal import Books
internal import CText
internal import Indexing
internal import Text

/// Finds the books of user data that was stored with a title or authors only, since the catalog was read less
/// completely then: by an earlier version, or without a profile.
struct PartialLookup: Sendable {
    /// The part of a book that was known: the hash of its normalized title, or of its authors with a line feed each.
    private struct Part: Hashable {
        var isTitle: Bool
        var hash: UInt64
    }

    /// The parts that are looked for, each with the books that have it, in catalog order.
    private var books: [Part: [BookID]] = [:]
    private var count = 0

    /// Creates a lookup of these titles and authors, of which one is empty.
    init(of known: some Sequence<(title: String, authors: [String])>) {
        for (title, authors) in known { if let part = Self.part(title, authors) { books[part] = [] } }
    }

    /// Looks through the books that were appended to `index`. Linear in their texts.
    mutating func extend(to index: BookIndex) {
        if books.isEmpty { return }
        var authors = ByteBuffer()
        while count < index.count {
            authors.count = 0
            for line in index.text(at: count) {
                if line.kind == .title {
                    add(Part(isTitle: true, hash: cs_hash(line.content.baseAddress, line.content.count)))
                } else if line.kind == .author {
                    for byte in line.content { authors.append(byte) }
                    authors.append(0x0A)
                } else {
                    break
                }
            }
            if authors.count > 0 { add(Part(isTitle: false, hash: cs_hash(authors.bytes.baseAddress, authors.count))) }
            count += 1
        }
    }

    private mutating func add(_ part: Part) { books[part]?.append(BookID(count)) }

    /// Returns the book with this title or these authors, of which one is empty; nil if there are several.
    func book(titled title: String, by authors: [String]) -> BookID? {
        guard let found = Self.part(title, authors).flatMap({ books[$0] }), found.count == 1 else { return nil }
        return found[0]
    }

    private static func part(_ title: String, _ authors: [String]) -> Part? {
        guard title.isEmpty != authors.isEmpty else { return nil }
        var folded = ByteBuffer()
        if authors.isEmpty { folded.append(folding: title) }
        for author in authors {
            folded.append(folding: author)
            folded.append(0x0A)
        }
        return Part(isTitle: authors.isEmpty, hash: cs_hash(folded.bytes.baseAddress, folded.count))
    }
}
