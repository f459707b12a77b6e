public import Books
internal import CText
public import Indexing
internal import Text
public import Threading

/// The books of a catalog by the names of their authors and of their series, so that those of one name are found without
/// a search through all. Immutable.
///
/// A hash table whose slots list the books in catalog order: five bytes for each author and series of a book. The names
/// themselves are compared in the text of the index.
public struct BooksByName: Sendable {
    /// The kinds of names.
    public enum Kind: CaseIterable, Sendable {
        case author, series

        /// The kind of line in the text of a book.
        fileprivate var textKind: IndexedTextField {
            switch self {
            case .author: .author
            case .series: .series
            }
        }
    }

    /// A name in its normalized form.
    public struct Name: Hashable, Sendable {
        fileprivate var kind: Kind
        fileprivate var folded: [UInt8]

        /// The name of the first author of a book, or of its series without the place; nil if the book has none.
        public init?(_ kind: Kind, of book: Book) {
            let name: String? =
                switch kind {
                case .author: book.authors.first { !$0.isFoldedToNothing }
                case .series: book.series.map(SeriesName.name)
                }
            guard let name else { return nil }
            self.init(kind, folded: [UInt8](folding: name))
        }

        fileprivate init?(_ kind: Kind, folded: [UInt8]) {
            if folded.isEmpty { return nil }
            (self.kind, self.folded) = (kind, folded)
        }
    }

    private let index: BookIndex
    /// The books of all slots, one after the other.
    private let books: [UInt32]
    /// The start of each slot in `books`, followed by the end of the last one.
    private let starts: [UInt32]

    /// The number of books in the index.
    public var bookCount: Int { index.count }

    /// Returns the books of a name in catalog order: those with the author among theirs, or those of the series. Linear
    /// in the books found.
    public func books(of name: Name) -> [BookID] {
        name.folded.withUnsafeBufferPointer { folded in
            let slot = Self.slot(of: Self.hash(of: folded, name.kind), count: starts.count - 1)
            var found: [BookID] = []
            for book in books[Int(starts[slot])..<Int(starts[slot + 1])] {
                let id = BookID(book)
                // A name that a book has twice is in the slot twice.
                if found.last != id, has(folded, name.kind, Int(book)) { found.append(id) }
            }
            return found
        }
    }

    /// Returns the name of the series of a book in the index, or nil if it has none.
    public func seriesName(of id: BookID) -> Name? {
        index.text(at: id.index).first(.series).flatMap { Name(.series, folded: Array($0)) }
    }

    private func has(_ folded: UnsafeBufferPointer<UInt8>, _ kind: Kind, _ book: Int) -> Bool {
        for line in index.text(at: book) where line.kind == kind.textKind {
            if line.content.name(kind).elementsEqual(folded) { return true }
        }
        return false
    }

    fileprivate static func hash(of name: UnsafeBufferPointer<UInt8>, _ kind: Kind) -> UInt32 {
        let hash = cs_hash(name.baseAddress, name.count)
        return UInt32(truncatingIfNeeded: kind == .series ? hash >> 32 : hash)
    }

    /// The slot of a hash among `count`, a power of two.
    fileprivate static func slot(of hash: UInt32, count: Int) -> Int { Int(hash) & (count - 1) }

    /// Creates the table from the hashes of the names in each segment, with the books in catalog order.
    fileprivate init(_ hashes: [[HashedName]], of index: BookIndex) {
        let total = hashes.reduce(0) { $0 + $1.count }
        var slotCount = 1
        while slotCount * 4 < total { slotCount *= 2 }
        var starts = [UInt32](repeating: 0, count: slotCount + 1)
        for names in hashes { for name in names { starts[Self.slot(of: name.hash, count: slotCount) + 1] += 1 } }
        for slot in 0..<slotCount { starts[slot + 1] += starts[slot] }
        var next = starts
        books = [UInt32](unsafeUninitializedCapacity: total) { books, count in
            for names in hashes {
                for name in names {
                    let slot = Self.slot(of: name.hash, count: slotCount)
                    books.initializeElement(at: Int(next[slot]), to: name.book)
                    next[slot] += 1
                }
            }
            count = total
        }
        (self.starts, self.index) = (starts, index)
    }
}

extension BookIndex {
    /// Starts to collect the names of all books. Linear in the text.
    ///
    /// - Parameter notify: Called on any thread when it is complete.
    public func booksByName(
        on pool: ThreadPool = .shared, notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<BooksByName> {
        pool.start(NameCollection(self), as: .batch, notifying: notify)
    }
}

/// The hash of a name and a book that has it.
private struct HashedName: BitwiseCopyable {
    var hash: UInt32
    var book: UInt32
}

/// Hashes the names in each segment.
private final class NameCollection: ParallelJob {
    let partCount: Int
    private let index: BookIndex
    private let hashes: Locked<[[HashedName]]>

    init(_ index: BookIndex) {
        self.index = index
        partCount = index.segments.count
        hashes = Locked(Array(repeating: [], count: index.segments.count))
    }

    func perform(part: Int) {
        let (segment, start) = (index.segments[part], index.starts[part])
        var names: [HashedName] = []
        names.reserveCapacity(segment.count * 3 / 2)
        for position in 0..<segment.count {
            let book = UInt32(truncatingIfNeeded: start + position)
            for line in IndexedText(segment.text(at: position)) {
                let kind: BooksByName.Kind
                switch line.kind {
                case .author: kind = .author
                case .series: kind = .series
                default: continue
                }
                let name = line.content.name(kind)
                if !name.isEmpty { names.append(HashedName(hash: BooksByName.hash(of: name, kind), book: book)) }
            }
        }
        hashes.withLock { $0[part] = names }
    }

    func complete() -> BooksByName? { BooksByName(hashes.withLock { $0 }, of: index) }
}

extension UnsafeBufferPointer<UInt8> {
    /// The name in a line of this kind: a series is without the place.
    fileprivate func name(_ kind: BooksByName.Kind) -> UnsafeBufferPointer<UInt8> {
        kind == .series ? UnsafeBufferPointer(rebasing: prefix(SeriesName.length(of: self))) : self
    }
}
