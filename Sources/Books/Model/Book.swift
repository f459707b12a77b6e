/// A book as its catalog describes it; user data is stored separately.
///
/// `FieldMapping` reads it from records of any shape and writes it back.
public struct Book: Hashable, Sendable {
    /// The title on one line; "" if the catalog has none.
    public var title: String
    /// The authors in catalog order.
    public var authors: [String]
    /// The ISBN, valid or not.
    public var isbn: ISBN?
    /// The other valid ISBNs of the record, such as those of other bindings: the book is found by them, too.
    public var otherISBNs: [ISBN] = []
    /// The number of pages, at least 1.
    public var pageCount: Int?
    /// Whether the book is fiction; nil if the catalog does not say.
    public var fiction: Bool?

    /// The catalog's key for the book.
    public var sourceID: String?
    /// The second part of the title.
    public var subtitle: String?
    /// Another title, such as the one in the original script.
    public var otherTitle: String?
    /// The title to sort by, if the catalog gives one.
    public var sortTitle: String?
    /// The publisher.
    public var publisher: String?
    /// The publication date.
    public var published: PartialDate?
    /// The languages as BCP 47 tags, or in the catalog's words if no tag is known.
    public var languages: [String] = []
    /// The subjects, genres or tags, in catalog order.
    public var subjects: [String] = []
    /// The series that the book belongs to.
    public var series: String?
    /// The number within the series; fractional for a book between two others.
    public var seriesPosition: Double?
    /// The description in plain text, with a line feed between paragraphs.
    public var description: String?
    /// The link to a picture of the cover.
    public var cover: String?
    /// The identifiers other than ISBN, in catalog order.
    public var identifiers: [Identifier] = []
    /// The translators, editors and other contributors, in catalog order.
    public var contributors: [Contributor] = []
    /// The rating, from 0 to 5.
    public var rating: Double?
    /// The reading status.
    public var status: ReadingStatus?
    /// The date when the book was added to the catalog.
    public var dateAdded: PartialDate?
    /// The values of the fields that only its catalog has, in catalog order.
    public var own: [OwnValue] = []
    /// The values of the record that belong to no other field, in catalog order.
    public var otherFields: [OtherField] = []

    /// An identifier in a named scheme.
    public struct Identifier: Hashable, Sendable {
        /// The scheme as the catalog names it, "doi" for example.
        public var scheme: String
        /// The identifier within the scheme.
        public var value: String

        /// Creates an identifier in `scheme`.
        public init(scheme: String, value: String) {
            self.scheme = scheme
            self.value = value
        }
    }

    /// A person other than the author who contributed to a book.
    public struct Contributor: Hashable, Sendable {
        /// The name on one line.
        public var name: String
        /// The role, "translator" for example; nil if the catalog does not say.
        public var role: String?

        /// Creates a contributor with a name and an optional role.
        public init(name: String, role: String? = nil) {
            self.name = name
            self.role = role
        }
    }

    /// The progress in reading a book.
    public enum ReadingStatus: String, Hashable, Sendable, CaseIterable {
        case toRead = "to-read"
        case reading, read, abandoned
    }

    /// A value of a field that only the catalog has.
    public struct OwnValue: Hashable, Sendable {
        /// The field.
        public var field: BookField
        /// The value.
        public var value: FieldValue

        /// Creates the value of a field.
        public init(_ field: BookField, _ value: FieldValue) { (self.field, self.value) = (field, value) }
    }

    /// A value of a record that no mapped field reads.
    public struct OtherField: Hashable, Sendable {
        /// The path in the record, "metadata.modified" for example.
        public var path: String
        /// The value as text on one line.
        public var text: String

        /// Creates the value `text` at `path`.
        public init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    /// Creates a book from its five basic fields.
    public init(
        title: String, authors: [String] = [], isbn: ISBN? = nil, pageCount: Int? = nil, fiction: Bool? = nil
    ) {
        self.title = title
        self.authors = authors
        self.isbn = isbn
        self.pageCount = pageCount
        self.fiction = fiction
    }
}
