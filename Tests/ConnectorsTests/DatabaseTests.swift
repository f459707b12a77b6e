import ConnectorProtocol
import ConnectorTesting
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Connectors
@testable import JSON

/// A database created by a test.
struct TemporaryDatabase {
    private let directory: TemporaryDirectory
    /// The path of the directory.
    var directoryPath: String { directory.path }
    /// The path of the file.
    let path: String

    /// Creates a database with these statements.
    init(_ sql: String, name: String = "books.db") throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/" + name
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}

@Suite("Connectors: SQLite") struct SQLiteConnectorTests {
    private static let books = """
        CREATE TABLE shops (name TEXT, city TEXT);
        CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author TEXT, year INTEGER, price REAL, cover BLOB);
        INSERT INTO books VALUES (1, 'Emma "1"', 'Austen', 1815, 9.5, x'00FF'), (2, 'Ünder', NULL, NULL, 1e300, NULL),
            (9007199254740993, '', 'X', -5, 0.1, NULL);
        CREATE VIEW recent AS SELECT title, year FROM books WHERE year > 1800;
        CREATE VIEW foreign_view AS SELECT no_such_function(title) FROM books;
        """

    @Test func rowsAreObjectsWithTheColumnNamesAsKeys() throws {
        let database = try TemporaryDatabase(Self.books)
        let copy = try Mirrored(source: database.path)
        #expect(copy.opened.kind == "sqlite" && copy.opened.table == "books")
        #expect(copy.opened.tables.map(\.name) == ["books", "recent", "shops"])
        #expect(copy.opened.tables.first?.columns == ["id", "title", "author", "year", "price", "cover"])
        #expect(
            copy.lines == [
                #"{"id":1,"title":"Emma \"1\"","author":"Austen","year":1815,"price":9.5}"#,
                #"{"id":2,"title":"Ünder","price":1e+300}"#,
                #"{"id":9007199254740993,"title":"","author":"X","year":-5,"price":0.1}"#,
            ])
        #expect(copy.copy.isComplete)
    }

    @Test func aTableOrViewIsChosenByName() throws {
        let database = try TemporaryDatabase(Self.books)
        let copy = try Mirrored(source: database.path + "?table=recent")
        #expect(copy.lines == [#"{"title":"Emma \"1\"","year":1815}"#])
        #expect(try Mirrored(source: database.path + "?table=%73hops").lines == [])
        #expect {
            try Mirrored(source: database.path + "?table=films")
        } throws: { error in
            (error as? ConnectorFailure) == ConnectorFailure(.format, .noTable, subject: database.path, detail: "films")
        }
    }

    @Test func aRowWithALongBLOBIsCopiedWithoutIt() throws {
        let database = try TemporaryDatabase(
            """
            CREATE TABLE books (title TEXT, author TEXT, file BLOB);
            INSERT INTO books VALUES ('Emma', 'Austen', x'00'), ('Nana', 'Zola', zeroblob(20000000)),
                ('Ulysses', 'Joyce', NULL), ('Dracula', 'Stoker', zeroblob(20000000));
            """)
        let copy = try Mirrored(source: database.path)
        #expect(
            copy.lines == [
                #"{"title":"Emma","author":"Austen"}"#, #"{"title":"Nana","author":"Zola"}"#,
                #"{"title":"Ulysses","author":"Joyce"}"#, #"{"title":"Dracula","author":"Stoker"}"#,
            ])
        #expect(copy.copy.isComplete && copy.copy.defects == [])
    }

    @Test func aRowWithATextThatIsTooLongIsSkipped() throws {
        let database = try TemporaryDatabase(
            """
            CREATE TABLE books (title TEXT, author TEXT);
            INSERT INTO books VALUES ('Emma', 'Austen'), ('Nana', hex(zeroblob(10000000))), ('Ulysses', 'Joyce');
            """)
        let copy = try Mirrored(source: database.path)
        #expect(copy.rows.map { $0["title"]?.string } == ["Emma", "Ulysses"])
        #expect(copy.copy.defects == [SourceDefect(.tooLarge, count: 1, first: .record(2))])
    }

    @Test func aViewThatIsComputedFromItsStartEachTimeIsReadUpToTheValueThatIsTooLarge() throws {
        let database = try TemporaryDatabase(
            """
            CREATE VIEW books (title, author, description) AS
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 6)
            SELECT DISTINCT 'Book ' || n, 'Author', CASE n WHEN 3 THEN hex(zeroblob(10000000)) ELSE '' END FROM c;
            """)
        let copy = try Mirrored(source: database.path)
        #expect(copy.rows.map { $0["title"]?.string } == ["Book 1", "Book 2"])
        #expect(!copy.copy.isComplete && copy.copy.defects.map(\.kind) == [.cut])
        #expect(copy.copy.defects.first?.first == .record(3))
    }

    /// A database of 8 KB that would need gigabytes.
    @Test(.disabled(if: isSanitized, "Sanitizers need memory")) func valuesWithoutLimitNeedLittleMemory() throws {
        let database = try TemporaryDatabase(
            """
            CREATE VIEW books (title, author, isbn, year, description) AS
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3)
            SELECT 'Book ' || n, 'Author', n, 1900 + n, hex(zeroblob(400000000)) FROM c;
            CREATE VIEW wide (title, author, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r) AS
            SELECT 'Book', 'Author', \((0..<18).map { "hex(zeroblob(8000000 + \($0)))" }.joined(separator: ", "));
            """)
        let directory = try TemporaryDirectory()
        let connector = try RunningConnector()
        _ = try connector.greet(cache: directory.path, sources: [database.path])
        for (id, table) in [(2, "books"), (4, "wide")] {
            try connector.ask(id, .open(source: database.path + "?table=" + table, known: nil))
            #expect(try connector.end()?.request == id)
            try connector.ask(id + 1, .mirror(path: directory.path + "/new.jsonl"))
            let reply = try connector.end()
            if table == "books" {
                guard case .ended(.mirrored(let copy))? = reply?.content else { throw WrongReply() }
                #expect(copy.rows == 0 && copy.defects == [SourceDefect(.tooLarge, count: 3, first: .record(1))])
            } else {
                guard case .failed(let failure)? = reply?.content else { throw WrongReply() }
                #expect(failure.kind == .format && failure.subject == database.path)
            }
        }
        #expect(try connector.peakMemory < 400 << 20)
    }

    @Test(.thorough) func rowsWithoutEndAreNotCounted() throws {
        let database = try TemporaryDatabase(
            """
            CREATE VIEW books (title, author) AS
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n, 'Author' FROM c
            """)
        let directory = try TemporaryDirectory()
        let connector = try RunningConnector()
        _ = try connector.greet(cache: directory.path, sources: [database.path])
        try connector.ask(2, .open(source: database.path, known: nil))
        #expect(try connector.end()?.request == 2)
        try connector.ask(3, .mirror(path: directory.path + "/new.jsonl"))
        var seconds = 0
        while let reply = try connector.next(), seconds < 10 {
            if case .progress(let progress) = reply.content {
                #expect(progress.rows > 0 && progress.total == nil)
                break
            }
            seconds += 1
        }
        #expect(seconds < 10)
        try connector.ask(4, .cancel(of: 3))
        #expect(try connector.end() == ConnectorReply(to: 4, .ended(.done)))
        #expect(try connector.end() == ConnectorReply(to: 3, .failed(ConnectorFailure(.cancelled))))
    }

    /// The schema of a database can be made by anybody.
    @Test func aDatabaseIsOpenedWithLimits() throws {
        func queue(runsTriggers: Bool) throws -> DatabaseQueue {
            let queue = try DatabaseQueue(configuration: DatabaseSettings.configuration(runsTriggers: runsTriggers))
            try queue.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE books (title TEXT);
                        CREATE TRIGGER added AFTER INSERT ON books WHEN new.title = 'Emma'
                            BEGIN INSERT INTO books VALUES ('Nana'); END;
                        INSERT INTO books VALUES ('Emma');
                        """)
            }
            return queue
        }
        let reading = try queue(runsTriggers: false)
        #expect(try reading.read { try String.fetchAll($0, sql: "SELECT title FROM books") } == ["Emma"])
        #expect(
            try queue(runsTriggers: true).read { try String.fetchAll($0, sql: "SELECT title FROM books") }
                == ["Emma", "Nana"])
        for statement in [
            "SELECT zeroblob(16777217)", "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = ''",
            "ATTACH ':memory:' AS other",
        ] {
            #expect(throws: DatabaseError.self, "\(statement)") {
                try reading.writeWithoutTransaction { try $0.execute(sql: statement) }
            }
        }
        #expect(try reading.read { try Int.fetchOne($0, sql: "SELECT length(zeroblob(16777216))") } == 16_777_216)
        #expect(try reading.read { try Int.fetchOne($0, sql: "PRAGMA trusted_schema") } == 0)
    }

    private static let shop = """
        CREATE TABLE houses (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE novels (nr INTEGER PRIMARY KEY, name TEXT, house INTEGER REFERENCES houses (id));
        CREATE TABLE writers (id INTEGER PRIMARY KEY, born INTEGER, name TEXT);
        CREATE TABLE wrote (novel INTEGER REFERENCES novels (nr), writer INTEGER REFERENCES writers (id));
        CREATE TABLE topics (novel_id INTEGER, word TEXT);
        INSERT INTO houses VALUES (1, 'Penguin');
        INSERT INTO novels VALUES (10, 'Emma', 1), (11, 'Good Omens', NULL);
        INSERT INTO writers VALUES (1, 1775, 'Jane Austen'), (2, 1948, 'Terry "T" Pratchett'), (3, 1960, 'Neil Gaiman');
        INSERT INTO wrote VALUES (11, 3), (10, 1), (11, 2);
        INSERT INTO topics VALUES (10, 'England'), (10, 'Love');
        """

    private func source(_ database: TemporaryDatabase, joins: String) -> String {
        "\(database.path)?table=novels&joins=\(joins.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }

    /// Many to many by foreign keys, many to one by a column name, and one by a different key.
    @Test func valuesOfOtherTablesAreJoined() throws {
        let database = try TemporaryDatabase(Self.shop)
        let joins = """
            [{"key":"by","table":"writers"},{"key":"about","table":"topics","column":"word"},\
            {"key":"house","table":"houses"}]
            """
        #expect(
            try Mirrored(source: source(database, joins: joins)).lines == [
                #"{"nr":10,"name":"Emma","by":["Jane Austen"],"about":["England","Love"],"house":["Penguin"]}"#,
                #"{"nr":11,"name":"Good Omens","by":["Neil Gaiman","Terry \"T\" Pratchett"],"about":[],"house":[]}"#,
            ])
        let through = #"[{"key":"by","table":"writers","column":"born","through":"wrote"}]"#
        #expect(try Mirrored(source: source(database, joins: through)).rows[1]["by"]?.json == "[1960,1948]")
    }

    @Test func anImpossibleJoinIsAnError() throws {
        let database = try TemporaryDatabase(Self.shop)
        for (joins, reason, detail) in [
            (#"[{"key":"a","table":"films"}]"#, ConnectorFailure.Reason.noTable, "films"),
            (#"[{"key":"a","table":"writers","through":"topics"}]"#, .noLink, "writers"),
        ] {
            #expect { try Mirrored(source: source(database, joins: joins)) } throws: {
                ($0 as? ConnectorFailure) == ConnectorFailure(.format, reason, subject: database.path, detail: detail)
            }
        }
        #expect { try Mirrored(source: source(database, joins: "nonsense")) } throws: {
            ($0 as? ConnectorFailure)?.kind == .request
        }
    }

    /// The rows in the log are read, and nothing is written beside the database.
    @Test func aDatabaseWithALogIsReadWithIt() throws {
        let database = try TemporaryDatabase("PRAGMA journal_mode = WAL; CREATE TABLE books (title TEXT);")
        let writer = try DatabaseQueue(path: database.path)
        try writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0; INSERT INTO books VALUES ('Emma'), ('Dune')")
        }
        let before = try FileManager.default.contentsOfDirectory(atPath: database.directoryPath).sorted()
        #expect(before.contains("books.db-wal"))
        #expect(try Mirrored(source: database.path).lines == [#"{"title":"Emma"}"#, #"{"title":"Dune"}"#])
        #expect(try FileManager.default.contentsOfDirectory(atPath: database.directoryPath).sorted() == before)
        try writer.close()
    }

    @Test(.thorough) func aDatabaseThatIsBeingWrittenIsBusy() throws {
        let database = try TemporaryDatabase(Self.books)
        let writer = try DatabaseQueue(path: database.path)
        try writer.writeWithoutTransaction { other in
            try other.execute(sql: "BEGIN EXCLUSIVE")
            #expect { try Mirrored(source: database.path) } throws: { ($0 as? ConnectorFailure)?.kind == .busy }
            try other.execute(sql: "COMMIT")
        }
        #expect(try Mirrored(source: database.path).copy.rows == 3)
    }

    /// A damaged database gives an error, or the rows before the damage with a defect.
    @Test func aDatabaseTruncatedAnywhereNeverCrashes() throws {
        let rows = (1...2000).map { "('Book \($0)')" }.joined(separator: ",")
        let database = try TemporaryDatabase("CREATE TABLE books (title TEXT); INSERT INTO books VALUES \(rows)")
        let bytes = try Data(contentsOf: URL(filePath: database.path))
        #expect(try Mirrored(bytes, name: "books.db").copy.rows == 2000)
        for length in stride(from: 1, to: bytes.count, by: 1500) {
            let copy = try? Mirrored(bytes.prefix(length), name: "books.db")
            if let copy { #expect(!copy.copy.isComplete || copy.opened.kind != "sqlite", "\(length)") }
        }
        var damaged = bytes
        damaged.replaceSubrange(8192..<12288, with: Data(repeating: 0xAB, count: 4096))
        let copy = try? Mirrored(damaged, name: "books.db")
        #expect(copy?.copy.isComplete != true)
        #expect { try Mirrored("SQLite format 3\0 nothing".utf8, name: "books.db") } throws: {
            ($0 as? ConnectorFailure)?.kind == .format
        }
    }
}

@Suite("Connectors: calibre libraries") struct CalibreConnectorTests {
    /// The tables of calibre 6 for books, without its triggers, and two books.
    private static let library = """
        CREATE TABLE library_id (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL);
        CREATE TABLE books (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL DEFAULT 'Unknown', sort TEXT,
            timestamp TIMESTAMP, pubdate TIMESTAMP, series_index REAL NOT NULL DEFAULT 1.0, author_sort TEXT,
            isbn TEXT DEFAULT '', lccn TEXT DEFAULT '', path TEXT NOT NULL DEFAULT '', flags INTEGER NOT NULL DEFAULT 1,
            uuid TEXT, has_cover BOOL DEFAULT 0, last_modified TIMESTAMP);
        CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, sort TEXT, link TEXT NOT NULL DEFAULT '');
        CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, author INTEGER NOT NULL);
        CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, tag INTEGER NOT NULL);
        CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL, sort TEXT);
        CREATE TABLE books_series_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, series INTEGER NOT NULL);
        CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, sort TEXT);
        CREATE TABLE books_publishers_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, publisher INTEGER NOT NULL);
        CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INTEGER);
        CREATE TABLE books_ratings_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, rating INTEGER NOT NULL);
        CREATE TABLE languages (id INTEGER PRIMARY KEY, lang_code TEXT NOT NULL);
        CREATE TABLE books_languages_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, lang_code INTEGER NOT NULL,
            item_order INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE identifiers (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, type TEXT NOT NULL, val TEXT NOT NULL);
        CREATE TABLE comments (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, text TEXT NOT NULL);
        CREATE TABLE data (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, format TEXT NOT NULL,
            uncompressed_size INTEGER NOT NULL, name TEXT NOT NULL);
        CREATE TABLE custom_columns (id INTEGER PRIMARY KEY, label TEXT, name TEXT, datatype TEXT,
            mark_for_delete BOOL DEFAULT 0, editable BOOL DEFAULT 1, display TEXT DEFAULT '{}', is_multiple BOOL DEFAULT 0,
            normalized BOOL NOT NULL);
        CREATE TABLE custom_column_1 (id INTEGER PRIMARY KEY, book INTEGER, value INT NOT NULL);
        CREATE TABLE custom_column_2 (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE books_custom_column_2_link (id INTEGER PRIMARY KEY, book INTEGER, value INTEGER);
        CREATE TABLE custom_column_3 (id INTEGER PRIMARY KEY, book INTEGER, value BOOL NOT NULL);
        CREATE VIEW meta AS SELECT id, sortconcat(title) FROM books;
        INSERT INTO library_id VALUES (1, 'u');
        INSERT INTO books VALUES
            (3, 'Black House', 'Black House', '2020-01-02 03:04:05+00:00', '2001-09-15 00:00:00+00:00', 2.5,
             'King, Stephen & Straub, Peter', '', '', 'Stephen King/Black House (3)', 1, 'uuid-3', 1,
             '2021-01-01 00:00:00+00:00'),
            (8, 'Alone', NULL, NULL, '0101-01-01 00:00:00+00:00', 1.0, NULL, '', '', 'Unknown/Alone (8)', 1, 'uuid-8', 0, NULL);
        INSERT INTO authors VALUES (1, 'Peter Straub', '', ''), (2, 'Stephen King', '', ''), (3, 'Smith & Sons| Inc', '', '');
        INSERT INTO books_authors_link VALUES (1, 3, 2), (2, 3, 1), (3, 8, 3), (4, 99, 1), (5, 1, 1);
        INSERT INTO tags VALUES (1, 'Horror'), (2, 'Fantasy');
        INSERT INTO books_tags_link VALUES (1, 3, 1), (2, 3, 2);
        INSERT INTO series VALUES (1, 'Talisman', '');
        INSERT INTO books_series_link VALUES (1, 3, 1);
        INSERT INTO publishers VALUES (1, 'Ballantine', '');
        INSERT INTO books_publishers_link VALUES (1, 3, 1);
        INSERT INTO ratings VALUES (4, 8);
        INSERT INTO books_ratings_link VALUES (1, 3, 4);
        INSERT INTO languages VALUES (1, 'deu'), (2, 'eng');
        INSERT INTO books_languages_link VALUES (1, 3, 1, 1), (2, 3, 2, 0);
        INSERT INTO identifiers VALUES (1, 3, 'isbn', '9780345450579'), (2, 3, 'goodreads', '59219');
        INSERT INTO comments VALUES (1, 3, '<p>Scary</p>');
        INSERT INTO data VALUES (1, 3, 'PDF', 10, 'Black "House"'), (2, 3, 'EPUB', 10, 'Black House');
        INSERT INTO custom_columns (id, label, name, datatype, mark_for_delete, is_multiple, normalized) VALUES
            (1, 'pages', 'Pages', 'int', 0, 0, 0), (2, 'places', 'Places', 'text', 0, 1, 1), (3, 'owned', 'Owned', 'bool', 0, 0, 0),
            (4, 'gone', 'Gone', 'int', 1, 0, 0), (5, 'made', 'Made', 'composite', 0, 0, 0), (6, 'lost', 'Lost', 'int', 0, 0, 0),
            (7, 'other_title', 'title', 'text', 0, 0, 0), (8, 'begun', 'Begun', 'datetime', 0, 0, 0);
        CREATE TABLE custom_column_7 (id INTEGER PRIMARY KEY, book INTEGER, value TEXT NOT NULL);
        CREATE TABLE custom_column_8 (id INTEGER PRIMARY KEY, book INTEGER, value TEXT NOT NULL);
        INSERT INTO custom_column_7 VALUES (1, 3, 'Das schwarze Haus');
        INSERT INTO custom_column_8 VALUES (1, 3, '0101-01-01 00:00:00+00:00');
        INSERT INTO custom_column_1 VALUES (1, 3, 625);
        INSERT INTO custom_column_2 VALUES (1, 'Maine'), (2, 'Wisconsin');
        INSERT INTO books_custom_column_2_link VALUES (1, 3, 2), (2, 3, 1);
        INSERT INTO custom_column_3 VALUES (1, 3, 1), (2, 8, 0);
        """

    private static func expected(in directory: String) -> [String] {
        [
            """
            {"id":3,"title":"Black House","sort":"Black House","author_sort":"King, Stephen & Straub, Peter",\
            "timestamp":"2020-01-02 03:04:05+00:00","pubdate":"2001-09-15 00:00:00+00:00",\
            "last_modified":"2021-01-01 00:00:00+00:00","uuid":"uuid-3",\
            "cover":"\(directory)/Stephen King/Black House (3)/cover.jpg","authors":"Stephen King & Peter Straub",\
            "tags":["Fantasy","Horror"],"series":"Talisman","series_index":2.5,"publisher":"Ballantine","rating":8,\
            "languages":["eng","deu"],"identifiers":{"goodreads":"59219","isbn":"9780345450579"},\
            "comments":"<p>Scary</p>","formats":["\(directory)/Stephen King/Black House (3)/Black House.epub",\
            "\(directory)/Stephen King/Black House (3)/Black \\"House\\".pdf"],"*pages":625,\
            "Places":["Wisconsin","Maine"],"Owned":true,\
            "*other_title":"Das schwarze Haus"}
            """,
            #"{"id":8,"title":"Alone","uuid":"uuid-8","authors":"Smith && Sons, Inc","Owned":false}"#,
        ]
    }

    @Test func booksHaveAllFieldsOfTheLibrary() throws {
        let database = try TemporaryDatabase(Self.library, name: "metadata.db")
        let copy = try Mirrored(source: database.directoryPath)
        #expect(copy.lines == Self.expected(in: database.directoryPath))
        #expect(copy.opened == OpenedSource(kind: "calibre", profile: "calibre"))
        #expect(try Mirrored(source: database.path).lines == copy.lines)
    }

    /// Whatever calibre has locked, the rows are the old or the new ones, never a mixture.
    @Test func aLibraryInUseIsRead() throws {
        let database = try TemporaryDatabase(Self.library, name: "metadata.db")
        let writer = try DatabaseQueue(path: database.path)
        try writer.writeWithoutTransaction { other in
            try other.execute(sql: "BEGIN IMMEDIATE; DELETE FROM books WHERE id = 8")
            let copy = try Mirrored(source: database.directoryPath)
            #expect(copy.lines == Self.expected(in: database.directoryPath))
            try other.execute(sql: "COMMIT")
        }
        #expect(try Mirrored(source: database.directoryPath).copy.rows == 1)
    }

    @Test func anotherTableOfALibraryCanBeRead() throws {
        let database = try TemporaryDatabase(Self.library, name: "metadata.db")
        let copy = try Mirrored(source: database.path + "?table=tags")
        #expect(copy.lines == [#"{"id":1,"name":"Horror"}"#, #"{"id":2,"name":"Fantasy"}"#])
    }

    @Test func aDirectoryWithoutALibraryIsRefused() throws {
        let directory = try TemporaryDirectory()
        #expect { try Mirrored(source: directory.path) } throws: { ($0 as? ConnectorFailure)?.kind == .format }
    }
}
