internal import JSON

/// A book to export, from a row in the native fields of stacks.
struct ExportedBook {
    /// The row.
    let row: JSONValue

    /// Creates a book from its row.
    init(row: JSONValue) { self.row = row }

    /// The identity in stacks, such as "isbn:9780141439587".
    var identity: String { text("id") ?? "" }
    /// The title; empty if there is none.
    var title: String { text("title") ?? "" }
    /// The authors.
    var authors: [String] { texts("authors") }
    /// The languages, as language tags or names.
    var languages: [String] { texts("language") }
    /// The subjects.
    var subjects: [String] { texts("subjects") }
    /// The number of pages.
    var pageCount: Int? { row["pageCount"]?.integer }
    /// Whether the book is fiction.
    var fiction: Bool? { row["fiction"]?.boolean }

    /// The identifiers that are not ISBNs.
    var identifiers: [(scheme: String, value: String)] {
        (row["identifiers"]?.elements ?? []).compactMap { item in
            guard let scheme = item["scheme"]?.string, let value = item["value"]?.string else { return nil }
            return (scheme, value)
        }
    }

    /// The contributors who are not authors.
    var contributors: [(name: String, role: String?)] {
        (row["contributors"]?.elements ?? []).compactMap { item in
            item["name"]?.string.map { ($0, item["role"]?.string) }
        }
    }

    /// The date of publication.
    var published: ExportedDate? { text("published").flatMap(ExportedDate.init) }
    /// The date when the book was added.
    var dateAdded: ExportedDate? { text("dateAdded").flatMap(ExportedDate.init) }

    /// The key in the catalog, otherwise the identity.
    var key: String { text("sourceID") ?? identity }

    /// The text of a field; nil if it is unknown or blank.
    func text(_ key: String) -> String? { row[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// The digits of a number as written in the row; nil if it is unknown.
    func number(_ key: String) -> String? { if case .number(let text)? = row[key] { text } else { nil } }

    private func texts(_ key: String) -> [String] { (row[key]?.elements ?? []).compactMap(\.string) }
}

/// A date of a row: "1815", "1815-12", "1815-12-23", "-0750".
struct ExportedDate {
    /// The year; negative for BC.
    let year: Int
    /// The month.
    let month: Int?
    /// The day.
    let day: Int?

    /// Parses a date; fails without a year.
    init?(_ text: String) {
        let isNegative = text.hasPrefix("-")
        let parts = (isNegative ? text.dropFirst() : text[...]).split(separator: "-").map { Int($0) }
        guard let first = parts.first, let year = first else { return nil }
        self.year = isNegative ? -year : year
        month = parts.count > 1 ? parts[1] : nil
        day = parts.count > 2 ? parts[2] : nil
    }
}

extension Int {
    /// Returns the number padded with zeros to `count` digits.
    func padded(_ count: Int) -> String {
        let digits = String(magnitude)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}
