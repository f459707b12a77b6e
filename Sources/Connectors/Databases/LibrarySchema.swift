internal import GRDB

/// The schema of the databases that stacks writes.
enum LibrarySchema {
    /// The application ID of these databases: "STKB".
    static let applicationID = 0x5354_4B42
    /// The version of the schema. Version 1 has no table `reading_log`, and version 2 no columns `other_title`
    /// and `other_fields`.
    static let version = 3
    /// The role of an author; other contributors have other roles, or none.
    static let author = "author"

    /// A column of the table `books` with the key of its value in a row.
    struct Column {
        /// The name of the column.
        let name: String
        /// The key.
        let key: String
        /// The type of its values.
        let type: ColumnType

        init(_ name: String, _ key: String, _ type: ColumnType = .text) {
            (self.name, self.key, self.type) = (name, key, type)
        }
    }

    /// The types of the values of a column.
    enum ColumnType {
        case text, integer, real, boolean
        /// A number that is an integer if it is whole, as SQLite stores it in a column of affinity NUMERIC.
        case numeric
        /// An object with the members of a row that have no other place.
        case rest
    }

    /// The columns of `books` that come from a row; triggers maintain `authors`, and `in_catalog` is true by default.
    static let columns = [
        Column("identity", "id"), Column("source_id", "sourceID"), Column("title", "title"),
        Column("subtitle", "subtitle"), Column("sort_title", "sortTitle"), Column("isbn", "isbn"),
        Column("page_count", "pageCount", .integer), Column("fiction", "fiction", .boolean),
        Column("publisher", "publisher"), Column("published", "published"), Column("series", "series"),
        Column("series_position", "seriesPosition", .real), Column("description", "description"),
        Column("cover", "cover"), Column("rating", "rating", .real), Column("status", "status"),
        Column("date_added", "dateAdded"), Column("in_catalog", "inCatalog", .boolean),
        Column("other_title", "otherTitle"), Column("other_fields", "", .rest),
    ]

    /// The columns of `books` that version 3 adds.
    static let laterColumns = ["other_title", "other_fields"]

    /// The keys of a row that have a place in the tables.
    static let keys = Set(
        columns.map(\.key) + ["authors", "contributors", "language", "subjects", "identifiers", "userData"])

    // A view, because many programs refuse a table with columns that are functions of others.
    /// Returns the statements that make the view in which each of the catalog's own fields is a column of the books. A key
    /// that cannot be a name in SQL has none.
    static func view(of keys: [String]) -> String {
        let columns = keys.filter { key in
            !key.isEmpty && !key.unicodeScalars.contains { $0.value < 0x20 || "\"'\\".unicodeScalars.contains($0) }
        }
        .map { #", json_extract(other_fields, '$."\#($0)"') AS "\#($0)""# }
        return "DROP VIEW IF EXISTS all_fields; CREATE VIEW all_fields AS SELECT books.*\(columns.joined()) FROM books;"
    }

    /// The columns of `readings` that come from the user data of a row; the date of a status has the key of the status.
    static let readingColumns = [
        Column("favourite", "favourite", .boolean), Column("status", "status"), Column("to_read_on", "to-read"),
        Column("reading_on", "reading"), Column("read_on", "read"), Column("abandoned_on", "abandoned"),
        Column("rating", "rating", .numeric), Column("note", "note"),
    ]

    /// The columns of `reading_log` with the keys of their values in a reading; `progress` is JSON.
    static let logColumns = [
        Column("started_on", "start"), Column("ended_on", "end"), Column("outcome", "outcome"),
        Column("progress", "progress"),
    ]

    /// The table that version 2 adds.
    static let log = """
        CREATE TABLE reading_log (
            book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            started_on TEXT, -- 2024-03-01, 2024-03 or 2024
            ended_on TEXT,
            outcome TEXT, -- read or abandoned; NULL while the reading lasts
            progress TEXT, -- JSON: [{"day":"2024-03-05","page":180},{"day":"2024-03-09","percent":64}]
            PRIMARY KEY (book_id, position)
        );
        """

    /// Returns the statements that make the schema of an earlier version the present one.
    ///
    /// - Parameter columns: The columns of `books`.
    static func upgrade(from version: Int, withColumns columns: Set<String>) -> String {
        (version < 2 ? log : "")
            + laterColumns.filter { !columns.contains($0) }
            .map { "ALTER TABLE books ADD COLUMN \($0) TEXT;" }.joined()
            + "PRAGMA user_version = \(self.version);"
    }

    /// The tables. The key of a list is the id of the book and the position in the list.
    static let tables = """
        CREATE TABLE books (
            id INTEGER PRIMARY KEY,
            identity TEXT NOT NULL UNIQUE, -- the book's id in stacks
            source_id TEXT, -- the catalog's own key
            title TEXT NOT NULL,
            subtitle TEXT,
            sort_title TEXT,
            authors TEXT, -- the names of book_people with the role author, joined by "; "; kept by triggers
            isbn TEXT,
            page_count INTEGER,
            fiction INTEGER, -- 1, 0, or NULL if unknown
            publisher TEXT,
            published TEXT, -- 1969, 1969-03, 1969-03-05 or -0750
            series TEXT,
            series_position REAL,
            description TEXT,
            cover TEXT,
            rating REAL, -- the catalog's rating, 0 to 5; yours is in readings
            status TEXT, -- the catalog's status
            date_added TEXT,
            in_catalog INTEGER NOT NULL DEFAULT 1, -- 0 if only your data knows the book
            other_title TEXT, -- in another script or language
            other_fields TEXT -- JSON: the fields that only your catalog has; columns of the view all_fields
        );
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE roles (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        INSERT INTO roles (id, name) VALUES (1, 'author');
        CREATE TABLE book_people (
            book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            person_id INTEGER NOT NULL REFERENCES people (id),
            role_id INTEGER REFERENCES roles (id),
            PRIMARY KEY (book_id, position)
        );
        CREATE TABLE subjects (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE book_subjects (
            book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            subject_id INTEGER NOT NULL REFERENCES subjects (id),
            PRIMARY KEY (book_id, position)
        );
        CREATE TABLE languages (
            book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            language TEXT NOT NULL, -- a tag such as en or pt-BR
            PRIMARY KEY (book_id, position)
        );
        CREATE TABLE identifiers (
            book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            scheme TEXT NOT NULL, -- doi, oclc, url ...
            value TEXT NOT NULL,
            PRIMARY KEY (book_id, position)
        );
        CREATE TABLE readings (
            book_id INTEGER PRIMARY KEY REFERENCES books (id) ON DELETE CASCADE,
            favourite INTEGER,
            status TEXT, -- to-read, reading, read or abandoned
            to_read_on TEXT, -- the latest day of each status
            reading_on TEXT,
            read_on TEXT,
            abandoned_on TEXT,
            rating NUMERIC, -- 0 to 5, in steps of a half
            note TEXT
        );
        CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE book_shelves (
            book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            shelf_id INTEGER NOT NULL REFERENCES shelves (id),
            PRIMARY KEY (book_id, position)
        );
        CREATE VIRTUAL TABLE books_fts USING fts5(
            title, subtitle, authors, content="books", content_rowid="id", tokenize="unicode61 remove_diacritics 2"
        );
        PRAGMA application_id = \(applicationID);
        \(log)
        PRAGMA user_version = \(version);
        """

    /// The indexes and triggers, which are created after the first books are inserted, because that is much faster.
    static let indexes = """
        CREATE INDEX book_people_person ON book_people (person_id);
        CREATE INDEX book_subjects_subject ON book_subjects (subject_id);
        CREATE INDEX book_shelves_shelf ON book_shelves (shelf_id);
        CREATE INDEX identifiers_value ON identifiers (scheme, value);
        CREATE INDEX books_isbn ON books (isbn);
        UPDATE books SET authors = \(authors(of: "books.id"));
        INSERT INTO books_fts (books_fts) VALUES ('rebuild');
        CREATE TRIGGER books_inserted AFTER INSERT ON books BEGIN
            INSERT INTO books_fts (rowid, title, subtitle, authors)
            VALUES (NEW.id, NEW.title, NEW.subtitle, NEW.authors);
        END;
        CREATE TRIGGER books_deleted AFTER DELETE ON books BEGIN
            INSERT INTO books_fts (books_fts, rowid, title, subtitle, authors)
            VALUES ('delete', OLD.id, OLD.title, OLD.subtitle, OLD.authors);
        END;
        CREATE TRIGGER books_updated AFTER UPDATE OF title, subtitle, authors ON books BEGIN
            INSERT INTO books_fts (books_fts, rowid, title, subtitle, authors)
            VALUES ('delete', OLD.id, OLD.title, OLD.subtitle, OLD.authors);
            INSERT INTO books_fts (rowid, title, subtitle, authors)
            VALUES (NEW.id, NEW.title, NEW.subtitle, NEW.authors);
        END;
        CREATE TRIGGER book_people_inserted AFTER INSERT ON book_people BEGIN
            UPDATE books SET authors = \(authors(of: "NEW.book_id")) WHERE id = NEW.book_id;
        END;
        CREATE TRIGGER book_people_deleted AFTER DELETE ON book_people BEGIN
            UPDATE books SET authors = \(authors(of: "OLD.book_id")) WHERE id = OLD.book_id;
        END;
        CREATE TRIGGER book_people_updated AFTER UPDATE ON book_people BEGIN
            UPDATE books SET authors = \(authors(of: "books.id")) WHERE id IN (OLD.book_id, NEW.book_id);
        END;
        CREATE TRIGGER people_renamed AFTER UPDATE OF name ON people BEGIN
            UPDATE books SET authors = \(authors(of: "books.id"))
            WHERE id IN (SELECT book_id FROM book_people WHERE person_id = NEW.id);
        END;
        """

    /// An expression for the names of the authors of a book.
    private static func authors(of book: String) -> String {
        """
        (SELECT group_concat(name, '; ') FROM (
            SELECT people.name FROM book_people JOIN people ON people.id = person_id
            WHERE book_id = \(book) AND role_id = (SELECT id FROM roles WHERE name = '\(author)') ORDER BY position))
        """
    }

    /// The tables that a database with this schema must have.
    private static let names = [
        "books", "people", "roles", "book_people", "subjects", "book_subjects", "languages", "identifiers", "readings",
        "shelves", "book_shelves",
    ]

    /// Returns the schema version of a database, detected by its application ID and tables; nil for another database.
    static func version(of database: Database) throws -> Int? {
        let id = try Int.fetchOne(database, sql: "PRAGMA application_id")
        let tables = try String.fetchSet(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        guard id == applicationID, tables.isSuperset(of: names) else { return nil }
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version")
        return version == 1 || tables.contains("reading_log") ? version : nil
    }
}
