import ConnectorProtocol
import ConnectorTesting
import GRDB
import Testing

@testable import Connectors
@testable import JSON

@Suite("Connectors: tables linked with books") struct LinkedTablesTests {
    private func lines(_ sql: String, table: String? = nil) throws -> [String] {
        let database = try TemporaryDatabase(sql)
        return try Mirrored(source: database.path + (table.map { "?table=" + $0 } ?? "")).lines
    }

    private static let rows = """
        INSERT INTO books VALUES (1, 'Good Omens'), (2, 'Emma'), (3, 'Anonymous');
        INSERT INTO authors VALUES (1, 'Terry Pratchett'), (2, 'Neil Gaiman'), (3, 'Jane Austen');
        INSERT INTO links VALUES (1, 2), (2, 3), (1, 1);
        """
    private static let expected = [
        #"{"id":1,"title":"Good Omens","authors":["Neil Gaiman","Terry Pratchett"]}"#,
        #"{"id":2,"title":"Emma","authors":["Jane Austen"]}"#, #"{"id":3,"title":"Anonymous","authors":[]}"#,
    ]

    /// Links by foreign keys, with and without an index and row ids, and by column names.
    @Test(arguments: [
        "b INTEGER REFERENCES books (id), a INTEGER REFERENCES authors (id)",
        "b INTEGER REFERENCES books, a INTEGER REFERENCES authors, UNIQUE (b, a)", "book_id INT, author_id INT",
        "book INT, author INT",
    ])
    func authorsAreReadThroughALinkTable(columns: String) throws {
        let tables = """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT);
            CREATE TABLE links (\(columns));
            """
        #expect(try lines(tables + Self.rows) == Self.expected)
    }

    @Test func valuesAreOrderedByPositionEvenWithoutRowIDs() throws {
        let tables = """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT);
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT);
            CREATE TABLE links (book_id INT, author_id INT, position INT, PRIMARY KEY (book_id, author_id)) WITHOUT ROWID;
            INSERT INTO books VALUES (1, 'Good Omens');
            INSERT INTO authors VALUES (1, 'Terry', 'Pratchett'), (2, 'Neil', 'Gaiman'), (3, NULL, 'Anon');
            INSERT INTO links VALUES (1, 3, 3), (1, 2, 1), (1, 1, 2);
            """
        #expect(
            try lines(tables) == [
                #"{"id":1,"title":"Good Omens","authors":["Neil Gaiman","Terry Pratchett","Anon"]}"#
            ])
    }

    @Test func publishersAreReadThroughAColumnAndSubjectsFromTheirTable() throws {
        let tables = """
            CREATE TABLE houses (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE books (id INTEGER PRIMARY KEY, Title TEXT, house INTEGER REFERENCES houses (id));
            CREATE TABLE tags (book_id INTEGER REFERENCES books (id), tag TEXT);
            INSERT INTO houses VALUES (7, 'Gollancz');
            INSERT INTO books VALUES (1, 'Dune', 7), (2, 'Emma', NULL);
            INSERT INTO tags VALUES (1, 'sand'), (2, 'love'), (1, 'spice');
            """
        let rows = try lines(tables)
        #expect(rows.count == 2 && rows[0].contains(#""Publisher":["Gollancz"]"#), "\(rows)")
        #expect(
            rows[0].contains(#""Subjects":["sand","spice"]"#) && rows[1].contains(#""Subjects":["love"]"#), "\(rows)")
    }

    @Test(
        "Tables with the name of an application before theirs are joined by their keys",
        arguments: ["catalog_", "app_b_"])
    func prefixes(prefix: String) throws {
        let tables = """
            CREATE TABLE X_author (id integer PRIMARY KEY, first_name text, last_name text);
            CREATE TABLE X_genre (id integer PRIMARY KEY, name text);
            CREATE TABLE X_book (id integer PRIMARY KEY, title text, author_id integer REFERENCES X_author (id));
            CREATE TABLE X_book_genre (
                id integer PRIMARY KEY, book_id integer REFERENCES X_book (id),
                genre_id integer REFERENCES X_genre (id));
            INSERT INTO X_author VALUES (1, 'Ann', 'Alpha');
            INSERT INTO X_genre VALUES (1, 'Fiction'), (2, 'Water');
            INSERT INTO X_book VALUES (1, 'The Lake', 1), (2, 'The Hill', NULL);
            INSERT INTO X_book_genre VALUES (1, 1, 1), (2, 1, 2);
            """
        let rows = try lines(tables.replacing("X_", with: prefix))
        #expect(rows.count == 2 && rows[0].contains(#""authors":["Ann Alpha"]"#), "\(rows)")
        #expect(rows[0].contains(#""subjects":["Fiction","Water"]"#), "\(rows)")
    }

    @Test("A link table with a further column is no table of values")
    func linkWithRole() throws {
        let tables = """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT);
            CREATE TABLE book_authors (book_id INTEGER, author_id INTEGER, role TEXT);
            INSERT INTO authors VALUES (1, 'Ann');
            INSERT INTO books VALUES (1, 'The Lake');
            INSERT INTO book_authors VALUES (1, 1, 'main');
            """
        #expect(try lines(tables) == [#"{"id":1,"title":"The Lake","authors":["Ann"]}"#])
    }

    @Test("Quotation marks in the names of tables and columns are read")
    func quotedNames() throws {
        let tables = #"""
            CREATE TABLE "it""s" (id INTEGER PRIMARY KEY, title TEXT, author TEXT, "a ""b""" TEXT);
            INSERT INTO "it""s" VALUES (1, 'The Lake', 'Ann', 'c');
            """#
        #expect(try lines(tables) == [#"{"id":1,"title":"The Lake","author":"Ann","a \"b\"":"c"}"#])
    }

    @Test func ambiguousTablesAreNotJoined() throws {
        // Authors and translators are both people.
        let people = """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT);
            CREATE TABLE wrote (book_id INT, people_id INT);
            CREATE TABLE translated (book_id INT, people_id INT);
            INSERT INTO books VALUES (1, 'Emma');
            INSERT INTO people VALUES (1, 'A');
            INSERT INTO wrote VALUES (1, 1);
            """
        #expect(try lines(people) == [#"{"id":1,"title":"Emma"}"#])
        // The books have an author column.
        let withAuthors = """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author TEXT);
            CREATE TABLE links (book_id INT, author_id INT);
            INSERT INTO books VALUES (1, 'Emma', 'Jane Austen');
            """
        #expect(try lines(withAuthors) == [#"{"id":1,"title":"Emma","author":"Jane Austen"}"#])
    }

    /// Without an index, a record must not cost a scan of all links.
    @Test func linksWithoutAnIndexAreReadWithoutScans() throws {
        let tables = """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT);
            CREATE TABLE links (book_id INT, author_id INT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
                INSERT INTO books SELECT i, 'Book ' || i FROM n;
            INSERT INTO authors SELECT id, 'Author ' || id FROM books;
            INSERT INTO links SELECT id, id FROM books;
            """
        let clock = ContinuousClock()
        var rows: [String] = []
        let duration = try clock.measure { rows = try lines(tables) }
        #expect(rows.count == 40000 && rows[39999] == #"{"id":40000,"title":"Book 40000","authors":["Author 40000"]}"#)
        // Scans would take some minutes.
        #expect(duration < .seconds(20))
    }

    @Test func otherTablesOfBooksAreListedUnlessOneWasChosen() throws {
        let database = try TemporaryDatabase(
            """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE novels (title TEXT, author TEXT, pages INT);
            CREATE TABLE loans (day TEXT, who TEXT);
            CREATE TABLE books (title TEXT, author TEXT, isbn TEXT, year INT);
            CREATE VIRTUAL TABLE books_text USING fts5(title, author);
            """)
        let opened = try Mirrored(source: database.path).opened
        #expect(opened.table == "books" && opened.alternatives == ["novels"])
        #expect(try Mirrored(source: database.path + "?table=books").opened.alternatives == [])
    }
}
