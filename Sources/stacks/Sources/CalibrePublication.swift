internal import Books
internal import Catalog
internal import ConnectorProtocol
internal import Indexing
internal import JSON
internal import Library
internal import Storage

/// Books that are added to a library on calibre's content server, or change those that it has.
final class CalibrePublication: BookOutput {
    let isWrittenForNoMatch = false
    private let target: PublishTarget
    private let copy: TargetCopy
    private let changes: ServerChanges
    private let native: FieldMapping
    private var library: PublishedLibrary
    /// The keys of the books, by which they are counted in the end.
    private var keys: [MatchKeys] = []
    private var preview = PublishedTitles()
    private var additionCount = 0

    /// Creates the output to `target`, of which `copy` is up to date.
    ///
    /// - Throws: `CommandError` if the copy cannot be read.
    init(to target: PublishTarget, _ copy: TargetCopy, _ changes: ServerChanges) throws(CommandError) {
        guard let native = ProfileLibrary(directory: nil).profile(named: "native") else {
            throw ConnectorFailure(.helper).commandError(publishing: target.name.path)
        }
        (self.target, self.copy, self.changes, self.native) = (target, copy, changes, native.mapping)
        library = try PublishedLibrary(copy, in: target.directories)
    }

    func write(_ text: inout [UInt8]) -> Int32? {
        defer { text.removeAll(keepingCapacity: true) }
        do throws(CommandError) {
            for row in text.split(separator: UInt8(ascii: "\n")) {
                guard let record = JSONValue(parsing: row) else { continue }
                try add(native.book(from: record))
            }
            return nil
        } catch {
            return error.report()
        }
    }

    private func add(_ book: Book) throws(CommandError) {
        let book = PublishedLibrary.kept(book)
        keys.append(MatchKeys(of: book))
        let (old, new) = library.change(to: book)
        if old == new { return }
        if old == nil { additionCount += 1 }
        try changes.add(old: old, new: new, title: book.title)
        preview.add(book.title)
    }

    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 {
        do throws(CommandError) {
            return try publish()
        } catch {
            return error.report()
        }
    }

    private func publish() throws(CommandError) -> Int32 {
        let books = keys.count.of("book")
        var (sent, refusals): (Int, [ServerChanges.Refusal]) = (0, [])
        if changes.count > 0 {
            (sent, refusals) = try changes.send(isDryRun: target.isDryRun, omittingMisfits: true)
            changes.say(refusals)
        }
        var sentence: String
        if sent == 0, refusals.isEmpty {
            sentence = Message.publishedAlready.text(target.shownName, books)
        } else {
            let refusedAdditions = max(0, additionCount + refusals.count - changes.count)
            let added = min(sent, additionCount - refusedAdditions)
            let same = keys.count - sent - refusals.count
            let account = "\(added.grouped) added, \((sent - added).grouped) changed, \(same.grouped) the same"
            sentence =
                target.isDryRun
                ? Message.wouldPublish.text("\(sent.of("book")) (\(account))", target.shownName, preview.description)
                : Message.published.text("\(sent.of("book")) (\(account))", target.shownName)
        }
        if !target.isDryRun, sent > 0 { try count(refused: refusals.count) }
        let code = PlainList.write(sentence + ".\n")
        return code == 0 ? refusals.exitStatus : code
    }

    /// Copies what has changed, and counts the books that were published in it.
    ///
    /// - Throws: `CommandError` if some are not there.
    private func count(refused: Int) throws(CommandError) {
        _ = try copy.bringUpToDate()
        let counted = try PublishedLibrary(copy, in: target.directories).count(keys)
        if counted < keys.count - refused {
            throw CommandError(
                sentence: Message.publishCountDiffers.text(
                    (keys.count - refused).of("book"), target.shownName, counted.grouped),
                exitStatus: ExitStatus.serverRefused)
        }
    }
}

/// A library on calibre's content server as its copy has it, in which books are found by their identity.
struct PublishedLibrary {
    /// The books of the copy; nil if there are none.
    private let store: BookStore?
    private let mapping: FieldMapping
    private let lookup: BookLookup
    /// The books that were found already: doubles are those of others.
    private var taken: Set<BookID> = []

    /// Opens a copy.
    ///
    /// - Throws: `CommandError` if it cannot be read.
    init(_ copy: TargetCopy, in directories: Directories) throws(CommandError) {
        let calibre = ProfileLibrary(directory: nil).profile(named: "calibre")
        var store: BookStore?
        if copy.directory.state?.rows ?? 0 > 0 {
            let opened = try OpenedCatalog(
                CatalogRequest(name: copy.name.path, refreshes: .never), in: directories, edits: .ignored,
                lastOpened: { nil })
            opened.source.readRestShowingProgress()
            store = opened.store
        }
        guard let mapping = store?.recordBacked?.format?.mapping ?? calibre?.mapping else {
            throw ConnectorFailure(.helper).commandError(publishing: copy.name.path)
        }
        (self.store, self.mapping) = (store, mapping)
        let index = store?.index ?? BookIndex()
        lookup = BookLookup(of: (0..<index.count).flatMap { index.keys(of: BookID($0)).all }, in: index)
    }

    /// Returns a book as calibre keeps it, which has no book without an author, no author twice, no "&" in a
    /// name, and no comma in a tag.
    static func kept(_ book: Book) -> Book {
        var book = book
        var known: Set<String> = []
        // It has "&" between names.
        book.authors = book.authors.map { $0.replacing("&", with: ";") }
        // It has commas between tags.
        book.subjects = book.subjects.map { $0.replacing(",", with: ";") }
        book.authors = book.authors.filter { known.insert($0.lowercased()).inserted }
        if book.authors.isEmpty { book.authors = [unknown] }
        if book.title.isEmpty { book.title = unknown }
        // The catalog's own number means nothing there, and a picture is not at its link.
        (book.sourceID, book.cover) = (nil, nil)
        if book.series == nil { book.seriesPosition = nil }
        book.identifiers.removeAll { $0.scheme == fileScheme }
        return book
    }

    /// What calibre calls an author or a title that is not known.
    private static let unknown = "Unknown"
    /// The scheme of the files of a book, which are no identifiers.
    private static let fileScheme = "file"

    /// Returns the record of a book as it is and as it is to be; nil if the library does not have the book, which is taken
    /// by this.
    mutating func change(to book: Book) -> (old: JSONValue?, new: JSONValue) {
        guard let id = id(of: book) ?? id(of: Self.whileBeingAdded(book)), let record = store?.recordBacked?.record(id),
            let known = store?.bookAtHand(id)
        else {
            return (nil, mapping.record(of: book))
        }
        taken.insert(id)
        var changed = known
        var fields: Set<BookField> = []
        for field in mapping.rules.keys where field != .dateAdded && field != .identifiers {
            guard let value = field.value(in: book), field.value(in: known) != value else { continue }
            field.set(value, in: &changed)
            fields.insert(field)
        }
        for identifier in book.identifiers where !known.identifiers.contains(identifier) {
            changed.identifiers.removeAll { $0.scheme == identifier.scheme }
            changed.identifiers.append(identifier)
            fields.insert(.identifiers)
        }
        return (record, mapping.record(of: changed, in: record, writing: fields))
    }

    private func id(of book: Book) -> BookID? {
        lookup.ids(bestMatching: MatchKeys(of: book)).first { !taken.contains($0) }
    }

    /// Returns a book as the library has it between the two requests that add it: calibre takes an author such as
    /// "Ann and Ben" for two when it adds a book, and gets the name as it is by the second request. If that was
    /// never sent, the book is recognized by this, and not added again.
    private static func whileBeingAdded(_ book: Book) -> Book {
        var book = book
        book.authors = book.authors.flatMap { name in
            name.split(whereSeparator: \.isWhitespace)
                .split { ["and", "with"].contains($0.lowercased()) }
                .map { words in
                    let author = words.joined(separator: " ")
                    return author.hasSuffix(",") ? String(author.dropLast()) : author
                }
        }
        return book
    }

    /// Returns how many books with these keys the library has.
    func count(_ keys: [MatchKeys]) -> Int { keys.count { !lookup.ids(bestMatching: $0).isEmpty } }
}
