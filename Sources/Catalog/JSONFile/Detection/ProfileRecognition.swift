internal import Books
internal import JSON

/// Recognizes the built-in profile of a catalog by the keys of its records.
package enum ProfileRecognition {
    /// The name of the profile for records that no other profile describes.
    package static let native = "native"

    /// The item types of CSL 1.0.2: books and their parts, and other items that occur in the same catalogs.
    private static let typesOfCSL: Set = [
        "article", "article-journal", "article-magazine", "article-newspaper", "bill", "book", "broadcast", "chapter",
        "classic", "collection", "dataset", "document", "entry", "entry-dictionary", "entry-encyclopedia", "event",
        "figure", "graphic", "hearing", "interview", "legal_case", "legislation", "manuscript", "map", "motion_picture",
        "musical_score", "pamphlet", "paper-conference", "patent", "performance", "periodical",
        "personal_communication",
        "post", "post-weblog", "regulation", "report", "review", "review-book", "software", "song", "speech",
        "standard", "thesis", "treaty", "webpage",
    ]

    /// Returns the profile of a catalog whose top-level value is the object `root`, if the object is distinctive.
    static func profile(ofObject root: JSONValue) -> String? {
        if let metadata = root["metadata"] {
            if ["publications", "groups", "navigation"].contains(where: { root[$0] != nil }) { return "opds" }
            if metadata["title"] != nil { return "opds" }
        }
        if root["kind"]?.string?.hasPrefix("books#volume") == true { return "google" }
        if root["results"]?.hasElement(with: "bookshelves") == true { return "gutendex" }
        if root["items"]?.hasElement(with: "itemType") == true { return "zotero-json" }
        if root["items"]?.hasElement(with: "snapshot") == true { return "inventaire" }
        if root["records"]?.first?.isOfVuFind == true { return "vufind" }
        if root["docs"]?.hasElement(with: "author_name") == true { return "openlibrary-search" }
        if root["response"]?["docs"] != nil { return "blacklight" }
        if root["@graph"] != nil || root["@type"]?.isBookType == true { return "schema" }
        if root["type"]?["key"]?.string?.hasPrefix("/type/") == true { return "openlibrary-edition" }
        if root["entries"]?.first?["type"]?["key"]?.string?.hasPrefix("/type/") == true { return "openlibrary-edition" }
        return nil
    }

    /// The keys of a record that identify its profile.
    private static let tellingKeys = Set([
        "title", "type", "id", "author_sort", "title_sort", "series_index", "authors", "bookshelves", "kind",
        "volumeInfo", "@type", "metadata", "itemType", "creators", "data", "snapshot",
    ]).union(tables.flatMap(\.columns)).union(BookField.builtIn.map(\.info.nativeKey)).union(titleColumns)

    /// Whether the member with this key identifies the profile of its record, or shows that the record is a book, or may
    /// have a field by its name.
    static func isTelling(_ key: String) -> Bool {
        tellingKeys.contains(key) || BookTraits.has(key: key) || BookField.named(key) != nil
    }

    /// Returns the profile that matches most of `records`, which need only the members whose keys are telling.
    ///
    /// - Parameter isTable: Whether the records are rows of a table.
    static func profile(of records: [JSONValue], isTable: Bool = false) -> String {
        let table = table(withColumns: Set(records.flatMap { ($0.members ?? []).map(\.key) }))
        // The columns of stacks are the members of its JSON, too.
        if let table, table != own || isTable { return table }
        let rows = records
        // The first row of a table has its empty cells, too.
        let records = records.map(\.withoutNulls)
        func most(_ test: (JSONValue) -> Bool) -> Bool { 2 * records.count(where: test) > records.count }
        if most({ record in
            guard let type = record["type"]?.string, record["id"] != nil, record["title"] != nil else { return false }
            return typesOfCSL.contains(type)
        }) {
            return "csl"
        }
        // Calibre omits either key from records without a value for it, but always writes the authors as one string.
        let isCalibre = rows.contains {
            $0["author_sort"] != nil || $0["series_index"] != nil && $0["authors"]?.string != nil
        }
        if isCalibre, records.allSatisfy({ $0["authors"] == nil || $0["authors"]?.string != nil }) {
            // Its catalogs in CSV have other columns, and the rating in stars.
            return rows.contains { $0["title_sort"] != nil } ? "calibre-csv" : "calibre"
        }
        if most({
            $0["bookshelves"] != nil && ($0["authors"]?.isEmptyArray ?? false || $0["authors"]?.first?["name"] != nil)
        }) {
            return "gutendex"
        }
        if most({ $0["type"]?["key"]?.string?.hasPrefix("/type/") ?? false }) { return "openlibrary-edition" }
        if most({ $0["kind"]?.string == "books#volume" && $0["volumeInfo"] != nil }) { return "google" }
        if most({ $0["itemType"] != nil && $0["creators"] != nil || $0["data"]?["itemType"] != nil }) {
            return "zotero-json"
        }
        if most({ $0["snapshot"]?["entity:title"] != nil }) { return "inventaire" }
        if most(\.isOfVuFind) { return "vufind" }
        if most({ $0["@type"]?.isBookType ?? false }) { return "schema" }
        if most({ $0["metadata"]?["title"] != nil }) { return "opds" }
        let hasTitleColumn = most { record in
            !titleColumns.allSatisfy { record[$0] == nil } && record["title"] == nil && record["name"] == nil
        }
        return hasTitleColumn ? "table" : native
    }

    // MARK: Rows of tables

    /// The columns by which the tables of programs are recognized, whatever their cells contain, and how many of them
    /// there must be.
    private static let tables: [(profile: String, least: Int, columns: Set<String>)] = [
        (
            own, 10,
            ["id", "title", "authors", "isbn", "pages", "year", "publisher", "language", "series", "subjects"]
        ),
        // Exports of stacks in this form may have neither a number nor a binding.
        (
            "goodreads", 3,
            ["Book Id", "Author l-f", "Exclusive Shelf", "Bookshelves", "Binding", "My Rating", "Owned Copies"]
        ),
        ("librarything", 3, ["Book Id", "Primary Author", "Sort Character", "Collections", "Entry Date"]),
        ("storygraph", 3, ["ISBN/UID", "Read Status", "Moods", "Pace", "Star Rating"]),
        ("zotero", 3, ["Key", "Item Type", "Publication Title", "Date Modified", "Abstract Note"]),
        ("bookwyrm", 3, ["author_text", "remote_id", "inventaire_id", "stopped_date", "review_cw"]),
        ("gutenberg", 3, ["Text#", "Issued", "LoCC", "Bookshelves"]),
        ("goodbooks", 3, ["goodreads_book_id", "best_book_id", "work_id"]),
    ]
    /// The profile of the CSV of stacks.
    package static let own = "stacks-csv"

    /// Returns the profile of a table with these columns, if it is that of a program.
    package static func table(withColumns columns: Set<String>) -> String? {
        tables.first { $0.columns.count(where: columns.contains) >= $0.least }?.profile
    }

    /// The columns of other tables that have titles.
    private static let titleColumns: Set = ["Title", "TITLE", "Book Title", "Book title", "book_title", "Name"]
}

extension JSONValue {
    /// Whether a record is one of VuFind's API: its authors are objects with their names as keys.
    fileprivate var isOfVuFind: Bool {
        guard let authors = self["authors"] else { return false }
        return authors["primary"] != nil && authors["corporate"] != nil
    }

    /// An object without the members that are null.
    fileprivate var withoutNulls: JSONValue {
        members.map { .object($0.filter { $0.value != .null }) } ?? self
    }
}
