public import Catalog
public import Storage

/// The reader's favourites, apart from the catalogs they are in, and kept on the disk.
public final class Favourites {
    private let journal: Journal?
    /// The keys of the marked books, by the identity that the book had when it was marked.
    private(set) var marks: [BookIdentity: BookKeys] = [:]
    /// How many marks have a key.
    private var keyCounts: [BookIdentity.Key: Int] = [:]
    private var lastSequence = 0
    /// Changes that could not be written yet; they are tried again with the next one.
    private var unsaved: [FavouriteLine] = []
    /// How many lines of the journal could not be read.
    public private(set) var unreadableLineCount = 0

    /// The favourites whose changes are in the journal `history.jsonl` in `directory`; with nil there are none yet, and
    /// changes are kept in memory only.
    public init(directory: String?) {
        journal = directory.map { Journal(path: $0 + "/history.jsonl") }
    }

    /// Whether there is a place to save them in.
    public var isSaved: Bool { journal != nil }

    /// The path of the journal; nil where there is none.
    public var path: String? { journal?.path }

    /// Takes in the changes that are on the disk, and those that other processes made since the last call.
    ///
    /// - Throws: `FileError`, where the journal cannot be read; what is known already stays.
    public func load() throws(FileError) {
        guard let journal else { return }
        apply(lines: try journal.newLines())
    }

    /// Whether there are none at all.
    public var isEmpty: Bool { marks.isEmpty }

    /// Whether any mark has `key`, an ISBN or a hash. Constant time.
    public func contains(_ key: BookIdentity.Key) -> Bool { keyCounts[key] != nil }

    /// Whether there is a mark by the name of `identity`. Constant time.
    public func contains(_ identity: BookIdentity) -> Bool { marks[identity] != nil }

    /// A finder of the marked books in `index`. Linear in the index.
    public func finder(in index: BookIndex) -> BookFinder {
        BookFinder(of: marks.flatMap { [$0.key.key] + $0.value.all }, in: index)
    }

    /// The identities that the marked books had when they were marked, in no order.
    public var identities: [BookIdentity] { Array(marks.keys) }

    /// Makes books favourites. When this returns, that is on the disk: all of it, or nothing.
    ///
    /// - Parameter books: Each with its identity, or the next occurrence of its key that no mark has yet.
    /// - Throws: `FileError`, where it could not be saved; it is kept in memory, and saved with the next change that is.
    public func add(_ books: [(Book, BookIdentity)]) throws(FileError) {
        try make(books.map { FavouriteLine(.favourite, to: true, of: $0, identity: $1) })
    }

    /// Makes books no longer favourites. When this returns, that is on the disk: all of it, or nothing.
    ///
    /// - Parameter books: Each with the identities that its marks were made with.
    /// - Throws: See `add(_:)`.
    public func remove(_ books: [(Book, [BookIdentity])]) throws(FileError) {
        try make(
            books.flatMap { book, identities in
                identities.map { FavouriteLine(.favourite, to: false, of: book, identity: $0) }
            })
    }

    /// Makes one book a favourite: see `add(_:)`.
    public func add(_ book: Book, identity: BookIdentity) throws(FileError) { try add([(book, identity)]) }

    /// Makes one book no longer a favourite: see `remove(_:)`.
    public func remove(_ book: Book, identities: [BookIdentity]) throws(FileError) {
        try remove([(book, identities)])
    }

    private func make(_ changes: [FavouriteLine]) throws(FileError) {
        changes.forEach(apply)
        unsaved += changes
        try save()
    }

    /// Writes the changes that could not be written before, where there are any.
    ///
    /// - Throws: `FileError`, where they could not be written again.
    public func save() throws(FileError) {
        guard let journal, !unsaved.isEmpty else { return }
        try journal.append { others in
            // What others did came before.
            let before = marks
            apply(lines: others)
            makeDistinct(since: before)
            for index in unsaved.indices {
                apply(unsaved[index])
                unsaved[index].sequence = lastSequence + index + 1
            }
            return unsaved.map(\.line)
        }
        lastSequence += unsaved.count
        unsaved = []
    }

    /// Gives new marks another occurrence, where another process meanwhile gave theirs to the mark of another book.
    private func makeDistinct(since before: [BookIdentity: BookKeys]) {
        var names: [String: String] = [:]
        for index in unsaved.indices {
            let name = unsaved[index].book
            if names[name] == nil, unsaved[index].value, var identity = BookIdentity(name),
                let held = marks[identity], held != before[identity],
                held != BookKeys(unsaved[index], identity: identity)
            {
                repeat { identity.occurrence += 1 } while marks[identity] != nil
                names[name] = identity.description
            }
            unsaved[index].book = names[name] ?? name
        }
    }

    private func apply(lines: [ArraySlice<UInt8>]) {
        for line in lines {
            guard let change = FavouriteLine(line: line) else {
                unreadableLineCount += 1
                continue
            }
            apply(change)
            // More changes than this nobody makes: the number is damage, and must not take those after it along.
            if change.sequence < 1 << 52 { lastSequence = max(lastSequence, change.sequence) }
        }
    }

    private func apply(_ change: FavouriteLine) {
        guard let identity = BookIdentity(change.book) else { return }
        if let old = marks.removeValue(forKey: identity) { count(old, by: -1) }
        guard change.value else { return }
        let keys = BookKeys(change, identity: identity)
        marks[identity] = keys
        count(keys, by: 1)
    }

    private func count(_ keys: BookKeys, by step: Int) {
        for key in [keys.isbn, keys.hash].compactMap(\.self) {
            let count = keyCounts[key, default: 0] + step
            keyCounts[key] = count > 0 ? count : nil
        }
    }
}

extension BookKeys {
    /// The keys that a change stores; where one is missing or damaged, the identity itself gives what it can.
    fileprivate init(_ change: FavouriteLine, identity: BookIdentity) {
        let stored = change.isbn.flatMap(BookIdentity.init)?.key
        self.init(
            isbn: [stored, identity.key].compactMap(\.self).first(where: \.isISBN),
            hash: BookIdentity(change.hash)?.key ?? identity.key)
    }
}
