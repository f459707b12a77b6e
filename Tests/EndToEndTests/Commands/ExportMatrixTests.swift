import Foundation
import Testing

/// What comes back when an export is opened again: a field of a format is kept, or the export says that it is not.
@Suite("stacks export: the matrix of formats and fields") struct ExportMatrixTests {
    /// A book with a value that a format keeps or loses.
    private struct Sample {
        /// The field, or what is special about its value.
        let name: String
        /// The members of the record.
        let members: String
        /// How exports that lose the value name it.
        let names: Set<String>

        init(_ name: String, _ members: String, _ names: String...) {
            (self.name, self.members, self.names) = (name, members, Set(names))
        }
    }

    private static let samples = [
        Sample(
            "title", #""title": "L'été d'Emma: a \"life\" & more, 50 %; {x} #1_""#,
            "where a title with a colon ends"),
        Sample("subtitle", #""subtitle": "A novel; in parts""#, "subtitle"),
        Sample(
            "authors", #""authors": ["Bob Müller", "Ann von King"]"#, "that further authors are not contributors"),
        Sample(
            "author with suffix", #""authors": ["Bob Müller", "Sammy Davis, Jr."]"#, "commas in names",
            "that further authors are not contributors"),
        Sample(
            "contributors",
            #""contributors": [{"name": "Max Born", "role": "editor"}, {"name": "Ann Ash", "role": "translator"}]"#,
            "contributors", "roles"),
        Sample(
            "roles", #""contributors": [{"name": "Max Born", "role": "narrator"}]"#, "contributors", "roles",
            "roles but editor and translator", "roles that CSL does not have"),
        Sample("isbn", #""isbn": "9780141439587""#),
        Sample("publisher", #""publisher": "Smith, Elder & Co.""#, "publisher"),
        Sample("day", #""published": "1815-12-23""#, "published", "months and days of publication"),
        Sample("year", #""published": "1815""#, "published", "that a month or day is unknown"),
        Sample("year before 1", #""published": "-0750""#, "published", "years before 1"),
        Sample("pages", #""pageCount": 431"#, "pages"),
        Sample("kind", #""fiction": false"#, "fiction"),
        Sample("language", #""language": ["en"]"#, "languages"),
        Sample("languages", #""language": ["en", "fr"]"#, "languages", "further languages"),
        Sample("subjects", #""subjects": ["Horror", "Space"]"#, "subjects"),
        Sample("subject with comma", #""subjects": ["Horror", "War, modern"]"#, "subjects", "commas in subjects"),
        Sample("subject with semicolon", #""subjects": ["Horror", "War; modern"]"#, "subjects"),
        Sample("series", #""series": "Earthsea", "pageCount": 103"#, "series", "pages"),
        Sample("number in series", #""series": "Earthsea", "seriesPosition": 3"#, "number in series"),
        Sample("description", #""description": "One; two.""#, "description"),
        Sample("lines", #""description": "One.\nTwo.""#, "description", "line breaks in descriptions"),
        Sample("rating", #""rating": 4.5"#, "rating"),
        Sample("date added", #""dateAdded": "2024-03-01""#, "date added"),
        Sample("cover", #""cover": "https://example.org/c.jpg""#, "cover"),
        Sample(
            "doi", #""identifiers": [{"scheme": "doi", "value": "10.1000/182"}]"#, "identifiers",
            "further identifiers"),
        Sample(
            "identifiers",
            #""identifiers": [{"scheme": "doi", "value": "10.1/2"}, {"scheme": "oclc", "value": "1234"}]"#,
            "identifiers", "further identifiers"),
        Sample("status", #""status": "reading""#, "status"),
        Sample("sort title", #""sortTitle": "Emma, The""#, "sort title"),
        Sample("own text", #""location": "Hall; shelf 3""#, "location"),
        Sample("own number", #""price": 4.50"#, "price"),
        Sample("own list", #""labels": ["red", "gift; new"]"#, "labels"),
        Sample("own date", #""bought": "2024-03-12""#, "bought"),
        Sample("own object", #""place": {"room": "Study", "case": 7}"#, "room", "case"),
        Sample("edition", #""edition": "2nd""#, "edition"),
    ]

    /// The cells: what comes back is equal (=), or left out with a word (·).
    private static let matrix = """
        ==========·=== title
        =====·=·====·· subtitle
        ============·= authors
        ============·· author with suffix
        =====·======·· contributors
        =====·=·==·=·· roles
        ============== isbn
        =============· publisher
        ========·===·· day
        =====·=======· year
        =====·====·==· year before 1
        =====·=====·=· pages
        =====···=····· kind
        ============·· language
        =======·====·· languages
        ============·· subjects
        =====·=·====·· subject with comma
        ============·· subject with semicolon
        =====·=====··· series
        ============·· number in series
        ============·· description
        ======·==····· lines
        ======······=· rating
        ======········ date added
        ======·····=·· cover
        ============·· doi
        ======··====·· identifiers
        =====········· status
        ======········ sort title
        =====········· own text
        =====········· own number
        =====········· own list
        =====········· own date
        =====········· own object
        =====·=······· edition
        """

    let sandbox: Sandbox
    private let catalog: String

    init() throws {
        sandbox = try Sandbox()
        let books = Self.samples.map { sample in
            let title = sample.name == "title" ? "" : #""title": "Book of \#(sample.name)", "#
            let authors = sample.members.contains("authors") ? "" : #""authors": ["Ann King"], "#
            return "{" + title + authors + sample.members + "}"
        }
        catalog = try sandbox.write("[\n" + books.joined(separator: ",\n") + "\n]\n", to: "books.json")
    }

    private func run(_ arguments: [String]) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    /// The values of each book, with own fields as texts, in the order of the catalog.
    private func books(in file: String) throws -> [[String: String]] {
        let result = try run(["export", file, "--format", "json", "--without-user-data"])
        let rows = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]] ?? []
        return rows.map { row in
            var values: [String: String] = [:]
            func add(_ value: Any, at key: String) {
                switch value {
                case let members as [String: Any]: for (name, value) in members { add(value, at: "\(key).\(name)") }
                case let items as [Any]:
                    values[key] = items.map(Self.text(of:)).filter { !$0.hasPrefix("citekey") }.sorted()
                        .joined(separator: "|")
                default: if !(value is NSNull) { values[key] = "\(value)" }
                }
            }
            for (key, value) in row where Self.isCompared(key) { add(value, at: key) }
            return values.filter { !$0.value.isEmpty }
        }
    }

    /// An item of a list, or the values of one, by their keys. Names are equal in either order.
    private static func text(of item: Any) -> String {
        if let name = item as? String {
            let parts = name.components(separatedBy: ", ")
            if parts.count == 3 { return "\(parts[1]) \(parts[0]), \(parts[2])" }
            return parts.count == 2 && parts[1] != "Jr." ? "\(parts[1]) \(parts[0])" : name
        }
        guard let members = item as? [String: Any] else { return "\(item)" }
        return members.keys.sorted().map { text(of: members[$0] ?? "") }.joined(separator: " ")
    }

    /// Whether a member says something of the book: others are of the catalog, or of the format.
    private static func isCompared(_ key: String) -> Bool {
        ![
            "id", "sourceID", "other", "marc", "extent", "author_sort", "type", "itemType", "updated", "links",
        ].contains(key)
    }

    @Test("Each cell is kept, or the export says that it is not")
    func cells() throws {
        let original = try books(in: catalog)
        // The tables of reading logs have the books with data of the reader.
        let rows = try run(["search", "", catalog, "--format", "jsonl"]).output.split(separator: "\n")
        let ids = rows.compactMap { $0.split(separator: "\"").dropFirst(3).first.map(String.init) }
        #expect(try run(["favourites", "add", "--catalog", catalog] + ids).ending == .exit(0))
        var table: [String: String] = [:]
        for format in Self.formats {
            let file = "\(sandbox.path)/books.\(format.ending)"
            let isLog = ["goodreads", "storygraph"].contains(format.name)
            let export = try run(
                ["export", catalog, "--format", format.name, "--output", file]
                    + (isLog ? [] : ["--without-user-data"]))
            #expect(export.ending == .exit(0))
            let said = Set(
                export.error.split(separator: ": ").last.map {
                    $0.trimmingCharacters(in: .whitespacesAndNewlines).dropLast().components(separatedBy: ", ")
                } ?? [])
            let reopened = try books(in: file)
            #expect(reopened.count == original.count, "\(format.name)")
            var explained: Set<String> = []
            for (sample, (before, after)) in zip(Self.samples, zip(original, reopened)) {
                let isKept = isLog ? before.allSatisfy { after[$0] == $1 } : before == after
                table[sample.name, default: ""] += isKept ? "=" : "·"
                if isKept { continue }
                let names = sample.names.intersection(said)
                let change = "\(format.name) loses \(sample.name): \(before) became \(after)"
                if names.isEmpty { Issue.record("\(change); it says \(said)") }
                explained.formUnion(names)
            }
            #expect(explained == said, "\(format.name) says that it loses what it keeps")
        }
        let lines = Self.samples.map { "\(table[$0.name] ?? "") \($0.name)" }
        #expect(lines.joined(separator: "\n") == Self.matrix)
    }

    private static let formats: [(name: String, ending: String)] = [
        ("json", "out.json"), ("jsonl", "jsonl"), ("records", "records.json"), ("csv", "csv"), ("sqlite", "db"),
        ("calibre", "calibre.csv"), ("bibtex", "bib"), ("csl", "csl.json"), ("marcxml", "marcxml"), ("mods", "mods"),
        ("ris", "ris"), ("opds", "atom"), ("goodreads", "goodreads.csv"), ("storygraph", "storygraph.csv"),
    ]
}
