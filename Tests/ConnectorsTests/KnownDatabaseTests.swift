import ConnectorProtocol
import ConnectorTesting
import Testing

@testable import Connectors
@testable import JSON

@Suite("Connectors: databases of reading devices") struct KnownDatabaseTests {
    private func mirrored(_ sql: String, table: String? = nil) throws -> Mirrored {
        let database = try TemporaryDatabase(sql)
        return try Mirrored(source: database.path + (table.map { "?table=" + $0 } ?? ""))
    }

    private static let kobo = """
        CREATE TABLE content (
            ContentID TEXT PRIMARY KEY, ContentType TEXT, MimeType TEXT, BookID TEXT, Title TEXT, Attribution TEXT,
            Publisher TEXT, ReadStatus INTEGER, Series TEXT, SeriesNumber TEXT, ISBN TEXT, Language TEXT,
            ___PercentRead INTEGER);
        INSERT INTO content VALUES
            ('file:///a.epub', '6', 'application/epub+zip', NULL, 'The Lake', 'Ann Alpha', 'Press', 2, 'Lakes', '1',
                '9780306406157', 'en', 100),
            ('/a.epub#1', '9', 'application/xhtml+xml', 'file:///a.epub', 'Chapter 1', NULL, NULL, 0, NULL, NULL, NULL,
                NULL, 0),
            ('file:///b.epub', 6, 'application/epub+zip', '', 'The Hill', NULL, NULL, 0, NULL, NULL, NULL, NULL, 0);
        CREATE TABLE Bookmark (BookmarkID TEXT PRIMARY KEY, VolumeID TEXT, Text TEXT);
        """

    @Test("A Kobo has books, and no chapters among them")
    func kobo() throws {
        let copy = try mirrored(Self.kobo)
        #expect(
            copy.lines == [
                #"{"file":"file:///a.epub","title":"The Lake","authors":"Ann Alpha","publisher":"Press","#
                    + #""series":"Lakes","seriesPosition":"1","isbn":"9780306406157","language":"en","#
                    + #""percentRead":100,"status":"read"}"#,
                #"{"file":"file:///b.epub","title":"The Hill","percentRead":0}"#,
            ])
        #expect(copy.opened.alternatives == [] && copy.copy.defects == [])
    }

    @Test("A table that is named has all its rows and columns")
    func namedTable() throws {
        let copy = try mirrored(Self.kobo, table: "content")
        #expect(copy.rows.count == 3 && copy.rows.first?["Attribution"]?.string == "Ann Alpha")
    }

    @Test("The pages that KOReader counts are the status of reading")
    func koreader() throws {
        let copy = try mirrored(
            """
            CREATE TABLE book (
                id INTEGER PRIMARY KEY, title TEXT, authors TEXT, notes INTEGER, pages INTEGER, series TEXT,
                language TEXT, md5 TEXT, total_read_time INTEGER, total_read_pages INTEGER);
            INSERT INTO book VALUES
                (1, 'The Lake', 'Ann', 0, 320, 'Lakes #1', 'en', 'a', 100, 320),
                (2, 'The Hill', 'Bob', 2, 100, NULL, 'en', 'b', 5, 7), (3, 'New', 'Cy', 0, 100, NULL, 'en', 'c', 0, 0);
            CREATE TABLE page_stat_data (id_book INTEGER REFERENCES book (id), page INTEGER);
            """)
        #expect(copy.rows.map { $0["status"]?.string } == ["read", "reading", nil])
        #expect(copy.rows[1]["noteCount"]?.json == "2" && copy.rows[1]["notes"] == nil)
    }
}
