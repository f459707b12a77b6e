public import Books
internal import Catalog
internal import Editing
public import Indexing
public import Shelves

/// A paragraph of a printed book, with its label, which is empty if it has none.
public struct LabelledText: Hashable, Sendable {
    /// The text, which may have several lines.
    public let text: String
    /// The label.
    public let label: String

    /// Creates a paragraph.
    public init(_ text: String, label: String = "") { (self.text, self.label) = (text, label) }
}

/// All that is known of a book, with a label for each field, for printing.
public struct LabelledBook {
    /// The book as the catalog describes it.
    private let book: Book
    /// The names of the user's shelves that it is on.
    private let shelves: [String]
    /// The user data of the book.
    private let bookData: UserBookData?
    /// The directory of the calibre library that is open, if one is.
    private let directory: String?

    /// Describes a book, with the names of the shelves that it is on, its user data, and the directory of the calibre
    /// library that is open, if one is.
    public init(book: Book, shelves: [String] = [], bookData: UserBookData? = nil, directory: String? = nil) {
        (self.book, self.shelves, self.bookData, self.directory) = (book, shelves, bookData, directory)
    }

    /// Titles and authors, labelled fields, note, description, fields that stacks does not know, and links.
    ///
    /// Title, authors, ISBN, pages and kind always have a line, other fields only if they have a value.
    public var paragraphs: [LabelledText] {
        heading + [.init("")] + fields + note + description + otherFields + links
    }

    /// The paragraphs of a book that is not in the catalog.
    fileprivate var paragraphsOfAbsent: [LabelledText] {
        heading + [.init(""), .init("Not in this catalog")] + userDataFields + note
    }

    private var heading: [LabelledText] {
        var paragraphs: [LabelledText] = [.init(book.shownTitle)]
        for title in [book.subtitle, book.otherTitle].compactMap(\.self) { paragraphs.append(.init(title)) }
        paragraphs.append(.init(book.shownAuthors))
        return paragraphs
    }

    private var fields: [LabelledText] {
        var paragraphs: [LabelledText] = []
        func add(_ text: String?, _ label: String) {
            if let text, !text.isEmpty { paragraphs.append(.init(text, label: label)) }
        }
        for field in BookField.inPrint {
            switch field {
            case .isbn: add(book.shownISBN, field.info.label)
            case .pageCount: add(book.shownPages, field.info.label)
            case .fiction: add(book.shownKind, "Kind")
            case .languages: add(field.shown(in: book), book.languages.count == 1 ? "Language" : field.info.label)
            case .contributors: for (role, names) in book.shownContributors { add(names.listed, role) }
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
    private var userDataFields: [LabelledText] {
        var paragraphs: [LabelledText] = []
        if let status = bookData?.datedStatus { paragraphs.append(.init(status, label: "Status")) }
        if let rating = bookData?.rating {
            paragraphs.append(.init(rating.text, label: "My rating"))
        }
        let lists = (bookData?.isFavourite == true ? [NamedList.favourites.name] : []) + shelves
        if !lists.isEmpty { paragraphs.append(.init(lists.listed, label: "Shelves")) }
        return paragraphs
    }

    private var note: [LabelledText] {
        guard let lines = bookData?.noteLines, !lines.isEmpty else { return [] }
        return [.init(""), .init("Note")] + lines.map { .init($0) }
    }

    private var description: [LabelledText] {
        let paragraphs = book.descriptionParagraphs
        return paragraphs.isEmpty ? [] : [.init("")] + paragraphs.map { .init($0) }
    }

    private var otherFields: [LabelledText] {
        if book.otherFields.isEmpty { return [] }
        return [.init(""), .init("More fields")]
            + book.otherFields.map { .init($0.text, label: $0.path) }
    }

    /// Where the links lead, by the numbers that open them.
    private var links: [LabelledText] {
        let links = book.links(below: directory)
        if links.isEmpty { return [] }
        return [.init(""), .init("Links")]
            + links.enumerated().map { .init($1.text, label: "\($0 + 1)") }
    }
}

extension Library {
    /// Returns the names of the shelves that contain a book with this user data.
    public func shelfNames(of bookData: UserBookData) -> [String] {
        userData.shelves.filter { bookData.shelves.contains($0.id) }.map(\.name)
    }

    /// Returns all details of a book, each with its label; for a book that is not available, the reason.
    public func labelledDetails(of id: BookID) -> [LabelledText] {
        let slot = store.book(id)
        guard case .ready(let book) = slot else { return [LabelledText(slot.placeholder)] }
        let bookData = userData(of: id)
        return LabelledBook(
            book: book, shelves: bookData.map(shelfNames(of:)) ?? [], bookData: bookData,
            directory: store.libraryDirectory
        ).paragraphs
    }

    /// Returns the user data of a book that is not in the catalog, each value with its label.
    public func labelledDetails(ofMissing bookData: UserBookData) -> [LabelledText] {
        let bookData = userData.shown(bookData)
        return LabelledBook(
            book: Book(title: bookData.title, authors: bookData.authors), shelves: shelfNames(of: bookData),
            bookData: bookData
        ).paragraphsOfAbsent
    }
}
