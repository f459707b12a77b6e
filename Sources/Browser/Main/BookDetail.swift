internal import Books
internal import Catalog
internal import Library
internal import Search
internal import Shelves
internal import TerminalUI

/// The contents of the detail pane.
enum BookDetail: Hashable {
    /// No row is current.
    case nothingSelected
    /// The book is not available, for this reason: not loaded yet, removed, or not readable.
    case notThere(String)
    /// A book, the names of the reader's lists that it is on, what else is their own of it, and the directory of the
    /// calibre library that is open, if one is.
    case book(Book, shelves: [String], bookData: UserBookData? = nil, directory: String? = nil)
    /// A mark on a book that is not in the catalog, and the names of the lists that it is on.
    case absent(UserBookData, shelves: [String])

    /// The detail of what a source has in place of a book.
    init(_ slot: Slot<Book>, shelves: [String], bookData: UserBookData?, directory: String?) {
        if case .ready(let book) = slot {
            self = .book(book, shelves: shelves, bookData: bookData, directory: directory)
        } else {
            self = .notThere(slot.placeholder)
        }
    }

    /// The paragraphs with the matches of `finder` highlighted.
    func paragraphs(highlightedBy finder: MatchHighlighter?) -> [TextView.Paragraph] {
        guard let finder, case .book(let book, _, _, _) = self else { return paragraphs }
        let labels: [String: Query.TextField] = [
            "ISBN": .isbn, "Series": .series, "Subjects": .subject, "Publisher": .publisher, "Language": .language,
            "Languages": .language,
        ]
        return paragraphs.enumerated().map { number, paragraph in
            var paragraph = paragraph
            let field: Query.TextField
            if let known = labels[paragraph.label] {
                field = known
            } else if paragraph.label.isEmpty {
                // Title, subtitle and authors come first; the paragraphs of the description belong to no field.
                field = paragraph.text == book.shownAuthors && number <= 2 ? .author : .title
            } else {
                return paragraph
            }
            paragraph.highlights = finder.ranges(in: paragraph.text, field: field)
            return paragraph
        }
    }

    /// The text of the pane: title and authors, labelled fields, description, and fields that stacks does not know.
    /// Title, authors, ISBN, pages and kind always have a line, other fields only if they have a value.
    var paragraphs: [TextView.Paragraph] {
        switch self {
        case .nothingSelected: []
        case .notThere(let reason): [.init(reason, style: .secondary)]
        case .book(let book, let shelves, let bookData, let directory):
            heading(of: book) + [.init("")]
                + fields(of: book, shelves: shelves, bookData: bookData, directory: directory)
                + note(of: bookData)
                + description(of: book) + otherFields(of: book) + links(book.links(below: directory))
        case .absent(let bookData, let shelves):
            heading(of: Book(title: bookData.title, authors: bookData.authors))
                + [.init(""), .init("Not in this catalog", style: .secondary)]
                + userDataFields(bookData, shelves: shelves)
                + note(of: bookData)
        }
    }

    private func heading(of book: Book) -> [TextView.Paragraph] {
        var paragraphs: [TextView.Paragraph] = [.init(book.shownTitle, style: .strong)]
        if let subtitle = book.subtitle { paragraphs.append(.init(subtitle)) }
        paragraphs.append(.init(book.shownAuthors))
        return paragraphs
    }

    private func fields(
        of book: Book, shelves: [String], bookData: UserBookData?, directory: String?
    ) -> [TextView.Paragraph] {
        var paragraphs: [TextView.Paragraph] = [
            .init(book.shownISBN, label: "ISBN"),
            .init(book.shownPages, label: "Pages"),
            .init(book.shownKind, label: "Kind"),
        ]
        func add(_ text: String?, _ label: String) {
            if let text, !text.isEmpty { paragraphs.append(.init(text, label: label)) }
        }
        add(book.shownSeries, "Series")
        add(book.publisher, "Publisher")
        add(book.published?.shown, "Published")
        add(book.shownLanguages, book.languages.count == 1 ? "Language" : "Languages")
        add(book.subjects.listed, "Subjects")
        add(book.shownRating, "Rating")
        for (role, names) in book.shownContributors { add(names, role) }
        let identifiers = book.identifiersWithoutFiles(below: directory)
        add(identifiers.map { "\($0.scheme): \($0.value)" }.joined(separator: "\n"), "Identifiers")
        // What the reader says goes before what the catalog does.
        if bookData?.status == nil { add(book.status?.shown, "Status") }
        paragraphs += userDataFields(bookData, shelves: shelves)
        add(book.dateAdded?.shown, "Added")
        add(book.cover, "Cover")
        if book.sortTitle != book.title { add(book.sortTitle, "Sorted as") }
        add(book.sourceID, "ID")
        return paragraphs
    }

    /// The user data of a book, without the note.
    private func userDataFields(_ bookData: UserBookData?, shelves: [String]) -> [TextView.Paragraph] {
        var paragraphs: [TextView.Paragraph] = []
        if let bookData, let status = bookData.status {
            let date = bookData.statusDates[status].map { ", " + $0 } ?? ""
            paragraphs.append(.init(status.shown + date, label: "Status"))
        }
        if let rating = bookData?.rating {
            paragraphs.append(.init(UndoStep.stars(rating), label: "My rating", style: .sign))
        }
        if !shelves.isEmpty { paragraphs.append(.init(shelves.listed, label: "Shelves")) }
        return paragraphs
    }

    /// The note, with a paragraph for each line.
    private func note(of bookData: UserBookData?) -> [TextView.Paragraph] {
        guard let note = bookData?.note else { return [] }
        return [.init(""), .init("Note", style: .strong)]
            + note.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { .init(String($0)) }
    }

    /// The paragraphs of the description, with an empty line before each one that is not a list item.
    private func description(of book: Book) -> [TextView.Paragraph] {
        guard let description = book.description, !description.isEmpty else { return [] }
        var paragraphs = [TextView.Paragraph("")]
        // Splitting bytes: finding character boundaries would cost more than everything else here.
        for line in description.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            let isItem =
                line.hasPrefix("• ") || line.first?.isNumber == true && line.drop(while: \.isNumber).hasPrefix(". ")
            if !isItem && paragraphs.count > 1 { paragraphs.append(.init("")) }
            paragraphs.append(.init(String(line)))
        }
        return paragraphs
    }

    private func otherFields(of book: Book) -> [TextView.Paragraph] {
        if book.otherFields.isEmpty { return [] }
        return [.init(""), .init("More fields", style: .strong)]
            + book.otherFields.map { .init($0.text, label: $0.path) }
    }

    /// Where the links lead, by the numbers that open them.
    private func links(_ links: [BookLink]) -> [TextView.Paragraph] {
        if links.isEmpty { return [] }
        return [.init(""), .init("Links", style: .strong)]
            + links.enumerated().map { .init($1.text, label: "\($0 + 1)") }
    }
}
