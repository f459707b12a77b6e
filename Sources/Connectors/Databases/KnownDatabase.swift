internal import ConnectorProtocol

/// A database of another program whose columns do not say by themselves what they have, or which has other things
/// beside books in the table of books.
enum KnownDatabase: CaseIterable {
    /// `KoboReader.sqlite` of a Kobo: its table has a row for each chapter, too.
    case kobo
    /// `statistics.sqlite3` of KOReader, which counts the pages that were read.
    case koreader

    /// A value of a record.
    struct Value {
        /// Its key in the record.
        let key: String
        /// Its expression in SQL.
        let expression: String
    }

    /// The table of books.
    var table: String {
        switch self {
        case .kobo: "content"
        case .koreader: "book"
        }
    }

    /// The columns by which the database is recognized.
    private var signs: Set<String> {
        switch self {
        case .kobo: ["ContentID", "ContentType", "BookID", "Title", "Attribution"]
        case .koreader: ["title", "authors", "md5", "pages", "total_read_pages"]
        }
    }

    /// The condition for the rows of books; nil for all rows.
    var condition: String? {
        switch self {
        // Chapters have type 9, and the rows of a newspaper's articles refer to it.
        case .kobo: "CAST(ContentType AS INTEGER) = 6 AND coalesce(BookID, '') = ''"
        case .koreader: nil
        }
    }

    /// The columns that are read under another key.
    private var keys: [String: String] {
        switch self {
        case .kobo:
            [
                "ContentID": "file", "Title": "title", "Subtitle": "subtitle", "Attribution": "authors",
                "Description": "description", "Publisher": "publisher", "Series": "series",
                "SeriesNumber": "seriesPosition", "ISBN": "isbn", "Language": "language",
                "___PercentRead": "percentRead", "DateLastRead": "lastRead",
            ]
        // The number of notes, beside that of highlights.
        case .koreader: ["notes": "noteCount"]
        }
    }

    /// The status of reading; the other expressions are columns.
    private var status: String {
        switch self {
        case .kobo: "CASE CAST(ReadStatus AS INTEGER) WHEN 2 THEN 'read' WHEN 1 THEN 'reading' END"
        case .koreader:
            """
            CASE WHEN pages > 0 AND total_read_pages >= pages THEN 'read'
                WHEN total_read_pages > 0 THEN 'reading' END
            """
        }
    }

    /// Returns the database that has such a table.
    init?(table: OpenedSource.Table) {
        let known = Self.allCases.first { $0.table == table.name && $0.signs.isSubset(of: table.columns) }
        guard let known else { return nil }
        self = known
    }

    /// Returns the values of a record from the columns of the table. Of the hundred columns of a Kobo only those of a
    /// book are read.
    func values(from columns: [String]) -> [Value] {
        let taken = columns.filter { self == .koreader || keys[$0] != nil }
        let values = taken.map { Value(key: keys[$0] ?? $0, expression: "\(table.sqlName).\($0.sqlName)") }
        let hasStatus = self == .koreader || columns.contains("ReadStatus")
        return values + (hasStatus ? [Value(key: "status", expression: status)] : [])
    }
}
