internal import Books
internal import Catalog
internal import Graphemes
internal import Indexing
internal import JSON
internal import Library
internal import Storage
internal import TerminalUI

/// What the reader does with a book, or with all that they marked.
extension Browser {
    /// The most books that something is done with at once.
    private static let maximumTargets = 100_000

    /// The rows between the one where a range began and the selected one; nil where none began.
    var range: ClosedRange<Int>? {
        // Behind the books of the catalog stand marks on others.
        guard let rangeStart, let row = bookTable.selectedRow, min(rangeStart, row) < bookSource.list.count
        else { return nil }
        return min(rangeStart, row)...min(max(rangeStart, row), bookSource.list.count - 1)
    }

    /// How many books are marked, with the range that is being marked.
    var markedCount: Int {
        let open = range.map { $0.count { !bookSource.marks.contains(bookSource.list.index(atRow: $0)) } }
        return bookSource.marks.count + (open ?? 0)
    }

    /// Marks so many rows from the selected one on, or, where that is marked, takes the marks away; and goes on.
    func markRows(count: Int) {
        guard let row = bookTable.selectedRow else { return }
        endRange()
        guard row < bookSource.list.count else {
            message = "Only books of this catalog can be marked"
            return
        }
        let (end, isBeyond) = row.addingReportingOverflow(max(1, count))
        let rows = row..<min(isBeyond ? .max : end, bookSource.list.count)
        if bookSource.marks.contains(bookSource.list.index(atRow: row)) {
            for row in rows { bookSource.marks.remove(bookSource.list.index(atRow: row)) }
        } else {
            bookSource.marks.insert(rows: rows, of: bookSource.list)
        }
        anchor = nil
        bookTable.moveSelection(by: rows.count)
    }

    /// Begins to mark a range at the selected row, or ends it.
    func toggleRange() {
        if rangeStart != nil { endRange() } else if selectedMissing == nil { rangeStart = bookTable.selectedRow }
    }

    /// Marks the rows of the range that was begun.
    func endRange() {
        if let range { bookSource.marks.insert(rows: Range(range), of: bookSource.list) }
        rangeStart = nil
    }

    /// Marks all rows of the list, or none of them, where all are.
    func toggleAllMarks() {
        endRange()
        let list = bookSource.list
        let areAllMarked = (0..<list.count).allSatisfy { bookSource.marks.contains(list.index(atRow: $0)) }
        if areAllMarked {
            for row in 0..<list.count { bookSource.marks.remove(list.index(atRow: row)) }
        } else {
            bookSource.marks.insert(rows: 0..<list.count, of: list)
        }
    }

    /// The books that a command is about: the marked ones, or else the selected one. None, and a message, where they are
    /// too many.
    func targets() -> [Int] {
        endRange()
        guard !bookSource.marks.isEmpty else { return selectedIndex.map { [$0] } ?? [] }
        guard bookSource.marks.count <= Self.maximumTargets else {
            message =
                "\(bookSource.marks.count.grouped) books are marked: at most \(Self.maximumTargets.grouped) at once"
            return []
        }
        return bookSource.marks.indices
    }

    /// The keys of the marked books, where they are few enough to be found again after a reload.
    var keysOfMarkedBooks: [MatchKeys] {
        endRange()
        guard bookSource.marks.count <= Self.maximumTargets else { return [] }
        return bookSource.marks.indices.map(library.store.index.keys(at:))
    }

    /// Marks the books with these keys, and no others.
    func markBooks(with keys: [MatchKeys]) {
        bookSource.marks = BookSet()
        guard !keys.isEmpty else { return }
        let finder = BookLookup(of: keys.flatMap(\.all), in: library.store.index)
        for keys in keys {
            if let index = finder.indices(bestMatching: keys).first { bookSource.marks.insert(index) }
        }
    }

    // MARK: - Copies and links

    /// Copies something of the books.
    func copy(_ command: Command) {
        let books = targets().compactMap { index in library.store.book(at: index).map { (index, $0) } }
        guard let (_, first) = books.first else { return }
        let lines = books.compactMap { index, book in text(of: book, at: index, for: command) }.filter { !$0.isEmpty }
        let noun = command.copiedNoun
        guard !lines.isEmpty else {
            message = books.count == 1 ? "This book has no \(noun)" : "These books have no \(noun)"
            return
        }
        let copied = lines.joined(separator: "\n")
        let what = books.count == 1 ? "\(noun) of \(first.shownTitle)" : "\(noun) of \(lines.count.of("book"))"
        if clipboard(copied) {
            message = "Copied: " + what
            return
        }
        do throws(FileError) {
            let place = try copies.keep(copied)
            message =
                place.map { "This terminal has no clipboard for it: copied to \($0)" } ?? "There is no clipboard here"
        } catch {
            message = "Not copied: \(error.savingSentence)"
        }
    }

    private func text(of book: Book, at index: Int, for command: Command) -> String? {
        switch command {
        case .copyTitle: return book.shownTitle.onOneLine
        case .copyAuthors: return book.authors.listed.onOneLine
        case .copyISBN: return book.isbn?.text.onOneLine
        default:
            var bytes: [UInt8] = []
            let record = library.store.record(at: index)
            (record ?? book.nativeRecord(identity: library.store.index.identity(at: index))).writeHarmlessly(to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Opens a link of the book, the first or that of `number`; of marked books the first of each.
    func openLink(number: Int?) {
        let books = targets().compactMap(library.store.book(at:))
        guard let first = books.first else { return }
        guard books.count <= Self.maximumLinks else {
            message = "\(books.count.grouped) books are marked: at most \(Self.maximumLinks) links are opened at once"
            return
        }
        let number = max(1, number ?? 1)
        let links = books.compactMap { book in book.links.dropFirst(number - 1).first }
        guard !links.isEmpty else {
            message =
                books.count == 1 && !first.links.isEmpty
                ? "This book has \(first.links.count.of("link")), none by the number \(number)"
                : "\(books.count == 1 ? "This book has" : "These books have") no link to the web"
            return
        }
        for link in links {
            if let problem = opener.open(link) {
                message = problem
                return
            }
        }
        message = links.count == 1 ? "Opened: \(links[0].text)" : "Opened: \(links.count.of("link"))"
    }

    private static let maximumLinks = 10
}

extension Command {
    /// What it copies, for people.
    fileprivate var copiedNoun: String {
        switch self {
        case .copyTitle: "title"
        case .copyAuthors: "authors"
        case .copyISBN: "ISBN"
        default: "record"
        }
    }
}

extension String {
    /// This text on one line, as a copy of several books has a line for each, and harmless, as it may be pasted into a
    /// shell.
    fileprivate var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ").sanitized }
}
