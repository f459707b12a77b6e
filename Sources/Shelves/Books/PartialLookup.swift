internal import Books
internal import CText
internal import Indexing
internal import Text

/// A part of a book that was known when its user data was stored, since the catalog was read less completely then: by an
/// earlier version, or without a profile.
enum KnownPart: Hashable {
    case title(String)
    case authors([String])
    /// The title, and the first of several authors.
    case firstAuthor(String, String)
}

/// Finds the books of user data of which only a part was known.
struct PartialLookup: Sendable {
    /// The kind of a known part, and the hash of its normalized texts, of which all but a title alone end with a line
    /// feed.
    private struct Part: Hashable {
        var kind: Kind
        var hash: UInt64

        enum Kind { case title, authors, firstAuthor }

        init(_ kind: Kind, _ bytes: UnsafeBufferPointer<UInt8>) {
            (self.kind, hash) = (kind, cs_hash(bytes.baseAddress, bytes.count))
        }

        init(_ known: KnownPart) {
            var folded = ByteBuffer()
            let (kind, lines): (Kind, [String]) =
                switch known {
                case .title(let title): (.title, [title])
                case .authors(let authors): (.authors, authors)
                case .firstAuthor(let title, let author): (.firstAuthor, [title, author])
                }
            for line in lines {
                folded.append(folding: line)
                if kind != .title { folded.append(0x0A) }
            }
            self.init(kind, UnsafeBufferPointer(folded.bytes))
        }
    }

    /// The parts that are looked for, each with the books that have it, in catalog order.
    private var books: [Part: [BookID]] = [:]
    private var count = 0

    /// Creates a lookup of these parts.
    init(of known: [KnownPart]) { for part in known { books[Part(part)] = [] } }

    /// Looks through the books that were appended to `index`. Linear in their texts.
    mutating func extend(to index: BookIndex) {
        if books.isEmpty { return }
        var authors = ByteBuffer()
        var firstAuthor = ByteBuffer()
        while count < index.count {
            (authors.count, firstAuthor.count) = (0, 0)
            var authorCount = 0
            for line in index.text(at: count) {
                guard line.kind == .title || line.kind == .author else { break }
                if line.kind == .title { add(Part(.title, line.content)) }
                if line.kind == .author {
                    authorCount += 1
                    for byte in line.content { authors.append(byte) }
                    authors.append(0x0A)
                }
                if authorCount < 2 {
                    for byte in line.content { firstAuthor.append(byte) }
                    firstAuthor.append(0x0A)
                }
            }
            if authorCount > 0 { add(Part(.authors, UnsafeBufferPointer(authors.bytes))) }
            if authorCount > 1 { add(Part(.firstAuthor, UnsafeBufferPointer(firstAuthor.bytes))) }
            count += 1
        }
    }

    private mutating func add(_ part: Part) { books[part]?.append(BookID(count)) }

    /// Returns the book with this part; nil if there are several.
    func book(with part: KnownPart) -> BookID? {
        guard let found = books[Part(part)], found.count == 1 else { return nil }
        return found[0]
    }
}
