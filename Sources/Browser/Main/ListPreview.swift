internal import Books
internal import Catalog
internal import Graphemes
internal import Indexing
internal import Library
internal import Shelves
internal import Storage
internal import TerminalUI

/// A line of the preview of a list.
struct PreviewLine: Hashable {
    /// A text with its style.
    struct Piece: Hashable {
        /// The text.
        var text: String
        /// Its style.
        var style = Style.plain
        /// The number of columns it has, if not those of the text.
        var width: Int?
    }

    /// The pieces, from left to right, with a blank between them.
    var pieces: [Piece]

    /// Creates a line of pieces.
    init(_ pieces: [Piece]) { self.pieces = pieces }

    /// Creates a line of one text.
    init(_ text: String, style: Style = .plain) { pieces = [Piece(text: text, style: style)] }

    /// An empty line.
    static let blank = PreviewLine([])
}

/// What a part of the preview is about.
struct PreviewSubject {
    /// The session.
    let session: Session
    /// The list.
    let list: NamedList
    /// The width of the lines, in columns.
    let width: Int
}

/// A part of the preview below the books of the list. Parts without lines are left out; a blank line stands before each
/// part.
struct PreviewPart: Sendable {
    /// Returns the lines of the part.
    let lines: @Sendable (PreviewSubject) -> [PreviewLine]

    /// The parts, from above. A further part takes a line here.
    static let all: [PreviewPart] = [
        PreviewPart(lines: upNext(of:)),
        PreviewPart(lines: ReadingYearLine.previewLines(of:)),
        PreviewPart(lines: keys(of:)),
        PreviewPart(lines: catalog(of:)),
    ]

    /// The first books up next: those of the list itself are shown as books. None from a server, which knows only those
    /// to read.
    private static func upNext(of subject: PreviewSubject) -> [PreviewLine] {
        let library = subject.session.library
        guard subject.list != .upNext, library.store.remote == nil,
            let books = library.booksAtHand(in: .upNext), books.count > 0
        else { return [] }
        let titles = (0..<min(3, books.count)).compactMap { row -> String? in
            let place = library.store.index.facts(at: books[row].index).position
            return library.store.summary(of: books[row]).value.map {
                (place.isNaN ? "" : "#\(Double(place).shown)\u{A0}") + Book($0).shownTitle
            }
        }
        return [PreviewLine([.init(text: "UP NEXT", style: .strong), .init(text: titles.joined(separator: " · "))])]
    }

    /// What can be done with the list, each with its key.
    private static func keys(of subject: PreviewSubject) -> [PreviewLine] {
        let (list, library) = (subject.list, subject.session.library)
        var commands: [(Command, String)] = [(.open, "open")]
        if list.isUserList { commands += [(.renameList, "rename"), (.deleteList, "delete")] }
        if library.count(of: list)?.total != 0 { commands.append((.export, "export")) }
        let bound = commands.filter { !subject.session.bindings.keys(of: $0.0).isEmpty }
        return [
            PreviewLine(
                bound.flatMap { command, text in
                    [
                        PreviewLine.Piece(text: subject.session.keyLabel(of: command), style: .strong),
                        PreviewLine.Piece(text: text, style: .secondary, width: text.displayColumns + 2),
                    ]
                })
        ]
    }

    /// Where the catalog is.
    private static func catalog(of subject: PreviewSubject) -> [PreviewLine] {
        [PreviewLine("File: " + abbreviatedPath(subject.session.catalogPath), style: .secondary)]
    }
}

/// The preview of a list: its first books, what can be done with it, and the catalog.
struct ListPreview {
    /// The lines, from above.
    let lines: [PreviewLine]

    /// Creates the preview of a list in a pane of `size`.
    init(of list: NamedList, in size: Size, _ session: Session) {
        let subject = PreviewSubject(session: session, list: list, width: size.columns)
        var parts = PreviewPart.all.map { $0.lines(subject) }.filter { !$0.isEmpty }
        var below: [PreviewLine] { parts.flatMap { [.blank] + $0 } }
        // The heading and some books come first in a low window.
        while !parts.isEmpty, below.count > size.rows - 6 { parts.removeLast() }
        let books = Self.books(subject, limit: size.rows - below.count - 1)
        lines = books + below
    }

    /// Creates the preview of the group of what is to be tidied up.
    init(ofTidyUpIn size: Size, _ session: Session) {
        let text = Message.tidyUpGroup.text(session.keyLabel(of: .open))
        lines =
            [PreviewLine("Tidy up", style: .strong)]
            + LineWrapper(text, width: size.columns).prefix(6).map {
                PreviewLine($0.map(\.text).joined(), style: .secondary)
            }
    }

    // MARK: - Books

    /// The number of books that are sorted by date, or searched for those that are not in the catalog.
    private static let sortedLimit = 2000

    /// Returns the heading of the list and its first books, at most `limit`.
    private static func books(_ subject: PreviewSubject, limit: Int) -> [PreviewLine] {
        let (list, library) = (subject.list, subject.session.library)
        func heading(_ rest: String) -> PreviewLine { PreviewLine(list.name + rest, style: .strong) }
        if library.remoteScope(of: list) != nil, library.store.remote != nil {
            let count = list == .all ? " · " + library.store.count.of("book") : ""
            return [heading(count)]
                + wrapped(Message.previewOnServer.text(subject.session.keyLabel(of: .open)), subject.width)
        }
        guard let count = library.count(of: list), let books = library.booksAtHand(in: list) else {
            return [heading("")] + wrapped(Message.searching.text(), subject.width)
        }
        if count.total == 0 {
            let reason =
                list == .all && library.store.state.isLoading ? "" : subject.session.books.placeholder(of: list)
            return [heading(" · no books")] + wrapped(reason, subject.width)
        }
        let text = count.total == 1 ? "1 book" : "\(count.text) books"
        guard case .status(let status) = list.kind, books.count <= sortedLimit else {
            let ids = (0..<min(limit, books.count)).map { books[$0] }
            return [heading(" · \(text)")] + ids.map { line(of: $0, subject, date: nil) }
                + missing(subject, limit: limit - ids.count)
        }
        let dated = (0..<books.count).map { row in
            (id: books[row], date: library.shownUserData(of: books[row])?.statusDates[status])
        }
        // Books that have the status in the catalog have no date.
        let sorted = dated.enumerated().sorted {
            ($0.element.date ?? "~", $0.offset) < ($1.element.date ?? "~", $1.offset)
        }.map(\.element)
        let order = books.count > 1 && dated.contains { $0.date != nil } ? ", oldest first" : ""
        return [heading(" · \(text)\(order)")]
            + sorted.prefix(limit).map { line(of: $0.id, subject, date: $0.date.map { (status, $0) }) }
            + missing(subject, limit: limit - sorted.count)
    }

    /// Returns the first books of the list that are not in the catalog, at most `limit`.
    private static func missing(_ subject: PreviewSubject, limit: Int) -> [PreviewLine] {
        let count = subject.session.library.count(of: subject.list)?.missing ?? 0
        if limit <= 0 || count > sortedLimit { return [] }
        return subject.session.library.missingUserData(in: subject.list).prefix(limit).map { _, bookData in
            let summary = BookSummary(title: bookData.title, authors: bookData.authors)
            return line(of: summary, bookData, nil, subject, date: nil)
        }
    }

    private static func line(
        of id: BookID, _ subject: PreviewSubject, date: (Book.ReadingStatus, String)?
    ) -> PreviewLine {
        let library = subject.session.library
        let slot = library.store.summary(of: id)
        guard let summary = slot.value else { return PreviewLine("  " + slot.placeholder, style: .secondary) }
        let status =
            id.index < library.store.index.count ? library.store.index.facts(at: id.index).traits.status : nil
        return line(of: summary, library.shownUserData(of: id), status, subject, date: date)
    }

    /// Returns the line of a book: sign of its status, title, author and year, and since when it has its status, as far
    /// as there is room.
    private static func line(
        of summary: BookSummary, _ bookData: UserBookData?, _ status: Book.ReadingStatus?, _ subject: PreviewSubject,
        date: (status: Book.ReadingStatus, day: String)?
    ) -> PreviewLine {
        let book = Book(summary)
        var tail: [PreviewLine.Piece] = []
        if subject.width >= 46 {
            tail.append(.init(text: book.shownAuthors, style: book.authors.isEmpty ? .secondary : .plain, width: 16))
        }
        tail.append(.init(text: summary.year.map(PartialDate.name) ?? "", width: 6))
        if subject.width >= 60, case .status = subject.list.kind {
            let word = date?.status == .toRead || date?.status == .reading ? "since " : ""
            let today = subject.session.library.today
            tail.append(
                .init(text: date.map { word + today.shortName(of: $0.day) } ?? "", style: .secondary, width: 17))
        }
        let used = tail.reduce(0) { $0 + ($1.width ?? 0) + 1 }
        let sign = (bookData?.status ?? status)?.sign ?? (bookData?.isFavourite == true ? "★" : "")
        return PreviewLine(
            [.init(text: sign, width: 1), .init(text: book.shownTitle, width: max(8, subject.width - 2 - used))] + tail)
    }

    private static func wrapped(_ text: String, _ width: Int) -> [PreviewLine] {
        LineWrapper(text, width: width).prefix(3).map {
            PreviewLine($0.map(\.text).joined(), style: .secondary)
        }
    }
}
