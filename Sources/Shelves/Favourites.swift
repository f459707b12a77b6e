public import Catalog
public import Storage

/// The reader's favourites, apart from the catalogs they are in, and kept on the disk.
public final class Favourites {
    private let journal: Journal?
    /// The marks, by the identity that the book had when it was marked.
    private(set) var marks: [BookIdentity: Mark] = [:]
    /// How many marks have a key.
    private var keyCounts: [BookIdentity.Key: Int] = [:]
    private var lastSequence = 0
    /// Changes that could not be written yet; they are tried again with the next one.
    private var unsaved: [MarkChange] = []
    /// How many lines of the journal could not be read.
    public private(set) var unreadableLineCount = 0

    /// The keys by which a marked book is found again, in this catalog or another.
    struct Mark: Hashable {
        /// Its ISBN, where it has a valid one.
        var isbn: BookIdentity.Key?
        /// The hash of its title and authors.
        var hash: BookIdentity.Key
    }

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

    /// The identities that the marked books had when they were marked, in no order.
    public var identities: [BookIdentity] { Array(marks.keys) }

    /// Makes `book` a favourite, or no longer one. When this returns, the change is on the disk.
    ///
    /// - Parameter identity: The book's identity; to take a mark away, the one it was made with.
    /// - Throws: `FileError`, where it could not be saved; it is kept in memory, and saved with the next change that is.
    public func set(_ isFavourite: Bool, _ book: Book, identity: BookIdentity) throws(FileError) {
        let change = MarkChange(.favourite, to: isFavourite, of: book, identity: identity)
        apply(change)
        unsaved.append(change)
        try save()
    }

    /// Writes the changes that could not be written before, where there are any.
    ///
    /// - Throws: `FileError`, where they could not be written again.
    public func save() throws(FileError) {
        guard let journal, !unsaved.isEmpty else { return }
        var written: [MarkChange] = []
        try journal.append { others in
            apply(lines: others)
            // What others did came before.
            unsaved.forEach(apply)
            written = unsaved
            for index in written.indices { written[index].sequence = lastSequence + index + 1 }
            return written.map(\.line)
        }
        lastSequence += written.count
        unsaved = []
    }

    private func apply(lines: [ArraySlice<UInt8>]) {
        for line in lines {
            guard let change = MarkChange(line: line) else {
                unreadableLineCount += 1
                continue
            }
            apply(change)
            lastSequence = max(lastSequence, change.sequence)
        }
    }

    private func apply(_ change: MarkChange) {
        guard let identity = BookIdentity(change.book) else { return }
        if let old = marks.removeValue(forKey: identity) { count(old, by: -1) }
        guard change.value else { return }
        let mark = Mark(change, identity: identity)
        marks[identity] = mark
        count(mark, by: 1)
    }

    private func count(_ mark: Mark, by step: Int) {
        for key in [mark.isbn, mark.hash].compactMap(\.self) {
            let count = keyCounts[key, default: 0] + step
            keyCounts[key] = count > 0 ? count : nil
        }
    }
}

extension Favourites.Mark {
    /// The keys that a change stores; where one is missing or damaged, the identity itself gives what it can.
    fileprivate init(_ change: MarkChange, identity: BookIdentity) {
        let isbn = change.isbn.flatMap(BookIdentity.init)?.key
        self.isbn = isbn?.isISBN == true ? isbn : identity.key.isISBN ? identity.key : nil
        hash = BookIdentity(change.hash)?.key ?? identity.key
    }
}
