internal import Books
internal import Library
internal import Shelves
internal import TerminalUI

/// All that is known of a book, with a label for each field: the form that is printed.
struct LabelledBook {
    /// The book as the catalog describes it.
    let book: Book
    /// The names of the reader's shelves that it is on.
    var shelves: [String] = []
    /// What else is the reader's own of it.
    var bookData: UserBookData?
    /// The directory of the calibre library that is open, if one is.
    var directory: String?

    /// Titles and authors, labelled fields, note, description, fields that stacks does not know, and links.
    ///
    /// Title, authors, ISBN, pages and kind always have a line, other fields only if they have a value.
    var paragraphs: [TextView.Paragraph] {
        heading + [.init("")] + fields + note + description + otherFields + links
    }

    /// The paragraphs of a book that is not in the catalog.
    var paragraphsOfAbsent: [TextView.Paragraph] {
        heading + [.init(""), .init("Not in this catalog", style: .secondary)] + userDataFields + note
    }

    private var heading: [TextView.Paragraph] {
        var paragraphs: [TextView.Paragraph] = [.init(book.shownTitle, style: .strong)]
        for title in [book.subtitle, book.otherTitle].compactMap(\.self) { paragraphs.append(.init(title)) }
        paragraphs.append(.init(book.shownAuthors))
        return paragraphs
    }

    private var fields: [TextView.Paragraph] {
        var paragraphs: [TextView.Paragraph] = []
        func add(_ text: String?, _ label: String) {
            if let text, !text.isEmpty { paragraphs.append(.init(text, label: label)) }
        }
        for field in BookField.inPrint {
            switch field {
            case .isbn: add(book.shownISBN, field.info.label)
            case .pageCount: add(book.shownPages, field.info.label)
            case .fiction: add(book.shownKind, "Kind")
            case .languages: add(field.shown(in: book), book.languages.count == 1 ? "Language" : field.info.label)
            case .contributors: for (role, names) in book.shownContributors { add(names, role) }
            case .identifiers:
                let identifiers = book.identifiersWithoutFiles(below: directory)
                add(identifiers.map { "\($0.scheme): \($0.value)" }.joined(separator: "\n"), field.info.label)
            case .status:
                // What the reader says goes before what the catalog does.
                if bookData?.status == nil { add(field.shown(in: book), field.info.label) }
                paragraphs += userDataFields
            case .sortTitle where book.sortTitle == book.title: break
            default: add(field.shown(in: book), field.info.label)
            }
        }
        for own in book.own { add(own.field.shown(in: book), own.field.info.label) }
        return paragraphs
    }

    /// The user data of the book, without the note.
    private var userDataFields: [TextView.Paragraph] {
        var paragraphs: [TextView.Paragraph] = []
        if let status = bookData?.datedStatus { paragraphs.append(.init(status, label: "Status")) }
        if let rating = bookData?.rating {
            paragraphs.append(.init(UndoStep.stars(rating), label: "My rating", style: .sign))
        }
        let lists = (bookData?.isFavourite == true ? [NamedList.favourites.name] : []) + shelves
        if !lists.isEmpty { paragraphs.append(.init(lists.listed, label: "Shelves")) }
        return paragraphs
    }

    private var note: [TextView.Paragraph] {
        guard let lines = bookData?.noteLines, !lines.isEmpty else { return [] }
        return [.init(""), .init("Note", style: .strong)] + lines.map { .init($0) }
    }

    private var description: [TextView.Paragraph] {
        let paragraphs = book.descriptionParagraphs
        return paragraphs.isEmpty ? [] : [.init("")] + paragraphs.map { .init($0) }
    }

    private var otherFields: [TextView.Paragraph] {
        if book.otherFields.isEmpty { return [] }
        return [.init(""), .init("More fields", style: .strong)]
            + book.otherFields.map { .init($0.text, label: $0.path) }
    }

    /// Where the links lead, by the numbers that open them.
    private var links: [TextView.Paragraph] {
        let links = book.links(below: directory)
        if links.isEmpty { return [] }
        return [.init(""), .init("Links", style: .strong)]
            + links.enumerated().map { .init($1.text, label: "\($0 + 1)") }
    }
}
