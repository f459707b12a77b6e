import ConnectorProtocol
import ConnectorTesting
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Connectors
@testable import JSON

/// Databases that stacks creates, updates and reads.
@Suite("Exports: SQLite") struct LibraryExportTests {
    /// A book with all fields, one with few, and one with none, in several scripts.
    static let full = #"""
        {"id":"isbn:9780141439587","title":"Emma \"1\"","authors":["Jane Austen",\#
        "Żółć, Ćma"],"isbn":"0141439580","pageCount":474,"fiction":true,\#
        "sourceID":"k1","subtitle":"Роман","sortTitle":"emma","publisher":"Penguin",\#
        "published":"2003-05-06","language":["en","pt-BR"],"subjects":["England",\#
        "恋愛"],"series":"Classics","seriesPosition":2.5,\#
        "description":"One.\nTwo ' & <b>","cover":"c.png",\#
        "identifiers":[{"scheme":"doi","value":"10.1/x"},{"scheme":"doi",\#
        "value":"10.1/y"}],"contributors":[{"name":"Ann E",\#
        "role":"editor"},{"name":"Bob"}],"rating":4.5,"status":"read",\#
        "dateAdded":"2020-01-02","userData":{"favourite":true,"shelves":["a, b","次"],\#
        "status":"abandoned","statusDates":{"to-read":"2024",\#
        "abandoned":"2024-02-03"},"rating":0,"note":"Line\n\nline"}}
        """#
    static let short = #"""
        {"id":"hash:00000000000000ff","title":"Ηρόδοτος","authors":["Ηρόδοτος"],\#
        "isbn":null,"pageCount":null,"fiction":false,"published":"-0430",\#
        "seriesPosition":3}
        """#
    static let empty = #"""
        {"id":"hash:00000000000000ff~2","title":"","authors":[],"isbn":null,\#
        "pageCount":null,"fiction":null,"inCatalog":false}
        """#
    /// A book that was read several times.
    static let reread = #"""
        {"id":"hash:0000000000000009","title":"Dune","authors":["Frank Herbert"],"isbn":null,"pageCount":null,\#
        "fiction":null,"userData":{"status":"reading","statusDates":{"reading":"2026-03-09","read":"2019-06-02"},\#
        "readings":[{"outcome":"read"},{"end":"2019-06-02","outcome":"read","start":"2019-05-01"},\#
        {"progress":[{"day":"2026-03-12","page":180},{"day":"2026-03-20","percent":64}],"start":"2026-03-09"}]}}
        """#
    /// A book whose readings follow from the dates of its status.
    static let read = #"""
        {"id":"hash:000000000000000a","title":"Nana","authors":["Émile Zola"],"isbn":null,"pageCount":null,\#
        "fiction":null,"userData":{"status":"read","statusDates":{"reading":"2020-01-02","read":"2020-03-04"}}}
        """#
    static let rows = [full, short, empty]
    /// A text with the byte that ends C strings.
    static let zero = #"{"id":"hash:0000000000000007","title":"a\u0000b","authors":["c\u0000d"]}"#

    /// Returns the non-empty members of a record by key.
    private func members(_ json: String) throws -> [String: JSONValue] {
        let members = try #require(JSONValue(parsing: json.utf8)?.members)
        return Dictionary(
            uniqueKeysWithValues: members.filter { $0.value != .null && $0.value != .array([]) }.map { member in
                var value = member.value
                if member.key == "userData", case .object(let parts) = value {
                    value = .object(parts.sorted { $0.key < $1.key })
                }
                return (member.key, value)
            })
    }

    /// Returns the rows of a statement, each as one text.
    private func rows(_ path: String, _ sql: String) throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        return try queue.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { $0.isNull ? "NULL" : "\($0)" }.joined(separator: "|")
                    .replacing("\"", with: "")
            }
        }
    }

    @Test func everyFieldIsReadBack() throws {
        let made = try Exported(Self.rows, as: "sqlite")
        #expect(made.count == 3)
        let copy = try Mirrored(source: made.path)
        #expect(copy.opened.kind == "sqlite" && copy.opened.profile == "library" && copy.copy.isComplete)
        #expect(copy.lines.count == 3)
        for (line, row) in zip(copy.lines, Self.rows) { #expect(try members(line) == members(row)) }
    }

    @Test func theSchemaIsThatOfTheManual() throws {
        let made = try Exported(Self.rows, as: "sqlite")
        let path = made.path
        #expect(try rows(path, "PRAGMA user_version") == ["3"])
        #expect(try rows(path, "PRAGMA integrity_check") == ["ok"] && rows(path, "PRAGMA foreign_key_check") == [])
        #expect(
            try rows(
                path, "SELECT id, identity, title, authors, page_count, fiction, series_position, in_catalog FROM books"
            )
                == [
                    "1|isbn:9780141439587|Emma \\1\\|Jane Austen; Żółć, Ćma|474|1|2.5|1",
                    "2|hash:00000000000000ff|Ηρόδοτος|Ηρόδοτος|NULL|0|3.0|1",
                    "3|hash:00000000000000ff~2||NULL|NULL|NULL|NULL|0",
                ])
        #expect(
            try rows(
                path,
                """
                SELECT book_id, position, people.name, roles.name FROM book_people
                JOIN people ON people.id = person_id LEFT JOIN roles ON roles.id = role_id ORDER BY 1, 2
                """) == [
                    "1|1|Jane Austen|author", "1|2|Żółć, Ćma|author", "1|3|Ann E|editor", "1|4|Bob|NULL",
                    "2|1|Ηρόδοτος|author",
                ])
        #expect(try rows(path, "SELECT * FROM identifiers") == ["1|1|doi|10.1/x", "1|2|doi|10.1/y"])
        #expect(try rows(path, "SELECT * FROM languages") == ["1|1|en", "1|2|pt-BR"])
        #expect(
            try rows(path, "SELECT book_id, favourite, status, to_read_on, read_on, abandoned_on, rating FROM readings")
                == ["1|1|abandoned|2024|NULL|2024-02-03|0"])
        // Foreign keys are named after the table that they refer to.
        #expect(
            try rows(path, #"SELECT "from", "table", "to" FROM pragma_foreign_key_list('book_people') ORDER BY 1"#)
                == ["book_id|books|id", "person_id|people|id", "role_id|roles|id"])
    }

    @Test func theReadingsOfABookAreRowsAndAreReadBack() throws {
        let given = [Self.reread, Self.read]
        let made = try Exported(given, as: "sqlite")
        #expect(
            try rows(made.path, "SELECT * FROM reading_log") == [
                "1|1|NULL|NULL|read|NULL", "1|2|2019-05-01|2019-06-02|read|NULL",
                #"1|3|2026-03-09|NULL|NULL|[{\day\:\2026-03-12\,\page\:180},{\day\:\2026-03-20\,\percent\:64}]"#,
                "2|1|2020-01-02|2020-03-04|read|NULL",
            ])
        let copy = try Mirrored(source: made.path)
        for (line, row) in zip(copy.lines, given) { #expect(try members(line) == members(row)) }
        let again = try owned(made)
        let second = try Exported(given, as: "sqlite", replacing: again)
        #expect(try rows(second.path, "SELECT * FROM log") == [])
        let fewer = Self.reread.replacing(#"{"outcome":"read"},"#, with: "")
        let third = try Exported([fewer, Self.read], as: "sqlite", replacing: again)
        #expect(
            try rows(third.path, "SELECT * FROM log") == [
                "UPDATE reading_log 1", "UPDATE reading_log 1", "DELETE reading_log 1",
            ])
    }

    @Test func readingsThatWereAddedWithSQLAreReadAndDamagedOnesAreLeftOut() throws {
        let made = try Exported([Self.read], as: "sqlite")
        let queue = try DatabaseQueue(path: made.path)
        try queue.write { try $0.execute(sql: "INSERT INTO reading_log VALUES (1, 2, NULL, '2024-05', 'read', NULL)") }
        let copy = try Mirrored(source: made.path)
        #expect(
            copy.lines.first?.contains(
                #""readings":[{"end":"2020-03-04","outcome":"read","start":"2020-01-02"},{"end":"2024-05","outcome":"read"}]"#
            )
                == true)
        try queue.write {
            try $0.execute(sql: "UPDATE reading_log SET progress = 'half'; UPDATE reading_log SET outcome = 'lost'")
        }
        #expect(try Mirrored(source: made.path).lines.first?.contains("readings") == false)
    }

    /// Makes a database one of the version without a table of readings and without the catalog's own fields.
    private func downgrade(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write {
            try $0.execute(
                sql: """
                    DROP TABLE reading_log; DROP VIEW all_fields; ALTER TABLE books DROP COLUMN other_fields;
                    ALTER TABLE books DROP COLUMN other_title;
                    PRAGMA user_version = 1
                    """)
        }
    }

    @Test func fieldsOfTheCatalogAreColumnsOfAView() throws {
        let row = #"{"id":"k","title":"Emma","authors":[],"Lent to":"Ann","price":4.50,"labels":["a","b"],"x\"y":1}"#
        let made = try Exported([row, Self.short], as: "sqlite")
        #expect(
            try rows(
                made.path,
                #"SELECT title, "Lent to", price, json_array_length(labels) FROM all_fields WHERE price > 4"#)
                == ["Emma|Ann|4.5|2"])
        let copy = try Mirrored(source: made.path)
        #expect(copy.lines.first?.hasSuffix(#""Lent to":"Ann","price":4.50,"labels":["a","b"],"x\"y":1}"#) == true)
    }

    @Test func anEarlierVersionIsReadAndGetsTheReadings() throws {
        let made = try Exported([Self.read, Self.short], as: "sqlite")
        try downgrade(made.path)
        let copy = try Mirrored(source: made.path)
        #expect(copy.opened.profile == "library")
        for (line, row) in zip(copy.lines, [Self.read, Self.short]) { #expect(try members(line) == members(row)) }
        let second = try Exported([Self.read, Self.reread], as: "sqlite", replacing: made.path)
        #expect(try rows(second.path, "PRAGMA user_version") == ["3"])
        #expect(try rows(second.path, "SELECT count(*) FROM reading_log") == ["4"])
        #expect(try rows(second.path, "PRAGMA integrity_check") == ["ok"])
    }

    private func found(_ path: String, _ words: String) throws -> [String] {
        try rows(path, "SELECT rowid FROM books_fts WHERE books_fts MATCH '\(words)' ORDER BY rowid")
    }

    @Test func titlesAndAuthorsAreFoundAndStayCurrent() throws {
        let made = try Exported(Self.rows, as: "sqlite")
        let path = made.path
        #expect(try found(path, "emma austen") == ["1"] && found(path, "ηρόδοτος") == ["2"])
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    UPDATE people SET name = 'Mary Shelley' WHERE name = 'Jane Austen';
                    UPDATE books SET title = 'Frankenstein' WHERE id = 2;
                    INSERT INTO books (identity, title) VALUES ('x', 'Dune');
                    INSERT INTO people (name) VALUES ('Frank Herbert');
                    INSERT INTO book_people SELECT 4, 1, id, 1 FROM people WHERE name = 'Frank Herbert';
                    """)
        }
        #expect(try found(path, "austen") == [] && found(path, "shelley") == ["1"])
        #expect(try found(path, "ηρόδοτος frankenstein") == ["2"] && found(path, "dune herbert") == ["4"])
        try queue.write {
            try $0.execute(sql: "DELETE FROM book_people WHERE book_id = 4; DELETE FROM books WHERE id = 1")
        }
        #expect(try found(path, "herbert") == [] && found(path, "shelley") == [] && found(path, "dune") == ["4"])
        try queue.write { try $0.execute(sql: "INSERT INTO books_fts (books_fts) VALUES ('integrity-check')") }
    }

    /// Creates a database with additions by its owner: a column, a table, a shop for each book, and a log of all
    /// changes.
    private func owned(_ made: Exported) throws -> String {
        let queue = try DatabaseQueue(path: made.path)
        try queue.write { database in
            try database.execute(
                sql: """
                    ALTER TABLE books ADD COLUMN room TEXT;
                    UPDATE books SET room = 'attic ' || id;
                    ALTER TABLE book_subjects ADD COLUMN remark TEXT;
                    UPDATE book_subjects SET remark = 'mine';
                    CREATE TABLE loans (book_id INTEGER NOT NULL REFERENCES books (id), friend TEXT);
                    INSERT INTO loans VALUES (2, 'Ann');
                    CREATE TABLE log (entry TEXT);
                    """)
            for table in [
                "books", "book_people", "book_subjects", "languages", "identifiers", "readings", "reading_log",
                "book_shelves", "people",
                "roles", "subjects", "shelves",
            ] {
                let id =
                    ["people", "roles", "subjects", "shelves"].contains(table)
                    ? "name" : table == "books" ? "id" : "book_id"
                for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
                    try database.execute(
                        sql: """
                            CREATE TRIGGER log_\(table)_\(event) AFTER \(event) ON \(table) BEGIN
                                INSERT INTO log VALUES ('\(event) \(table) ' || \(row).\(id));
                            END
                            """)
                }
            }
        }
        try queue.close()
        return made.path
    }

    @Test func anotherExportOfTheSameBooksChangesNothing() throws {
        let first = try Exported(Self.rows + [Self.zero], as: "sqlite")
        let path = try owned(first)
        let second = try Exported((Self.rows + [Self.zero]).reversed(), as: "sqlite", replacing: path)
        #expect(try rows(second.path, "SELECT * FROM log") == [])
        for table in ["books", "book_people", "book_subjects", "readings", "loans", "people"] {
            #expect(try rows(second.path, "SELECT * FROM \(table)") == rows(path, "SELECT * FROM \(table)"), "\(table)")
        }
    }

    @Test func onlyTheRowsOfChangedBooksChange() throws {
        let first = try Exported(Self.rows, as: "sqlite")
        let path = try owned(first)
        let changed = Self.full.replacing(#""pageCount":474"#, with: #""pageCount":500"#)
            .replacing(#"["England","恋愛"]"#, with: #"["England","Love","恋愛"]"#)
            .replacing(#""rating":0,"note""#, with: #""rating":4.5,"note""#)
        let new = #"{"id":"hash:0000000000000001","title":"Nana","authors":["Émile Zola"]}"#
        let second = try Exported([changed, Self.short, new], as: "sqlite", replacing: path)
        #expect(
            try rows(second.path, "SELECT * FROM log") == [
                "UPDATE books 1", "INSERT subjects Love", "UPDATE book_subjects 1", "INSERT book_subjects 1",
                "UPDATE readings 1", "INSERT books 4", "INSERT people Émile Zola", "INSERT book_people 4",
                // Written by the trigger that maintains the names of the authors.
                "UPDATE books 4", "DELETE books 3",
            ])
        #expect(
            try rows(second.path, "SELECT id, page_count, room, authors FROM books") == [
                "1|500|attic 1|Jane Austen; Żółć, Ćma", "2|NULL|attic 2|Ηρόδοτος",
                "4|NULL|NULL|Émile Zola",
            ])
        #expect(
            try rows(
                second.path,
                "SELECT position, name, remark FROM book_subjects JOIN subjects ON subjects.id = subject_id ORDER BY 1")
                == ["1|England|mine", "2|Love|mine", "3|恋愛|NULL"])
        #expect(try rows(second.path, "SELECT rating FROM readings") == ["4.5"])
        #expect(try rows(second.path, "SELECT * FROM loans") == ["2|Ann"])
        #expect(try found(second.path, "zola") == ["4"])
        #expect(try rows(second.path, "PRAGMA integrity_check") == ["ok"])
        // The existing database is unchanged until the new one replaces it.
        #expect(try rows(path, "SELECT count(*) FROM log") == ["0"])
        for (line, row) in zip(try Mirrored(source: second.path).lines, [changed, Self.short, new]) {
            #expect(try members(line).filter { !["room"].contains($0.key) } == members(row))
        }
    }

    /// A book without an ISBN has another identity when its title changes, but the key of the catalog stays.
    @Test func aRenamedBookKeepsItsRow() throws {
        func book(_ hash: Int, _ key: String, _ title: String) -> String {
            #"{"id":"hash:000000000000000\#(hash)","sourceID":"\#(key)","title":"\#(title)","authors":[]}"#
        }
        let first = try Exported(
            [book(1, "a", "Emma"), book(2, "b", "Nana"), book(3, "c", "One"), book(4, "c", "Two")], as: "sqlite")
        let path = try owned(first)
        // Nana is renamed and Emma removed. A key that two books share, or that another book uses now, identifies no
        // book.
        let second = try Exported(
            [book(5, "b", "Nana, a novel"), book(6, "c", "Three"), book(3, "c", "One"), book(7, "b", "Nana II")],
            as: "sqlite", replacing: path)
        #expect(
            try rows(second.path, "SELECT id, identity, title, room FROM books ORDER BY id") == [
                "2|hash:0000000000000005|Nana, a novel|attic 2", "3|hash:0000000000000003|One|attic 3",
                "5|hash:0000000000000006|Three|NULL", "6|hash:0000000000000007|Nana II|NULL",
            ])
        #expect(try found(second.path, "novel") == ["2"] && found(second.path, "emma") == [])
        #expect(try rows(second.path, "PRAGMA integrity_check") == ["ok"])
    }

    @Test func constraintsOfTheOwnerAreRespected() throws {
        let made = try Exported(Self.rows, as: "sqlite")
        let path = try owned(made)
        #expect {
            try Exported([Self.full], as: "sqlite", replacing: path)
        } throws: {
            let failure = $0 as? ConnectorFailure
            return failure?.kind == .refused && failure?.reason == .constraint
        }
        #expect(try rows(path, "SELECT count(*) FROM books") == ["3"])
    }

    @Test func removedUserDataIsDeleted() throws {
        let first = try Exported(Self.rows, as: "sqlite")
        let without = try #require(Self.full.firstRange(of: #","userData""#)).lowerBound
        let second = try Exported(
            [String(Self.full[..<without]) + "}", Self.short, Self.empty], as: "sqlite", replacing: first.path)
        #expect(
            try rows(second.path, "SELECT * FROM readings") == []
                && rows(second.path, "SELECT * FROM book_shelves") == [])
    }

    @Test func aDatabaseWithALogKeepsItsMode() throws {
        let first = try Exported(Self.rows, as: "sqlite")
        let queue = try DatabaseQueue(path: first.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        // While the database is open, a part of it may be in the log.
        try queue.write { try $0.execute(sql: "UPDATE books SET cover = 'x' WHERE id = 2") }
        #expect { try Exported(Self.rows, as: "sqlite", replacing: first.path) } throws: {
            ($0 as? ConnectorFailure) == ConnectorFailure(.busy, subject: first.path)
        }
        try queue.close()
        let second = try Exported(Self.rows, as: "sqlite", replacing: first.path)
        #expect(try rows(second.path, "PRAGMA journal_mode") == ["wal"])
        #expect(try rows(second.path, "SELECT cover FROM books WHERE id = 2") == ["NULL"])
    }

    @Test func onlyADatabaseOfStacksIsUpdated() throws {
        let foreign = try TemporaryDatabase("CREATE TABLE books (title TEXT)")
        let directory = try TemporaryDirectory()
        let text = try directory.write("[]".utf8, to: "books.json")
        for path in [foreign.path, text] {
            #expect { try Exported(Self.rows, as: "sqlite", replacing: path) } throws: {
                ($0 as? ConnectorFailure) == ConnectorFailure(.refused, .foreignFile, subject: path)
            }
        }
        let later = try Exported(Self.rows, as: "sqlite")
        let queue = try DatabaseQueue(path: later.path)
        try queue.write { try $0.execute(sql: "PRAGMA user_version = 4") }
        try queue.close()
        #expect { try Exported(Self.rows, as: "sqlite", replacing: later.path) } throws: {
            ($0 as? ConnectorFailure)
                == ConnectorFailure(.unsupported, .schemaVersion, subject: later.path, detail: "4")
        }
        let without = try Exported(Self.rows, as: "sqlite")
        let other = try DatabaseQueue(path: without.path)
        try other.write { try $0.execute(sql: "DROP TABLE book_shelves") }
        try other.close()
        #expect { try Exported(Self.rows, as: "sqlite", replacing: without.path) } throws: {
            ($0 as? ConnectorFailure)?.reason == .foreignFile
        }
        #expect(try Mirrored(source: without.path).opened.profile == nil)
        // The table of books can still be read.
        #expect(try Mirrored(source: later.path).opened.profile == nil)
    }

    @Test func invalidRowsAndUnknownKindsAreErrors() {
        #expect { try Exported([Self.short, "nonsense"], as: "sqlite") } throws: {
            ($0 as? ConnectorFailure) == ConnectorFailure(.format, .damaged, at: .record(2))
        }
        #expect { try Exported([], as: "docx") } throws: {
            ($0 as? ConnectorFailure) == ConnectorFailure(.unsupported, detail: "docx")
        }
    }

    @Test func rowsMayBeLongAndTheirProgressIsReported() throws {
        let long = String(repeating: "x", count: 1 << 20)
        let rows = (0..<2000).map { #"{"id":"hash:\#($0)","title":"\#($0 % 500 == 0 ? long : "T")","authors":[]}"# }
        let made = try Exported(rows, as: "sqlite")
        #expect(made.count == 2000 && made.progress.allSatisfy { $0.rows <= 2000 && $0.rows > 0 })
        #expect(try self.rows(made.path, "SELECT count(*), max(length(title)) FROM books") == ["2000|1048576"])
    }

    @Test func anExportCanBeCancelled() throws {
        let rows = (0..<5000).map { #"{"id":"hash:\#($0)","title":"Book \#($0)","authors":[]}"# }
        var questions = 0
        #expect {
            try Exported(rows, as: "sqlite") {
                questions += 1
                return questions > 10
            }
        } throws: {
            ($0 as? ConnectorFailure)?.kind == .cancelled
        }
        #expect(try Exported(rows, as: "sqlite").count == 5000)
    }
}
