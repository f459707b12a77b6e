internal import Books
internal import Catalog
internal import Graphemes
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import Text

/// Prints the books that are scanned, and puts them on a shelf.
struct FindingScan {
    private let opened: OpenedLibrary
    /// The name of the shelf; nil to print only.
    private let shelf: String?

    /// Opens the catalog.
    init(_ options: CatalogOptions, shelf: String?) throws(CommandError) {
        opened = try OpenedLibrary(options.request)
        self.shelf = shelf
    }

    /// Takes in the codes of standard input.
    ///
    /// - Returns: The exit status.
    func run() throws(CommandError) -> Int32 {
        var report = ScanReport()
        var scanned: Set<BookID> = []
        ScanReport.begin()
        let input = ScannedLines()
        while true {
            let (lines, isAtEnd) = input.take { false }
            var found: [(isbn: ISBN, ids: [BookID], book: Book)] = []
            for line in lines {
                guard let isbn = report.isbn(of: line) else { continue }
                if let (ids, book) = try books(with: isbn) {
                    found.append((isbn, ids, book))
                } else {
                    report.note(unknown: isbn)
                    printError(CommandMessage.codeUnknown.text(isbn.formatted, opened.catalog.shownPath))
                }
            }
            if let shelf, !found.isEmpty {
                let ids = found.flatMap(\.ids)
                try opened.save { () throws(FileError) in try opened.library.apply(.shelfNamed(shelf), to: ids) }
            }
            for (isbn, ids, book) in found {
                scanned.formUnion(ids)
                report.count += 1
                let code = PlainList.write("\(isbn.formatted)  \(book.titleAndAuthors.sanitized)\n")
                if code != 0 { return code }
            }
            if isAtEnd { break }
        }
        if let shelf {
            let code = PlainList.write(textOfMissing(on: shelf, scanned))
            if code != 0 { return code }
        }
        let code = report.end(shelf.map { "put on \($0)" } ?? "found", ofUnknown: "Not in the catalog")
        let status = opened.finish()
        return status == 0 ? code : status
    }

    /// Returns the books with an ISBN, and the first of them; nil if there is none.
    ///
    /// - Throws: `CommandError` if the catalog has changed, so that they are not known.
    private func books(with isbn: ISBN) throws(CommandError) -> (ids: [BookID], first: Book)? {
        let library = opened.library
        let name = BookArgument(isbn.text)
        let ids = NamedBooks([name], in: library).ids(of: name)
        if let first = ids.first, let book = library.store.wholeBook(first) { return (ids, book) }
        if !ids.isEmpty || opened.catalog.file?.isOutdated == true {
            throw CommandError(
                sentence: CommandMessage.changedWhileReading.text(opened.catalog.shownPath),
                exitStatus: ExitStatus.changed)
        }
        return nil
    }

    /// The books on the shelf that were not scanned.
    private func textOfMissing(on shelf: String, _ scanned: Set<BookID>) -> String {
        let library = opened.library
        let key = Query.shelfKey(of: shelf)
        let lists = library.lists.filter {
            if case .shelf = $0.kind { Query.shelfKey(of: $0.name) == key } else { false }
        }
        let missing = lists.map(library.books).flatMap { list in (0..<list.count).map { list[$0] } }
            .filter { !scanned.contains($0) }
        if missing.isEmpty { return "" }
        let lines = missing.compactMap { library.store.wholeBook($0) }.map { "  \($0.titleAndAuthors.sanitized)\n" }
        return "On \(shelf.sanitized), and not scanned: \(missing.count.of("book"))\n" + lines.joined()
    }
}
