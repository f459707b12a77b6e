internal import Books
internal import Catalog
internal import FoundationEssentials
internal import Indexing
internal import JSON
internal import Library
internal import Remote
internal import Text

/// The result of `stacks check`, in the structure of its JSON output.
struct CheckReport: Encodable, Hashable {
    /// Whether the whole text, or each of its lines, is valid JSON (RFC 8259), or no row of another format was skipped.
    var valid: Bool
    /// The name of the format if it is not JSON.
    var format: String?
    /// The encoding of the text if it is not UTF-8.
    var encoding: String?
    /// The name of the profile used; nil if the catalog could not be opened.
    var profile: String?
    /// The label of the profile.
    var profileLabel: String?
    /// Whether the profile was detected from the contents instead of chosen.
    var isProfileDetected: Bool?
    /// The paths of the records; empty for JSON Lines.
    var recordPaths: [String]?
    /// The number of records.
    var records = 0
    /// The number of values that are not books, or of lines or rows that cannot be read, which were skipped.
    var skipped = 0
    /// The number of records that have a field, by the name of the field.
    var fields: [String: Coverage] = [:]
    /// The first few errors of each kind.
    var problems: [Problem] = []
    /// The number of errors of each kind.
    var problemCounts: [String: Int] = [:]
    /// Records that share values that should be unique.
    var doubles = Doubles()
    /// Values that are not ISBNs or have a wrong check digit.
    var invalidISBNs = InvalidISBNs()
    /// What can be cleaned.
    var cleaning = Cleaning()
    /// Whether the catalog is an incomplete copy of a source.
    var isIncomplete = false
    /// The error message if the catalog could not be opened.
    var error: String?

    /// The fields in display order.
    var fieldOrder: [BookField] = []
    /// A summary of the defects, including read errors such as a disk failure.
    var defects: String?

    /// Excludes `fieldOrder` and `defects`, which only the text output uses.
    private enum CodingKeys: String, CodingKey {
        case valid, format, encoding, profile, profileLabel
        case isProfileDetected = "profileDetected"
        case isIncomplete = "incomplete"
        case recordPaths, records, skipped, fields, doubles, invalidISBNs, cleaning, error
        case problems = "faults"
        case problemCounts = "faultCounts"
    }

    /// The number of records that have a field.
    struct Coverage: Encodable, Hashable {
        var count: Int
        /// The share of all records, 0...1.
        var share: Double
    }

    /// A position in the file, as editors show it. Formats other than JSON have no column, and some only the number of
    /// the record.
    struct Location: Encodable, Hashable {
        /// The number of the record, from 1, if the format is not JSON.
        var record: Int?
        var line: Int?
        var column: Int?
        var byteOffset: Int?
    }

    /// An error in the catalog.
    struct Problem: Encodable, Hashable {
        var kind: String
        var location: Location
        var message: String

        private enum CodingKeys: String, CodingKey { case kind, message }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind, forKey: .kind)
            try container.encode(message, forKey: .message)
            try location.encode(to: encoder)
        }
    }

    /// Records that share a value.
    struct Doubles: Encodable, Hashable {
        /// Records with the same valid ISBN.
        var isbn = Groups()
        /// Records with the same title and authors.
        var titleAndAuthors = Groups()

        /// Records grouped by the value that they share.
        struct Groups: Encodable, Hashable {
            /// The number of shared values.
            var groups = 0
            /// The number of records that share them.
            var records = 0
            /// The first few groups.
            var first: [Group] = []
        }

        /// Records that share one value.
        struct Group: Encodable, Hashable {
            /// The value.
            var value: String
            /// The positions of the first few records.
            var places: [Location]
            /// The ids of these records if all of the group are listed and their ISBNs do not differ, so that they can
            /// be merged; otherwise empty.
            var ids: [String] = []
        }
    }

    /// Values that are not ISBNs.
    struct InvalidISBNs: Encodable, Hashable {
        /// The number of invalid values.
        var count = 0
        /// The first few invalid values.
        var first: [Number] = []

        /// An invalid value.
        struct Number: Encodable, Hashable {
            /// The text in the catalog.
            var text: String
            var location: Location

            private enum CodingKeys: String, CodingKey { case text }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(text, forKey: .text)
                try location.encode(to: encoder)
            }
        }
    }

    /// The numbers of what the commands and screens for cleaning show.
    struct Cleaning: Encodable, Hashable {
        /// The number of groups of duplicates, those apart that only have similar titles, which take long to find.
        var duplicateGroups = 0
        /// The number of groups of values that may be one, by the id of their field; none is 0.
        var valueGroups: [String: Int] = [:]
        /// The number of books of each search for what is missing or wrong, by its id.
        var tidyUp: [String: Int] = [:]
    }

    /// Whether the catalog was read completely and without errors.
    var isFlawless: Bool { valid && !isIncomplete && skipped == 0 && error == nil }

    /// The report as JSON, with a line feed at the end and without characters that could control a terminal.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding strings and numbers cannot fail.
        return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self).harmlessJSON + "\n"
    }
}

// MARK: - Kinds of errors

extension CheckReport.Problem {
    static let syntax = "syntax error"
    static let malformedLine = "malformed line"
    static let noBook = "not a book"

    fileprivate init(_ kind: String, _ position: TextPosition, _ message: String) {
        self.init(kind: kind, location: CheckReport.Location(position), message: message)
    }
}

extension CheckReport.Location {
    fileprivate init(_ position: TextPosition) {
        self.init(line: position.line, column: position.column, byteOffset: position.byteOffset)
    }
}

extension CatalogValidator.Issue {
    /// The name of the kind.
    var kind: String {
        switch self {
        case .missing(let field): "missing \(field.id)"
        case .unreadable(let field): "unreadable \(field.id)"
        }
    }

    /// Returns the error message for `value`.
    fileprivate func message(of value: JSONValue?) -> String {
        switch self {
        case .missing(let field): "no \(field.id)"
        case .unreadable(let field): "\(value?.shortened ?? "this") is not \(field.info.noun)"
        }
    }
}

extension JSONValue {
    /// The value as JSON, shortened to 40 characters.
    fileprivate var shortened: String {
        let text = json
        return text.utf8.count > 40 && text.count > 40 ? text.prefix(39) + "…" : text
    }
}

// MARK: - Creation

extension CheckReport {
    /// Creates the report on a catalog that could not be opened.
    init(_ error: CatalogError) {
        self.init(valid: false, error: error.sentence)
        switch error {
        case .malformed(_, let syntaxError):
            add(.init(Problem.syntax, syntaxError.position, syntaxError.reason.phrase), count: 1)
        case .notACatalog: valid = true
        case .empty, .wrongFormat, .unreadable: break
        }
    }

    /// Creates the report on a catalog that was read to its end; `report` describes its records, and `source` the file that
    /// it was copied from.
    init(of catalog: JSONFileCatalog, _ report: CatalogValidator, copiedFrom source: CheckedSource?) {
        let defects = catalog.defects
        self.init(valid: defects.isWellFormed)
        self.defects = defects.sentence
        if let format = catalog.format {
            profile = format.profile.name
            profileLabel = format.profile.label
            isProfileDetected = format.isDetected
            recordPaths = format.recordPaths.map(\.description)
        }
        records = report.recordCount
        skipped = defects.omissionCount
        if let source { add(source) }
        fieldOrder = report.fields
        for field in report.fields {
            let count = report.coverage[field] ?? 0
            fields[field.id] = Coverage(count: count, share: records == 0 ? 0 : Double(count) / Double(records))
        }
        addProblems(of: defects)
        addProblems(in: catalog, report, copiedFrom: source)
    }

    /// Adds what the copy does not have.
    private mutating func add(_ source: CheckedSource) {
        (format, encoding) = (source.format, source.encoding)
        skipped += source.skippedCount
        valid = valid && source.skippedCount == 0
        for defect in source.defects {
            let location = defect.place.map { " at \($0)" } ?? ""
            add(
                Problem(
                    kind: defect.phrase, location: Location(line: defect.line),
                    message: (defect.isSkipped ? "skipped" : "kept") + (defect.line == nil ? location : "")),
                count: defect.count)
        }
    }

    private mutating func add(_ problem: Problem, count: Int) {
        problems.append(problem)
        problemCounts[problem.kind] = count
    }

    private mutating func addProblems(of defects: CatalogDefects) {
        if let syntaxError = defects.syntaxError {
            add(Problem(Problem.syntax, syntaxError.position, syntaxError.reason.phrase), count: 1)
        }
        for omission in defects.omissions {
            if let reason = omission.reason {
                add(Problem(Problem.malformedLine, omission.position, reason.phrase), count: defects.malformedLineCount)
            } else {
                add(
                    Problem(Problem.noBook, omission.position, CommandMessage.skippedValue.text()),
                    count: defects.omissionCount - defects.malformedLineCount)
            }
        }
    }

    /// Adds the errors of records and of their values; reads the catalog again to find their lines and columns.
    private mutating func addProblems(
        in catalog: JSONFileCatalog, _ report: CatalogValidator, copiedFrom source: CheckedSource?
    ) {
        let issues = report.issues.sorted { $0.key.kind < $1.key.kind }
        let byISBN = report.doublesByISBN(in: catalog.index)
        let byTitle = report.doublesByTitle(in: catalog.index)
        var locations = issues.flatMap(\.value.first) + report.firstInvalidISBNs.map(\.location)
        locations += (byISBN.first + byTitle.first).joined().map { CatalogValidator.Location(record: $0) }
        var places: ArraySlice<Location>
        if let source {
            // A column of a table is no column of its text.
            let known = source.locations(of: locations.map(\.record))
            places = locations.map { known[$0.record] ?? Location(record: $0.record + 1) }[...]
        } else {
            places =
                catalog.positions(
                    of: locations.map { RecordLocation(BookID($0.record), $0.steps.isEmpty ? nil : $0.path) }
                ).map { Location($0) }[...]
        }
        func next() -> Location { places.popFirst() ?? Location(line: 1, column: 1, byteOffset: 0) }

        for (issue, findings) in issues {
            for found in findings.first {
                let value = catalog.record(BookID(found.record)).flatMap { found.path.value(in: $0) }
                add(
                    Problem(kind: issue.kind, location: next(), message: issue.message(of: value)),
                    count: findings.count)
            }
        }
        invalidISBNs.count = report.invalidISBNCount
        for number in report.firstInvalidISBNs {
            invalidISBNs.first.append(.init(text: number.text, location: next()))
        }
        func groups(_ found: CatalogValidator.Doubles, _ value: (Book) -> String) -> Doubles.Groups {
            let identities = IdentityTable(of: found.first.joined().map { BookID($0) }, in: catalog.index)
            let groups = found.first.map { records in
                let book = records.first.flatMap { catalog.book(BookID($0)).value }
                let ids = records.map { identities[BookID($0)] }
                let areOneBook = Set(ids.map(\.key)).count == 1 && records.count < CatalogValidator.maximumCount
                return Doubles.Group(
                    value: book.map(value) ?? "", places: records.map { _ in next() },
                    ids: areOneBook ? ids.map(\.description) : [])
            }
            return Doubles.Groups(groups: found.groupCount, records: found.recordCount, first: groups)
        }
        doubles.isbn = groups(byISBN) { $0.isbn?.formatted ?? "" }
        doubles.titleAndAuthors = groups(byTitle) {
            ([$0.title] + ($0.authors.isEmpty ? [] : [$0.authors.listed])).joined(separator: ", ")
        }
    }
}

extension CheckReport.Cleaning {
    /// Counts what can be cleaned in a catalog. Reads all books once for each field with shared values.
    init(of library: Library) {
        var search = library.duplicateSearch
        let certain = search.findCertain()
        let duplicates = certain + search.findLikely(findsSimilar: false)
        duplicateGroups = library.withoutDistinct(duplicates, certain: certain)
            .count { $0.reason.certainty != .editions }
        for field in library.store.schema.withSharedValues {
            let count = library.countValues(of: field)?.variants()?.count ?? 0
            if count > 0 { valueGroups[field.id] = count }
        }
        for list in library.tidyUpLists {
            if case .tidyUp(let search) = list.kind { tidyUp[search.rawValue] = library.books(in: list).count }
        }
    }
}
