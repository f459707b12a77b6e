/// The fields of a book; the raw values are their names in a profile.
///
/// The table below is the single source of their properties. Other modules refer to it: queries, columns, facets and
/// sort keys take their names from here.
public enum BookField: String, CaseIterable, Sendable {
    case title, authors, isbn, pageCount, fiction
    case sourceID = "id"
    case subtitle, sortTitle, publisher, published, languages, subjects, series, seriesPosition
    case description, cover, identifiers, contributors, rating, status, dateAdded

    /// A row of the table.
    public struct Info: Sendable {
        /// The label of the field on the screen.
        public let label: String
        /// The kind of its values.
        public let kind: Kind
        /// The description of a valid value in error messages, such as "a date".
        public let noun: String
        /// The names of the field in queries, the canonical one first; empty if queries do not support it.
        public let queryNames: [String]
        /// The heading of the field as a list column, if it can be one.
        public let columnLabel: String?

        fileprivate init(_ label: String, _ kind: Kind, _ noun: String, query: [String] = [], column: String? = nil) {
            (self.label, self.kind, self.noun, queryNames, columnLabel) = (label, kind, noun, query, column)
        }
    }

    /// The kinds of field values.
    public enum Kind: Sendable {
        case text, number, isbn, date, boolean, status
        /// Several values, from the first path in a record that has any.
        case list
        /// Several values, each with its role or scheme, from all paths in a record that have any.
        case gatheredList
    }

    private static let table: [BookField: Info] = [
        .title: Info("Title", .text, "a title", query: ["title", "titles"], column: "Title"),
        .authors: Info("Authors", .list, "a name", query: ["author", "authors", "by", "writer"], column: "Author"),
        .isbn: Info("ISBN", .isbn, "an ISBN", query: ["isbn"], column: "ISBN"),
        .pageCount: Info(
            "Pages", .number, "a number of pages", query: ["pages", "page", "pagecount"], column: "Pages"),
        .fiction: Info("Fiction", .boolean, "yes or no", query: ["fiction"]),
        .sourceID: Info("ID", .text, "a number in a scheme"),
        .subtitle: Info("Subtitle", .text, "a title"),
        .sortTitle: Info("Sorted as", .text, "a title"),
        .publisher: Info(
            "Publisher", .text, "a publisher", query: ["publisher", "publishers", "press"], column: "Publisher"),
        .published: Info("Published", .date, "a date", query: ["year", "years", "published", "date"], column: "Year"),
        .languages: Info(
            "Languages", .list, "a language", query: ["language", "languages", "lang"], column: "Language"),
        .subjects: Info(
            "Subjects", .list, "a subject",
            query: ["subject", "subjects", "tag", "tags", "topic", "genre", "category"], column: "Subjects"),
        .series: Info("Series", .text, "a series", query: ["series"], column: "Series"),
        .seriesPosition: Info("Place in series", .number, "a number"),
        .description: Info("Description", .text, "a text", query: ["description", "summary", "blurb"]),
        .cover: Info("Cover", .text, "a link", query: ["cover", "image", "picture"]),
        .identifiers: Info("Identifiers", .gatheredList, "a number in a scheme"),
        .contributors: Info("Contributors", .gatheredList, "a name"),
        .rating: Info(
            "Rating", .number, "a rating from 0 to the highest", query: ["rating", "ratings", "stars", "rated"],
            column: "Rating"),
        .status: Info(
            "Status", .status, "to-read, reading, read or abandoned", query: ["status", "progress"]),
        .dateAdded: Info("Added", .date, "a date", query: ["added", "dateadded"], column: "Added"),
    ]

    /// The properties of the field.
    public var info: Info {
        guard let info = Self.table[self] else { preconditionFailure("\(self) is not in the table of fields") }
        return info
    }

    /// The field with this name in a profile or in queries, in any case.
    public init?(named name: String) {
        let name = name.lowercased()
        let field = Self.allCases.first { $0.rawValue.lowercased() == name || $0.info.queryNames.contains(name) }
        guard let field else { return nil }
        self = field
    }

    /// The field with this canonical name in a query, column, sort key or facet, such as "author" or "year".
    public init?(queryName: String) {
        guard let field = Self.fieldsByQueryName[queryName] else { return nil }
        self = field
    }

    private static let fieldsByQueryName: [String: BookField] = {
        var fields: [String: BookField] = [:]
        for field in allCases { if let name = field.info.queryNames.first { fields[name] = field } }
        return fields
    }()
}
