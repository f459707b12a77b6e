internal import Books
internal import Catalog
internal import FoundationEssentials
internal import Indexing
internal import JSON
internal import Library

/// All that `stacks check` found, in the shape that it has in JSON.
struct CheckReport: Encodable, Hashable {
    /// Whether all of the text is JSON (RFC 8259), or each of its lines is.
    var valid: Bool
    /// The name of the profile by which it was read; nil where there is nothing to read.
    var profile: String?
    /// The same for people.
    var profileLabel: String?
    /// Whether that was found by what the catalog has, and not chosen.
    var isProfileDetected: Bool?
    /// Where the records are; nothing for one record a line.
    var recordPaths: [String]?
    /// How many records there are.
    var records = 0
    /// How many values are no books, or lines no JSON, and were left out.
    var skipped = 0
    /// How many records have each field, by the fields' names.
    var fields: [String: Coverage] = [:]
    /// What is wrong: the first few of each kind.
    var faults: [Fault] = []
    /// How many there are of each kind.
    var faultCounts: [String: Int] = [:]
    /// Records that share what should be one book's own.
    var doubles = Doubles()
    /// ISBNs whose check digit is wrong, or that are none.
    var invalidISBNs = InvalidISBNs()
    /// Why there is nothing to show.
    var error: String?

    /// The fields, in the order in which they are shown.
    var fieldOrder: [BookField] = []
    /// What is wrong besides the catalog's content, as after a disk failed.
    var defects: String?

    /// `fieldOrder` and `defects` are for the text alone.
    private enum CodingKeys: String, CodingKey {
        case valid, profile, profileLabel
        case isProfileDetected = "profileDetected"
        case recordPaths, records, skipped, fields, faults, faultCounts, doubles, invalidISBNs, error
    }

    /// How many records have a field.
    struct Coverage: Encodable, Hashable {
        var count: Int
        /// Their share, from 0 to 1.
        var share: Double
    }

    /// A place in the text, as an editor shows it.
    struct Place: Encodable, Hashable {
        var line: Int
        var column: Int
        var byteOffset: Int
    }

    /// Something that is wrong.
    struct Fault: Encodable, Hashable {
        var kind: String
        var line: Int
        var column: Int
        var byteOffset: Int
        var message: String
    }

    /// Records that share something.
    struct Doubles: Encodable, Hashable {
        /// The same valid ISBN.
        var isbn = Groups()
        /// The same title and authors.
        var titleAndAuthors = Groups()

        /// The records that share a value, by the values.
        struct Groups: Encodable, Hashable {
            /// How many values are shared.
            var groups = 0
            /// By how many records.
            var records = 0
            /// The first few.
            var first: [Group] = []
        }

        /// The records that share one value.
        struct Group: Encodable, Hashable {
            /// The value.
            var value: String
            /// Where its first few records are.
            var places: [Place]
        }
    }

    /// Numbers that are no ISBNs.
    struct InvalidISBNs: Encodable, Hashable {
        /// How many.
        var count = 0
        /// The first few.
        var first: [Number] = []

        /// One of them.
        struct Number: Encodable, Hashable {
            /// What the catalog has.
            var text: String
            var line: Int
            var column: Int
            var byteOffset: Int
        }
    }

    /// Whether nothing is wrong that makes a catalog less than whole.
    var isFlawless: Bool { valid && skipped == 0 && error == nil }

    /// This as JSON, with a line feed at its end, and nothing in it that acts on a terminal.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding strings and numbers cannot fail.
        return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self).harmlessJSON + "\n"
    }
}

// MARK: - Kinds of faults

extension CheckReport.Fault {
    static let syntax = "syntax fault"
    static let malformedLine = "malformed line"
    static let noBook = "no book"

    fileprivate init(_ kind: String, _ position: TextPosition, _ message: String) {
        self.init(
            kind: kind, line: position.line, column: position.column, byteOffset: position.byteOffset, message: message)
    }
}

extension CatalogValidator.Flaw {
    /// The kind that it is.
    var kind: String {
        switch self {
        case .missing(let field): "missing \(field.rawValue)"
        case .unreadable(let field): "unreadable \(field.rawValue)"
        }
    }

    /// What is wrong with `value`.
    fileprivate func message(of value: JSONValue?) -> String {
        switch self {
        case .missing(let field): "the book has no \(field.rawValue)"
        case .unreadable(let field): "\(value?.shortened ?? "this") cannot be read as \(field.noun)"
        }
    }
}

extension JSONValue {
    /// The beginning of this as JSON.
    fileprivate var shortened: String {
        let text = json
        return text.utf8.count > 40 && text.count > 40 ? text.prefix(39) + "…" : text
    }
}

extension BookField {
    /// What a value of this field is.
    fileprivate var noun: String {
        switch self {
        case .title, .subtitle, .sortTitle: "a title"
        case .authors, .contributors: "a name"
        case .isbn: "an ISBN"
        case .pageCount: "a number of pages"
        case .fiction: "yes or no"
        case .sourceID, .identifiers: "a number in a scheme"
        case .publisher: "a publisher"
        case .published, .dateAdded: "a date"
        case .languages: "a language"
        case .subjects: "a subject"
        case .series: "a series"
        case .seriesPosition: "a number"
        case .description: "a text"
        case .cover: "a link"
        case .rating: "a rating from 0 to the highest"
        case .status: "to-read, reading, read or abandoned"
        }
    }
}

// MARK: - Making

extension CheckReport {
    /// What is to be said of a catalog that cannot be opened.
    init(_ error: CatalogError) {
        self.init(valid: false, error: error.sentence)
        switch error {
        case .malformed(_, let fault):
            add(.init(Fault.syntax, fault.position, fault.reason.phrase), count: 1)
        case .notACatalog: valid = true
        case .empty, .wrongFormat, .unreadable: break
        }
    }

    /// What is to be said of the catalog, which was read to its end; `report` is on its records.
    init(of catalog: JSONFileCatalog, _ report: CatalogValidator) {
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
        fieldOrder = report.fields
        for field in report.fields {
            let count = report.coverage[field] ?? 0
            fields[field.rawValue] = Coverage(count: count, share: records == 0 ? 0 : Double(count) / Double(records))
        }
        addFaults(of: defects)
        addPlaces(in: catalog, report)
    }

    private mutating func add(_ fault: Fault, count: Int) {
        faults.append(fault)
        faultCounts[fault.kind] = count
    }

    private mutating func addFaults(of defects: CatalogDefects) {
        if let fault = defects.fault { add(Fault(Fault.syntax, fault.position, fault.reason.phrase), count: 1) }
        for omission in defects.omissions {
            if let reason = omission.reason {
                add(Fault(Fault.malformedLine, omission.position, reason.phrase), count: defects.malformedLineCount)
            } else {
                add(
                    Fault(Fault.noBook, omission.position, "this is no book and was left out"),
                    count: defects.omissionCount - defects.malformedLineCount)
            }
        }
    }

    /// Adds what is at records or values in them, for whose lines and columns the catalog is read once more.
    private mutating func addPlaces(in catalog: JSONFileCatalog, _ report: CatalogValidator) {
        let flaws = report.flaws.sorted { $0.key.kind < $1.key.kind }
        let byISBN = report.doublesByISBN(in: catalog.index)
        let byTitle = report.doublesByTitle(in: catalog.index)
        var places = flaws.flatMap(\.value.first) + report.firstInvalidISBNs.map(\.place)
        places += (byISBN.first + byTitle.first).joined().map { CatalogValidator.Place(record: $0) }
        var positions = catalog.positions(
            of: places.map { RecordPlace(BookID($0.record), $0.steps.isEmpty ? nil : $0.path) })[...]
        func next() -> Place {
            let position = positions.popFirst() ?? TextPosition(line: 1, column: 1, byteOffset: 0)
            return Place(line: position.line, column: position.column, byteOffset: position.byteOffset)
        }

        for (flaw, findings) in flaws {
            for found in findings.first {
                let place = next()
                let value = catalog.record(BookID(found.record)).flatMap { found.path.value(in: $0) }
                let fault = Fault(
                    kind: flaw.kind, line: place.line, column: place.column, byteOffset: place.byteOffset,
                    message: flaw.message(of: value))
                add(fault, count: findings.count)
            }
        }
        invalidISBNs.count = report.invalidISBNCount
        for number in report.firstInvalidISBNs {
            let place = next()
            invalidISBNs.first.append(
                .init(text: number.text, line: place.line, column: place.column, byteOffset: place.byteOffset))
        }
        func groups(_ found: CatalogValidator.Doubles, _ value: (Book) -> String) -> Doubles.Groups {
            let groups = found.first.map { records in
                let book = records.first.flatMap { catalog.book(BookID($0)).value }
                return Doubles.Group(value: book.map(value) ?? "", places: records.map { _ in next() })
            }
            return Doubles.Groups(groups: found.groupCount, records: found.recordCount, first: groups)
        }
        doubles.isbn = groups(byISBN) { $0.isbn?.formatted ?? "" }
        doubles.titleAndAuthors = groups(byTitle) {
            ([$0.title] + ($0.authors.isEmpty ? [] : [$0.authors.listed])).joined(separator: ", ")
        }
    }
}
