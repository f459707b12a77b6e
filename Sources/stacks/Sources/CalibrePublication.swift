internal import Books
internal import Catalog
internal import ConnectorProtocol
internal import Editing
internal import Indexing
internal import JSON
internal import Library
internal import Remote
internal import Storage
internal import Text

/// The output of books to a library on calibre's content server: new books are added, books that it has are changed.
final class CalibrePublication: BookOutput {
    let isWrittenForNoMatch = false
    private let target: PublishTarget
    private let copy: TargetDownload
    private let changes: ServerChanges
    private let native: FieldMapping
    private var library: PublishedLibrary
    /// The match keys of the books, for counting them on the server at the end.
    private var keys: [MatchKeys] = []
    private var preview = PublishedTitles()
    private var additionCount = 0

    /// Creates the output to `target`; `copy` is its up-to-date copy.
    ///
    /// - Throws: `CommandError` if the copy cannot be read.
    init(to target: PublishTarget, _ copy: TargetDownload, _ changes: ServerChanges) throws(CommandError) {
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
        let book = book.keptByCalibre
        keys.append(MatchKeys(of: book))
        let (old, new) = library.change(to: book)
        if old == new { return }
        if old == nil { additionCount += 1 }
        try changes.add(ServerChange(old: old, new: new), title: book.title)
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
        var (sent, refusals): (Int, [ServerRefusal]) = (0, [])
        if changes.count > 0 {
            (sent, refusals) = try changes.send(isDryRun: target.isDryRun, omittingUnsupported: true)
            refusals.report()
        }
        var sentence: String
        if sent == 0, refusals.isEmpty {
            sentence = CommandMessage.publishedAlready.text(target.shownName, books)
        } else {
            let refusedAdditions = max(0, additionCount + refusals.count - changes.count)
            let added = min(sent, additionCount - refusedAdditions)
            let same = keys.count - sent - refusals.count
            let account = "\(added.grouped) added, \((sent - added).grouped) changed, \(same.grouped) the same"
            sentence =
                target.isDryRun
                ? CommandMessage.wouldPublish.text(
                    "\(sent.of("book")) (\(account))", target.shownName, preview.description)
                : Message.published.text("\(sent.of("book")) (\(account))", target.shownName)
        }
        if !target.isDryRun, sent > 0 { try count(refused: refusals.count) }
        let code = PlainList.write(sentence + ".\n")
        return code == 0 ? refusals.exitStatus : code
    }

    /// Updates the copy and counts the published books in it.
    ///
    /// - Throws: `CommandError` if books are missing on the server.
    private func count(refused: Int) throws(CommandError) {
        _ = try copy.bringUpToDate()
        let counted = try PublishedLibrary(copy, in: target.directories).count(keys)
        if counted < keys.count - refused {
            throw CommandError(
                sentence: CommandMessage.publishCountDiffers.text(
                    (keys.count - refused).of("book"), target.shownName, counted.grouped),
                exitStatus: ExitStatus.serverRefused)
        }
    }
}

/// The copy of a library on calibre's content server, in which books are found by their identity.
struct PublishedLibrary {
    /// The books of the copy; nil if the library is empty.
    private let store: BookStore?
    private let mapping: FieldMapping
    private let lookup: BookLookup
    /// The books already matched; a duplicate matches the next one.
    private var taken: Set<BookID> = []

    /// Opens the copy.
    ///
    /// - Throws: `CommandError` if it cannot be read.
    init(_ copy: TargetDownload, in directories: Directories) throws(CommandError) {
        let calibre = ProfileLibrary(directory: nil).profile(named: "calibre")
        var store: BookStore?
        if copy.directory.state?.rows ?? 0 > 0 {
            let opened = try CatalogRequest(name: copy.name.path, copying: CopyChoice(refreshes: .never))
                .open(in: directories, edits: .ignored) { nil }
            opened.file?.readRestShowingProgress()
            store = opened.store
        }
        guard let mapping = store?.recordBacked?.format?.mapping ?? calibre?.mapping else {
            throw ConnectorFailure(.helper).commandError(publishing: copy.name.path)
        }
        (self.store, self.mapping) = (store, mapping)
        let index = store?.index ?? BookIndex()
        lookup = BookLookup(of: (0..<index.count).flatMap { index.keys(of: BookID($0)).all }, in: index)
    }

    /// Returns the current and the changed record of a book, and marks the book as matched. The current record is nil
    /// if the library does not have the book.
    mutating func change(to book: Book) -> (old: JSONValue?, new: JSONValue) {
        guard let id = id(of: book) ?? id(of: book.halfAddedToCalibre), let record = store?.recordBacked?.record(id),
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

    /// Returns the number of keys whose books are in the library.
    func count(_ keys: [MatchKeys]) -> Int { keys.count { !lookup.ids(bestMatching: $0).isEmpty } }
}
