internal import Books

/// What a format cannot keep of the values of books.
public struct FieldLoss {
    /// The name of what is lost, as it stands in a sentence.
    public let name: String
    /// Returns whether the book has something of it.
    public let isSuffered: (PrintedBook) -> Bool

    /// Creates the loss of something that the books have for which `isSuffered` returns true.
    init(_ name: String, of isSuffered: @escaping (Book) -> Bool) {
        (self.name, self.isSuffered) = (name, { isSuffered($0.book) })
    }

    /// This loss, of books only whose records the format does not keep.
    ///
    /// - Parameter isKept: Returns whether the format keeps the record of a book.
    func unless(_ isKept: @escaping (PrintedBook) -> Bool) -> FieldLoss {
        FieldLoss(name: name) { [isSuffered] in !isKept($0) && isSuffered($0) }
    }

    private init(name: String, isSuffered: @escaping (PrintedBook) -> Bool) {
        (self.name, self.isSuffered) = (name, isSuffered)
    }

    /// Creates the loss of a field.
    init(_ field: BookField) { self.init(field.nameInSentence) { field.value(in: $0) != nil } }

    /// The loss of the line breaks of descriptions.
    static var lineBreaks: FieldLoss {
        // Bytes, because each book is looked at until one suffers the loss.
        FieldLoss("line breaks in descriptions") { $0.description?.utf8.contains(UInt8(ascii: "\n")) ?? false }
    }

    /// The loss of the commas in the names of authors.
    static var commasInNames: FieldLoss {
        FieldLoss("commas in names") { $0.authors.contains { $0.utf8.contains(UInt8(ascii: ",")) } }
    }

    /// The loss of the commas in subjects.
    static var commasInSubjects: FieldLoss {
        FieldLoss("commas in subjects") { $0.subjects.contains { $0.utf8.contains(UInt8(ascii: ",")) } }
    }

    /// The loss of the covers whose pictures are not at hand.
    static var covers: FieldLoss { FieldLoss(name: "covers") { $0.book.cover != nil && $0.cover == nil } }

    /// The loss of the values that no field of the catalog has.
    static var otherValues: FieldLoss { FieldLoss("other values") { !$0.otherFields.isEmpty } }
}

extension Set<BookField> {
    /// The fields that formats for records of books have.
    static let bibliographic: Set = [
        .title, .subtitle, .authors, .contributors, .isbn, .identifiers, .publisher, .published, .pageCount, .languages,
        .subjects, .series, .seriesPosition, .description,
    ]
}

extension [FieldLoss] {
    /// The losses of a format that keeps only some fields of every catalog, and none of its own.
    static func all(but kept: Set<BookField>, in schema: Schema) -> [FieldLoss] {
        // The key is that of the record in its old catalog.
        (BookField.builtIn + schema.own).filter { !kept.contains($0) && $0 != .sourceID }.map(FieldLoss.init(_:))
            + [.otherValues]
    }
}

extension BookField {
    /// The label without its initial capital, unless it is an abbreviation.
    fileprivate var nameInSentence: String {
        let label = info.label
        let isAbbreviation = label.dropFirst().first?.isLowercase == false
        return isAbbreviation ? label : label.prefix(1).lowercased() + label.dropFirst()
    }
}
